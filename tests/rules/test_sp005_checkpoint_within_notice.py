"""SP005: a checkpoint is written within the notice, or taken often."""

import pytest

from tests.rules.drafts import TRAIN, Draft, node

GO = {"spotStrategy": "SpotAsPriceGo"}


def saved(minutes: int) -> dict[str, str]:
    """Tags of a training machine that saves every so many minutes."""
    return TRAIN | {"trainform-checkpoint-every": f"{minutes}min", "trainform-checkpoint-to": "bucket"}


@pytest.mark.parametrize(
    ("gib", "tags", "spot", "verdicts"),
    [
        (20, saved(20), GO, []),
        (100, saved(20), GO, ["warn"]),
        (100, saved(15), GO, []),
        (100, saved(20), {}, []),
        (100, saved(20) | {"trainform-nodes": "8"}, GO, []),
        (None, saved(20), GO, []),
        (100, {}, GO, ["unknown"]),
        (100, {"trainform-role": "infer"}, GO, []),
    ],
)
def test_size_against_notice(gib: int | None, tags: dict[str, str], spot: dict[str, str], verdicts: list[str]) -> None:
    """The size, the machines that share the writing, and the interval decide."""
    draft = Draft(outputs=None if gib is None else {"checkpoint_gib": gib})
    node(draft, tags=tags, **spot)
    assert [verdict for verdict, _ in draft.verdicts("SP005")] == verdicts
