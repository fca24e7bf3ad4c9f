"""SZ002: enough processors for each card."""

import pytest

from tests.rules.drafts import CPU, Draft, node, pool


@pytest.mark.parametrize(
    ("kind", "verdicts"),
    [
        ("ecs.gn7i-c16g1.4xlarge", []),
        ("ecs.gn7i-c8g1.2xlarge", []),
        ("ecs.gn6i-c4g1.xlarge", ["warn"]),
        (CPU, []),
        ("ml.gu7i.c8m30.1-gu30", []),
    ],
)
def test_machine(kind: str, verdicts: list[str]) -> None:
    """The vCPU of the type are shared by its cards."""
    draft = Draft()
    node(draft, instanceType=kind)
    assert [verdict for verdict, _ in draft.verdicts("SZ002")] == verdicts


def test_smallest_of_a_pool() -> None:
    """The type with the fewest decides in a pool."""
    draft = Draft()
    pool(draft, instanceTypes=["ecs.gn6i-c16g1.4xlarge", "ecs.gn6i-c4g1.xlarge"])
    assert draft.verdicts("SZ002") == [("warn", "pool")]
