"""What ends or stops machines of a stack of Tencent Cloud: timers of instances, of groups, and of TAT."""

from __future__ import annotations

import msgspec

from generator.facts.node_facts import either
from generator.facts.reader import StackReader, number
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

TIMER = "Cvm/actionTimer:ActionTimer"
SCHEDULE = "As/schedule:Schedule"
INVOKER = "Tat/invoker:Invoker"
COMMAND = "Tat/command:Command"


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """When machines stop or end: by a recurring timer, without being billed then, for good."""

    stops: bool | Unknown = False
    unbilled: bool | Unknown = False
    ends: bool | Unknown = False


def schedule(reader: StackReader, chain: tuple[Resource, ...]) -> Schedule:
    """How the machine or pool of this chain stops and ends."""
    found: list[Schedule] = []
    for resource in chain:
        timers = [*reader.referrers(resource.urn, "instanceId", TIMER)]
        found += [Schedule(ends=True) for _ in timers]
        found += [Schedule(ends=True)] * (reader.value(resource, "actionTimer") is not None)
        found += [_task(reader, task) for task in reader.referrers(resource.urn, "scalingGroupId", SCHEDULE)]
        found += [_command(reader, invoker) for invoker in reader.referrers(resource.urn, "instanceIds", INVOKER)]
    return Schedule(
        stops=either(*(entry.stops for entry in found)),
        unbilled=either(*(entry.unbilled for entry in found)),
        ends=either(*(entry.ends for entry in found)),
    )


def _task(reader: StackReader, task: Resource) -> Schedule:
    """A schedule that empties its group: once is an end, again and again is a stop, and no machine is no bill."""
    size = number(reader.value(task, "desiredCapacity"))
    if size is UNKNOWN:
        return Schedule(stops=UNKNOWN, unbilled=UNKNOWN, ends=UNKNOWN)
    if size != 0:
        return Schedule()
    recurs = reader.value(task, "recurrence") is not None
    return Schedule(stops=recurs, unbilled=recurs, ends=not recurs)


def _command(reader: StackReader, invoker: Resource) -> Schedule:
    """A command that TAT runs by a clock, if it stops its own machine; only the API stops it without a bill."""
    if reader.value(invoker, "type") != "SCHEDULE":
        return Schedule()
    target = reader.target(invoker, "commandId", COMMAND)
    command = reader.by_urn.get(target) if isinstance(target, str) else None
    content = reader.value(command, "content") if command is not None else UNKNOWN
    if not isinstance(content, str):
        return Schedule(stops=UNKNOWN, unbilled=UNKNOWN)
    calls = "StopInstances" in content
    shuts = any(word in content for word in ("shutdown", "poweroff", "halt"))
    return Schedule(stops=calls or shuts, unbilled=calls and "STOP_CHARGING" in content)
