"""Security groups, their rules and subnets of a stack of Baidu AI Cloud."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.clouds.baiducloud.facts_network import NETWORK, SUBNET
from generator.facts import IngressRule, SecurityGroup, Subnet
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, Value
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

GROUP = "index/securityGroup:SecurityGroup"
RULE = "index/securityGroupRule:SecurityGroupRule"
EVERY_PORT = ((1, 65535),)
EVERYBODY = "0.0.0.0/0"
RESERVED = 3  # the first two addresses and the last one of a subnet (VPC documentation)
Ports = tuple[tuple[int, int], ...] | Unknown


def _incoming(reader: StackReader) -> Iterator[Resource]:
    return (rule for rule in reader.of(RULE) if reader.value(rule, "direction") != "egress")


def read_ingress_rules(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[IngressRule]:
    """Every rule for what comes in; one without a source lets everybody in."""
    for rule in _incoming(reader):
        source = reader.value(rule, "sourceIp")
        if source in {None, "", "all"}:
            source = None if reader.value(rule, "sourceGroupId") is not None else EVERYBODY
        yield IngressRule(
            resource=rule,
            cloud="baiducloud",
            region=region_of[rule.urn],
            paths={"sources": "sourceIp"},
            group=reader.target(rule, "securityGroupId", GROUP),
            accept=True,  # a rule here only opens
            ports=_ports(reader.value(rule, "protocol"), reader.value(rule, "portRange")),
            sources=(source,) if isinstance(source, str | Unknown) else (),
        )


def _ports(protocol: Value, text: Value) -> Ports:
    if UNKNOWN in (protocol, text):
        return UNKNOWN
    if protocol == "icmp":
        return ()
    match = re.fullmatch(r"(\d+)(?:[-/](\d+))?", str(text or ""))
    return ((int(match[1]), int(match[2] or match[1])),) if match else EVERY_PORT


def read_groups(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[SecurityGroup]:
    """Every security group, and whether its members reach one another: here only by a rule that says so."""
    for group in reader.of(GROUP):
        mine = [rule for rule in _incoming(reader) if reader.target(rule, "securityGroupId", GROUP) == group.urn]
        yield SecurityGroup(
            resource=group,
            cloud="baiducloud",
            region=region_of[group.urn],
            paths={"members_reach": "sourceGroupId"},
            members_reach=either(*(_opens_within(reader, rule, group) for rule in mine)),
        )


def _opens_within(reader: StackReader, rule: Resource, group: Resource) -> bool | Unknown:
    if reader.target(rule, "sourceGroupId", GROUP) != group.urn:
        return False
    ports = _ports(reader.value(rule, "protocol"), reader.value(rule, "portRange"))
    return ports if isinstance(ports, Unknown) else ports == EVERY_PORT and reader.value(rule, "protocol") == "all"


def read_subnets(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[Subnet]:
    """Every subnet with its VPC."""
    for subnet in reader.of(SUBNET):
        network = reader.target(subnet, "vpcId", NETWORK)
        around = reader.by_urn.get(network) if isinstance(network, str) else None
        yield Subnet(
            resource=subnet,
            cloud="baiducloud",
            region=region_of[subnet.urn],
            paths={"cidr": "cidr"},
            cidr=reader.value(subnet, "cidr"),
            network=network,
            network_cidr=reader.value(around, "cidr") if around is not None else None,
            reserved=RESERVED,
        )
