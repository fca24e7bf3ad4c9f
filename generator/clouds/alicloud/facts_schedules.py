"""What ends or stops machines of a stack of Alibaba Cloud: release times, scheduled tasks of pools, timers of OOS."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from generator.facts.node_facts import either
from generator.facts.reader import StackReader, kind_of, number
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

GROUP = "ess/scalingGroup:ScalingGroup"
TASKS = ("ess/scheduledTask:ScheduledTask", "ess/schedule:Schedule")
TEMPLATE = "oos/template:Template"
EXECUTION = "oos/execution:Execution"
# Templates that the vendor ships: what their parameter of this name says decides.
VENDOR_STOP_TEMPLATES = frozenset({"ACS-ECS-ScheduleToStartAndStopInstances", "ACS-ECS-ScheduleToStopInstances"})
STOP_CALLS = frozenset({"StopInstance", "StopInstances"})


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """When machines stop or end: by a recurring timer, without being billed then, for good."""

    stops: bool | Unknown = False
    unbilled: bool | Unknown = False
    ends: bool | Unknown = False


PERHAPS = Schedule(stops=UNKNOWN, unbilled=UNKNOWN, ends=UNKNOWN)


def schedule(reader: StackReader, chain: tuple[Resource, ...]) -> Schedule:
    """How the machine or pool of this chain stops and ends."""
    found = [_own(reader, resource) for resource in chain]
    for resource in chain:
        if kind_of(resource) == GROUP:
            found += [_task(reader, task) for task in reader.referrers(resource.urn, "scalingGroupId", *TASKS)]
            found += [PERHAPS for _ in reader.referrers(UNKNOWN, "scalingGroupId", *TASKS)]
        found += [_timer(reader, execution) for execution in reader.referrers(resource.urn, "parameters", EXECUTION)]
    # A timer on nobody knows what may be on this machine.
    found += [Schedule(stops=UNKNOWN, unbilled=UNKNOWN) for _ in reader.referrers(UNKNOWN, "parameters", EXECUTION)]
    return Schedule(
        stops=either(*(entry.stops for entry in found)),
        unbilled=either(*(entry.unbilled for entry in found)),
        ends=either(*(entry.ends for entry in found)),
    )


def _own(reader: StackReader, resource: Resource) -> Schedule:
    release = reader.field(resource, "release_at")[1]
    if kind_of(resource) == "ecs/autoProvisioningGroup:AutoProvisioningGroup":
        expires = reader.value(resource, "terminateInstancesWithExpiration") is True
        release = reader.value(resource, "validUntil") if expires else None
    return Schedule(ends=UNKNOWN if release is UNKNOWN else bool(release))


def _task(reader: StackReader, task: Resource) -> Schedule:
    """A scheduled task that empties its group: once is an end, again and again is a stop, and no machine is no bill."""
    sizes = [number(reader.value(task, name)) for name in ("desiredCapacity", "maxValue", "minValue")]
    told = [size for size in sizes if size is not None]
    if not told or told[0] != 0 or reader.value(task, "taskEnabled") is False:
        return Schedule()
    recurs = reader.value(task, "recurrenceType") is not None
    return Schedule(stops=recurs, unbilled=recurs, ends=not recurs)


def _timer(reader: StackReader, execution: Resource) -> Schedule:
    """An OOS execution on a machine, if it waits for a clock and stops it."""
    target = reader.target(execution, "templateName", TEMPLATE)
    if isinstance(target, str) and target in VENDOR_STOP_TEMPLATES:
        parameters = reader.value(execution, "parameters")
        if not isinstance(parameters, str):
            return Schedule(stops=True, unbilled=UNKNOWN)
        return Schedule(stops=True, unbilled='"StopCharging"' in parameters)
    template = reader.by_urn.get(target) if isinstance(target, str) else None
    if template is None:
        return Schedule(stops=UNKNOWN, unbilled=UNKNOWN)
    return _template(reader.value(template, "content"))


def _template(content: object) -> Schedule:
    if not isinstance(content, str):
        return Schedule(stops=UNKNOWN, unbilled=UNKNOWN)
    document = _parsed(content)
    tasks = (
        [task for task in document.get("Tasks") or () if isinstance(task, dict)] if isinstance(document, dict) else []
    )
    waits = any(task.get("Action") == "ACS::TimerTrigger" for task in tasks)
    calls = [task.get("Properties") for task in tasks]
    stops = [call for call in calls if isinstance(call, dict) and call.get("API") in STOP_CALLS]
    if not waits or not stops:
        return Schedule()
    unbilled = all((call.get("Parameters") or {}).get("StoppedMode") == "StopCharging" for call in stops)
    return Schedule(stops=True, unbilled=unbilled)


def _parsed(content: str) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        import yaml  # noqa: PLC0415  (templates are JSON nearly always)

        try:
            return yaml.safe_load(content)
        except yaml.YAMLError:
            return None
