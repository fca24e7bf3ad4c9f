"""CO004: the way of paying fits the use."""

import pytest

from tests.rules.drafts import CPU, TRAIN, Draft, node

GPU, MONTH = "ecs.gn7i-c16g1.4xlarge", {"instanceChargeType": "PrePaid"}


@pytest.mark.parametrize(
    ("kind", "tags", "hours", "paid", "verdicts"),
    [
        (GPU, TRAIN, 10.0, MONTH, ["info"]),
        (GPU, {}, 10.0, MONTH, ["info"]),
        (GPU, TRAIN, 720.0, MONTH, []),
        (GPU, TRAIN, 10.0, {}, []),
        (GPU, {"trainform-role": "infer"}, 10.0, MONTH, []),
        (CPU, {"trainform-role": "prep"}, 10.0, MONTH, ["info"]),
        (CPU, {}, 10.0, MONTH, []),
    ],
)
def test_machine(kind: str, tags: dict[str, str], hours: float, paid: dict[str, str], verdicts: list[str]) -> None:
    """A month is paid for what stands a month."""
    draft = Draft(outputs={"run_hours": hours})
    node(draft, instanceType=kind, tags=tags, **paid)
    assert [verdict for verdict, _ in draft.verdicts("CO004")] == verdicts
