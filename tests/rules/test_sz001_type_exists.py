"""SZ001: the instance type exists and is sold in this region."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import (
    A10,
    CONFIGURATION,
    INSTANCE,
    INSTANCE_SET,
    NODE_POOL,
    OLD_TEMPLATE,
    TEMPLATE,
    Draft,
    node,
)

CARRIERS = [
    (INSTANCE, "instanceType"),
    (INSTANCE_SET, "instanceType"),
    (TEMPLATE, "instanceType"),
    (OLD_TEMPLATE, "instanceType"),
    (CONFIGURATION, "instanceType"),
    (CONFIGURATION, "instanceTypes"),
    (NODE_POOL, "instanceTypes"),
]


@pytest.mark.parametrize(("carrier", "name"), CARRIERS)
def test_carriers(carrier: str, name: str) -> None:
    """A type that no list has is denied wherever it stands, and one that is sold passes."""
    for kind, verdicts in (("ecs.gn7i-xlarge", ["deny"]), (A10, [])):
        draft = Draft()
        draft.add(carrier, "it", **{name: [kind] if name.endswith("s") else kind})
        assert [verdict for verdict, _ in draft.verdicts("SZ001")] == verdicts


def test_nearest_name() -> None:
    """The cure is the nearest name that exists."""
    draft = Draft()
    node(draft, instanceType="ecs.gn7i-c16g1.4xlargee")
    found = draft.findings("SZ001")[0]
    assert found.verdict == "deny"
    assert found.cure == f"instanceType: {A10}"


def test_every_type_of_a_pool() -> None:
    """Each type of a list is judged."""
    draft = Draft()
    draft.add(CONFIGURATION, "it", instanceTypes=[A10, "ecs.gn9000-c1.large", "ecs.c7i-gpu"])
    assert draft.verdicts("SZ001") == [("deny", "it"), ("deny", "it")]


def test_not_in_this_region() -> None:
    """A type that the region's dated list lacks is a warning with the date."""
    draft = Draft(region="cn-nanjing")
    node(draft)
    found = draft.findings("SZ001")[0]
    assert found.verdict == "warn"
    assert "2025-09" in found.message


@pytest.mark.parametrize("kind", ["ml.gu7i.c8m30.1-gu30", UNKNOWN])
def test_cannot_tell(kind: object) -> None:
    """What a platform sells, and what is not known yet, is unknown."""
    draft = Draft()
    node(draft, instanceType=kind)
    assert draft.verdicts("SZ001") == [("unknown", "node")]


def test_region_from_the_zone() -> None:
    """Without a configured region the zone tells it; without either it is unknown."""
    draft = Draft(region="")
    node(draft, availabilityZone="cn-beijing-l")
    assert draft.verdicts("SZ001") == []
    nowhere = Draft(region="")
    node(nowhere)
    assert nowhere.verdicts("SZ001") == [("unknown", "node")]


@pytest.mark.parametrize(
    ("kind", "verdicts"),
    [
        ("HCCPNV4h.96XLARGE1152", ["unknown"]),
        ("HCCPNV9.96XLARGE1152", ["deny"]),
        ("GN10Xp.3XLARGE40", ["deny"]),
        ("GN10Xp.2XLARGE40", []),
    ],
)
def test_family_without_sizes(kind: str, verdicts: list[str]) -> None:
    """Where our sources tell a family by its name alone, its sizes are unknown, never denied; other families are."""
    draft = Draft("tencentcloud", "ap-beijing")
    draft.add("Instance/instance:Instance", "node", instanceType=kind, availabilityZone="ap-beijing-3", imageId="img-1")
    assert [verdict for verdict, _ in draft.verdicts("SZ001")] == verdicts
