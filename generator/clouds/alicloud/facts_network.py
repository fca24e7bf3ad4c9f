"""Where the machines of a stack of Alibaba Cloud stand and how they are joined: zones, subnets, RDMA, addresses."""

from __future__ import annotations

import functools

import msgspec

from generator.facts.names import instance_types
from generator.facts.reader import StackReader, kind_of, number
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

SWITCH = "vpc/switch:Switch"
NETWORK = "vpc/network:Network"
INTERFACES = ("ecs/ecsNetworkInterface:EcsNetworkInterface", "vpc/networkInterface:NetworkInterface")
INTERFACE_ATTACHMENTS = (
    "ecs/ecsNetworkInterfaceAttachment:EcsNetworkInterfaceAttachment",
    "vpc/networkInterfaceAttachment:NetworkInterfaceAttachment",
)
ADDRESS_ASSOCIATIONS = ("ecs/eipAssociation:EipAssociation",)
ERDMA = "HighPerformance"
ERDMA_ADDON = "ack-erdma-controller"


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Zones, subnets and VPC of one machine or pool."""

    zones: tuple[str | Unknown, ...]
    subnets: tuple[str | Unknown, ...]
    vpc: str | Unknown | None


def zone_of_switch(reader: StackReader, switch: str | Unknown) -> str | Unknown:
    """The zone of a vSwitch of this stack; UNKNOWN for one that lies outside."""
    resource = reader.by_urn.get(switch) if isinstance(switch, str) else None
    if resource is None:
        return UNKNOWN
    zone = reader.value(resource, "zoneId") or reader.value(resource, "availabilityZone")
    return zone if isinstance(zone, str) else UNKNOWN


def stand(reader: StackReader, chain: tuple[Resource, ...]) -> Standing:
    """Where a machine or pool stands; `chain` holds it and what it inherits from, the nearest first."""
    subnets: tuple[str | Unknown, ...] = ()
    zones: tuple[str | Unknown, ...] = ()
    for resource in chain:
        name = (
            "vswitchIds"
            if kind_of(resource) == "ess/scalingGroup:ScalingGroup"
            else reader.field(resource, "subnets")[0]
        )
        subnets = subnets or (reader.targets(resource, name, SWITCH) if name else ())
        zone = reader.field(resource, "zone")[1]
        if zone is not None and not zones:
            zones = (zone,) if isinstance(zone, str | Unknown) else ()
    if not any(isinstance(zone, str) for zone in zones):
        zones = tuple(zone_of_switch(reader, subnet) for subnet in subnets) or zones or (UNKNOWN,)
    return Standing(zones=zones, subnets=subnets, vpc=_vpc(reader, subnets))


def _vpc(reader: StackReader, subnets: tuple[str | Unknown, ...]) -> str | Unknown | None:
    found = set()
    for subnet in subnets:
        resource = reader.by_urn.get(subnet) if isinstance(subnet, str) else None
        found.add(reader.target(resource, "vpcId", NETWORK) if resource is not None else UNKNOWN)
    return found.pop() if len(found) == 1 else (UNKNOWN if found else None)


def rdma(
    reader: StackReader, chain: tuple[Resource, ...], types: tuple[str | Unknown, ...]
) -> tuple[bool | Unknown, str | None]:
    """Whether the RDMA switch is on and every type can use it; with the reason where the type is it."""
    switched = _switched(reader, chain)
    for kind, known in zip(types, instance_types("alicloud", types), strict=True):
        if known is not None and known.rdma == "none":
            return False, f"{kind} has no RDMA"
        # RoCE of the SCC types is in the machine; the cluster object joins them.
        if known is not None and known.hpc_cluster and switched is False:
            return False, f"{kind} must join an HPC cluster"
    return switched, None


def _switched(reader: StackReader, chain: tuple[Resource, ...]) -> bool | Unknown:
    """Whether some interface of the machine is an eRDMA one, or the machine joins a cluster that is RDMA by nature."""
    seen = switches(reader, chain)
    if True in seen:
        return True
    return UNKNOWN if any(value is UNKNOWN for value in seen) else False


def switches(reader: StackReader, chain: tuple[Resource, ...]) -> list[bool | Unknown]:
    """What each interface of the machine says of eRDMA, or its cluster of RDMA by nature."""
    seen: list[bool | Unknown] = []
    for resource in chain:
        kind = kind_of(resource)
        if kind.startswith("eflo/"):
            return [True]
        for name in ("traffic_mode", "hpc_cluster"):
            value = reader.field(resource, name)[1]
            if value is not None:
                seen.append(
                    UNKNOWN
                    if isinstance(value, Unknown) and name == "traffic_mode"
                    else name == "hpc_cluster" or value == ERDMA
                )
        for _, block in reader.blocks(resource, "networkInterfaces"):
            mode = block if isinstance(block, Unknown) else block.get("networkInterfaceTrafficMode")
            if mode is not None:
                seen.append(UNKNOWN if isinstance(mode, Unknown) else mode == ERDMA)
        if kind == "cs/nodePool:NodePool":
            seen.append(reader.value(resource, "efloNodeGroup") is not None or _erdma_addon(reader, resource))
        seen.extend(_attached_interfaces(reader, resource))
    return seen


def _attached_interfaces(reader: StackReader, node: Resource) -> list[bool | Unknown]:
    found: list[bool | Unknown] = [UNKNOWN for _ in reader.referrers(UNKNOWN, "instanceId", *INTERFACE_ATTACHMENTS)]
    for attachment in reader.referrers(node.urn, "instanceId", *INTERFACE_ATTACHMENTS):
        interface = reader.target(attachment, "networkInterfaceId", *INTERFACES)
        resource = reader.by_urn.get(interface) if isinstance(interface, str) else None
        mode = reader.value(resource, "networkInterfaceTrafficMode") if resource is not None else UNKNOWN
        found.append(UNKNOWN if mode is UNKNOWN else mode == ERDMA)
    return found


def _erdma_addon(reader: StackReader, pool: Resource) -> bool:
    """On Kubernetes an add-on of the cluster makes the eRDMA interfaces."""
    cluster = reader.target(pool, "clusterId")
    addons_apart = (
        reader.referrers(cluster, "clusterId", "cs/kubernetesAddon:KubernetesAddon") if cluster is not None else []
    )
    if any(reader.value(addon, "name") == ERDMA_ADDON for addon in addons_apart):
        return True
    resource = reader.by_urn.get(cluster) if isinstance(cluster, str) else None
    addons = reader.value(resource, "addons") if resource is not None else None
    return isinstance(addons, list) and any(
        isinstance(entry, dict) and entry.get("name") == ERDMA_ADDON for entry in addons
    )


def public_address(reader: StackReader, chain: tuple[Resource, ...]) -> tuple[str, bool | Unknown]:
    """Whether the machine has a public address, its own or an associated one, and the property that says so."""
    for resource in chain:
        path, value = reader.field(resource, "public_mbps")
        mbps = number(value)
        if mbps is UNKNOWN or (isinstance(mbps, float) and mbps > 0):
            return path, UNKNOWN if mbps is UNKNOWN else True
        if reader.referrers(resource.urn, "instanceId", *ADDRESS_ASSOCIATIONS):
            return path, True
        if _perhaps_addressed(reader):
            return path, UNKNOWN
    return reader.field(chain[0], "public_mbps")[0], False


@functools.lru_cache(1)
def _perhaps_addressed(reader: StackReader) -> bool:
    """Whether an association of an address names a machine that nobody knows yet."""
    perhaps = reader.referrers(UNKNOWN, "instanceId", *ADDRESS_ASSOCIATIONS)
    return any(reader.value(association, "instanceType") in {None, "EcsInstance"} for association in perhaps)
