"""The facts of a stack of Baidu AI Cloud: each subject is read in its own module, here they come together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.catalog import load_types
from generator.clouds.baiducloud import CLOUD
from generator.clouds.baiducloud.facts_disks import read_disks
from generator.clouds.baiducloud.facts_network import sells_performance, zone_region
from generator.clouds.baiducloud.facts_nodes import read_nodes
from generator.clouds.baiducloud.facts_security import read_groups, read_ingress_rules, read_subnets
from generator.clouds.baiducloud.facts_storage import read_buckets, read_file_systems
from generator.facts import Fact, KnownType, Node
from generator.facts import names as known
from generator.facts.breaches import read_breaches
from generator.facts.open_secrets import read_open_secrets
from generator.facts.reader import StackReader
from generator.program.values import UNKNOWN, Unknown
from generator.resources import StackState

# Flavors of bare metal that are sold by their own lists.
PLATFORM = re.compile(r"BBC-")
# No list of this cloud is public, only ListFlavorSpec tells: a name of this form may well be sold.
GRAMMAR = re.compile(r"(?:bcc|ebc|ehc|bbc|dcc)\.[A-Za-z0-9]+\.c\d+m\d+(?:\.[A-Za-z0-9-]+)*")
ZONES = ("availabilityZone", "zoneName", "zone")


def read_facts(state: StackState) -> tuple[Fact, ...]:
    """Every fact that the resources of this cloud tell; it has no alarms and no rules of who mounts what."""
    reader = StackReader(state, CLOUD)
    region_of = _regions(reader)
    nodes = read_nodes(reader, region_of)
    return (
        *nodes,
        *(fact for node in nodes for fact in _types(reader, node)),
        *read_disks(reader, region_of),
        *read_file_systems(reader, region_of),
        *read_buckets(reader, region_of),
        *read_subnets(reader, region_of),
        *read_groups(reader, region_of),
        *read_ingress_rules(reader, region_of),
        *read_open_secrets(reader, region_of),
        *read_breaches(reader, region_of),
    )


def _regions(reader: StackReader) -> dict[str, str | Unknown | None]:
    """The region of each resource: by its provider, else the config, else its zone, else the only one of all zones."""
    by_zone = {
        resource.urn: next((found for name in ZONES if (found := zone_region(reader.value(resource, name)))), None)
        for resource in reader.resources
    }
    everywhere = {region for region in by_zone.values() if region is not None}
    only = everywhere.pop() if len(everywhere) == 1 else UNKNOWN
    return {
        resource.urn: told if (told := reader.region(resource)) is not None else by_zone[resource.urn] or only
        for resource in reader.resources
    }


def _types(reader: StackReader, node: Node) -> Iterator[KnownType]:
    for kind in node.types:
        if isinstance(kind, str) and kind in load_types(CLOUD.id):
            continue  # it exists, and there is no list of any region to hold it against
        yield KnownType(
            resource=node.resource,
            cloud=node.cloud,
            region=node.region,
            paths={"type": node.paths["types"]},
            tags=node.tags,
            type=kind,
            standing=_standing(reader, node, kind),
            nearest=known.nearest(CLOUD.id, kind) if isinstance(kind, str) else None,
        )


def _standing(reader: StackReader, node: Node, kind: str | Unknown) -> known.Standing | Unknown:
    if isinstance(kind, Unknown):
        return UNKNOWN
    if sells_performance(reader, node.resource):
        return "platform"
    told = known.standing(CLOUD.id, kind, node.region, PLATFORM)
    return "platform" if GRAMMAR.fullmatch(kind) else told
