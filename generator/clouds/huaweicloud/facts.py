"""The facts of a stack of Huawei Cloud: each subject is read in its own module, here they come together."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from generator.catalog import load_catalog
from generator.clouds.huaweicloud import CLOUD
from generator.clouds.huaweicloud.facts_alarms import read_alarms
from generator.clouds.huaweicloud.facts_disks import read_disks
from generator.clouds.huaweicloud.facts_network import SUBNET, stand, zone_of_subnet, zone_region
from generator.clouds.huaweicloud.facts_nodes import machines, read_node
from generator.clouds.huaweicloud.facts_security import read_groups, read_ingress_rules, read_subnets
from generator.clouds.huaweicloud.facts_storage import read_buckets, read_file_systems
from generator.facts import Fact, KnownType, Node
from generator.facts import names as known
from generator.facts.breaches import read_breaches
from generator.facts.open_secrets import read_open_secrets
from generator.facts.reader import StackReader
from generator.program.values import UNKNOWN, Unknown
from generator.resources import StackState

# Flavors of ModelArts and of super nodes are sold by platforms, not by the lists we have.
PLATFORM = re.compile(r"modelarts\.|aics\.")


def read_facts(state: StackState) -> tuple[Fact, ...]:
    """Every fact that the resources of this cloud tell."""
    reader = StackReader(state, CLOUD)
    region_of = _regions(reader)
    found = tuple(machines(reader))
    nodes = _with_stand_ins(tuple(read_node(reader, machine, region_of[machine.chain[0].urn]) for machine in found))
    return (
        *nodes,
        *(fact for node in nodes for fact in _types(node)),
        *read_disks(reader, region_of),
        *read_file_systems(reader, region_of),
        *read_buckets(reader, region_of),
        *read_subnets(reader, region_of),
        *read_groups(reader, region_of),
        *read_ingress_rules(reader, region_of),
        *read_alarms(reader, nodes, region_of),
        *read_open_secrets(reader, region_of),
        *read_breaches(reader, region_of),
    )


def _with_stand_ins(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """A group has one way to pay here: what stands in for spot machines is another group of the same job."""
    paid = {node.job for node in nodes if node.pool and node.charge == "on_demand" and node.job is not None}
    return tuple(
        msgspec.structs.replace(node, spot_fallback=True) if node.charge == "spot" and node.job in paid else node
        for node in nodes
    )


def _regions(reader: StackReader) -> dict[str, str | Unknown | None]:
    """The region of each resource: by its provider, else the config, else its zone, else the only one of all zones."""
    by_zone = {
        resource.urn: next((found for zone in stand(reader, (resource,)).zones if (found := zone_region(zone))), None)
        for resource in reader.resources
    }
    by_zone |= {subnet.urn: zone_region(zone_of_subnet(reader, subnet.urn)) for subnet in reader.of(SUBNET)}
    everywhere = {region for region in by_zone.values() if region is not None}
    only = everywhere.pop() if len(everywhere) == 1 else UNKNOWN
    return {
        resource.urn: told if (told := reader.region(resource)) is not None else by_zone[resource.urn] or only
        for resource in reader.resources
    }


def _types(node: Node) -> Iterator[KnownType]:
    for kind in node.types:
        standing = UNKNOWN if isinstance(kind, Unknown) else known.standing(CLOUD.id, kind, node.region, PLATFORM)
        yield KnownType(
            resource=node.resource,
            cloud=node.cloud,
            region=node.region,
            paths={"type": node.paths["types"]},
            tags=node.tags,
            type=kind,
            standing=standing,
            nearest=known.nearest(CLOUD.id, kind) if isinstance(kind, str) and standing == "unknown" else None,
            list_date=load_catalog(CLOUD.id).as_of if standing == "not_listed" else None,
        )
