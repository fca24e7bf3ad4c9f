"""Security groups, their rules and subnets of a stack of Huawei Cloud."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.clouds.huaweicloud.facts_network import NETWORK, SUBNET
from generator.facts import IngressRule, SecurityGroup, Subnet
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, number, truth
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

GROUP = "Vpc/secgroup:Secgroup"
RULE = "Vpc/secgroupRule:SecgroupRule"
ADDRESS_GROUP = "Vpc/addressGroup:AddressGroup"
PORTLESS = frozenset({"icmp", "icmpv6", "gre", "1", "47", "58"})
EVERY_PORT = ((0, 65535),)
EVERYBODY = {"IPv4": "0.0.0.0/0", "IPv6": "::/0"}
RESERVED = 5  # the first three addresses and the last two of a subnet (VPC documentation)
Ports = tuple[tuple[int, int], ...] | Unknown
RegionOf = dict[str, str | Unknown | None]


def read_ingress_rules(reader: StackReader, region_of: RegionOf) -> Iterator[IngressRule]:
    """Every rule for what comes in; one that names no source lets everybody in."""
    for resource in reader.of(RULE):
        if reader.value(resource, "direction") == "egress":
            continue
        action = reader.value(resource, "action")
        yield IngressRule(
            resource=resource,
            cloud="huaweicloud",
            region=region_of[resource.urn],
            paths={"sources": "remoteIpPrefix"},
            group=reader.target(resource, "securityGroupId", GROUP),
            accept=UNKNOWN if action is UNKNOWN else action != "deny",
            ports=_ports(reader, resource),
            sources=_sources(reader, resource),
        )


def _sources(reader: StackReader, rule: Resource) -> tuple[str | Unknown, ...]:
    prefix = reader.value(rule, "remoteIpPrefix")
    if isinstance(prefix, str | Unknown):
        return (prefix,)
    if reader.value(rule, "remoteGroupId") is not None:
        return ()
    addresses = reader.target(rule, "remoteAddressGroupId", ADDRESS_GROUP)
    if addresses is not None:
        group = reader.by_urn.get(addresses) if isinstance(addresses, str) else None
        listed = reader.value(group, "addresses") if group is not None else UNKNOWN
        several = listed if isinstance(listed, list) else [UNKNOWN]
        return tuple(entry if isinstance(entry, str) else UNKNOWN for entry in several)
    return (EVERYBODY.get(str(reader.value(rule, "ethertype")), EVERYBODY["IPv4"]),)


def _ports(reader: StackReader, rule: Resource) -> Ports:
    protocol, text = reader.value(rule, "protocol"), reader.value(rule, "ports")
    low, high = number(reader.value(rule, "portRangeMin")), number(reader.value(rule, "portRangeMax"))
    if UNKNOWN in (protocol, text, low, high):
        return UNKNOWN
    if str(protocol).lower() in PORTLESS:
        return ()
    if isinstance(low, float):
        return ((int(low), int(high) if isinstance(high, float) else int(low)),)
    found = [re.fullmatch(r"(\d+)(?:-(\d+))?", part.strip()) for part in str(text or "").split(",")]
    return tuple((int(match[1]), int(match[2] or match[1])) for match in found if match) or EVERY_PORT


def read_groups(reader: StackReader, region_of: RegionOf) -> Iterator[SecurityGroup]:
    """Every group, and whether its members reach one another: by the cloud's default rules, or one that says so."""
    for resource in reader.of(GROUP):
        rules = reader.referrers(resource.urn, "securityGroupId", RULE)
        bare = truth(reader.value(resource, "deleteDefaultRules"))
        yield SecurityGroup(
            resource=resource,
            cloud="huaweicloud",
            region=region_of[resource.urn],
            paths={"members_reach": "deleteDefaultRules"},
            members_reach=either(
                UNKNOWN if isinstance(bare, Unknown) else bare is not True,
                *(_within(reader, rule, resource.urn) for rule in rules),
            ),
        )


def _within(reader: StackReader, rule: Resource, group: str) -> bool:
    """Whether a rule opens every port of the group to the group itself."""
    return (
        reader.value(rule, "direction") == "ingress"
        and reader.value(rule, "action") != "deny"
        and reader.target(rule, "remoteGroupId", GROUP) == group
        and _ports(reader, rule) == EVERY_PORT
    )


def read_subnets(reader: StackReader, region_of: RegionOf) -> Iterator[Subnet]:
    """Every subnet with its VPC."""
    for resource in reader.of(SUBNET):
        network = reader.target(resource, "vpcId", NETWORK)
        around = reader.by_urn.get(network) if isinstance(network, str) else None
        yield Subnet(
            resource=resource,
            cloud="huaweicloud",
            region=region_of[resource.urn],
            paths={"cidr": "cidr"},
            cidr=reader.value(resource, "cidr"),
            network=network,
            network_cidr=reader.value(around, "cidr") if around is not None else None,
            reserved=RESERVED,
        )
