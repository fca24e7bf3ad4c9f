"""SZ007: the cards are not far larger than the job."""

import pytest

from tests.rules.drafts import A10, A100_ERDMA, CPU, TRAIN, Draft, node


@pytest.mark.parametrize(
    ("kind", "tags", "bound", "verdicts"),
    [
        (A100_ERDMA, TRAIN, 20.0, ["warn"]),
        (A100_ERDMA, TRAIN, 40.0, []),
        (A10, TRAIN, 20.0, []),
        (A100_ERDMA, {"trainform-role": "infer"}, 20.0, []),
        (A100_ERDMA, {}, 20.0, ["unknown"]),
        (CPU, TRAIN, 20.0, []),
    ],
)
def test_machine(kind: str, tags: dict[str, str], bound: float, verdicts: list[str]) -> None:
    """The bound is compared with what the driver shows of the card."""
    draft = Draft(outputs={"gpu_memory_bound_gib": bound})
    node(draft, instanceType=kind, tags=tags)
    assert [verdict for verdict, _ in draft.verdicts("SZ007")] == verdicts
