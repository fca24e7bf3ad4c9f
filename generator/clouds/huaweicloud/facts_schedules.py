"""What ends or stops machines of a stack of Huawei Cloud: their own end, and the policies of scaling groups."""

from __future__ import annotations

import msgspec

from generator.facts.node_facts import either
from generator.facts.reader import StackReader, number
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

POLICY = "As/policy:Policy"


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """When machines stop or end: by a recurring timer, without being billed then, for good."""

    stops: bool | Unknown = False
    unbilled: bool | Unknown = False
    ends: bool | Unknown = False


def schedule(reader: StackReader, chain: tuple[Resource, ...]) -> Schedule:
    """How the machine or pool of this chain stops and ends."""
    found: list[Schedule] = []
    for resource in chain:
        found += [_policy(reader, policy) for policy in reader.referrers(resource.urn, "scalingGroupId", POLICY)]
        found += [Schedule(ends=True)] * (reader.field(resource, "release_at")[1] is not None)
    return Schedule(
        stops=either(*(entry.stops for entry in found)),
        unbilled=either(*(entry.unbilled for entry in found)),
        ends=either(*(entry.ends for entry in found)),
    )


def _policy(reader: StackReader, policy: Resource) -> Schedule:
    """A policy that empties its group: once is an end, again and again is a stop, and no machine is no bill."""
    size = number(reader.value(policy, "scalingPolicyAction.instanceNumber"))
    told = (reader.value(policy, "scalingPolicyAction.operation"), reader.value(policy, "scalingPolicyType"), size)
    if UNKNOWN in told:
        return Schedule(stops=UNKNOWN, unbilled=UNKNOWN, ends=UNKNOWN)
    if told[0] != "SET" or size != 0:
        return Schedule()
    recurs, once = told[1] == "RECURRENCE", told[1] == "SCHEDULED"
    return Schedule(stops=recurs, unbilled=recurs, ends=once)
