"""The facts of a stack of Alibaba Cloud: each subject is read in its own module, here they come together."""

from __future__ import annotations

import functools
import re

from generator.clouds.alicloud import CLOUD
from generator.clouds.alicloud.facts_alarms import read_alarms
from generator.clouds.alicloud.facts_disks import read_disks
from generator.clouds.alicloud.facts_network import SWITCH, stand, zone_of_switch
from generator.clouds.alicloud.facts_nodes import machines, read_node
from generator.clouds.alicloud.facts_security import read_groups, read_ingress_rules, read_subnets
from generator.clouds.alicloud.facts_storage import read_access_rules, read_buckets, read_file_systems
from generator.facts import Fact
from generator.facts.breaches import read_breaches
from generator.facts.node_facts import known_types
from generator.facts.open_secrets import read_open_secrets
from generator.facts.reader import StackReader, kind_of
from generator.facts.regions import read_regions
from generator.program.values import Unknown
from generator.resources import Resource, StackState

# Lingjun machines and PAI types are sold by platforms, not by the lists we have.
PLATFORM = re.compile(r"efg\d|ml\.|pai", re.IGNORECASE)


def read_facts(state: StackState) -> tuple[Fact, ...]:
    """Every fact that the resources of this cloud tell."""
    reader = StackReader(state, CLOUD)
    region_of = read_regions(reader, functools.partial(_zones, reader))
    found = tuple(machines(reader))
    nodes = tuple(read_node(reader, machine, region_of[machine.chain[0].urn]) for machine in found)
    return (
        *nodes,
        *(fact for node in nodes for fact in known_types(node, PLATFORM)),
        *read_disks(reader, region_of),
        *read_file_systems(reader, region_of),
        *read_access_rules(reader, region_of),
        *read_buckets(reader, region_of),
        *read_subnets(reader, region_of),
        *read_groups(reader, region_of),
        *read_ingress_rules(reader, region_of),
        *read_alarms(reader, nodes, region_of),
        *read_open_secrets(reader, region_of),
        *read_breaches(reader, region_of),
    )


def _zones(reader: StackReader, resource: Resource) -> tuple[str | Unknown, ...]:
    """The zones that a resource names: a subnet's own, else where it stands."""
    if kind_of(resource) == SWITCH:
        return (zone_of_switch(reader, resource.urn),)
    return stand(reader, (resource,)).zones
