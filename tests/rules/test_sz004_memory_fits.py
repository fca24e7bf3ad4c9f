"""SZ004: the job fits into the memory of the cards."""

import pytest

from tests.rules.drafts import A10, CPU, TRAIN, Draft, node, pool

T4 = "ecs.gn6i-c8g1.2xlarge"


@pytest.mark.parametrize(("bound", "verdicts"), [(20.0, []), (22.0, []), (22.9, ["deny"])])
def test_bound_against_the_card(bound: float, verdicts: list[str]) -> None:
    """The bound is compared with what the driver shows of the card that the stack really uses."""
    draft = Draft(outputs={"gpu_memory_bound_gib": bound, "gpu_memory_usable_gib": 79.0})
    node(draft)
    assert [verdict for verdict, _ in draft.verdicts("SZ004")] == verdicts


def test_smallest_card_of_a_pool() -> None:
    """One type of a pool with a smaller card is denied."""
    draft = Draft(outputs={"gpu_memory_bound_gib": 20.0})
    pool(draft, instanceTypes=[A10, T4])
    assert draft.verdicts("SZ004") == [("deny", "pool")]


def test_platform_type() -> None:
    """Where the catalog does not know the card, the stack's own figure counts; without it, unknown."""
    for outputs, verdict in (
        ({"gpu_memory_bound_gib": 80.0, "gpu_memory_usable_gib": 79.0}, "deny"),
        ({"gpu_memory_bound_gib": 80.0}, "unknown"),
    ):
        draft = Draft(outputs=outputs)
        node(draft, instanceType="ml.gu7i.c8m30.1-gu30")
        assert draft.verdicts("SZ004") == [(verdict, "node")]


def test_no_estimate() -> None:
    """A stack without an estimate is unknown for machines that train, and not judged for others."""
    draft = Draft()
    node(draft, "train")
    node(draft, "dev", tags={"trainform-role": "dev"})
    node(draft, "cpu", instanceType=CPU, tags=TRAIN)
    assert draft.verdicts("SZ004") == [("unknown", "train")]


def test_estimate_of_a_wrong_kind() -> None:
    """A figure that is a text is no figure."""
    draft = Draft(outputs={"gpu_memory_bound_gib": "20"})
    node(draft)
    assert draft.verdicts("SZ004") == [("unknown", "node")]
