"""What has no plain JSON value: what is unknown until `up`, and secrets; and how the engine writes them."""

from __future__ import annotations

from typing import Any


class Unknown:
    """A value that is known only after `up`; there is one, `UNKNOWN`, and it equals only itself."""

    def __repr__(self) -> str:
        return "UNKNOWN"


class Secret:
    """A value that must not be shown; there is one, `SECRET`: the value itself is never kept."""

    def __repr__(self) -> str:
        return "SECRET"


UNKNOWN = Unknown()
SECRET = Secret()

# How the engine writes what has no plain JSON value (pulumi sdk/go/common/resource/properties.go and plugin/rpc.go).
UNKNOWN_SENTINELS = frozenset(
    {
        "04da6b54-80e4-46f7-96ec-b56ff0331ba9",  # string, and whatever has no kind
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",  # boolean
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",  # number
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",  # array
        "030794c1-ac77-496b-92df-f27374a8bd58",  # asset
        "e48ece36-62e2-4504-bad9-02848725956a",  # archive
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",  # object
    }
)
STRING_SENTINEL = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
SIGNATURE_KEY = "4dabf18193072939515e22adb298388d"
SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105  (a marker of the wire format, no secret)
OUTPUT_SIGNATURE = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
REFERENCE_SIGNATURE = "5cf8f73096256a8f31e491e813e4eb8e"
SECRET_TEXT = "[secret]"  # noqa: S105  (what `pulumi preview --json` prints in a secret's place)


def plain(value: Any) -> Any:
    """A value of the wire format as it stands in `Resource.inputs`: UNKNOWN and SECRET in place of their markers."""
    if isinstance(value, str):
        return _plain_text(value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()} if SIGNATURE_KEY not in value else _plain_marked(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)  # protobuf knows no integers
    return value


def _plain_text(value: str) -> Any:
    if len(value) < len(STRING_SENTINEL):
        return SECRET if value == SECRET_TEXT else value
    # A text made with an unknown part is unknown as a whole.
    return UNKNOWN if value in UNKNOWN_SENTINELS or STRING_SENTINEL in value else value


def _plain_marked(value: dict[str, Any]) -> Any:
    """A value that a signature marks: a secret, an output, a reference, or an asset."""
    signature = value[SIGNATURE_KEY]
    if signature == SECRET_SIGNATURE or value.get("secret") is True:
        return SECRET
    if signature == OUTPUT_SIGNATURE:
        return plain(value["value"]) if "value" in value else UNKNOWN
    if signature == REFERENCE_SIGNATURE:
        return plain(value.get("id", UNKNOWN))
    return {key: plain(item) for key, item in value.items() if key != SIGNATURE_KEY}


def wire(value: Any) -> Any:
    """A value of `Resource.inputs` as the engine would print it: the inverse of `plain`, for JSON that leaves us."""
    if value is UNKNOWN:
        return STRING_SENTINEL
    if value is SECRET:
        return SECRET_TEXT
    if isinstance(value, dict):
        return {key: wire(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [wire(item) for item in value]
    return value
