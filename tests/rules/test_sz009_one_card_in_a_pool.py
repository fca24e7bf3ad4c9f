"""SZ009: a training pool has cards of one kind."""

import pytest

from tests.rules.drafts import A10, CONFIGURATION, NODE_POOL, TRAIN, Draft

A10_LARGER, T4 = "ecs.gn7i-c32g1.8xlarge", "ecs.gn6i-c8g1.2xlarge"


@pytest.mark.parametrize("carrier", [CONFIGURATION, NODE_POOL])
@pytest.mark.parametrize(
    ("types", "tags", "verdicts"),
    [
        ([A10, A10_LARGER], TRAIN, []),
        ([A10, T4], TRAIN, ["warn"]),
        ([A10, T4], {}, ["warn"]),
        ([A10, T4], {"trainform-role": "infer"}, []),
    ],
)
def test_pool(carrier: str, types: list[str], tags: dict[str, str], verdicts: list[str]) -> None:
    """Several sizes of one card are good, several cards are not."""
    draft = Draft()
    draft.add(carrier, "pool", instanceTypes=types, tags=tags)
    assert [verdict for verdict, _ in draft.verdicts("SZ009")] == verdicts
