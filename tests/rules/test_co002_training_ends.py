"""CO002: training machines have an end."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import CPU, GROUP, TRAIN, Draft, node, pool

TASK = "ess/scheduledTask:ScheduledTask"
DATE = "2030-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("inputs", "verdicts"),
    [
        ({}, ["warn"]),
        ({"autoReleaseTime": DATE}, []),
        ({"autoReleaseTime": UNKNOWN}, ["unknown"]),
        ({"tags": TRAIN | {"trainform-ttl": "336h"}}, []),
        ({"instanceChargeType": "PrePaid"}, []),
        ({"tags": {}}, ["warn"]),
        ({"tags": {}, "instanceType": CPU}, []),
        ({"tags": {"trainform-role": "infer"}}, []),
        ({"tags": {"trainform-role": "dev"}}, []),
    ],
)
def test_machine(inputs: dict[str, object], verdicts: list[str]) -> None:
    """A release time or a time to live is an end; untagged machines with cards are judged too."""
    draft = Draft()
    node(draft, **inputs)
    assert [verdict for verdict, _ in draft.verdicts("CO002")] == verdicts


@pytest.mark.parametrize(
    ("task", "verdicts"), [({"desiredCapacity": 0}, []), ({"desiredCapacity": 2}, ["warn"]), (None, ["warn"])]
)
def test_pool(task: dict[str, object] | None, verdicts: list[str]) -> None:
    """A pool ends by a task that sets it to zero once."""
    draft = Draft()
    pool(draft)
    group = next(entry for entry in draft.resources if entry.type.endswith(GROUP))
    if task is not None:
        draft.add(TASK, "end", scalingGroupId=group, launchTime="2030-01-01T00:00Z", **task)
    assert [verdict for verdict, _ in draft.verdicts("CO002")] == verdicts
