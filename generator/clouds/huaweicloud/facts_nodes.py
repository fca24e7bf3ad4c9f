"""Machines and pools of a stack of Huawei Cloud; a scaling group with its configuration is one fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from generator.clouds.huaweicloud import CLOUD
from generator.clouds.huaweicloud.facts_network import interfaces, public_address, rdma, stand
from generator.clouds.huaweicloud.facts_schedules import schedule
from generator.facts import Node
from generator.facts import names as known
from generator.facts.node_facts import either, inherited, same_bid, tag_facts, type_facts, whole
from generator.facts.reader import StackReader, kind_of, number, tags_of
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

INSTANCE = "Ecs/instance:Instance"
METAL = "Bms/instance:Instance"
GROUP = "As/group:Group"
CONFIGURATION = "As/configuration:Configuration"
NODE_POOL = "Cce/nodePool:NodePool"
CLUSTER_NODE = "Cce/node:Node"
HOOK = "As/lifecycleHook:LifecycleHook"
SECURITY_GROUP = "Vpc/secgroup:Secgroup"
ENDED = frozenset({"older_generation"})
AGENT = "ces"
Charge = Literal["on_demand", "spot", "mixed", "prepaid"] | Unknown


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """A machine or pool as its resources: findings stand on `chain[0]`, the others lend what it lacks."""

    chain: tuple[Resource, ...]
    pool: bool
    count: int | Unknown


def machines(reader: StackReader) -> Iterator[Machine]:
    """Every machine and pool of the stack, each once."""
    used: set[str] = set()
    for resource in reader.of(INSTANCE, METAL, CLUSTER_NODE):
        yield Machine(chain=(resource,), pool=False, count=1)
    for group in reader.of(GROUP):
        target = reader.target(group, "scalingConfigurationId", CONFIGURATION)
        lender = reader.by_urn.get(target) if isinstance(target, str) else None
        used |= {lender.urn} if lender is not None else set()
        size = reader.value(group, "desireInstanceNumber") or reader.value(group, "maxInstanceNumber")
        # Disks and types stand in the configuration, so findings do too; tags stand on the group alone.
        yield Machine(chain=(*((lender,) if lender else ()), group), pool=True, count=whole(size, UNKNOWN))
    for pool in reader.of(NODE_POOL):
        size = reader.value(pool, "initialNodeCount") or reader.value(pool, "maxNodeCount")
        yield Machine(chain=(pool,), pool=True, count=whole(size, UNKNOWN))
    for resource in reader.of(CONFIGURATION):
        if resource.urn not in used:  # a group elsewhere may use it
            yield Machine(chain=(resource,), pool=True, count=UNKNOWN)


def read_node(reader: StackReader, machine: Machine, region: str | Unknown | None) -> Node:
    """The fact of one machine or pool."""
    chain = machine.chain
    types = type_names(reader, chain)
    tags = machine_tags(reader, chain)
    told = tag_facts(tags)
    standing = stand(reader, chain)
    joined, why_not = rdma(types)
    image_path, image_id = inherited(reader, chain, "image")
    image = known.image(CLOUD.id, image_id)
    user_data_path, user_data = inherited(reader, chain, "user_data")
    public_path, public = public_address(reader, chain)
    cap_path, cap = inherited(reader, chain, "spot_cap")
    charge_path = inherited(reader, chain, "charge")[0]
    timetable = schedule(reader, chain)
    monitoring_path, monitoring = _monitoring(reader, chain, user_data)
    return Node(
        resource=chain[0],
        cloud=CLOUD.id,
        region=region,
        paths={
            "types": reader.field(chain[0], "type")[0] or "flavorId",
            "image": image_path or "imageId",
            "driver_step": user_data_path or "userData",
            "rdma": reader.field(chain[0], "type")[0] or "flavorId",
            "charge": charge_path,
            "bids": cap_path or "spotMaximumPrice",
            "zones": _zone_path(reader, chain),
            "public_address": public_path,
            "tags": "tags",
            "ends": "autoTerminateTime",
            "stops": "scalingPolicyAction",
            "metadata": user_data_path or "userData",
            "monitoring": monitoring_path,
            "payment": charge_path,
            "groups": inherited(reader, chain, "groups")[0] or "securityGroupIds",
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
        # On CCE the service's own images are meant, and an add-on brings the driver.
        image_kind="gpu" if kind_of(chain[0]) in {NODE_POOL, CLUSTER_NODE} else image.kind,
        image_ends=image.ends,
        driver_step=known.has_boot_step(CLOUD.id, user_data, "driver"),
        rdma=joined,
        rdma_note=why_not,
        charge=_charge(reader, chain),
        bids=same_bid(CLOUD.id, types, number(cap), region) if cap is not None else (),
        spot_notice_hook=either(known.has_boot_step(CLOUD.id, user_data, "notice"), _hooked(reader, chain)),
        monitoring=monitoring,
        monitoring_applies=kind_of(chain[0]) == INSTANCE,
        public_address=public,
        ends=either(timetable.ends, told["ttl_hours"] is not None),
        stop_without_charge=timetable.unbilled,
        stops_by_schedule=timetable.stops,
        rdma_interfaces=interfaces(types),
        fuse_mount=known.has_boot_step(CLOUD.id, user_data, "fuse"),
        metadata_tokens=None,
        notice_s=CLOUD.interruption_notice_s,
        **told,
        **type_facts(CLOUD.id, types, ENDED),
    )


def type_names(reader: StackReader, chain: tuple[Resource, ...]) -> tuple[str | Unknown, ...]:
    """Every flavor that a chain names, the first choice first; a scaling configuration lists them in one text."""
    for resource in chain:
        value = reader.field(resource, "type")[1]
        if isinstance(value, str):
            return tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
        if value is UNKNOWN:
            return (UNKNOWN,)
    return ()


def machine_tags(reader: StackReader, chain: tuple[Resource, ...]) -> dict[str, str]:
    """Tags of the machine itself; members of a scaling group get those of the group."""
    found: dict[str, str] = {}
    for resource in reversed(chain):
        found |= tags_of(reader.value(resource, "tags"))
    return found


def _zone_path(reader: StackReader, chain: tuple[Resource, ...]) -> str:
    return next((path for resource in chain if (path := reader.field(resource, "zone")[0])), "availabilityZone")


def _groups(reader: StackReader, chain: tuple[Resource, ...]) -> tuple[str | Unknown, ...]:
    for resource in chain:
        path, value = reader.field(resource, "groups")
        if value is not None:
            return reader.targets(resource, path, SECURITY_GROUP)
    return ()


def _charge(reader: StackReader, chain: tuple[Resource, ...]) -> Charge:
    market = inherited(reader, chain, "market")[1]
    charge = inherited(reader, chain, "charge")[1]
    if market == "spot" or charge == "spot":
        return "spot"
    if isinstance(market, Unknown) or isinstance(charge, Unknown):
        return UNKNOWN
    # Bare metal is sold no other way, whatever is written.
    return "prepaid" if charge == "prePaid" or kind_of(chain[0]) == METAL else "on_demand"


def _hooked(reader: StackReader, chain: tuple[Resource, ...]) -> bool | Unknown:
    hooks = reader.referrers(chain[-1].urn, "scalingGroupId", HOOK)
    return any(reader.value(hook, "type") == "REMOVE" for hook in hooks)


def _monitoring(
    reader: StackReader, chain: tuple[Resource, ...], user_data: object
) -> tuple[str, bool | Unknown | None]:
    """Whether an agent runs: the cloud's own by a property of instances, or one that the user data installs."""
    path, agents = inherited(reader, chain[:1], "monitoring")
    step = known.has_boot_step(CLOUD.id, user_data, "agent")
    listed = UNKNOWN if agents is UNKNOWN else AGENT in str(agents or "").split(",")
    told = either(step, listed)
    return path or "userData", None if told is False else told
