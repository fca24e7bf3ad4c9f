"""Machines and pools of a stack of Tencent Cloud; a group with its configuration is one fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from generator.clouds.tencentcloud import CLOUD
from generator.clouds.tencentcloud.facts_network import cluster_of, public_address, rdma, stand
from generator.clouds.tencentcloud.facts_schedules import schedule
from generator.facts import Node
from generator.facts import names as known
from generator.facts.node_facts import either, inherited, same_bid, tag_facts, type_facts, whole
from generator.facts.reader import StackReader, Value, kind_of, number, tags_of, truth
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

INSTANCE = "Instance/instance:Instance"
GROUP = "As/scalingGroup:ScalingGroup"
CONFIGURATION = "As/scalingConfig:ScalingConfig"
TEMPLATE = "Cvm/launchTemplate:LaunchTemplate"
NODE_POOL = "Kubernetes/nodePool:NodePool"
NATIVE_POOL = "Kubernetes/nativeNodePool:NativeNodePool"
WORKSPACES = "Thpc/workspaces:Workspaces"
HOOK = "As/lifecycleHook:LifecycleHook"
SECURITY_GROUP = "Security/group:Group"
ENDED = frozenset({"current_old"})
Charge = Literal["on_demand", "spot", "mixed", "prepaid"] | Unknown


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """A machine or pool as its resources: findings stand on `chain[0]`, the others lend what it lacks."""

    chain: tuple[Resource, ...]
    pool: bool
    count: int | Unknown


def machines(reader: StackReader) -> Iterator[Machine]:
    """Every machine and pool of the stack, each once."""
    used: set[str] = set()
    for resource in reader.of(INSTANCE, WORKSPACES):
        templates = _lender(reader, resource, "launchTemplateId", TEMPLATE)
        used |= {template.urn for template in templates}
        yield Machine(chain=(resource, *templates), pool=False, count=1)
    for group in reader.of(GROUP):
        lenders = _lender(reader, group, "configurationId", CONFIGURATION)
        used |= {lender.urn for lender in lenders}
        size = reader.value(group, "desiredCapacity")
        count = whole(size if size is not None else reader.value(group, "maxSize"), UNKNOWN)
        # Tags, disks and types stand in the configuration, so findings do too.
        yield Machine(chain=(*lenders, group), pool=True, count=count)
    for pool in reader.of(NODE_POOL):
        size = reader.value(pool, "desiredCapacity")
        count = whole(size if size is not None else reader.value(pool, "maxSize"), UNKNOWN)
        yield Machine(chain=(pool,), pool=True, count=count)
    for pool in reader.of(NATIVE_POOL):
        size = reader.value(pool, "native.replicas")
        count = whole(size if size is not None else reader.value(pool, "native.scaling.maxReplicas"), UNKNOWN)
        yield Machine(chain=(pool,), pool=True, count=count)
    for resource in reader.of(CONFIGURATION, TEMPLATE):
        if resource.urn not in used:  # a group elsewhere may use it
            yield Machine(chain=(resource,), pool=True, count=UNKNOWN)


def _lender(reader: StackReader, resource: Resource, name: str, kind: str) -> tuple[Resource, ...]:
    target = reader.target(resource, name, kind)
    found = reader.by_urn.get(target) if isinstance(target, str) else None
    return (found,) if found is not None else ()


def read_node(reader: StackReader, machine: Machine, region: str | Unknown | None) -> Node:
    """The fact of one machine or pool."""
    chain = machine.chain
    types = type_names(reader, chain)
    tags = machine_tags(reader, chain)
    told = tag_facts(tags)
    standing = stand(reader, chain)
    joined, why_not = rdma(reader, chain, types)
    image_path, image_id = inherited(reader, chain, "image")
    image = known.image(CLOUD.id, image_id)
    is_kubernetes = kind_of(chain[0]) in {NODE_POOL, NATIVE_POOL}
    user_data_path, user_data = inherited(reader, chain, "user_data")
    public_path, public = public_address(reader, chain)
    cap_path, cap = inherited(reader, chain, "spot_cap")
    charge_path = inherited(reader, chain, "charge")[0]
    timetable = schedule(reader, chain)
    return Node(
        resource=chain[0],
        cloud=CLOUD.id,
        region=region,
        paths={
            "types": _type_path(reader, chain),
            "image": image_path or "nodeOs",
            "driver_step": user_data_path or "userData",
            "rdma": inherited(reader, chain, "hpc_cluster")[0] or "hpcClusterId",
            "charge": charge_path,
            "bids": cap_path or "spotMaxPrice",
            "zones": inherited(reader, chain, "subnets")[0] or "subnetIds",
            "public_address": public_path,
            "tags": reader.field(chain[0], "tags")[0] or "tags",
            "ends": "actionTimer",
            "stops": "desiredCapacity",
            "metadata": "userData",
            "monitoring": _monitoring_path(reader, chain),
            "payment": charge_path,
            "groups": inherited(reader, chain, "groups")[0],
            "data": "dataDisks",
            "mount": user_data_path or "userData",
        },
        tags=tags,
        types=types,
        count=machine.count,
        pool=machine.pool,
        zones=standing.zones,
        vpc=standing.vpc,
        subnets=standing.subnets,
        groups=_groups(reader, chain),
        image=image_id,
        # On Kubernetes the service's own images bring the driver of the node's card.
        image_kind="gpu" if is_kubernetes and image_id is None else image.kind,
        image_ends=image.ends,
        driver_step=known.has_boot_step(CLOUD.id, user_data, "driver"),
        rdma=joined,
        rdma_note=why_not,
        charge=_charge(reader, chain),
        bids=same_bid(CLOUD.id, types, number(cap), region) if cap is not None else (),
        spot_notice_hook=either(known.has_boot_step(CLOUD.id, user_data, "notice"), _hooked(reader, chain)),
        monitoring=_monitoring(reader, chain),
        public_address=public,
        ends=either(timetable.ends, told["ttl_hours"] is not None),
        stop_without_charge=timetable.unbilled,
        stops_by_schedule=timetable.stops,
        rdma_interfaces=_interfaces(reader, chain, types),
        fuse_mount=known.has_boot_step(CLOUD.id, user_data, "fuse"),
        metadata_tokens=None,
        notice_s=CLOUD.interruption_notice_s,
        **told,
        **type_facts(CLOUD.id, types, ENDED),
    )


def type_names(reader: StackReader, chain: tuple[Resource, ...]) -> tuple[str | Unknown, ...]:
    """Every instance type that a chain names, the first choice first."""
    for resource in chain:
        several = reader.field(resource, "types")[1]
        names = [reader.field(resource, "type")[1], *(several if isinstance(several, list) else [several])]
        told = tuple(dict.fromkeys(name for name in names if isinstance(name, str | Unknown)))
        if told:
            return told
    return ()


def _type_path(reader: StackReader, chain: tuple[Resource, ...]) -> str:
    for name in ("type", "types"):
        path, value = reader.field(chain[0], name)
        if value is not None:
            return path
    return "instanceType"


def machine_tags(reader: StackReader, chain: tuple[Resource, ...]) -> dict[str, str]:
    """Tags of the machine itself; a group's own tags do not reach its nodes, but they tell what the pool is for."""
    found: dict[str, str] = {}
    for resource in reversed(chain):
        for name in ("tags", "instanceTags"):
            found |= tags_of(reader.value(resource, name))
        # Templates, spaces and native pools list tags by the kind of resource they are for.
        for block in (*_listed(reader, resource, "tagSpecifications"), *_listed(reader, resource, "tags")):
            found |= {
                str(tag.get("key")): str(tag.get("value")) for tag in block.get("tags") or () if isinstance(tag, dict)
            }
    return found


def _listed(reader: StackReader, resource: Resource, name: str) -> list[dict[str, Value]]:
    value = reader.value(resource, name)
    return [block for block in value if isinstance(block, dict)] if isinstance(value, list) else []


def _groups(reader: StackReader, chain: tuple[Resource, ...]) -> tuple[str | Unknown, ...]:
    for resource in chain:
        path, value = reader.field(resource, "groups")
        if value is not None:
            return reader.targets(resource, path, SECURITY_GROUP)
    return ()


def _charge(reader: StackReader, chain: tuple[Resource, ...]) -> Charge:
    charge = inherited(reader, chain, "charge")[1]
    if isinstance(charge, Unknown):
        return charge
    if charge == "SPOTPAID":
        return "spot"
    return "prepaid" if charge in {"PREPAID", "CDHPAID", "CDCPAID"} else "on_demand"


def _hooked(reader: StackReader, chain: tuple[Resource, ...]) -> bool | Unknown:
    hooks = reader.referrers(chain[-1].urn, "scalingGroupId", HOOK)
    return any(reader.value(hook, "lifecycleTransition") == "INSTANCE_TERMINATING" for hook in hooks)


def _monitoring(reader: StackReader, chain: tuple[Resource, ...]) -> bool | Unknown | None:
    """Whether the agent is installed: an instance has a switch that turns it off, the rest one that turns it on."""
    off = inherited(reader, chain[:1], "no_monitoring")[1]
    if off is not None:
        switched = truth(off)
        return switched if isinstance(switched, Unknown) or switched is None else not switched
    return truth(inherited(reader, chain, "monitoring")[1])


def _monitoring_path(reader: StackReader, chain: tuple[Resource, ...]) -> str:
    return reader.field(chain[0], "no_monitoring")[0] or reader.field(chain[0], "monitoring")[0] or "enhancedService"


def _interfaces(reader: StackReader, chain: tuple[Resource, ...], types: tuple[str | Unknown, ...]) -> int | Unknown:
    """How many network cards for RDMA the machine uses: all of its type's, once it is in a cluster."""
    if cluster_of(reader, chain) is None:
        return 0
    first = next(iter(known.instance_types(CLOUD.id, types)), None)
    return first.rdma_nics if first is not None and first.rdma_nics is not None else UNKNOWN
