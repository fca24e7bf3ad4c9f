"""Machines and pools of a stack of Alibaba Cloud; a group with its configuration or template is one fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from generator.catalog.offers import InstanceType
from generator.clouds.alicloud import CLOUD
from generator.clouds.alicloud.facts_network import public_address, rdma, stand, switches
from generator.clouds.alicloud.facts_schedules import schedule
from generator.facts import Bid, Node
from generator.facts import names as known
from generator.facts.node_facts import either, inherited, tag_facts, type_facts, whole
from generator.facts.reader import StackReader, Value, kind_of, number, tags_of, truth
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

INSTANCE = "ecs/instance:Instance"
INSTANCE_SET = "ecs/ecsInstanceSet:EcsInstanceSet"
GROUP = "ess/scalingGroup:ScalingGroup"
CONFIGURATION = "ess/scalingConfiguration:ScalingConfiguration"
TEMPLATES = ("ecs/ecsLaunchTemplate:EcsLaunchTemplate", "ecs/launchTemplate:LaunchTemplate")
FLEET = "ecs/autoProvisioningGroup:AutoProvisioningGroup"
NODE_POOL = "cs/nodePool:NodePool"
LINGJUN = "eflo/node:Node"
LINGJUN_GROUP = "eflo/nodeGroup:NodeGroup"
LINGJUN_GPUS = 8
HOOK = "ess/lifecycleHook:LifecycleHook"
ENDED = frozenset({"retired_page", "not_recommended", "not_recommended_ticket_required", "old_page_only"})
Charge = Literal["on_demand", "spot", "mixed", "prepaid"] | Unknown


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """A machine or pool as its resources: findings stand on `chain[0]`, the others lend what it lacks."""

    chain: tuple[Resource, ...]
    pool: bool
    count: int | Unknown


def machines(reader: StackReader) -> Iterator[Machine]:
    """Every machine and pool of the stack, each once."""
    used: set[str] = set()
    for resource in reader.of(INSTANCE, INSTANCE_SET):
        templates = _template(reader, resource, "launchTemplateId")
        used |= {template.urn for template in templates}
        count = 1 if kind_of(resource) == INSTANCE else whole(reader.value(resource, "amount"), 1)
        yield Machine(chain=(resource, *templates), pool=False, count=count)
    for group in reader.of(GROUP):
        lenders = _active(reader, group) or _template(reader, group, "launchTemplateId")
        used |= {lender.urn for lender in lenders}
        size = reader.value(group, "desiredCapacity")
        count = whole(size if size is not None else reader.value(group, "maxSize"), UNKNOWN)
        # Tags, disks and types stand in the configuration, so findings do too.
        yield Machine(chain=(*lenders, group), pool=True, count=count)
    for fleet in reader.of(FLEET):
        templates = _template(reader, fleet, "launchTemplateId")
        used |= {template.urn for template in templates}
        count = whole(reader.value(fleet, "totalTargetCapacity"), UNKNOWN)
        yield Machine(chain=(*templates, fleet), pool=True, count=count)
    for pool in reader.of(NODE_POOL):
        size = reader.value(pool, "desiredSize")
        size = size if size is not None else reader.value(pool, "scalingConfig.maxSize")
        yield Machine(chain=(pool,), pool=True, count=whole(size, UNKNOWN))
    for resource in reader.of(LINGJUN):
        groups = reader.referrers(resource.urn, "nodes", LINGJUN_GROUP)
        yield Machine(chain=(resource, *groups), pool=False, count=1)
    for resource in reader.of(CONFIGURATION, *TEMPLATES):
        alone = kind_of(resource) in TEMPLATES or reader.target(resource, "scalingGroupId", GROUP) not in reader.by_urn
        if resource.urn not in used and alone:  # a group elsewhere may use it
            yield Machine(chain=(resource,), pool=True, count=UNKNOWN)


def _template(reader: StackReader, resource: Resource, name: str) -> tuple[Resource, ...]:
    target = reader.target(resource, name, *TEMPLATES)
    found = reader.by_urn.get(target) if isinstance(target, str) else None
    return (found,) if found is not None else ()


def _active(reader: StackReader, group: Resource) -> tuple[Resource, ...]:
    """The configuration that the group works by: the active one, else the only one."""
    found = reader.referrers(group.urn, "scalingGroupId", CONFIGURATION)
    active = [entry for entry in found if reader.value(entry, "active") is True]
    return tuple((active or found)[:1])


def read_node(reader: StackReader, machine: Machine, region: str | Unknown | None) -> Node:
    """The fact of one machine or pool."""
    chain = machine.chain
    types = type_names(reader, chain)
    first = next(iter(known.instance_types("alicloud", types)), None)
    tags = _tags(reader, chain)
    standing = stand(reader, chain)
    joined, why_not = rdma(reader, chain, types)
    image_path, image_id = inherited(reader, chain, "image")
    image = known.image("alicloud", image_id)
    is_kubernetes = kind_of(chain[0]) == NODE_POOL
    user_data = inherited(reader, chain, "user_data")[1]
    public_path, public = public_address(reader, chain)
    bid_path, bids = _bids(reader, chain, types, region)
    timetable = schedule(reader, chain)
    return Node(
        resource=chain[0],
        cloud="alicloud",
        region=region,
        paths={
            "types": _type_path(reader, chain),
            "image": image_path,
            "driver_step": "userData",
            "rdma": _rdma_path(chain[0]),
            "charge": inherited(reader, chain, "spot")[0],
            "bids": bid_path,
            "zones": inherited(reader, chain, "subnets")[0] or "vswitchIds",
            "public_address": public_path,
            "tags": "tags",
            "ends": "autoReleaseTime",
            "stops": "stoppedMode",
            "metadata": inherited(reader, chain, "metadata_tokens")[0],
            "monitoring": reader.field(chain[0], "monitoring")[0] or "userData",
            "payment": inherited(reader, chain, "charge")[0],
            "groups": inherited(reader, chain, "groups")[0],
            "data": "dataDisks",
            "mount": "userData",
        },
        tags=tags,
        types=types,
        count=machine.count,
        pool=machine.pool,
        **tag_facts(tags),
        **_of_types(chain[0], types),
        zones=standing.zones,
        vpc=standing.vpc,
        subnets=standing.subnets,
        groups=_groups(reader, chain),
        image=image_id,
        # On Kubernetes the service's own images bring the driver of the node's card.
        image_kind="gpu" if is_kubernetes and image_id is None else image.kind,
        image_ends=image.ends,
        driver_step=known.has_boot_step("alicloud", user_data, "driver"),
        rdma=joined,
        rdma_note=why_not,
        charge=_charge(reader, chain),
        bids=bids,
        spot_fallback=_fallback(reader, chain),
        spot_notice_hook=either(known.has_boot_step("alicloud", user_data, "notice"), _hooked(reader, chain)),
        monitoring=_monitoring(reader, chain, user_data),
        monitoring_applies=kind_of(chain[0]) != LINGJUN,
        public_address=public,
        ends=either(timetable.ends, bool(tags.get("trainform-ttl"))),
        stop_without_charge=timetable.unbilled,
        stops_by_schedule=timetable.stops,
        rdma_interfaces=_interfaces(reader, chain, first),
        fuse_mount=known.has_boot_step("alicloud", user_data, "fuse"),
        metadata_tokens=_tokens(reader, chain),
        notice_s=CLOUD.interruption_notice_s,
    )


def type_names(reader: StackReader, chain: tuple[Resource, ...]) -> tuple[str | Unknown, ...]:
    """Every instance type that a chain names, the first choice first."""
    for resource in chain:
        if kind_of(resource) == FLEET:
            names = [
                UNKNOWN if isinstance(block, Unknown) else block.get("instanceType")
                for _, block in reader.blocks(resource, "launchTemplateConfigs")
            ]
        elif kind_of(resource) == LINGJUN:
            names = [reader.value(resource, "machineType")]
        else:
            several = reader.field(resource, "types")[1]
            names = [reader.field(resource, "type")[1], *(several if isinstance(several, list) else [several])]
        told = tuple(dict.fromkeys(name for name in names if isinstance(name, str | Unknown)))
        if told:
            return told
    return ()


def _type_path(reader: StackReader, chain: tuple[Resource, ...]) -> str:
    if kind_of(chain[0]) == LINGJUN:
        return "machineType"
    for name in ("type", "types"):
        path, value = reader.field(chain[0], name)
        if value is not None:
            return path
    return "instanceType"


def _tags(reader: StackReader, chain: tuple[Resource, ...]) -> dict[str, str]:
    """Tags of the machine itself; a group's own tags do not reach its nodes, but they tell what the pool is for."""
    found: dict[str, str] = {}
    for resource in reversed(chain):
        found |= tags_of(reader.value(resource, "tags"))
    return found


def _groups(reader: StackReader, chain: tuple[Resource, ...]) -> tuple[str | Unknown, ...]:
    for resource in chain:
        path, value = reader.field(resource, "groups")
        if value is not None:
            return reader.targets(resource, path, "ecs/securityGroup:SecurityGroup")
    return ()


def _rdma_path(resource: Resource) -> str:
    return {
        CONFIGURATION: "networkInterfaces[0].networkInterfaceTrafficMode",
        NODE_POOL: "instanceTypes",
    }.get(kind_of(resource), "networkInterfaceTrafficMode")


def _of_types(resource: Resource, types: tuple[str | Unknown, ...]) -> dict[str, Any]:
    """What the catalog knows of the types; the machines of Lingjun all have cards, though no list tells how many."""
    told = type_facts("alicloud", types, ENDED)
    return told | {"gpus": LINGJUN_GPUS} if kind_of(resource) == LINGJUN else told


def _bids(
    reader: StackReader, chain: tuple[Resource, ...], types: tuple[str | Unknown, ...], region: str | Unknown | None
) -> tuple[str, tuple[Bid, ...] | Unknown]:
    """Path and value of the highest bids an hour, each beside the list price of its type."""
    path, value = inherited(reader, chain, "spot_cap")
    told = [(kind, value) for kind in types if isinstance(kind, str)] if value is not None else []
    if not told:
        path, caps = inherited(reader, chain, "spot_caps")
        path = path or inherited(reader, chain, "spot_cap")[0]
        if isinstance(caps, Unknown):
            return path, caps
        told = [(str(cap.get("instanceType")), cap.get("priceLimit")) for cap in caps or () if isinstance(cap, dict)]
    for resource in chain:
        if kind_of(resource) == FLEET:
            blocks = [block for _, block in reader.blocks(resource, "launchTemplateConfigs") if isinstance(block, dict)]
            told = [(str(block.get("instanceType")), block.get("maxPrice")) for block in blocks]
            path = "launchTemplateConfigs[0].maxPrice"
    bids = (
        Bid(type=kind, amount=number(bid), on_demand=known.on_demand_price("alicloud", kind, region))
        for kind, bid in told
        if bid is not None
    )
    return path, tuple(bids)


def _charge(reader: StackReader, chain: tuple[Resource, ...]) -> Charge:
    """How the machines are paid, the spot ones by the strategy and the fleet's targets."""
    strategy = inherited(reader, chain, "spot")[1]
    for resource in chain:
        if kind_of(resource) == FLEET:
            spot = number(reader.value(resource, "spotTargetCapacity"))
            on_demand = number(reader.value(resource, "payAsYouGoTargetCapacity"))
            if UNKNOWN in {spot, on_demand}:
                return UNKNOWN
            return ("mixed" if on_demand else "spot") if spot else "on_demand"
    if isinstance(strategy, Unknown):
        return strategy
    if strategy not in {None, "NoSpot"}:
        group = chain[-1]
        base = number(reader.value(group, "onDemandBaseCapacity"))
        return "mixed" if base not in {None, 0.0} else "spot"
    charge = inherited(reader, chain, "charge")[1]
    if kind_of(chain[0]) == LINGJUN:
        charge = reader.value(chain[0], "paymentType")
    if isinstance(charge, Unknown):
        return charge
    return "prepaid" if charge in {"PrePaid", "Subscription"} else "on_demand"


def _fallback(reader: StackReader, chain: tuple[Resource, ...]) -> bool | Unknown:
    """Whether on-demand machines come when there is no spot."""
    group = chain[-1]
    told = [truth(reader.value(group, name)) for name in ("compensateWithOnDemand", "spotInstanceRemedy")]
    base = number(reader.value(group, "onDemandBaseCapacity"))
    told.append(UNKNOWN if base is UNKNOWN else bool(base))
    return either(*(value or False for value in told))


def _hooked(reader: StackReader, chain: tuple[Resource, ...]) -> bool | Unknown:
    hooks = reader.referrers(chain[-1].urn, "scalingGroupId", HOOK)
    return any(reader.value(hook, "lifecycleTransition") == "SCALE_IN" for hook in hooks)


def _monitoring(reader: StackReader, chain: tuple[Resource, ...], user_data: Value) -> bool | Unknown | None:
    """Whether the monitoring agent is installed: by the node pool's switch, or by a step of the user data."""
    told = truth(reader.field(chain[0], "monitoring")[1])
    if told is not None:
        return told
    step = known.has_boot_step("alicloud", user_data, "agent")
    return None if step is False else step


def _interfaces(reader: StackReader, chain: tuple[Resource, ...], kind: InstanceType | None) -> int | Unknown:
    """How many interfaces for RDMA the machine has; all of the type's where a cluster or the service gives them."""
    by_nature = kind_of(chain[0]) in {LINGJUN, NODE_POOL} or reader.field(chain[0], "hpc_cluster")[1] is not None
    if by_nature and kind is not None and kind.rdma_nics is not None:
        return kind.rdma_nics
    told = switches(reader, chain)
    return UNKNOWN if UNKNOWN in told else told.count(True)


def _tokens(reader: StackReader, chain: tuple[Resource, ...]) -> bool | Unknown | None:
    path, value = inherited(reader, chain, "metadata_tokens")
    if not path:
        return None
    return value if isinstance(value, Unknown) else bool(value == "required")
