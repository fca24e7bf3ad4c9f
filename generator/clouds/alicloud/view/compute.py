"""Instances that stay, or a spot pool: types, disks, RDMA, placement."""

from __future__ import annotations

import math

import msgspec

from generator.blueprint import Blueprint
from generator.clouds.alicloud.view.storage import disk_choice
from generator.storage import StorageChoice

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


def machine_text(blueprint: Blueprint) -> str:
    """The machine in people's words: `8 x A100-SXM-80`, `16 vCPU and 60 GiB`."""
    kind = blueprint.candidate.type
    if kind.gpus:
        return f"{kind.gpus} x {kind.gpu}"
    return f"{kind.vcpus} vCPU, {kind.ram_gib:g} GiB"


def why_type(blueprint: Blueprint) -> str:
    """Selection's first reason without its figures of money, which move; they stand in SELECTION.md."""
    kind = blueprint.candidate.type
    links = (
        f", {kind.interconnect.upper() if kind.interconnect == 'pcie' else 'NVLink'} between them"
        if kind.gpus > 1 and kind.interconnect not in {None, "none"}
        else ""
    )
    rdma = f", {kind.rdma} between nodes" if blueprint.nodes.rdma else ""
    return (
        f"{machine_text(blueprint)}{links}{rdma}: ranked first for this job and its limits; the reasons: SELECTION.md."
    )


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
        reason=f"{choice.reason[:1].upper()}{choice.reason[1:].rstrip('.')}.",
    )


def _system(blueprint: Blueprint) -> NodeDisk:
    choice = blueprint.stored("disk", "system")
    assert choice is not None, "selection gives every node a system disk"
    return node_disk(choice)


def nodes_view(blueprint: Blueprint) -> Nodes | None:
    """Instances of a fixed number; None for a pool."""
    nodes, kind = blueprint.nodes, blueprint.candidate.type
    if nodes.pool:
        return None
    several = nodes.count > 1
    hpc = nodes.rdma and kind.hpc_cluster
    imports = {"IMAGE", "JOB", "NAME", "NODE", "NODES", "ZONE"}
    imports |= {"MASTER_ADDR"} if several else set()
    imports |= {"RELEASE_AT"} if blueprint.release else set()
    total = nodes.count + nodes.spare
    number = f"{total} nodes of" if total > 1 else "One node of"
    return Nodes(
        title=f"{number} {kind.id}: {machine_text(blueprint)}{', joined by ' + str(kind.rdma) if nodes.rdma else ''}.",
        reason=why_type(blueprint),
        identity=("key", "role") if blueprint.network.ssh else ("role",),
        imports=tuple(sorted(imports)),
        instance_type=kind.id,
        first_address="MASTER_ADDR" if several else None,
        high_performance=uses_erdma(blueprint),
        placement="hpc_cluster" if hpc else "deployment_set" if nodes.placement else "none",
        ssh_key=blueprint.network.ssh,
        stops=blueprint.schedule is not None,
        system=_system(blueprint),
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
        title=f"A spot pool of {nodes.count} x {machine_text(blueprint)}; the job saves when a node is taken back.",
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
        system=_system(blueprint),
        data=node_disk(data) if data else None,
        release=blueprint.release,
    )


def _cap(price: float) -> float:
    """The price limit, rounded up to what the field takes."""
    steps = 10.0**CAP_DECIMALS
    return math.ceil(price * steps - 1e-9) / steps
