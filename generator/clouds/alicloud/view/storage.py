"""The shared file system, data disks and snapshots: what lasts longer than a node."""

from __future__ import annotations

import msgspec

from generator.stack.blueprint import Blueprint
from generator.stack.storage import (
    SNAPSHOT_KEEP_DAYS,
    disk_choice,
    disks_hold_copies,
    sentence,
    shared_choice,
    snapshots_title,
)

SNAPSHOT_DAYS = {"daily": ("1", "2", "3", "4", "5", "6", "7"), "weekly": ("7",)}
NAS_OPTIONS = "vers=3,nolock,proto=tcp,rsize=1048576,wsize=1048576,hard,timeo=600,retrans=2,noresvport"
CPFS_OPTIONS = "vers=3,rsize=1048576,wsize=1048576,hard,timeo=600,retrans=2,noresvport"


class SharedFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The names of file_system.py.jinja. `parallel`: CPFS behind its NFS service; else NAS with rules of access."""

    title: str
    reason: str
    parallel: bool
    file_system_type: str
    storage_type: str
    protocol: str
    capacity_gib: int | None  # None: it grows with its content
    role: str
    clients: str | None  # address range that may mount; None: the whole VPC


class DataDisks(msgspec.Struct, frozen=True, kw_only=True):
    """The names of disks.py.jinja: one disk a node, or one for the single node."""

    title: str
    reason: str
    category: str
    level: str | None
    size_gib: int
    role: str
    copies: bool  # what is staged in again: neither protected nor snapshotted
    snapshots: bool


class Snapshots(msgspec.Struct, frozen=True, kw_only=True):
    """The names of snapshots.py.jinja."""

    title: str
    weekdays: tuple[str, ...]
    keep_days: int


def shared_view(blueprint: Blueprint) -> SharedFiles | None:
    """CPFS or NAS where it was chosen."""
    choice = shared_choice(blueprint)
    if choice is None:
        return None
    system = choice.file_system
    assert system is not None, "selection names the product of a file system"
    parallel = choice.kind == "file_system"
    return SharedFiles(
        title="One file system that all nodes see: what one of them writes, the others read.",
        reason=sentence(choice),
        parallel=parallel,
        file_system_type=system.id,
        storage_type=system.level or "",
        protocol="cpfs" if parallel else "NFS",
        capacity_gib=choice.size_gib if system.id != "standard" else None,
        role=choice.role,
        clients=None
        if blueprint.network.existing_subnet or blueprint.network.existing_vpc
        else blueprint.network.subnet_cidr,
    )


def shared_settings(blueprint: Blueprint) -> tuple[tuple[str, str], ...]:
    """How trainform-shared mounts it (the vendor's NFS client for CPFS, plain NFS for NAS)."""
    choice = shared_choice(blueprint)
    if choice is None:
        return ()
    parallel = choice.kind == "file_system"
    product = choice.file_system.id if choice.file_system else "standard"
    return (
        ("SHARED_PRODUCT", product),
        ("SHARED_LOOKUP", "DescribeProtocolMountTarget" if parallel else "DescribeMountTargets"),
        ("SHARED_FIELD", "ProtocolMountTargetDomain" if parallel else "MountTargetDomain"),
        ("SHARED_TYPE", "cpfs-nfs" if parallel else "nfs"),
        ("SHARED_OPTIONS", CPFS_OPTIONS if parallel else NAS_OPTIONS),
        ("SHARED_PATH", "/" if product == "standard" else "/share"),
    )


def disks_view(blueprint: Blueprint) -> DataDisks | None:
    """Disks of their own for nodes that stay; a pool's disks live and die with its members."""
    choice = disk_choice(blueprint)
    if choice is None or blueprint.nodes.pool:
        return None
    assert choice.disk is not None, "selection names the kind of a disk"
    return DataDisks(
        title="Data disks for what is staged in again: they go with their nodes."
        if disks_hold_copies(blueprint)
        else "Data disks that outlive their nodes: one that is nested in an instance is replaced and deleted with it.",
        reason=sentence(choice),
        category=choice.disk.id,
        level=choice.level,
        size_gib=choice.size_gib,
        role=choice.role,
        copies=disks_hold_copies(blueprint),
        snapshots=blueprint.snapshots != "none" and not disks_hold_copies(blueprint),
    )


def snapshots_view(blueprint: Blueprint) -> Snapshots | None:
    """The policy that system and data disks are attached to; members of a pool have nothing worth keeping."""
    if blueprint.snapshots == "none" or blueprint.nodes.pool:
        return None
    return Snapshots(
        title=snapshots_title(blueprint),
        weekdays=SNAPSHOT_DAYS[blueprint.snapshots],
        keep_days=SNAPSHOT_KEEP_DAYS[blueprint.snapshots],
    )
