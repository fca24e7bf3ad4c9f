"""Where the machines of a stack of Huawei Cloud stand and how they are joined: zones, subnets, RDMA, addresses."""

from __future__ import annotations

import msgspec

from generator.facts.names import instance_types
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, Value
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

SUBNET = "Vpc/subnet:Subnet"
NETWORK = "Vpc/vpc:Vpc"
# Kind of resource that gives a machine an address, and its input that names the machine.
ASSOCIATIONS = (("Ecs/eipAssociate:EipAssociate", "instanceId"), ("Vpc/eipAssociate:EipAssociate", "portId"))
RANDOM = "random"  # what CCE does without a zone
BLOCK_KEYS = ("uuid", "id", "subnetId")  # how a network card of each kind of machine names its subnet


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Zones, subnets and VPC of one machine or pool."""

    zones: tuple[str | Unknown, ...]
    subnets: tuple[str | Unknown, ...]
    vpc: str | Unknown | None


def zone_of_subnet(reader: StackReader, subnet: str | Unknown) -> str | Unknown:
    """The zone that a subnet of this stack names; a subnet spans all zones, so it is a hint and no more."""
    resource = reader.by_urn.get(subnet) if isinstance(subnet, str) else None
    zone = reader.value(resource, "availabilityZone") if resource is not None else UNKNOWN
    return zone if isinstance(zone, str) else UNKNOWN


def stand(reader: StackReader, chain: tuple[Resource, ...]) -> Standing:
    """Where a machine or pool stands; `chain` holds it and what it inherits from, the nearest first."""
    subnets: tuple[str | Unknown, ...] = ()
    zones: tuple[str | Unknown, ...] = ()
    vpc: str | Unknown | None = None
    for resource in chain:
        subnets = subnets or _subnets(reader, resource)
        zones = zones or _zones(reader.field(resource, "zone")[1])
        path = reader.field(resource, "vpc")[0]
        vpc = vpc if vpc is not None or not path else reader.target(resource, path, NETWORK)
    if vpc is None:
        inner = next((reader.by_urn[subnet] for subnet in subnets if subnet in reader.by_urn), None)
        vpc = reader.target(inner, "vpcId", NETWORK) if inner is not None else None
    return Standing(zones=zones or (UNKNOWN,), subnets=subnets, vpc=vpc)


def _subnets(reader: StackReader, resource: Resource) -> tuple[str | Unknown, ...]:
    path, value = reader.field(resource, "subnets")
    found = reader.targets(resource, path, SUBNET) if path else ()
    if isinstance(value, list) and not any(name in reader.by_urn for name in found):
        told = [block.get(key) for block in value if isinstance(block, dict) for key in BLOCK_KEYS if block.get(key)]
        return tuple(name if isinstance(name, str) else UNKNOWN for name in told)
    return found


def _zones(value: Value) -> tuple[str | Unknown, ...]:
    several = value if isinstance(value, list) else [] if value is None else [value]
    return tuple(zone if isinstance(zone, str) and zone != RANDOM else UNKNOWN for zone in several)


def rdma(types: tuple[str | Unknown, ...]) -> tuple[bool | Unknown, str | None]:
    """Whether every type brings RDMA, which nothing switches on here; with the type that does not."""
    told: list[bool | Unknown] = []
    for kind, known in zip(types, instance_types("huaweicloud", types), strict=True):
        if known is None or (known.bare_metal and known.rdma is None):
            told.append(UNKNOWN)
        elif known.rdma in {None, "none"}:  # no virtual machine with RDMA is documented
            return False, f"{kind} has no RDMA"
        else:
            told.append(True)
    return (UNKNOWN if UNKNOWN in told or not told else True), None


def interfaces(types: tuple[str | Unknown, ...]) -> int | Unknown:
    """How many network cards for RDMA a machine uses: all that its type has."""
    first = next(iter(instance_types("huaweicloud", types)), None)
    if first is None:
        return UNKNOWN
    return first.rdma_nics if first.rdma_nics is not None else (UNKNOWN if first.bare_metal else 0)


def public_address(reader: StackReader, chain: tuple[Resource, ...]) -> tuple[str, bool | Unknown]:
    """Whether the machine has a public address, its own or an associated one, and the property that says so."""
    for resource in chain:
        path, value = reader.field(resource, "public_address")
        own: bool | Unknown = UNKNOWN if value is UNKNOWN and not _refers(resource, path) else value is not None
        joined = any(reader.referrers(resource.urn, name, kind) for kind, name in ASSOCIATIONS)
        told = either(own, joined)
        if told is not False:
            return path or "eipId", told
    return reader.field(chain[0], "public_address")[0] or "eipId", False


def _refers(resource: Resource, path: str) -> bool:
    return bool(resource.property_dependencies.get(path.partition(".")[0]))
