"""SP004: a spot bid is below the on-demand price."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import A10, NODE_POOL, Draft, node, pool

T4 = "ecs.gn6i-c8g1.2xlarge"
LIMIT = {"spotStrategy": "SpotWithPriceLimit"}


@pytest.mark.parametrize(
    ("bid", "region", "verdicts"),
    [
        (3, "cn-beijing", []),
        (9.9, "cn-beijing", []),
        (99, "cn-beijing", ["warn"]),
        (1000, "cn-nowhere", ["warn"]),
        (3, "cn-nowhere", ["unknown"]),
        (UNKNOWN, "cn-beijing", []),
    ],
)
def test_machine(bid: object, region: str, verdicts: list[str]) -> None:
    """A bid is compared with the list price of the type in the region; beyond any price it is no cap."""
    draft = Draft(region=region)
    node(draft, spotPriceLimit=bid, **LIMIT)
    assert [verdict for verdict, _ in draft.verdicts("SP004")] == verdicts


@pytest.mark.parametrize("carrier", ["pool", "node pool"])
def test_each_type_has_its_own_price(carrier: str) -> None:
    """Each bid of a pool is compared with its own type's price."""
    draft = Draft()
    caps = [{"instanceType": T4, "priceLimit": "10"}, {"instanceType": A10, "priceLimit": "20"}]
    if carrier == "pool":
        pool(draft, instanceTypes=[T4, A10], spotPriceLimits=caps, **LIMIT)
    else:
        draft.add(NODE_POOL, "pool", instanceTypes=[T4, A10], spotPriceLimits=caps, **LIMIT)
    found = draft.findings("SP004")
    assert [(entry.verdict, A10 in entry.message) for entry in found] == [("warn", True)]


def test_without_spot() -> None:
    """A bid without spot is another rule's business."""
    draft = Draft()
    node(draft, spotPriceLimit=99)
    assert draft.verdicts("SP004") == []
