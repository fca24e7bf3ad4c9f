"""SZ003: enough memory in the machine."""

import pytest

from tests.rules.drafts import CPU, TRAIN, Draft, node

SMALL, MIDDLE, LARGE = "ecs.gn7i-c8g1.2xlarge", "ecs.gn7i-c16g1.4xlarge", "ecs.gn7e-c16g1.4xlarge"  # 30, 60, 125 GiB
DEV = {"trainform-role": "dev"}
DISK = [{"category": "cloud_essd", "performanceLevel": "PL1", "size": 500}]


def data(gib: int) -> dict[str, str]:
    """Tags of a training machine with so much data."""
    return TRAIN | {"trainform-dataset-gib": str(gib)}


@pytest.mark.parametrize(
    ("kind", "tags", "disks", "verdicts"),
    [
        (SMALL, DEV, None, []),
        ("ecs.gn6i-c4g1.xlarge", DEV, None, ["warn"]),
        (SMALL, TRAIN, None, ["warn"]),
        (MIDDLE, TRAIN, None, []),
        (MIDDLE, data(100), None, ["warn"]),
        (MIDDLE, data(100), DISK, []),
        (LARGE, data(100), None, ["warn"]),
        (LARGE, data(50), None, []),
        (LARGE, data(2000), None, []),
        (SMALL, {}, None, ["unknown"]),
        (SMALL, {"trainform-role": "infer"}, None, []),
        (CPU, TRAIN, None, []),
    ],
)
def test_machine(kind: str, tags: dict[str, str], disks: list[object] | None, verdicts: list[str]) -> None:
    """Role and data decide; data on a disk need no memory, and terabytes are streamed."""
    draft = Draft()
    node(draft, instanceType=kind, tags=tags, dataDisks=disks)
    assert [verdict for verdict, _ in draft.verdicts("SZ003")] == verdicts


def test_a_disk_that_is_nobodys_leaves_it_open() -> None:
    """Where only a data disk could decide, and nothing tells whose it is (as in the event stream), it is unknown."""
    draft = Draft()
    node(draft, instanceType=MIDDLE, tags=data(100))
    draft.add("ecs/ecsDisk:EcsDisk", "data", category="cloud_essd", performanceLevel="PL1", size=500)
    assert [verdict for verdict, _ in draft.verdicts("SZ003")] == ["unknown"]
