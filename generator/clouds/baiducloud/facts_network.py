"""Where the machines of a stack of Baidu AI Cloud stand and how they are joined: zones, subnets, RDMA, addresses."""

from __future__ import annotations

import msgspec

from generator.facts.names import instance_types
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, kind_of, truth
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

SUBNET = "index/subnet:Subnet"
NETWORK = "index/vpc:Vpc"
HPAS = "index/hpasInstance:HpasInstance"
ADDRESS_ASSOCIATION = "index/eipAssociation:EipAssociation"


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Zones, subnets and VPC of one machine or pool."""

    zones: tuple[str | Unknown, ...]
    subnets: tuple[str | Unknown, ...]
    vpc: str | Unknown | None


def zone_of_subnet(reader: StackReader, subnet: str | Unknown) -> str | Unknown:
    """The zone of a subnet of this stack; UNKNOWN for one that lies outside."""
    resource = reader.by_urn.get(subnet) if isinstance(subnet, str) else None
    zone = reader.value(resource, "zoneName") if resource is not None else UNKNOWN
    return zone if isinstance(zone, str) else UNKNOWN


def stand(reader: StackReader, machine: Resource) -> Standing:
    """Where a machine or pool stands; a CCE group calls its zone by another name, so that of its subnet counts."""
    path = reader.field(machine, "subnets")[0]
    subnets = reader.targets(machine, path, SUBNET) if path else ()
    zone = reader.field(machine, "zone")[1]
    zones: tuple[str | Unknown, ...] = (zone,) if isinstance(zone, str | Unknown) else ()
    if not any(isinstance(one, str) for one in zones):
        zones = tuple(zone_of_subnet(reader, subnet) for subnet in subnets) or zones or (UNKNOWN,)
    around = reader.by_urn.get(subnets[0]) if subnets and isinstance(subnets[0], str) else None
    vpc = reader.target(around, "vpcId", NETWORK) if around is not None else UNKNOWN
    return Standing(zones=zones, subnets=subnets, vpc=vpc)


def rdma(reader: StackReader, machine: Resource, types: tuple[str | Unknown, ...]) -> tuple[bool | Unknown, str | None]:
    """Whether an RDMA network joins the machine, with the reason where its type is why not.

    InfiniBand comes with its types. RoCE is that of an EHC cluster; without its id the cloud picks one by itself.
    """
    cluster = reader.field(machine, "cluster")[1]
    for name, known in zip(types, instance_types("baiducloud", types), strict=True):
        if known is not None and known.rdma == "none":
            return False, f"{name} has no RDMA"
        if known is not None and known.rdma == "infiniband":
            return True, None
    if cluster is not None:
        return True, None
    picks = sells_performance(reader, machine) or any(
        isinstance(name, str) and name.startswith("ehc.") for name in types
    )
    return (UNKNOWN if picks else False), None


def sells_performance(reader: StackReader, machine: Resource) -> bool:
    """Whether a machine is HPAS, which is sold by the performance of an application, not by its parts."""
    return kind_of(machine) == HPAS or reader.value(machine, "spec.instanceTemplate.machineType") == "HPAS"


def public_address(reader: StackReader, machine: Resource) -> tuple[str, bool | Unknown]:
    """Whether the machine has a public address, its own or an associated one, and the property that says so."""
    path, switch = reader.field(machine, "public_switch")
    joined: bool | Unknown = bool(reader.referrers(machine.urn, "instanceId", ADDRESS_ASSOCIATION))
    return path or "needEip", either(truth(switch) or False, joined)
