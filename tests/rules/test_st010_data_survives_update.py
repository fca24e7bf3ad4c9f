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


@pytest.mark.parametrize(("inner", "wanted"), [(True, ["deny"]), (None, ["deny"]), (False, [])])
def test_a_machines_own_data_disks_go_with_it(inner: bool | None, wanted: list[str]) -> None:
    """A data disk that the machine's own resource makes and deletes is lost with it; one that is kept is not."""
    draft = Draft()
    disk = {"category": "cloud_essd", "size": 100} | ({} if inner is None else {"deleteWithInstance": inner})
    machine = draft.add(INSTANCE, "it", instanceType="ecs.c7.xlarge", dataDisks=[disk])
    draft.resources = [msgspec.structs.replace(machine, op="replace", replace_keys=("availabilityZone",))]
    assert [finding.verdict for finding in judge(draft.state()).findings if finding.rule == "ST010"] == wanted


def test_what_no_schema_tells_is_unknown() -> None:
    """An input that changes, and of which nobody tells whether it replaces the disk, is neither passed nor denied."""
    draft = Draft()
    draft.resources = [msgspec.structs.replace(draft.add(DISK, "it"), op="update", unsure_keys=("kind",))]
    assert [finding.verdict for finding in judge(draft.state()).findings if finding.rule == "ST010"] == ["unknown"]
