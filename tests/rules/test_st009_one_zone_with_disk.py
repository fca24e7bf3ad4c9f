"""ST009: a disk or file system stands in the zone of its machine."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import DISK, DISK_ATTACHMENT, SWITCH, Draft, node

FILE_SYSTEM = "nas/fileSystem:FileSystem"
HERE, THERE = "cn-beijing-l", "cn-beijing-i"


@pytest.mark.parametrize(("zone", "verdicts"), [(HERE, []), (THERE, [("deny", "disk")]), (UNKNOWN, []), (None, [])])
def test_attached_disk(zone: object, verdicts: list[tuple[str, str]]) -> None:
    """A disk in another zone than its machine is denied; an unknown zone proves nothing."""
    draft = Draft()
    machine = node(draft, vswitchId=draft.add(SWITCH, "switch", zoneId=HERE))
    disk = draft.add(DISK, "disk", category="cloud_essd", zoneId=zone)
    draft.add(DISK_ATTACHMENT, "disk", diskId=disk, instanceId=machine)
    assert draft.verdicts("ST009") == verdicts


@pytest.mark.parametrize(("zone", "verdicts"), [(HERE, []), (THERE, [("deny", "data")])])
def test_file_system(zone: str, verdicts: list[tuple[str, str]]) -> None:
    """A file system stands with the machines that train on it, by its own zone or by its subnet's."""
    draft = Draft()
    node(draft, availabilityZone=HERE)
    draft.add(FILE_SYSTEM, "data", fileSystemType="cpfs", vswitchId=draft.add(SWITCH, "store", zoneId=zone))
    assert draft.verdicts("ST009") == verdicts


def test_unattached_disk() -> None:
    """A disk that no machine has may stand anywhere."""
    draft = Draft()
    node(draft, availabilityZone=HERE)
    draft.add(DISK, "disk", category="cloud_essd", zoneId=THERE)
    assert draft.verdicts("ST009") == []
