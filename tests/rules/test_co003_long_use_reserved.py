"""CO003: a month of steady use is priced against a reservation."""

import pytest

from tests.rules.drafts import TRAIN, Draft, node

GO = {"spotStrategy": "SpotAsPriceGo"}


@pytest.mark.parametrize(
    ("hours", "tags", "paid", "verdicts"),
    [
        (720.0, TRAIN, {}, ["info"]),
        (719.0, TRAIN, {}, []),
        (720.0, TRAIN, GO, []),
        (720.0, TRAIN, {"instanceChargeType": "PrePaid"}, []),
        (720.0, {}, {}, ["unknown"]),
        (720.0, {"trainform-role": "infer"}, {}, ["info"]),
        (720.0, {"trainform-role": "dev"}, {}, []),
    ],
)
def test_machine(hours: float, tags: dict[str, str], paid: dict[str, str], verdicts: list[str]) -> None:
    """A month on demand is worth a comparison."""
    draft = Draft(outputs={"run_hours": hours})
    node(draft, tags=tags, **paid)
    assert [verdict for verdict, _ in draft.verdicts("CO003")] == verdicts
