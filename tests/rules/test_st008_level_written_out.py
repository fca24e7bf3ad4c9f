"""ST008: the performance level of a disk is written out."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import CONFIGURATION, DISK, INSTANCE, NODE_POOL, TEMPLATE, Draft

SILENT = {"category": "cloud_essd", "size": 100}
TOLD = SILENT | {"performanceLevel": "PL1"}


@pytest.mark.parametrize("carrier", [INSTANCE, CONFIGURATION, NODE_POOL, TEMPLATE])
def test_nested(carrier: str) -> None:
    """A nested disk without its level is a warning, one with it is not."""
    draft = Draft()
    draft.add(carrier, "it", dataDisks=[SILENT, TOLD])
    found = [entry.property for entry in draft.findings("ST008") if (entry.property or "").startswith("dataDisks")]
    assert found == ["dataDisks[0].performanceLevel"]


@pytest.mark.parametrize("carrier", [INSTANCE, CONFIGURATION, NODE_POOL])
def test_system_disk(carrier: str) -> None:
    """So is a system disk."""
    for inputs, verdicts in (({}, ["warn"]), ({"systemDiskPerformanceLevel": "PL0"}, [])):
        draft = Draft()
        draft.add(carrier, "it", systemDiskCategory="cloud_essd", **inputs)
        assert [verdict for verdict, _ in draft.verdicts("ST008")] == verdicts


@pytest.mark.parametrize(
    ("inputs", "verdicts"),
    [
        (SILENT, ["warn"]),
        (TOLD, []),
        (SILENT | {"performanceLevel": UNKNOWN}, []),
        (SILENT | {"category": "cloud_auto"}, []),
    ],
)
def test_standalone(inputs: dict[str, object], verdicts: list[str]) -> None:
    """Kinds without levels need none, and an unknown level is one."""
    draft = Draft()
    draft.add(DISK, "it", **inputs)
    assert [verdict for verdict, _ in draft.verdicts("ST008")] == verdicts
