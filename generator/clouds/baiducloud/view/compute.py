"""Instances that stay, or groups of a CCE cluster, the one way to bid for nodes: types, disks, RDMA, placement."""

from __future__ import annotations

import msgspec

from generator.selection.storage_choice import StorageChoice
from generator.stack.blueprint import Blueprint
from generator.stack.storage import disk_choice, sentence, system_choice
from generator.stack.words import nodes_title, pool_title, why_type

KUBERNETES = "1.32.7"  # of the fixed list that the provider takes
# Kinds of machine as a CCE group names them, by the first part of an instance type.
MACHINES = {"bcc": "BCC", "ebc": "EBC", "ehc": "EBC", "bbc": "BBC"}


class NodeDisk(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that is part of a node's own description."""

    storage_type: str
    size_gib: int
    reason: str


class Nodes(msgspec.Struct, frozen=True, kw_only=True):
    """The names of nodes.py.jinja. `ehc`: the nodes join the EHC cluster that config names; `apart`: other hosts."""

    title: str
    reason: str
    imports: tuple[str, ...]
    instance_type: str
    ehc: bool
    apart: bool
    power: bool
    system: NodeDisk


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """One CCE group, which has one way to pay. `size`: a number, or the constant of settings.py that holds it."""

    variable: str
    suffix: str  # of its names, here and in the cloud
    charging: str
    size: int | str
    reason: str


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """The names of pool.py.jinja."""

    title: str
    reason: str
    imports: tuple[str, ...]
    kubernetes: str
    instance_type: str
    machine: str  # BCC | EBC | BBC
    kind: str  # G1 with cards, else N5
    ehc: bool
    groups: tuple[Group, ...]
    system: NodeDisk
    data: NodeDisk | None


def joins_ehc(blueprint: Blueprint) -> bool:
    """True when RDMA between the nodes comes by an EHC cluster, which takes servers of the ehc kind only."""
    return blueprint.nodes.rdma and blueprint.candidate.type.id.startswith("ehc.")


def stops(blueprint: Blueprint) -> bool:
    """True when people switch the machine off out of hours."""
    return blueprint.schedule is not None and not blueprint.nodes.pool


def node_disk(choice: StorageChoice) -> NodeDisk:
    """A disk of selection as a node describes it."""
    assert choice.disk is not None, "selection names the kind of a disk"
    return NodeDisk(storage_type=choice.disk.id, size_gib=choice.size_gib, reason=sentence(choice))


def nodes_view(blueprint: Blueprint) -> Nodes | None:
    """Instances of a fixed number; None where they are members of a pool."""
    nodes = blueprint.nodes
    if nodes.pool:
        return None
    ehc, power = joins_ehc(blueprint), stops(blueprint)
    apart = nodes.role == "infer" and nodes.count > 1
    imports = {"IMAGE", "NAME", "NODE", "NODES", "ZONE"}
    imports |= {"EHC_CLUSTER"} if ehc else set()
    imports |= {"POWER"} if power else set()
    return Nodes(
        title=nodes_title(blueprint),
        reason=why_type(blueprint),
        imports=tuple(sorted(imports)),
        instance_type=blueprint.candidate.type.id,
        ehc=ehc,
        apart=apart,
        power=power,
        system=node_disk(system_choice(blueprint)),
    )


def pool_view(blueprint: Blueprint) -> Pool | None:
    """Groups of a CCE cluster; None for instances that stay."""
    nodes, kind = blueprint.nodes, blueprint.candidate.type
    if not nodes.pool:
        return None
    groups, ehc = _groups(blueprint), joins_ehc(blueprint)
    imports = {"IMAGE", "JOB", "NAME", "NODE", "ZONE"} | {group.size for group in groups if isinstance(group.size, str)}
    imports |= {"EHC_CLUSTER"} if ehc else set()
    data = disk_choice(blueprint)
    return Pool(
        title=pool_title(blueprint),
        reason=why_type(blueprint),
        imports=tuple(sorted(imports)),
        kubernetes=KUBERNETES,
        instance_type=kind.id,
        machine=MACHINES[kind.id.partition(".")[0]],
        kind="G1" if kind.gpus else "N5",
        ehc=ehc,
        groups=groups,
        system=node_disk(system_choice(blueprint)),
        data=node_disk(data) if data else None,
    )


def _groups(blueprint: Blueprint) -> tuple[Group, ...]:
    """The members that are bid for, and beside them those that must not vanish, or a stand-in for a single one."""
    nodes = blueprint.nodes
    alone = nodes.count == 1
    spot = Group(
        variable="pool",
        suffix="spot",
        charging="bidding",
        size="NODES" if alone or not nodes.on_demand else nodes.count - nodes.on_demand,
        reason="The group bids at the market price: it takes no bid of ours, which never exceeds the list price here.",
    )
    if not nodes.on_demand:
        return (spot,)
    reason = (
        "Stands in while no bid is won: a group has one way to pay, so it is one of its own, empty until "
        "`onDemandNodes` is set to 1."
        if alone
        else "The nodes that must not vanish: a group has one way to pay, so they are a group of their own."
    )
    base = Group(
        variable="base",
        suffix="base",
        charging="Postpaid",
        size="ON_DEMAND_NODES" if alone else nodes.on_demand,
        reason=reason,
    )
    return (spot, base)
