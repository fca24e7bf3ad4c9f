"""ST010: an update replaces nothing that holds data."""

import msgspec
import pytest

from policies.judge import judge
from tests.rules.drafts import DISK, INSTANCE, OLD_DISK, Draft

DATA = [DISK, OLD_DISK, "oss/bucket:Bucket", "nas/fileSystem:FileSystem"]


def verdicts(kind: str, op: str | None) -> list[str]:
    """What is said of a resource of this kind in a step of this kind."""
    draft = Draft()
    draft.resources.append(msgspec.structs.replace(draft.add(kind, "it"), op=op, replace_keys=("zoneId",)))
    draft.resources.pop(0)
    return [finding.verdict for finding in judge(draft.state()).findings if finding.rule == "ST010"]


@pytest.mark.parametrize("kind", DATA)
@pytest.mark.parametrize(
    ("op", "wanted"),
    [("replace", ["deny"]), ("create-replacement", ["deny"]), ("create", []), ("update", []), ("same", []), (None, [])],
)
def test_step(kind: str, op: str | None, wanted: list[str]) -> None:
    """A replacement of what holds data is denied; other steps keep it."""
    assert verdicts(kind, op) == wanted


def test_machine_may_be_replaced() -> None:
    """A machine is not what holds the data."""
    assert verdicts(INSTANCE, "replace") == []
