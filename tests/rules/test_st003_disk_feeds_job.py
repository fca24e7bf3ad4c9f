"""ST003: the data disks give what the job reads."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import DISK, DISK_ATTACHMENT, Draft, node

PL1 = {"category": "cloud_essd", "performanceLevel": "PL1", "size": 500}
FILE_SYSTEM = "nas/fileSystem:FileSystem"


@pytest.mark.parametrize(
    ("disk", "need", "verdicts"),
    [
        (PL1, 300.0, []),
        (PL1, 400.0, ["warn"]),
        (PL1 | {"performanceLevel": "PL3", "size": 2000}, 1000.0, []),
        (PL1 | {"size": UNKNOWN}, 300.0, ["unknown"]),
        (PL1, None, []),
    ],
)
def test_nested(disk: dict[str, object], need: float | None, verdicts: list[str]) -> None:
    """The disk's speed by kind, level and size is compared with the need."""
    draft = Draft(outputs=None if need is None else {"read_mbps": need})
    node(draft, dataDisks=[disk])
    assert [verdict for verdict, _ in draft.verdicts("ST003")] == verdicts


def test_standalone_disks_add_up() -> None:
    """Disks of their own count for the machine they are attached to, together; one that is nobody's leaves it open."""
    draft = Draft(outputs={"read_mbps": 600})
    machine = node(draft)
    for name in ("a", "b"):
        disk = draft.add(DISK, name, **PL1)
        assert draft.verdicts("ST003") == [("unknown", "node")] or name == "b"
        draft.add(DISK_ATTACHMENT, name, diskId=disk, instanceId=machine)
    assert draft.verdicts("ST003") == []


def test_data_on_the_system_disk() -> None:
    """A machine without a data disk is told so, unless data come from elsewhere or lie on local NVMe."""
    draft = Draft()
    node(draft)
    node(draft, "serving", tags={"trainform-role": "infer"})
    assert draft.verdicts("ST003") == [("info", "node")]
    draft.add(FILE_SYSTEM, "data", fileSystemType="cpfs", storageType="advance_200")
    assert draft.verdicts("ST003") == []
