"""CO001: a development machine stops out of hours, unbilled."""

import json
from typing import Any

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import CPU, Draft, node, pool

DEV = {"trainform-role": "dev", "trainform-job": "d"}
TEMPLATE, EXECUTION = "oos/template:Template", "oos/execution:Execution"
TASK, OLD_TASK = "ess/scheduledTask:ScheduledTask", "ess/schedule:Schedule"


def timer(api: str = "StopInstance", action: str = "ACS::TimerTrigger", **parameters: str) -> str:
    """A template of OOS that waits and calls."""
    tasks: list[dict[str, Any]] = [
        {"Name": "clock", "Action": action, "Properties": {"Type": "cron"}},
        {"Name": "call", "Action": "ACS::ExecuteApi", "Properties": {"API": api, "Parameters": parameters}},
    ]
    return json.dumps({"FormatVersion": "OOS-2019-06-01", "Tasks": tasks})


@pytest.mark.parametrize(
    ("content", "verdicts"),
    [
        (timer(StoppedMode="StopCharging"), []),
        (timer(), ["warn"]),
        (timer(StoppedMode="KeepCharging"), ["warn"]),
        (timer(api="StartInstance"), ["warn"]),
        (timer(action="ACS::Sleep", StoppedMode="StopCharging"), ["warn"]),
        ("Tasks:\n- {Name: c, Action: 'ACS::TimerTrigger'}\n", ["warn"]),
        (UNKNOWN, ["unknown"]),
    ],
)
def test_timer_on_the_machine(content: object, verdicts: list[str]) -> None:
    """The timer must stop the machine, and say that it is not billed."""
    draft = Draft()
    machine = node(draft, tags=DEV)
    template = draft.add(TEMPLATE, "evening", templateName="evening", content=content)
    draft.add(EXECUTION, "evening", templateName=template, parameters=machine)
    assert [verdict for verdict, _ in draft.verdicts("CO001")] == verdicts


def test_stopped_mode_alone() -> None:
    """The property on the machine serves only a stop that Pulumi makes: no timetable, no pass."""
    draft = Draft()
    node(draft, tags=DEV, stoppedMode="StopCharging")
    assert draft.verdicts("CO001") == [("warn", "node")]


def test_timer_on_another_machine() -> None:
    """A timer on another machine stops that one."""
    draft = Draft()
    node(draft, "mine", tags=DEV)
    other = node(draft, "other", tags=DEV)
    template = draft.add(TEMPLATE, "evening", content=timer(StoppedMode="StopCharging"))
    draft.add(EXECUTION, "evening", templateName=template, parameters=other)
    assert draft.verdicts("CO001") == [("warn", "mine")]


@pytest.mark.parametrize(("mode", "verdicts"), [("StopCharging", []), ("", ["warn"])])
def test_template_of_the_vendor(mode: str, verdicts: list[str]) -> None:
    """The vendor's template is billed on unless its parameter says otherwise; the machine is named by reference."""
    draft = Draft()
    node(draft, tags=DEV)
    name = "ACS-ECS-ScheduleToStartAndStopInstances"
    execution = draft.add(EXECUTION, "evening", templateName=name, parameters=json.dumps({"stoppedMode": mode}))
    execution.property_dependencies["parameters"] = (draft.resources[0].urn,)
    assert [verdict for verdict, _ in draft.verdicts("CO001")] == verdicts


@pytest.mark.parametrize("kind", [TASK, OLD_TASK])
@pytest.mark.parametrize(
    ("task", "verdicts"),
    [
        ({"desiredCapacity": 0, "recurrenceType": "Cron"}, []),
        ({"desiredCapacity": 1, "recurrenceType": "Cron"}, ["warn"]),
        ({"desiredCapacity": 0}, ["warn"]),
        ({"desiredCapacity": 0, "recurrenceType": "Cron", "taskEnabled": False}, ["warn"]),
    ],
)
def test_pool_is_emptied(kind: str, task: dict[str, object], verdicts: list[str]) -> None:
    """A pool that a recurring task empties has no machines to bill."""
    draft = Draft()
    pool(draft, tags=DEV)
    group = next(entry for entry in draft.resources if entry.name == "pool-group")
    draft.add(kind, "evening", scalingGroupId=group, **task)
    assert [verdict for verdict, _ in draft.verdicts("CO001")] == verdicts


def test_not_judged() -> None:
    """Training machines have no hours; untagged machines with cards are unknown, those without are nobody's."""
    draft = Draft()
    node(draft, "train")
    node(draft, "untagged", tags={})
    node(draft, "cpu", instanceType=CPU, tags={})
    assert draft.verdicts("CO001") == [("unknown", "untagged")]


def test_timer_on_nobody_knows_what() -> None:
    """A timer whose machine is unknown may be on this one, and a task whose group is unknown on this pool."""
    draft = Draft()
    node(draft, tags=DEV)
    draft.add(EXECUTION, "evening", templateName="stop", parameters=UNKNOWN)
    assert draft.verdicts("CO001") == [("unknown", "node")]
    of_pool = Draft()
    pool(of_pool, tags=DEV)
    of_pool.add(TASK, "evening", scalingGroupId=UNKNOWN, desiredCapacity=0, recurrenceType="Cron")
    assert of_pool.verdicts("CO001") == [("unknown", "pool")]
