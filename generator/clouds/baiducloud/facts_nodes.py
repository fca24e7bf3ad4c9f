"""Machines of a stack of Baidu AI Cloud, and the node groups of its CCE clusters."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from generator.clouds.baiducloud import CLOUD
from generator.clouds.baiducloud.facts_network import HPAS, public_address, rdma, stand
from generator.facts import Node
from generator.facts import names as known
from generator.facts.node_facts import tag_facts, type_facts, whole
from generator.facts.reader import StackReader, Value, kind_of, tags_of, truth
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

INSTANCE = "index/instance:Instance"
BBC = "index/bbcInstance:BbcInstance"
GROUP = "index/ccev2InstanceGroup:Ccev2InstanceGroup"
SECURITY_GROUP = "index/securityGroup:SecurityGroup"
# Cards as the old fields of a machine call them, with NVIDIA's compute capability.
CARDS = {
    "V100-32": ("V100-SXM-32", 7.0),
    "V100-16": ("V100-SXM-16", 7.0),
    "P40": ("P40", 6.1),
    "P4": ("P4", 6.1),
    "K40": ("K40", 3.5),
}
APART = "the machines of its job are in different EHC clusters"
Charge = Literal["on_demand", "spot", "mixed", "prepaid"] | Unknown


def read_nodes(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> tuple[Node, ...]:
    """Every machine and pool of the stack; RDMA joins only the members of one cluster."""
    nodes = tuple(_read_node(reader, one, region_of[one.urn]) for one in reader.of(INSTANCE, HPAS, BBC, GROUP))
    clusters: dict[str | None, set[str]] = {}
    for node in nodes:
        cluster = reader.field(node.resource, "cluster")[1]
        if isinstance(cluster, str):
            clusters.setdefault(node.job, set()).add(cluster)
    paid = {node.job for node in nodes if node.pool and node.charge == "on_demand" and node.job is not None}
    return tuple(_among_others(node, clusters.get(node.job, set()), paid) for node in nodes)


def _among_others(node: Node, clusters: set[str], paid: set[str]) -> Node:
    """What a machine's neighbours change: another cluster than theirs, or a group on demand that stands in for it."""
    if node.rdma is True and len(clusters) > 1:
        node = msgspec.structs.replace(node, rdma=False, rdma_note=APART)
    if node.charge == "spot" and node.job in paid:
        node = msgspec.structs.replace(node, spot_fallback=True)
    return node


def _read_node(reader: StackReader, machine: Resource, region: str | Unknown | None) -> Node:
    types = type_names(reader, machine)
    tags = machine_tags(reader, machine)
    told = tag_facts(tags)
    standing = stand(reader, machine)
    joined, why_not = rdma(reader, machine, types)
    image_path, image_id = reader.field(machine, "image")
    image = known.image(CLOUD.id, image_id)
    user_data_path, user_data = reader.field(machine, "user_data")
    brings_driver = known.has_boot_step(CLOUD.id, user_data, "driver")
    public_path, public = public_address(reader, machine)
    group_path = reader.field(machine, "groups")[0]
    pool = kind_of(machine) == GROUP
    paths = {
        "types": reader.field(machine, "type")[0],
        "image": image_path,
        "driver_step": user_data_path,
        "rdma": reader.field(machine, "cluster")[0] or "ehcClusterId",
        "charge": reader.field(machine, "charge")[0],
        "payment": reader.field(machine, "charge")[0],
        "bids": reader.field(machine, "charge")[0],
        "zones": reader.field(machine, "subnets")[0],
        "public_address": public_path,
        "tags": reader.field(machine, "tags")[0],
        "ends": "tags",
        "stops": "action",
        "metadata": user_data_path,
        "monitoring": user_data_path,
        "groups": group_path,
        "data": "cdsDisks",
        "mount": user_data_path,
    }
    return Node(
        resource=machine,
        cloud=CLOUD.id,
        region=region,
        paths=paths,
        tags=tags,
        types=types,
        count=whole(reader.value(machine, "spec.replicas"), UNKNOWN) if pool else 1,
        pool=pool,
        zones=standing.zones,
        vpc=standing.vpc,
        subnets=standing.subnets,
        groups=reader.targets(machine, group_path, SECURITY_GROUP) if group_path else (),
        image=image_id,
        # An id does not tell what an image holds: where the user data bring the driver, it need hold none.
        image_kind="plain" if image.kind == "private" and brings_driver is True else image.kind,
        image_ends=image.ends,
        driver_step=brings_driver,
        rdma=joined,
        rdma_note=why_not,
        charge=_charge(reader, machine),
        spot_notice_hook=False,  # nothing on the machine announces that it is taken back
        monitoring=None,
        monitoring_applies=False,  # the provider has no switch for the agent
        public_address=public,
        ends=told["ttl_hours"] is not None,
        stop_without_charge=truth(reader.value(machine, "stopWithNoCharge")) or False,
        stops_by_schedule=False,
        rdma_interfaces=_interfaces(types, joined),
        fuse_mount=known.has_boot_step(CLOUD.id, user_data, "fuse"),
        notice_s=CLOUD.interruption_notice_s,
        **told,
        **(type_facts(CLOUD.id, types, frozenset()) | _old_card(reader, machine, types)),
    )


def type_names(reader: StackReader, machine: Resource) -> tuple[str | Unknown, ...]:
    """The instance type; of HPAS, which sells the performance of an application, what stands for one."""
    value = reader.field(machine, "type")[1]
    return (value,) if isinstance(value, str | Unknown) else ()


def machine_tags(reader: StackReader, machine: Resource) -> dict[str, str]:
    """Tags of the machine itself; a group lists those of its members."""
    value = reader.field(machine, "tags")[1]
    if isinstance(value, list):
        return {str(tag.get("tagKey")): str(tag.get("tagValue")) for tag in value if isinstance(tag, dict)}
    return tags_of(value)


def _old_card(reader: StackReader, machine: Resource, types: tuple[str | Unknown, ...]) -> dict[str, Any]:
    """Cards that a machine names beside, or instead of, its type."""
    name = reader.field(machine, "card")[1]
    if types or not isinstance(name, str) or name not in CARDS:
        return {}
    card, capability = CARDS[name]
    gpus = whole(reader.field(machine, "cards")[1], UNKNOWN)
    return {
        "gpu": card,
        "cards": (card,),
        "gpus": gpus if isinstance(gpus, int) else None,
        "compute_capability": capability,
    }


def _charge(reader: StackReader, machine: Resource) -> Charge:
    charge: Value = reader.field(machine, "charge")[1]
    if isinstance(charge, Unknown):
        return charge
    return {"bidding": "spot", "Prepaid": "prepaid"}.get(str(charge), "on_demand")  # type: ignore[return-value]


def _interfaces(types: tuple[str | Unknown, ...], joined: bool | Unknown) -> int | Unknown:
    """How many network cards for RDMA the machine uses: all of its type's, once it is joined."""
    if joined is not True:
        return UNKNOWN if joined is UNKNOWN else 0
    first = next(iter(known.instance_types(CLOUD.id, types)), None)
    return first.rdma_nics if first is not None and first.rdma_nics is not None else UNKNOWN
