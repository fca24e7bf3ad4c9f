"""SP006: spot and prepaid fields go together."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import CONFIGURATION, INSTANCE, NODE_POOL, Draft

LIMIT = {"spotStrategy": "SpotWithPriceLimit"}
GO = {"spotStrategy": "SpotAsPriceGo"}
CAPS = [{"instanceType": "ecs.gn7i-c16g1.4xlarge", "priceLimit": 9.5}]
CASES: list[tuple[str, dict[str, object], dict[str, object]]] = [
    (INSTANCE, LIMIT, LIMIT | {"spotPriceLimit": 9.5}),
    (INSTANCE, {"spotPriceLimit": 9.5}, {}),
    (INSTANCE, GO | {"instanceChargeType": "PrePaid", "period": 1}, GO | {"instanceChargeType": "PostPaid"}),
    (INSTANCE, GO | {"deletionProtection": True}, GO),
    (INSTANCE, {"spotStrategy": "SpotFoo"}, GO),
    (INSTANCE, GO | {"spotDuration": 9}, GO | {"spotDuration": 1}),
    (INSTANCE, {"instanceChargeType": "PrePaid", "period": 10}, {"instanceChargeType": "PrePaid", "period": 12}),
    (
        INSTANCE,
        {"instanceChargeType": "PrePaid", "period": 1, "autoReleaseTime": "2030-01-01T00:00:00Z"},
        {"autoReleaseTime": "2030-01-01T00:00:00Z"},
    ),
    (INSTANCE, {"autoReleaseTime": "tomorrow"}, {"autoReleaseTime": "2030-01-01T00:00:00Z"}),
    (CONFIGURATION, LIMIT, LIMIT | {"spotPriceLimits": CAPS}),
    (CONFIGURATION, {"spotPriceLimits": CAPS}, {}),
    (NODE_POOL, LIMIT, LIMIT | {"spotPriceLimits": CAPS}),
]


@pytest.mark.parametrize(("kind", "wrong", "right"), CASES)
def test_value(kind: str, wrong: dict[str, object], right: dict[str, object]) -> None:
    """The wrong value is denied at its property, and the right one beside it passes."""
    for inputs, verdicts in ((wrong, {"deny"}), (right, set())):
        draft = Draft()
        draft.add(kind, "it", **inputs)
        assert {entry.verdict for entry in draft.findings("SP006")} == verdicts, inputs


def test_unknown_is_not_illegal() -> None:
    """What is unknown until `up` is not judged."""
    draft = Draft()
    draft.add(INSTANCE, "it", spotStrategy=UNKNOWN, instanceChargeType="PrePaid", period=1)
    assert draft.findings("SP006") == []
