"""SE004: disks and file systems are encrypted."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import CONFIGURATION, DISK, INSTANCE, INSTANCE_SET, OLD_DISK, TEMPLATE, Draft

FILE_SYSTEM = "nas/fileSystem:FileSystem"
SWITCH = [(True, []), ("true", []), (False, ["warn"]), (None, ["warn"]), (UNKNOWN, ["unknown"])]


@pytest.mark.parametrize("carrier", [INSTANCE, CONFIGURATION])
@pytest.mark.parametrize(("switch", "verdicts"), SWITCH)
def test_system_disk(carrier: str, switch: object, verdicts: list[str]) -> None:
    """A system disk is encrypted by its switch."""
    draft = Draft()
    draft.add(carrier, "it", systemDiskCategory="cloud_essd", systemDiskEncrypted=switch)
    assert [verdict for verdict, _ in draft.verdicts("SE004")] == verdicts


@pytest.mark.parametrize("carrier", [INSTANCE, CONFIGURATION, TEMPLATE])
@pytest.mark.parametrize(("switch", "verdicts"), SWITCH)
def test_data_disk(carrier: str, switch: object, verdicts: list[str]) -> None:
    """So is each nested data disk."""
    draft = Draft()
    disk = {"category": "cloud_essd", "encrypted": switch}
    draft.add(carrier, "it", dataDisks=[{key: value for key, value in disk.items() if value is not None}])
    found = [entry.verdict for entry in draft.findings("SE004") if (entry.property or "").startswith("dataDisks")]
    assert found == verdicts


@pytest.mark.parametrize("carrier", [DISK, OLD_DISK])
@pytest.mark.parametrize(("switch", "verdicts"), SWITCH)
def test_standalone(carrier: str, switch: object, verdicts: list[str]) -> None:
    """And a disk of its own."""
    draft = Draft()
    draft.add(carrier, "it", category="cloud_essd", encrypted=switch)
    assert [verdict for verdict, _ in draft.verdicts("SE004")] == verdicts


@pytest.mark.parametrize(
    ("inputs", "verdicts"),
    [
        ({"encryptType": 1}, []),
        ({"encryptType": 2}, []),
        ({"encryptType": 0}, ["warn"]),
        ({}, ["warn"]),
        ({"encryptType": UNKNOWN}, ["unknown"]),
        ({"fileSystemType": "cpfs"}, []),
    ],
)
def test_file_system(inputs: dict[str, object], verdicts: list[str]) -> None:
    """A file system says how it encrypts; CPFS always does."""
    draft = Draft()
    draft.add(FILE_SYSTEM, "it", **inputs)
    assert [verdict for verdict, _ in draft.verdicts("SE004")] == verdicts


def test_what_cannot_be() -> None:
    """An ephemeral disk, and a carrier without the switch, are not asked for it."""
    draft = Draft()
    draft.add(DISK, "ephemeral", category="elastic_ephemeral_disk_premium")
    draft.add(INSTANCE_SET, "set", systemDiskCategory="cloud_essd")
    assert draft.verdicts("SE004") == []
