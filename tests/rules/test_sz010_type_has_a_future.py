"""SZ010: the type is still sold and recommended."""

import pytest

from tests.rules.drafts import A10, CPU, Draft, node, pool

RETIRED = "ecs.gn5-c8g1.2xlarge"


@pytest.mark.parametrize(
    ("kind", "verdicts"),
    [
        (A10, []),
        (CPU, []),
        (RETIRED, ["warn"]),
        ("ml.gu7i.c8m30.1-gu30", []),
    ],
)
def test_machine(kind: str, verdicts: list[str]) -> None:
    """The status that the catalog gives the type decides."""
    draft = Draft()
    node(draft, instanceType=kind)
    assert [verdict for verdict, _ in draft.verdicts("SZ010")] == verdicts


def test_one_type_of_a_pool() -> None:
    """A retired type among others is told."""
    draft = Draft()
    pool(draft, instanceTypes=[A10, RETIRED])
    assert draft.verdicts("SZ010") == [("warn", "pool")]
