"""Virtual machines, bare metal, a spot pool, or a group that a timetable empties: flavors, disks, placement."""

from __future__ import annotations

import msgspec

from generator.clouds.huaweicloud.view.network import has_egress
from generator.selection.storage_choice import StorageChoice
from generator.stack.blueprint import Blueprint, public
from generator.stack.groups import pooled
from generator.stack.storage import disk_choice, sentence, system_choice
from generator.stack.words import machine_text, nodes_title, pool_title, why_type

PUBLIC_MBPS = 20  # enough for a shell and a notebook behind a tunnel; traffic is what is paid for


class NodeDisk(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that is part of a node's own description."""

    volume_type: str
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
    flavor: str
    first_address: str | None
    apart: bool
    ssh_key: bool
    system: NodeDisk
    release: bool


class Metal(msgspec.Struct, frozen=True, kw_only=True):
    """The names of metal.py.jinja: bare-metal servers, whose fabric comes with the flavor."""

    title: str
    reason: str
    identity: tuple[str, ...]
    network: tuple[str, ...]
    egress: bool  # there is a way out of the stack's own, which must be there first
    imports: tuple[str, ...]
    flavor: str
    first_address: str | None
    ssh_key: bool
    system: NodeDisk
    data: NodeDisk | None


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """One scaling group with its configuration: a group has one way to pay for all its flavors.

    `size` is a number, or the constant of settings.py that holds it.
    """

    variable: str
    configuration: str
    suffix: str  # of its names, here and in the cloud
    charge: str  # spot | postPaid
    size: int | str
    reason: str


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """The names of pool.py.jinja. `scheduled`: a timetable sets the size, which `up` must not undo."""

    title: str
    reason: str
    identity: tuple[str, ...]
    network: tuple[str, ...]
    egress: bool  # there is a way out of the stack's own, which must be there first
    imports: tuple[str, ...]
    flavors: str  # one text with commas, the first choice first
    groups: tuple[Group, ...]
    scheduled: bool
    ssh_key: bool
    public_mbps: int | None
    system: NodeDisk
    data: NodeDisk | None


def is_metal(blueprint: Blueprint) -> bool:
    """True for bare metal, which is another kind of server to the cloud."""
    return blueprint.candidate.type.bare_metal


def node_disk(choice: StorageChoice) -> NodeDisk:
    """A disk of selection as a node describes it."""
    assert choice.disk is not None, "selection names the kind of a disk"
    return NodeDisk(volume_type=choice.disk.id, size_gib=choice.size_gib, reason=sentence(choice))


def nodes_view(blueprint: Blueprint) -> Nodes | None:
    """Virtual machines of a fixed number; None for bare metal, and where they are members of scaling groups."""
    if pooled(blueprint) or is_metal(blueprint):
        return None
    nodes, kind = blueprint.nodes, blueprint.candidate.type
    imports = {"IMAGE", "NAME", "NODE", "NODES", "ZONE"}
    imports |= {"MASTER_ADDR"} if nodes.meets else set()
    imports |= {"RELEASE_AT"} if blueprint.release else set()
    return Nodes(
        title=nodes_title(blueprint),
        reason=why_type(blueprint),
        identity=_identity(blueprint),
        network=_network(blueprint, "security_group", "subnet_id"),
        egress=has_egress(blueprint),
        imports=tuple(sorted(imports)),
        flavor=kind.id,
        first_address="MASTER_ADDR" if nodes.meets else None,
        apart=nodes.role == "infer" and nodes.count > 1,
        ssh_key=blueprint.network.ssh,
        system=node_disk(system_choice(blueprint)),
        release=blueprint.release,
    )


def metal_view(blueprint: Blueprint) -> Metal | None:
    """Bare-metal servers; None for virtual machines. They are neither spot nor stopped by a timetable."""
    if not is_metal(blueprint):
        return None
    nodes, kind, data = blueprint.nodes, blueprint.candidate.type, disk_choice(blueprint)
    imports = {"IMAGE", "NAME", "NODE", "NODES", "USER_ID", "ZONE"} | ({"MASTER_ADDR"} if nodes.meets else set())
    return Metal(
        title=nodes_title(blueprint),
        reason=why_type(blueprint),
        identity=_identity(blueprint),
        network=_network(blueprint, "security_group", "subnet_id", "vpc_id"),
        egress=has_egress(blueprint),
        imports=tuple(sorted(imports)),
        flavor=kind.id,
        first_address="MASTER_ADDR" if nodes.meets else None,
        ssh_key=blueprint.network.ssh,
        system=node_disk(system_choice(blueprint)),
        data=node_disk(data) if data else None,
    )


def pool_view(blueprint: Blueprint) -> Pool | None:
    """Scaling groups; None for machines that stay."""
    if not pooled(blueprint) or is_metal(blueprint):
        return None
    nodes, kind = blueprint.nodes, blueprint.candidate.type
    groups = _spot_groups(blueprint) if nodes.pool else (_timed_group(blueprint),)
    imports = {"IMAGE", "NAME", "NODE", "ZONE"} | {group.size for group in groups if isinstance(group.size, str)}
    data = disk_choice(blueprint) if nodes.pool else None
    flavors = tuple(dict.fromkeys(nodes.types)) if nodes.pool else (kind.id,)
    return Pool(
        title=pool_title(blueprint) if nodes.pool else f"{machine_text(blueprint)} while people work, else nothing.",
        reason=why_type(blueprint),
        identity=_identity(blueprint),
        network=_network(blueprint, "security_group", "subnet_id", "vpc_id"),
        egress=has_egress(blueprint),
        imports=tuple(sorted(imports)),
        flavors=",".join(flavors),
        groups=groups,
        scheduled=not nodes.pool,
        ssh_key=blueprint.network.ssh,
        public_mbps=PUBLIC_MBPS if public(blueprint) else None,
        system=node_disk(system_choice(blueprint)),
        data=node_disk(data) if data else None,
    )


def _identity(blueprint: Blueprint) -> tuple[str, ...]:
    return ("agency", "key") if blueprint.network.ssh else ("agency",)


def _network(blueprint: Blueprint, *names: str) -> tuple[str, ...]:
    return ("egress", *names) if has_egress(blueprint) else names


def _spot_groups(blueprint: Blueprint) -> tuple[Group, ...]:
    """The spot members, and beside them those that must not vanish, or a stand-in for a single one."""
    nodes = blueprint.nodes
    alone = nodes.count == 1
    spot = Group(
        variable="pool",
        configuration="pool_configuration",
        suffix="spot",
        charge="spot",
        size="NODES" if alone or not nodes.on_demand else nodes.count - nodes.on_demand,
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
    base = Group(
        variable="base",
        configuration="base_configuration",
        suffix="base",
        charge="postPaid",
        size="ON_DEMAND_NODES" if alone else nodes.on_demand,
        reason=reason,
    )
    return (spot, base)


def _timed_group(blueprint: Blueprint) -> Group:
    """The machines that come in the morning and go in the evening."""
    assert blueprint.schedule is not None, "a group without spot has a timetable"
    hours = f"{blueprint.schedule.days} {blueprint.schedule.start} to {blueprint.schedule.stop}"
    return Group(
        variable="pool",
        configuration="pool_configuration",
        suffix="dev",
        charge="postPaid",
        size="NODES",
        reason=f"Holds its machines {hours} only. No timer here stops a single machine, so the group is emptied.",
    )
