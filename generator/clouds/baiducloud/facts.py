"""The facts of a stack of Baidu AI Cloud: each subject is read in its own module, here they come together."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from generator.catalog import load_types
from generator.clouds.baiducloud import CLOUD
from generator.clouds.baiducloud.facts_disks import read_disks
from generator.clouds.baiducloud.facts_network import sells_performance
from generator.clouds.baiducloud.facts_nodes import read_nodes
from generator.clouds.baiducloud.facts_security import read_groups, read_ingress_rules, read_subnets
from generator.clouds.baiducloud.facts_storage import read_buckets, read_file_systems
from generator.facts import Fact, KnownType, Node
from generator.facts import names as known
from generator.facts.breaches import read_breaches
from generator.facts.node_facts import known_type
from generator.facts.open_secrets import read_open_secrets
from generator.facts.reader import StackReader
from generator.facts.regions import read_regions
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource, StackState
from generator.sizing.accelerators import accelerator_names

# Flavors of bare metal that are sold by their own lists.
PLATFORM = re.compile(r"BBC-")
# No list of this cloud is public, only ListFlavorSpec tells: a name of this form may well be sold.
GRAMMAR = re.compile(r"(?:bcc|ebc|ehc|bbc|dcc)\.[A-Za-z0-9]+\.c\d+m\d+(?P<parts>(?:\.[A-Za-z0-9-]+)*)")
# What such a name counts at its end: local disks (4d), RDMA adapters (8re) and cards (8A100-80g).
PART = re.compile(r"\d+(?:d|re|(?P<card>[A-Za-z][A-Za-z0-9]*)(?:-[A-Za-z0-9-]+)?)")
ZONES = ("availabilityZone", "zoneName", "zone")


def read_facts(state: StackState) -> tuple[Fact, ...]:
    """Every fact that the resources of this cloud tell; it has no alarms and no rules of who mounts what."""
    reader = StackReader(state, CLOUD)
    region_of = read_regions(reader, functools.partial(_zones, reader))
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


def _zones(reader: StackReader, resource: Resource) -> tuple[object, ...]:
    return tuple(reader.value(resource, name) for name in ZONES)


def _types(reader: StackReader, node: Node) -> Iterator[KnownType]:
    for kind in node.types:
        if isinstance(kind, str) and kind in load_types(CLOUD.id):
            continue  # it exists, and there is no list of any region to hold it against
        yield known_type(node, kind, _standing(reader, node, kind))


def _standing(reader: StackReader, node: Node, kind: str | Unknown) -> known.Standing | Unknown:
    if isinstance(kind, Unknown):
        return UNKNOWN
    if sells_performance(reader, node.resource):
        return "platform"
    return "unlisted" if _may_be_sold(kind) else known.standing(CLOUD.id, kind, node.region, PLATFORM)


def _may_be_sold(kind: str) -> bool:
    """Whether a name has the cloud's form, and counts nothing but disks, adapters and cards that exist."""
    named = GRAMMAR.fullmatch(kind)
    parts = [PART.fullmatch(part) for part in named["parts"].split(".")[1:]] if named else [None]
    return all(part is not None and (part["card"] is None or _is_card(part["card"])) for part in parts)


def _is_card(word: str) -> bool:
    """Whether an accelerator is called so, with or without its maker's series (P800 for KunlunP800)."""
    return any(name.partition("-")[0].lower().endswith(word.lower()) for name in accelerator_names())
