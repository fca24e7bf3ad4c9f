"""SP003: long runs and runs over several machines can resume."""

import pytest

from tests.rules.drafts import TRAIN, Draft, node, pool

SAVED = {"trainform-checkpoint-every": "60min", "trainform-checkpoint-to": "bucket"}


@pytest.mark.parametrize(
    ("tags", "hours", "verdicts"),
    [
        (TRAIN, 25.0, ["deny"]),
        (TRAIN, 24.0, []),
        (TRAIN, None, ["unknown"]),
        (TRAIN | {"trainform-nodes": "2"}, 1.0, ["deny"]),
        (TRAIN | {"trainform-nodes": "2"}, None, ["deny"]),
        (TRAIN | SAVED, 100.0, []),
        (TRAIN | SAVED | {"trainform-nodes": "8"}, None, []),
        (TRAIN | {"trainform-checkpoint-every": "60min"}, 25.0, ["deny"]),
        ({"trainform-role": "infer"}, 100.0, []),
        ({}, 100.0, ["unknown"]),
    ],
)
def test_machine(tags: dict[str, str], hours: float | None, verdicts: list[str]) -> None:
    """A day or a second machine makes checkpoints a must; unknown where neither can be told."""
    draft = Draft(outputs=None if hours is None else {"run_hours": hours})
    node(draft, tags=tags)
    assert [verdict for verdict, _ in draft.verdicts("SP003")] == verdicts


def test_pool_of_several() -> None:
    """The size of a pool counts as the number of machines."""
    draft = Draft(outputs={"run_hours": 2})
    pool(draft, size=2, tags=TRAIN)
    assert draft.verdicts("SP003") == [("deny", "pool")]
