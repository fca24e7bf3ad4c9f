"""SE002: no password or key stands in the program."""

import base64
import json

import pytest

from generator.program.values import SECRET, UNKNOWN
from tests.rules.drafts import Draft, node

KEY = "LTAI" + "5tExample0000000001"
PRIVATE = "-----BEGIN OPENSSH PRIVATE KEY-----\nxxxx\n-----END OPENSSH PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    ("inputs", "paths"),
    [
        ({"password": "Example-Password-1"}, ["password"]),
        ({"password": SECRET}, []),
        ({"password": UNKNOWN}, []),
        ({"kmsEncryptedPassword": "AQICAHg1"}, []),
        ({"passwordInherit": True}, []),
        ({"userData": "#!/bin/bash\nexport PASSWORD=Abc12345\n"}, ["userData"]),
        ({"userData": base64.b64encode(b"#!/bin/bash\nexport DB_PASSWORD='Abc12345'\n").decode()}, ["userData"]),
        ({"userData": f"#!/bin/bash\naliyun configure set --access-key-id {KEY}\n"}, ["userData"]),
        ({"userData": PRIVATE}, ["userData"]),
        ({"userData": "#!/bin/bash\nPASSWORD=$(cat /run/secret)\nTOKEN=${TOKEN}\npassword=changeme\n"}, []),
        ({"userData": "#cloud-config\nssh_pwauth: false\nlock_passwd: true\n"}, []),
        ({"userData": SECRET}, []),
        ({"description": json.dumps({"secret_key": "abcdEFGH1234"})}, ["description"]),
        ({"tags": {"x": KEY}}, ["tags.x"]),
        ({"dataDisks": [{"name": "a", "description": KEY}]}, ["dataDisks[0].description"]),
        ({"keyName": "login", "description": "the password is in the vault"}, []),
    ],
)
def test_inputs(inputs: dict[str, object], paths: list[str]) -> None:
    """Secrets are found by name and by form, at any depth, and nothing that only names one."""
    draft = Draft()
    node(draft, **inputs)
    found = draft.findings("SE002")
    assert [(entry.verdict, entry.property) for entry in found] == [("deny", path) for path in paths]


def test_the_secret_is_not_repeated() -> None:
    """No finding shows what it found."""
    draft = Draft()
    node(draft, password="Example-Password-1", userData=f"key {KEY}")
    assert len(draft.findings("SE002")) == 2
    assert not [entry for entry in draft.findings("SE002") if "Example" in repr(entry)]
