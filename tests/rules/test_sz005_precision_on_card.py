"""SZ005: the card computes in the precision of the job."""

import pytest

from tests.rules.drafts import A10, Draft, node

T4, V100, L20 = "ecs.gn6i-c8g1.2xlarge", "ecs.gn6v-c8g1.2xlarge", "ecs.gn8is.4xlarge"


@pytest.mark.parametrize(
    ("kind", "precision", "verdicts"),
    [
        (T4, "bf16", ["deny"]),
        (V100, "tf32", ["deny"]),
        (V100, "bf16_pure", ["deny"]),
        (T4, "fp16", []),
        (A10, "bf16", []),
        (A10, "fp8", ["deny"]),
        (A10, None, []),
    ],
)
def test_card(kind: str, precision: str | None, verdicts: list[str]) -> None:
    """The compute capability of the card is compared with what the precision needs."""
    draft = Draft(outputs=None if precision is None else {"precision": precision})
    node(draft, instanceType=kind)
    assert [verdict for verdict, _ in draft.verdicts("SZ005")] == verdicts


def test_development_is_free() -> None:
    """A development machine computes in what it likes."""
    draft = Draft(outputs={"precision": "bf16"})
    node(draft, instanceType=T4, tags={"trainform-role": "dev"})
    assert draft.verdicts("SZ005") == []
