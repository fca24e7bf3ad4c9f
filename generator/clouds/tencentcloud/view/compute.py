"""Instances that stay, a spot pool, or a group that a timetable empties: types, disks, RDMA, placement."""

from __future__ import annotations

import msgspec

from generator.clouds.tencentcloud.view.network import has_egress
from generator.errors import InputError, Problem
from generator.selection.storage_choice import StorageChoice
from generator.stack.blueprint import Blueprint, public
from generator.stack.groups import pooled
from generator.stack.storage import disk_choice, sentence, system_choice
from generator.stack.words import machine_text, nodes_title, pool_title, why_type

NETWORK = ("security_group", "subnet_id", "vpc_id")
PUBLIC_MBPS = 20  # enough for a shell and a notebook behind a tunnel; traffic is what is paid for


class NodeDisk(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that is part of a node's own description."""

    storage_type: str
    size_gib: int
    reason: str


class Nodes(msgspec.Struct, frozen=True, kw_only=True):
    """The names of nodes.py.jinja. `first_address`: the constant with rank 0's address, where several nodes meet."""

    title: str
    reason: str
    identity: tuple[str, ...]
    network: tuple[str, ...]
    egress: bool  # there is a way out of the stack's own, which must be there first
    imports: tuple[str, ...]
    instance_type: str
    first_address: str | None
    placement: str  # hpc_cluster | apart | none
    ssh_key: bool
    system: NodeDisk
    release: bool


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """One scaling group with its configuration: a group has one charge type, and one bid for all its types.

    `size` is a number, or the constant of settings.py that holds it; `cap` is the bid, None: from config.
    """

    variable: str
    suffix: str  # of its names, here and in the cloud
    spot: bool
    size: int | str
    cap: str | None
    reason: str


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """The names of pool.py.jinja."""

    title: str
    reason: str
    identity: tuple[str, ...]
    network: tuple[str, ...]
    egress: bool  # there is a way out of the stack's own, which must be there first
    imports: tuple[str, ...]
    types: tuple[str, ...]
    groups: tuple[Group, ...]
    spot: bool
    scheduled: bool
    ssh_key: bool
    public_mbps: int | None
    system: NodeDisk
    data: NodeDisk | None


def node_disk(choice: StorageChoice) -> NodeDisk:
    """A disk of selection as a node describes it."""
    assert choice.disk is not None, "selection names the kind of a disk"
    return NodeDisk(storage_type=choice.disk.id, size_gib=choice.size_gib, reason=sentence(choice))


def nodes_view(blueprint: Blueprint) -> Nodes | None:
    """Instances of a fixed number; None where they are members of scaling groups."""
    if pooled(blueprint):
        return None
    nodes, kind = blueprint.nodes, blueprint.candidate.type
    imports = {"IMAGE", "NAME", "NODE", "NODES", "ZONE"}
    imports |= {"MASTER_ADDR"} if nodes.meets else set()
    imports |= {"RELEASE_AT"} if blueprint.release else set()
    placement = "hpc_cluster" if kind.hpc_cluster else "apart" if nodes.role == "infer" and nodes.count > 1 else "none"
    return Nodes(
        title=nodes_title(blueprint),
        reason=why_type(blueprint),
        identity=("key", "role") if blueprint.network.ssh else ("role",),
        network=("egress", *NETWORK) if has_egress(blueprint) else NETWORK,
        egress=has_egress(blueprint),
        imports=tuple(sorted(imports | ({"JOB"} if placement == "apart" else set()))),
        instance_type=kind.id,
        first_address="MASTER_ADDR" if nodes.meets else None,
        placement=placement,
        ssh_key=blueprint.network.ssh,
        system=node_disk(system_choice(blueprint)),
        release=blueprint.release,
    )


def pool_view(blueprint: Blueprint) -> Pool | None:
    """Scaling groups; None for instances that stay. InputError where spot nodes would need RDMA."""
    if not pooled(blueprint):
        return None
    nodes, kind = blueprint.nodes, blueprint.candidate.type
    if nodes.pool and nodes.rdma:
        message = "several spot nodes of one job have no RDMA here: a scaling group cannot join an HPC cluster"
        raise InputError(Problem(message=message, hint="set interruptible: false, or hardware.nodes: 1"))
    groups = _spot_groups(blueprint) if nodes.pool else (_timed_group(blueprint),)
    imports = {"IMAGE", "JOB", "NAME", "NODE"}
    imports |= {group.size for group in groups if isinstance(group.size, str)}
    imports |= {"SPOT_MAX_PRICE"} if any(group.spot and group.cap is None for group in groups) else set()
    data = disk_choice(blueprint) if nodes.pool else None
    return Pool(
        title=pool_title(blueprint) if nodes.pool else f"{machine_text(blueprint)} while people work, else nothing.",
        reason=why_type(blueprint),
        identity=("key", "role") if blueprint.network.ssh else ("role",),
        network=("egress", *NETWORK) if has_egress(blueprint) else NETWORK,
        egress=has_egress(blueprint),
        imports=tuple(sorted(imports)),
        types=tuple(dict.fromkeys(nodes.types)) if nodes.pool else (kind.id,),
        groups=groups,
        spot=nodes.pool,
        scheduled=not nodes.pool,
        ssh_key=blueprint.network.ssh,
        public_mbps=PUBLIC_MBPS if public(blueprint) else None,
        system=node_disk(system_choice(blueprint)),
        data=node_disk(data) if data else None,
    )


def _spot_groups(blueprint: Blueprint) -> tuple[Group, ...]:
    """The spot members, and beside them those that must not vanish, or a stand-in for a single one."""
    nodes = blueprint.nodes
    alone = nodes.count == 1
    # One bid for all types: never more than the cheapest of them costs on demand (SP004).
    prices = [price for _, price in nodes.price_caps if price is not None]
    price = min(prices, default=None)
    spot = Group(
        variable="pool",
        suffix="spot",
        spot=True,
        size="NODES" if alone or not nodes.on_demand else nodes.count - nodes.on_demand,
        cap=None if price is None else str(price),
        reason="Keeps the wished number of spot nodes: one that is taken back gives way to the next that can be had.",
    )
    if not nodes.on_demand:
        return (spot,)
    reason = (
        "Stands in while there is no spot node to be had: a group here has one way to pay, so it is one of its own, "
        "empty until `onDemandNodes` is set to 1."
        if alone
        else "The nodes that must not vanish: a group here has one way to pay, so they are a group of their own."
    )
    size = "ON_DEMAND_NODES" if alone else nodes.on_demand
    base = Group(
        variable="base",
        suffix="base",
        spot=False,
        size=size,
        cap=None,
        reason=reason,
    )
    return (spot, base)


def _timed_group(blueprint: Blueprint) -> Group:
    """The machines that come in the morning and go in the evening."""
    assert blueprint.schedule is not None, "a group without spot has a timetable"
    hours = f"{blueprint.schedule.days} {blueprint.schedule.start} to {blueprint.schedule.stop}"
    return Group(
        variable="pool",
        suffix="dev",
        spot=False,
        size="NODES",
        cap=None,
        reason=f"Holds its machines {hours} only. No timer here stops an instance unbilled, so the group is emptied.",
    )
