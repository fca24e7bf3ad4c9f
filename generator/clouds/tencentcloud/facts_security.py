"""Security groups, their rules and subnets of a stack of Tencent Cloud."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from generator.clouds.tencentcloud.facts_network import NETWORK, SUBNET
from generator.facts import IngressRule, SecurityGroup, Subnet
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, Value
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

GROUP = "Security/group:Group"
RULE_SET = "Security/groupRuleSet:GroupRuleSet"
RULE = "Security/groupRule:GroupRule"
LITE = "Security/groupLiteRule:GroupLiteRule"
PORTLESS = frozenset({"icmp", "icmpv6", "gre"})
EVERY_PORT = ((0, 65535),)
RESERVED = 3  # the first two addresses and the last one of a subnet (VPC documentation)
Ports = tuple[tuple[int, int], ...] | Unknown


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """One rule for what comes in, whichever resource says it; `within`: its source is the group itself."""

    resource: Resource
    path: str
    group: str | Unknown | None
    accept: bool | Unknown
    ports: Ports
    sources: tuple[str | Unknown, ...]
    within: bool


def read_ingress_rules(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[IngressRule]:
    """Every rule for what comes in."""
    for opening in openings(reader):
        yield IngressRule(
            resource=opening.resource,
            cloud="tencentcloud",
            region=region_of[opening.resource.urn],
            paths={"sources": opening.path},
            group=opening.group,
            accept=opening.accept,
            ports=opening.ports,
            sources=opening.sources,
        )


def openings(reader: StackReader) -> Iterator[Opening]:
    """The rules of sets, single rules, and lines such as `ACCEPT#10.0.0.0/8#22#TCP`."""
    for resource in reader.of(RULE_SET):
        group = reader.target(resource, "securityGroupId", GROUP)
        itself = isinstance(group, str) and group in resource.property_dependencies.get("ingresses", ())
        own = reader.value(resource, "securityGroupId")
        for path, block in reader.blocks(resource, "ingresses"):
            told = {} if isinstance(block, Unknown) else block
            found = tuple(told[name] for name in ("cidrBlock", "ipv6CidrBlock") if told.get(name) is not None)
            member = told.get("sourceSecurityId")  # unknown before `up`, when the reference tells; then an id
            yield Opening(
                resource=resource,
                path=f"{path}.cidrBlock",
                group=group,
                accept=UNKNOWN if told.get("action", UNKNOWN) is UNKNOWN else told["action"] == "ACCEPT",
                ports=_ports(told.get("protocol", "ALL"), told.get("port", "ALL")) if told else UNKNOWN,
                sources=tuple(source for source in found if isinstance(source, str | Unknown)),
                within=itself if member is UNKNOWN else member is not None and member == own,
            )
    for resource in reader.of(RULE):
        if reader.value(resource, "type") == "egress":
            continue
        group, policy = reader.target(resource, "securityGroupId", GROUP), reader.value(resource, "policy")
        source = reader.value(resource, "cidrIp")
        yield Opening(
            resource=resource,
            path="cidrIp",
            group=group,
            accept=UNKNOWN if policy is UNKNOWN else str(policy).upper() != "DROP",
            ports=_ports(reader.value(resource, "ipProtocol") or "ALL", reader.value(resource, "portRange") or "ALL"),
            sources=(source,) if isinstance(source, str | Unknown) else (),
            within=group is not None and reader.target(resource, "sourceSgid", GROUP) == group,
        )
    for resource in reader.of(LITE):
        yield from _lines(reader, resource)


def _lines(reader: StackReader, resource: Resource) -> Iterator[Opening]:
    lines = reader.value(resource, "ingresses")
    for number, line in enumerate(lines if isinstance(lines, list) else ()):
        action, source, port, protocol = [*(line.split("#") if isinstance(line, str) else ()), "", "", "", ""][:4]
        yield Opening(
            resource=resource,
            path=f"ingresses[{number}]",
            group=reader.target(resource, "securityGroupId", GROUP),
            accept=action == "ACCEPT" if isinstance(line, str) else UNKNOWN,
            ports=_ports(protocol, port) if isinstance(line, str) else UNKNOWN,
            sources=(source,) if "/" in source or "." in source or ":" in source else (),
            within=False,
        )


def _ports(protocol: Value, text: Value) -> Ports:
    if isinstance(protocol, Unknown) or isinstance(text, Unknown):
        return UNKNOWN
    if str(protocol).lower() in PORTLESS:
        return ()
    if str(protocol).upper() == "ALL" or str(text).upper() in {"ALL", "-1/-1", ""}:
        return EVERY_PORT
    found = [re.fullmatch(r"(\d+)(?:[-/](\d+))?", part.strip()) for part in str(text).split(",")]
    return tuple((int(match[1]), int(match[2] or match[1])) for match in found if match) or EVERY_PORT


def read_groups(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[SecurityGroup]:
    """Every security group, and whether its members reach one another: here only by a rule that says so."""
    found = tuple(openings(reader))
    for resource in reader.of(GROUP):
        mine = [opening for opening in found if opening.group == resource.urn]
        yield SecurityGroup(
            resource=resource,
            cloud="tencentcloud",
            region=region_of[resource.urn],
            paths={"members_reach": "ingresses"},
            members_reach=either(
                *(opening.within and opening.accept is True and opening.ports == EVERY_PORT for opening in mine)
            ),
        )


def read_subnets(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[Subnet]:
    """Every subnet with its VPC."""
    for resource in reader.of(SUBNET):
        network = reader.target(resource, "vpcId", NETWORK)
        around = reader.by_urn.get(network) if isinstance(network, str) else None
        yield Subnet(
            resource=resource,
            cloud="tencentcloud",
            region=region_of[resource.urn],
            paths={"cidr": "cidrBlock"},
            cidr=reader.value(resource, "cidrBlock"),
            network=network,
            network_cidr=reader.value(around, "cidrBlock") if around is not None else None,
            reserved=RESERVED,
        )
