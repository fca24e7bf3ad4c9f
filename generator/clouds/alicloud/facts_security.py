"""Security groups, their rules and subnets of a stack of Alibaba Cloud."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.clouds.alicloud.facts_network import NETWORK, SWITCH
from generator.facts import IngressRule, SecurityGroup, Subnet
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, Value
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

GROUP = "ecs/securityGroup:SecurityGroup"
RULE = "ecs/securityGroupRule:SecurityGroupRule"
PORTLESS = frozenset({"icmp", "icmpv6", "gre"})
EVERY_PORT = ((0, 65535),)
RESERVED = 4  # the first address and the last three of a vSwitch (VPC documentation)


def read_ingress_rules(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[IngressRule]:
    """Every rule for what comes in."""
    for resource in reader.of(RULE):
        if reader.value(resource, "type") == "egress":
            continue
        policy = reader.value(resource, "policy")
        found = [reader.value(resource, name) for name in ("cidrIp", "ipv6CidrIp")]
        yield IngressRule(
            resource=resource,
            cloud="alicloud",
            region=region_of[resource.urn],
            paths={"sources": "ipv6CidrIp" if found[0] is None and found[1] is not None else "cidrIp"},
            group=reader.target(resource, "securityGroupId", GROUP),
            accept=UNKNOWN if policy is UNKNOWN else str(policy).lower() != "drop",
            ports=_ports(reader.value(resource, "ipProtocol"), reader.value(resource, "portRange")),
            sources=tuple(source for source in found if isinstance(source, str | Unknown)),
        )


def _ports(protocol: Value, text: Value) -> tuple[tuple[int, int], ...] | Unknown:
    if protocol in PORTLESS:
        return ()
    if isinstance(protocol, Unknown) or isinstance(text, Unknown):
        return UNKNOWN
    match = re.fullmatch(r"(-?\d+)(?:[/-](-?\d+))?", str(text))
    if protocol == "all" or match is None or match[1] == "-1":
        return EVERY_PORT
    return ((int(match[1]), int(match[2] or match[1])),)


def read_groups(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[SecurityGroup]:
    """Every security group, and whether its members reach one another."""
    for resource in reader.of(GROUP):
        yield SecurityGroup(
            resource=resource,
            cloud="alicloud",
            region=region_of[resource.urn],
            paths={"members_reach": "innerAccessPolicy"},
            members_reach=_members_reach(reader, resource),
        )


def _members_reach(reader: StackReader, group: Resource) -> bool | Unknown:
    kind, inner = reader.value(group, "securityGroupType"), reader.value(group, "innerAccessPolicy")
    # Only a normal group lets its members talk without a rule.
    free = UNKNOWN if UNKNOWN in (kind, inner) else kind != "enterprise" and str(inner).lower() == "accept"
    return either(
        free, *(_within(reader, rule, group) for rule in reader.referrers(group.urn, "securityGroupId", RULE))
    )


def _within(reader: StackReader, rule: Resource, group: Resource) -> bool:
    """Whether a rule opens every port of a group to the group itself."""
    return (
        reader.value(rule, "type") == "ingress"
        and reader.value(rule, "policy") != "drop"
        and reader.target(rule, "sourceSecurityGroupId", GROUP) == group.urn
        and _ports(reader.value(rule, "ipProtocol"), reader.value(rule, "portRange")) == EVERY_PORT
    )


def read_subnets(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[Subnet]:
    """Every vSwitch with its VPC."""
    for resource in reader.of(SWITCH):
        network = reader.target(resource, "vpcId", NETWORK)
        around = reader.by_urn.get(network) if isinstance(network, str) else None
        yield Subnet(
            resource=resource,
            cloud="alicloud",
            region=region_of[resource.urn],
            paths={"cidr": "cidrBlock"},
            cidr=reader.value(resource, "cidrBlock"),
            network=network,
            network_cidr=reader.value(around, "cidrBlock") if around is not None else None,
            reserved=RESERVED,
        )
