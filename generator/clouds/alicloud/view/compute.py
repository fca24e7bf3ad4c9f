"""Instances that stay, or a spot pool: types, disks, RDMA, placement."""

from __future__ import annotations

import math

import msgspec

from generator.selection.storage_choice import StorageChoice
from generator.stack.blueprint import Blueprint
from generator.stack.storage import disk_choice, sentence, system_choice
from generator.stack.words import nodes_title, pool_title, why_type

CAP_DECIMALS = 3  # the most that the price limit takes


class NodeDisk(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that is part of a node's own description."""

    category: str
    level: str | None
    size_gib: int
    reason: str


class Nodes(msgspec.Struct, frozen=True, kw_only=True):
    """The names of nodes.py.jinja. `first_address`: the constant with rank 0's address, where several nodes meet."""

    title: str
    reason: str
    identity: tuple[str, ...]
    imports: tuple[str, ...]
    instance_type: str
    first_address: str | None
    high_performance: bool
    placement: str  # deployment_set | hpc_cluster | none
    ssh_key: bool
    stops: bool
    system: NodeDisk
    snapshots: bool
    release: bool


class Rdma(msgspec.Struct, frozen=True, kw_only=True):
    """The names of rdma.py.jinja: network cards of a node, each of which takes an eRDMA interface."""

    cards: int


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """The names of pool.py.jinja. `caps` None: no list tells the on-demand price, so the market's is followed."""

    title: str
    reason: str
    group_reason: str
    identity: tuple[str, ...]
    imports: tuple[str, ...]
    types: tuple[str, ...]
    caps: dict[str, float] | None
    on_demand_base: int
    fallback: bool
    fallback_reason: str
    pools: int
    high_performance: bool
    ssh_key: bool
    system: NodeDisk
    data: NodeDisk | None
    release: bool


def uses_erdma(blueprint: Blueprint) -> bool:
    """True when nodes reach one another by elastic RDMA interfaces."""
    return blueprint.nodes.rdma and blueprint.candidate.type.rdma == "erdma"


def node_disk(choice: StorageChoice) -> NodeDisk:
    """A disk of selection as a node describes it."""
    assert choice.disk is not None, "selection names the kind of a disk"
    return NodeDisk(
        category=choice.disk.id,
        level=choice.level,
        size_gib=choice.size_gib,
        reason=sentence(choice),
    )


def nodes_view(blueprint: Blueprint) -> Nodes | None:
    """Instances of a fixed number; None for a pool."""
    nodes, kind = blueprint.nodes, blueprint.candidate.type
    if nodes.pool:
        return None
    hpc = nodes.rdma and kind.hpc_cluster
    imports = {"IMAGE", "JOB", "NAME", "NODE", "NODES", "ZONE"}
    imports |= {"MASTER_ADDR"} if nodes.meets else set()
    imports |= {"RELEASE_AT"} if blueprint.release else set()
    return Nodes(
        title=nodes_title(blueprint),
        reason=why_type(blueprint),
        identity=("key", "role") if blueprint.network.ssh else ("role",),
        imports=tuple(sorted(imports)),
        instance_type=kind.id,
        first_address="MASTER_ADDR" if nodes.meets else None,
        high_performance=uses_erdma(blueprint),
        placement="hpc_cluster" if hpc else "deployment_set" if nodes.placement else "none",
        ssh_key=blueprint.network.ssh,
        stops=blueprint.schedule is not None,
        system=node_disk(system_choice(blueprint)),
        snapshots=blueprint.snapshots != "none",
        release=blueprint.release,
    )


def rdma_view(blueprint: Blueprint) -> Rdma | None:
    """Interfaces for the other network cards; None where a node has one, and in a pool, which cannot say it."""
    cards = blueprint.candidate.type.rdma_nics or 1
    if blueprint.nodes.pool or not uses_erdma(blueprint) or cards < 2:
        return None
    return Rdma(cards=cards)


def pool_view(blueprint: Blueprint) -> Pool | None:
    """A spot pool; None for instances that stay."""
    nodes, kind = blueprint.nodes, blueprint.candidate.type
    if not nodes.pool:
        return None
    known = {name: _cap(price) for name, price in nodes.price_caps if price is not None}
    capped = kind.id in known
    types = tuple(known) if capped else (kind.id,)
    alone = nodes.count == 1
    fallback = alone and nodes.on_demand > 0
    imports = {"IMAGE", "JOB", "NAME", "NODE", "NODES"} | ({"RELEASE_AT"} if blueprint.release else set())
    data = disk_choice(blueprint)
    return Pool(
        title=pool_title(blueprint),
        reason=why_type(blueprint),
        group_reason="Keeps the wished number of nodes: one that is taken back gives way to the cheapest there is.",
        identity=("key", "role") if blueprint.network.ssh else ("role",),
        imports=tuple(sorted(imports)),
        types=types,
        caps=known if capped else None,
        on_demand_base=0 if alone else nodes.on_demand,
        fallback=fallback,
        fallback_reason="When there is no spot node, an on-demand one."
        if fallback
        else "Never more than the spot price: the job waits.",
        pools=min(len(types), 10),
        high_performance=uses_erdma(blueprint),
        ssh_key=blueprint.network.ssh,
        system=node_disk(system_choice(blueprint)),
        data=node_disk(data) if data else None,
        release=blueprint.release,
    )


def _cap(price: float) -> float:
    """The price limit, rounded down to what the field takes: never above the on-demand price (SP004)."""
    steps = 10.0**CAP_DECIMALS
    return math.floor(price * steps + 1e-9) / steps
