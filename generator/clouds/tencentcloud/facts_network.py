"""Where the machines of a stack of Tencent Cloud stand and how they are joined: zones, subnets, RDMA, addresses."""

from __future__ import annotations

import msgspec

from generator.facts.names import instance_types
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, number, truth
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

SUBNET = "Subnet/instance:Instance"
NETWORK = "Vpc/instance:Instance"
CLUSTER = "Cvm/hpcCluster:HpcCluster"
ADDRESS_ASSOCIATION = "Eip/association:Association"


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Zones, subnets and VPC of one machine or pool."""

    zones: tuple[str | Unknown, ...]
    subnets: tuple[str | Unknown, ...]
    vpc: str | Unknown | None


def zone_of_subnet(reader: StackReader, subnet: str | Unknown) -> str | Unknown:
    """The zone of a subnet of this stack; UNKNOWN for one that lies outside."""
    resource = reader.by_urn.get(subnet) if isinstance(subnet, str) else None
    zone = reader.value(resource, "availabilityZone") if resource is not None else UNKNOWN
    return zone if isinstance(zone, str) else UNKNOWN


def stand(reader: StackReader, chain: tuple[Resource, ...]) -> Standing:
    """Where a machine or pool stands; `chain` holds it and what it inherits from, the nearest first."""
    subnets: tuple[str | Unknown, ...] = ()
    zones: tuple[str | Unknown, ...] = ()
    vpc: str | Unknown | None = None
    for resource in chain:
        name = reader.field(resource, "subnets")[0]
        subnets = subnets or (reader.targets(resource, name, SUBNET) if name else ())
        zone = reader.field(resource, "zone")[1]
        if zone is not None and not zones:
            zones = (zone,) if isinstance(zone, str | Unknown) else ()
        path = reader.field(resource, "vpc")[0]
        vpc = vpc if vpc is not None or not path else reader.target(resource, path, NETWORK)
    if not any(isinstance(zone, str) for zone in zones):
        zones = tuple(zone_of_subnet(reader, subnet) for subnet in subnets) or zones or (UNKNOWN,)
    return Standing(zones=zones, subnets=subnets, vpc=vpc)


def rdma(
    reader: StackReader, chain: tuple[Resource, ...], types: tuple[str | Unknown, ...]
) -> tuple[bool | Unknown, str | None]:
    """Whether the machine joins an HPC cluster and every type can use it; with the reason where the type is it."""
    cluster = cluster_of(reader, chain)
    for kind, known in zip(types, instance_types("tencentcloud", types), strict=True):
        if known is not None and known.rdma == "none":
            return False, f"{kind} has no RDMA"
        if known is not None and known.hpc_cluster and cluster is None:
            return False, f"{kind} must join an HPC cluster"
    return cluster is not None, None


def cluster_of(reader: StackReader, chain: tuple[Resource, ...]) -> str | Unknown | None:
    """The cluster whose RDMA network joins its members; None where there is none."""
    for resource in chain:
        path, value = reader.field(resource, "hpc_cluster")
        if value is not None:
            return reader.target(resource, path, CLUSTER)
    return None


def public_address(reader: StackReader, chain: tuple[Resource, ...]) -> tuple[str, bool | Unknown]:
    """Whether the machine has a public address, its own or an associated one, and the property that says so."""
    for resource in chain:
        path, switch = reader.field(resource, "public_switch")
        mbps_path, value = reader.field(resource, "public_mbps")
        mbps = number(value)
        # Where there is a switch, a bandwidth alone gives no address.
        on = truth(switch) if path else UNKNOWN if mbps is UNKNOWN else isinstance(mbps, float) and mbps > 0
        joined: bool | Unknown = bool(reader.referrers(resource.urn, "instanceId", ADDRESS_ASSOCIATION))
        told = either(on or False, joined)
        if told is not False:
            return path or mbps_path, told
    return reader.field(chain[0], "public_switch")[0] or reader.field(chain[0], "public_mbps")[0], False
