"""What the node's own scripts do on Baidu AI Cloud, run with a client and a metadata service that only take notes."""

import os
import subprocess
from pathlib import Path

import pytest

from generator.stack.templating import TEMPLATES

SCRIPTS = TEMPLATES / "baiducloud" / "startup"
KEYS = '{"accessKeyId": "AK", "secretAccessKey": "SK", "sessionToken": "ST", "expiration": "2030-01-01T00:00:00Z"}'
LISTED = "2026-11-30 10:00:00  12  STANDARD  checkpoints/step-10/.complete.node-0\n"


@pytest.fixture
def fakes(tmp_path: Path) -> Path:
    """A folder of commands: bcecmd notes its words, trainform-metadata gives keys of a role."""
    for name, text in (
        ("bcecmd", f'#!/bin/bash\nprintf "%s\\n" "$*" >>"$HOME/calls"\n[[ $2 != ls ]] || printf %s "{LISTED}"\n'),
        ("trainform-metadata", f"#!/bin/bash\n[[ $1 == sts-credential ]] && echo '{KEYS}'\n"),
        ("jq", '#!/bin/bash\nexec python3 "$(dirname "$0")/jq.py" "$@"\n'),
    ):
        path = tmp_path / name
        path.write_text(text)
        path.chmod(0o755)
    # As much of jq as the script uses.
    (tmp_path / "jq.py").write_text(
        "import json, sys\n"
        "told = json.load(sys.stdin)\n"
        "if '-r' in sys.argv:\n"
        "    print('[Defaults]')\n"
        "    print('Ak =', told['accessKeyId'])\n"
        "    print('Sk =', told['secretAccessKey'])\n"
        "    print('Sts =', told['sessionToken'])\n"
        "else:\n"
        "    print(json.dumps(told.get('credential', told)))\n"
    )
    return tmp_path


def run(fakes: Path, command: str) -> str:
    """What a command of the library prints."""
    script = f"set -euo pipefail; source {SCRIPTS / 'trainform-bucket'}; {command}"
    environment = {"HOME": str(fakes), "REGION": "bj", "PATH": f"{fakes}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True).stdout


def test_the_client_acts_as_the_node(fakes: Path) -> None:
    """Keys of the role are written anew for each call, for nobody else to read, and URLs as the client spells them."""
    run(fakes, "bucket_copy bos://b-ckpt/trainform/master /tmp/master")
    assert (fakes / "calls").read_text() == "bos cp bos:/b-ckpt/trainform/master /tmp/master --yes --quiet\n"
    credentials = fakes / ".go-bcecli" / "credentials"
    assert credentials.read_text() == "[Defaults]\nAk = AK\nSk = SK\nSts = ST\n"
    assert credentials.stat().st_mode & 0o077 == 0
    assert "Domain = bj.bcebos.com" in (fakes / ".go-bcecli" / "config").read_text()


def test_a_list_is_of_urls(fakes: Path) -> None:
    """One URL of an object a line, as the other scripts read it."""
    assert run(fakes, "bucket_list bos://b-ckpt/checkpoints/") == "bos://b-ckpt/checkpoints/step-10/.complete.node-0\n"


def test_folders_are_synchronized(fakes: Path) -> None:
    """Contents of folders go both ways without a question, and a folder that is not there is made."""
    run(fakes, f"bucket_get bos://sets/text/ {fakes}/data/; bucket_put {fakes}/data/ bos://b-ckpt/x/")
    assert (fakes / "data").is_dir()
    assert (fakes / "calls").read_text().splitlines() == [
        f"bos sync bos:/sets/text/ {fakes}/data/ --yes --quiet",
        f"bos sync {fakes}/data/ bos:/b-ckpt/x/ --yes --quiet",
    ]
