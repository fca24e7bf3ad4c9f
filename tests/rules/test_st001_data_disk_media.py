"""ST001: no data disk on spinning media, whatever carries it."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import (
    CONFIGURATION,
    DISK,
    INSTANCE,
    INSTANCE_SET,
    NODE_POOL,
    OLD_DISK,
    OLD_TEMPLATE,
    TEMPLATE,
    Draft,
    node,
)

NESTED = [INSTANCE, INSTANCE_SET, CONFIGURATION, TEMPLATE, OLD_TEMPLATE, NODE_POOL]
STANDALONE = [DISK, OLD_DISK]
KINDS = [
    ("cloud", "deny"),
    ("local_hdd_pro", "deny"),
    ("cloud_efficiency", "warn"),
    ("cloud_essd", None),
    ("cloud_auto", None),
    ("cloud_ssd", None),
    ("elastic_ephemeral_disk_premium", None),
]


@pytest.mark.parametrize("carrier", NESTED)
@pytest.mark.parametrize(("kind", "verdict"), KINDS)
def test_nested_disk(carrier: str, kind: str, verdict: str | None) -> None:
    """A nested data disk is judged by its kind in every carrier, at its own path."""
    draft = Draft()
    draft.add(carrier, "it", dataDisks=[{"category": "cloud_essd", "size": 100}, {"category": kind, "size": 100}])
    found = [(entry.verdict, entry.property) for entry in draft.findings("ST001")]
    assert found == ([] if verdict is None else [(verdict, "dataDisks[1].category")])


@pytest.mark.parametrize("carrier", STANDALONE)
@pytest.mark.parametrize(("kind", "verdict"), KINDS)
def test_standalone_disk(carrier: str, kind: str, verdict: str | None) -> None:
    """A disk of its own is judged under its old and its new name."""
    draft = Draft()
    draft.add(carrier, "it", category=kind, size=100)
    assert draft.verdicts("ST001") == ([] if verdict is None else [(verdict, "it")])


@pytest.mark.parametrize("carrier", STANDALONE)
def test_standalone_default(carrier: str) -> None:
    """A kind that is left out gets the verdict of the provider's default."""
    draft = Draft()
    draft.add(carrier, "it", size=100)
    assert draft.verdicts("ST001") == [("warn", "it")]
    assert "default" in draft.findings("ST001")[0].message


def test_nested_default() -> None:
    """So does one that is left out in an instance; a scaling configuration has no default, and is unknown."""
    draft = Draft()
    draft.add(INSTANCE, "instance", dataDisks=[{"size": 100}])
    draft.add(CONFIGURATION, "configuration", dataDisks=[{"size": 100}])
    assert draft.verdicts("ST001") == [("warn", "instance"), ("unknown", "configuration")]


@pytest.mark.parametrize("kind", [UNKNOWN, "cloud_of_next_year"])
def test_cannot_tell(kind: object) -> None:
    """A kind that is unknown, or that no table has, is unknown."""
    draft = Draft()
    draft.add(DISK, "it", category=kind, size=100)
    assert draft.verdicts("ST001") == [("unknown", "it")]


def test_list_unknown() -> None:
    """A whole list of disks that is unknown is unknown once."""
    draft = Draft()
    node(draft, dataDisks=UNKNOWN)
    assert draft.verdicts("ST001") == [("unknown", "node")]


def test_system_disk_is_another_rule() -> None:
    """A slow system disk is not this rule's business."""
    draft = Draft()
    node(draft, systemDiskCategory="cloud")
    assert draft.verdicts("ST001") == []


def test_cure_names_property_and_value() -> None:
    """The cure is the edit itself."""
    draft = Draft()
    draft.add(INSTANCE, "it", dataDisks=[{"category": "cloud", "size": 100}])
    assert draft.findings("ST001")[0].cure.startswith("dataDisks[0].category: cloud_essd")
