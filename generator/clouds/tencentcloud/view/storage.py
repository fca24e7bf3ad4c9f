"""The shared file system, data disks and snapshots: what lasts longer than a node."""

from __future__ import annotations

import msgspec

from generator.clouds.tencentcloud.view.names import dashed
from generator.stack.blueprint import Blueprint
from generator.stack.groups import attaches_disk, pooled
from generator.stack.storage import (
    SNAPSHOT_KEEP_DAYS,
    disk_choice,
    disks_hold_copies,
    sentence,
    shared_choice,
    snapshots_title,
)

SNAPSHOT_DAYS = {"daily": (0, 1, 2, 3, 4, 5, 6), "weekly": (0,)}  # 0 is Sunday
NFS_OPTIONS = "vers=3,nolock,proto=tcp,hard,timeo=600,retrans=2,noresvport"
TURBO_OPTIONS = "user_xattr"


class SharedFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The names of file_system.py.jinja. `capacity_gib` None: it grows with its content."""

    title: str
    imports: tuple[str, ...]
    reason: str
    protocol: str
    storage_type: str
    capacity_gib: int | None
    role: str
    clients: str | None  # address range that may mount; None: whoever is in the VPC
    clients_from_config: bool


class DataDisks(msgspec.Struct, frozen=True, kw_only=True):
    """The names of disks.py.jinja: one disk a node. `attached`: to nodes that stay; else each node takes one itself."""

    title: str
    imports: tuple[str, ...]
    reason: str
    storage_type: str
    size_gib: int
    role: str
    attached: bool
    copies: bool  # what is staged in again: neither protected nor snapshotted


class Snapshots(msgspec.Struct, frozen=True, kw_only=True):
    """The names of snapshots.py.jinja."""

    title: str
    weekdays: tuple[int, ...]
    keep_days: int
    nodes: bool
    disks: bool


def shared_view(blueprint: Blueprint) -> SharedFiles | None:
    """CFS Turbo or CFS where it was chosen."""
    choice = shared_choice(blueprint)
    if choice is None:
        return None
    assert choice.file_system is not None, "selection names the product of a file system"
    parallel, network = choice.kind == "file_system", blueprint.network
    from_config = bool(network.existing_vpc) and network.existing_subnet is None
    return SharedFiles(
        title="One file system that all nodes see: what one of them writes, the others read.",
        imports=tuple(sorted({"JOB", "NAME", "ZONE"} | ({"SUBNET_CIDR"} if from_config else set()))),
        reason=sentence(choice),
        protocol="TURBO" if parallel else "NFS",
        storage_type=choice.file_system.level or "",
        capacity_gib=choice.size_gib if parallel else None,
        role=choice.role,
        clients=None if network.existing_vpc else network.subnet_cidr,
        clients_from_config=from_config,
    )


def shared_settings(blueprint: Blueprint) -> tuple[tuple[str, str], ...]:
    """How trainform-shared finds and mounts it: by Turbo's client, or plain NFS."""
    choice = shared_choice(blueprint)
    if choice is None:
        return ()
    parallel = choice.kind == "file_system"
    return (
        ("SHARED_NAME", dashed(blueprint.name)),
        ("SHARED_TYPE", "turbo" if parallel else "nfs"),
        ("SHARED_OPTIONS", TURBO_OPTIONS if parallel else NFS_OPTIONS),
    )


def disks_view(blueprint: Blueprint) -> DataDisks | None:
    """Disks of their own where they must last; those of a spot pool live and die with its members."""
    choice = disk_choice(blueprint)
    if choice is None or blueprint.nodes.pool:
        return None
    assert choice.disk is not None, "selection names the kind of a disk"
    title = "Data disks that outlive their nodes: one that is nested in an instance is replaced and deleted with it."
    if disks_hold_copies(blueprint):
        title = "Data disks for what is staged in again: a destroy takes them along."
    elif attaches_disk(blueprint):
        title = "Data disks that outlive their machines: each morning's machine takes one and mounts it at /data."
    return DataDisks(
        title=title,
        imports=tuple(sorted({"JOB", "NAME", "ZONE"} | ({"NODES"} if attaches_disk(blueprint) else set()))),
        reason=sentence(choice),
        storage_type=choice.disk.id,
        size_gib=choice.size_gib,
        role=choice.role,
        attached=not attaches_disk(blueprint),
        copies=disks_hold_copies(blueprint),
    )


def snapshots_view(blueprint: Blueprint) -> Snapshots | None:
    """The policy that system and data disks are attached to; what lives and dies with a pool needs none."""
    disks = disk_choice(blueprint) is not None and not (blueprint.nodes.pool or disks_hold_copies(blueprint))
    nodes = not pooled(blueprint)
    if blueprint.snapshots == "none" or not (nodes or disks):
        return None
    return Snapshots(
        title=snapshots_title(blueprint),
        weekdays=SNAPSHOT_DAYS[blueprint.snapshots],
        keep_days=SNAPSHOT_KEEP_DAYS[blueprint.snapshots],
        nodes=nodes,
        disks=disks,
    )
