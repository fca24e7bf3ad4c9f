"""ST007: sizes, levels and speeds of storage are legal."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import CONFIGURATION, DISK, INSTANCE, TEMPLATE, Draft

FILE_SYSTEM = "nas/fileSystem:FileSystem"
ZONE = {"zoneId": "cn-beijing-l"}
ESSD = {"category": "cloud_essd"} | ZONE
CPFS = {
    "fileSystemType": "cpfs",
    "protocolType": "cpfs",
    "storageType": "advance_200",
    "vpcId": "vpc-1",
    "vswitchId": "vsw-1",
} | ZONE
CASES: list[tuple[str, dict[str, object], dict[str, object]]] = [
    (DISK, ESSD | {"performanceLevel": "PL3", "size": 100}, ESSD | {"performanceLevel": "PL3", "size": 1261}),
    (DISK, ESSD | {"performanceLevel": "PL2", "size": 460}, ESSD | {"performanceLevel": "PL2", "size": 461}),
    (DISK, ESSD | {"performanceLevel": "PL9", "size": 500}, ESSD | {"performanceLevel": "PL0", "size": 500}),
    (DISK, ZONE | {"category": "cloud_foo", "size": 100}, ZONE | {"category": "cloud_auto", "size": 100}),
    (DISK, ESSD | {"performanceLevel": "PL1", "size": 5}, ESSD | {"performanceLevel": "PL1", "size": 20}),
    (
        INSTANCE,
        {"dataDisks": [{"category": "cloud_essd", "performanceLevel": "PL1", "size": 5}]},
        {"dataDisks": [{"category": "cloud_essd", "performanceLevel": "PL1", "size": 50}]},
    ),
    (
        INSTANCE,
        {"systemDiskCategory": "cloud_essd", "systemDiskSize": 10},
        {"systemDiskCategory": "cloud_essd", "systemDiskSize": 40},
    ),
    (CONFIGURATION, {"systemDiskCategory": "cloud_auto"}, {"systemDiskCategory": "cloud_essd"}),
    (TEMPLATE, {"systemDisk": {"category": "cloud_auto"}}, {"systemDisk": {"category": "cloud_essd"}}),
    (FILE_SYSTEM, CPFS | {"capacity": 100}, CPFS | {"capacity": 3600}),
    (FILE_SYSTEM, CPFS | {"storageType": "advance_300"}, CPFS | {"capacity": 7200}),
]


@pytest.mark.parametrize(("kind", "wrong", "right"), CASES)
def test_value(kind: str, wrong: dict[str, object], right: dict[str, object]) -> None:
    """The wrong value is denied at its property, and the right one beside it passes."""
    for inputs, verdicts in ((wrong, {"deny"}), (right, set())):
        draft = Draft()
        draft.add(kind, "it", **inputs)
        assert {entry.verdict for entry in draft.findings("ST007")} == verdicts, inputs


def test_unknown_is_not_illegal() -> None:
    """What is unknown until `up` is not judged."""
    draft = Draft()
    draft.add(DISK, "it", zoneId=UNKNOWN, category=UNKNOWN, performanceLevel="PL3", size=UNKNOWN)
    assert draft.findings("ST007") == []
