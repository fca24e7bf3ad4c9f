"""SP002: spot has a bid cap or a fallback."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import A10, GROUP, NODE_POOL, Draft, node, pool

GO, LIMIT = {"spotStrategy": "SpotAsPriceGo"}, {"spotStrategy": "SpotWithPriceLimit"}
CAPS = [{"instanceType": A10, "priceLimit": 9}]


@pytest.mark.parametrize(
    ("inputs", "verdicts"),
    [
        (GO, ["warn"]),
        (LIMIT | {"spotPriceLimit": 3}, []),
        (LIMIT | {"spotPriceLimit": UNKNOWN}, []),
        ({}, []),
    ],
)
def test_machine(inputs: dict[str, object], verdicts: list[str]) -> None:
    """A machine has no fallback, so it needs a cap; whatever it is for."""
    draft = Draft()
    node(draft, tags={"trainform-role": "infer"}, **inputs)
    assert [verdict for verdict, _ in draft.verdicts("SP002")] == verdicts


@pytest.mark.parametrize(
    ("group", "verdicts"),
    [
        ({"compensateWithOnDemand": True}, []),
        ({"compensateWithOnDemand": False, "onDemandBaseCapacity": 1}, []),
        ({"compensateWithOnDemand": False, "spotInstanceRemedy": False}, ["warn"]),
        ({"compensateWithOnDemand": UNKNOWN}, ["unknown"]),
    ],
)
def test_pool(group: dict[str, object], verdicts: list[str]) -> None:
    """A pool may fall back instead, by its group."""
    draft = Draft()
    pool(draft, **GO)
    next(entry for entry in draft.resources if entry.type.endswith(GROUP)).inputs.update(group)
    assert [verdict for verdict, _ in draft.verdicts("SP002")] == verdicts


@pytest.mark.parametrize(("caps", "verdicts"), [(CAPS, []), (None, ["warn"]), (UNKNOWN, ["unknown"])])
def test_node_pool(caps: object, verdicts: list[str]) -> None:
    """A node pool has caps by type."""
    draft = Draft()
    draft.add(NODE_POOL, "pool", instanceTypes=[A10], compensateWithOnDemand=False, spotPriceLimits=caps, **GO)
    assert [verdict for verdict, _ in draft.verdicts("SP002")] == verdicts
