"""The facts of a stack of Tencent Cloud: each subject is read in its own module, here they come together."""

from __future__ import annotations

import functools
import re

from generator.clouds.tencentcloud import CLOUD
from generator.clouds.tencentcloud.facts_alarms import read_alarms
from generator.clouds.tencentcloud.facts_disks import read_disks
from generator.clouds.tencentcloud.facts_network import SUBNET, stand, zone_of_subnet
from generator.clouds.tencentcloud.facts_nodes import machines, read_node
from generator.clouds.tencentcloud.facts_security import read_groups, read_ingress_rules, read_subnets
from generator.clouds.tencentcloud.facts_storage import read_access_rules, read_buckets, read_file_systems
from generator.facts import Fact
from generator.facts.breaches import read_breaches
from generator.facts.node_facts import known_types, with_stand_ins
from generator.facts.open_secrets import read_open_secrets
from generator.facts.reader import StackReader, kind_of
from generator.facts.regions import read_regions
from generator.program.values import Unknown
from generator.resources import Resource, StackState

# Spaces of the HPC platform and of TI-ONE are sold by platforms, not by the lists we have.
PLATFORM = re.compile(r"96A\.|TI\.")


def read_facts(state: StackState) -> tuple[Fact, ...]:
    """Every fact that the resources of this cloud tell."""
    reader = StackReader(state, CLOUD)
    region_of = read_regions(reader, functools.partial(_zones, reader))
    found = tuple(machines(reader))
    nodes = with_stand_ins(tuple(read_node(reader, machine, region_of[machine.chain[0].urn]) for machine in found))
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
    if kind_of(resource) == SUBNET:
        return (zone_of_subnet(reader, resource.urn),)
    return stand(reader, (resource,)).zones
