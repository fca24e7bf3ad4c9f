"""SZ006: the framework's wheels have code for the card."""

import pytest

from tests.rules.drafts import A10, Draft, node, pool

T4, V100, P100 = "ecs.gn6i-c8g1.2xlarge", "ecs.gn6v-c8g1.2xlarge", "ecs.gn5-c8g1.2xlarge"


@pytest.mark.parametrize(
    ("kind", "framework", "verdicts"),
    [
        (A10, "pytorch-2.11-cu128", []),
        (T4, "pytorch-2.11-cu128", []),
        (V100, "pytorch-2.11-cu128", ["deny"]),
        (V100, "pytorch-2.11-cu126", []),
        (V100, "caffe-1.0", ["unknown"]),
        (V100, None, ["warn"]),
        (P100, None, ["warn"]),
        (T4, None, []),
    ],
)
def test_card(kind: str, framework: str | None, verdicts: list[str]) -> None:
    """The named wheels decide; without them the card alone."""
    draft = Draft(outputs=None if framework is None else {"framework": framework})
    node(draft, instanceType=kind)
    assert [verdict for verdict, _ in draft.verdicts("SZ006")] == verdicts


def test_every_card_of_a_pool() -> None:
    """One old card among the types of a pool is denied."""
    draft = Draft(outputs={"framework": "pytorch-2.11-cu128"})
    pool(draft, instanceTypes=[A10, V100])
    assert draft.verdicts("SZ006") == [("deny", "pool")]
