"""The shared file system, data disks and their backup: what lasts longer than a node."""

from __future__ import annotations

import msgspec

from generator.clouds.huaweicloud.view.compute import is_metal
from generator.clouds.huaweicloud.view.names import dashed
from generator.stack.blueprint import Blueprint
from generator.stack.groups import attaches_disk, pooled
from generator.stack.storage import (
    SNAPSHOT_KEEP_DAYS,
    disk_choice,
    disks_hold_copies,
    sentence,
    shared_choice,
    snapshots_title,
    system_choice,
)

SNAPSHOT_DAYS = {"daily": 1, "weekly": 7}  # from one backup to the next
NFS_OPTIONS = "vers=3,nolock,proto=tcp,rsize=1048576,wsize=1048576,hard,timeo=600,retrans=2,noresvport"


class SharedFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The names of file_system.py.jinja. `bandwidth`: MB/s a TiB, the level of a parallel one."""

    title: str
    reason: str
    share_type: str
    bandwidth: str | None
    capacity_gib: int
    role: str


class DataDisks(msgspec.Struct, frozen=True, kw_only=True):
    """The names of disks.py.jinja: one disk a node. `attached`: to nodes that stay; else each node takes one itself."""

    title: str
    imports: tuple[str, ...]
    reason: str
    volume_type: str
    size_gib: int
    role: str
    attached: bool
    copies: bool  # what is staged in again: neither protected nor backed up


class Snapshots(msgspec.Struct, frozen=True, kw_only=True):
    """The names of snapshots.py.jinja. `size_gib`: of the vault, which must hold at least what it backs up.

    `nodes`: whole nodes with all their disks; else data disks, of machines that come and go.
    """

    title: str
    interval_days: int
    keep: int
    size_gib: int
    nodes: bool


def shared_view(blueprint: Blueprint) -> SharedFiles | None:
    """SFS Turbo where it was chosen: HPC, or one of the two older classes."""
    choice = shared_choice(blueprint)
    if choice is None:
        return None
    assert choice.file_system is not None, "selection names the product of a file system"
    return SharedFiles(
        title="One file system that all nodes see: what one of them writes, the others read.",
        reason=sentence(choice),
        share_type=choice.file_system.id,
        bandwidth=choice.file_system.level or None,
        capacity_gib=choice.size_gib,
        role=choice.role,
    )


def shared_settings(blueprint: Blueprint) -> tuple[tuple[str, str], ...]:
    """How trainform-shared finds and mounts it."""
    if shared_choice(blueprint) is None:
        return ()
    return (("SHARED_NAME", dashed(blueprint.name)), ("SHARED_OPTIONS", NFS_OPTIONS))


def disks_view(blueprint: Blueprint) -> DataDisks | None:
    """Disks of their own where they must last; those of a spot pool and of bare metal are part of their nodes."""
    choice = disk_choice(blueprint)
    if choice is None or blueprint.nodes.pool or is_metal(blueprint):
        return None
    assert choice.disk is not None, "selection names the kind of a disk"
    title = "Data disks that outlive their nodes: one that is nested in an instance is replaced and deleted with it."
    if disks_hold_copies(blueprint):
        title = "Data disks for what is staged in again: they go with their nodes."
    elif attaches_disk(blueprint):
        title = "Data disks that outlive their machines: each morning's machine takes one and mounts it at /data."
    return DataDisks(
        title=title,
        imports=tuple(sorted({"JOB", "NAME", "ZONE"} | ({"NODES"} if attaches_disk(blueprint) else set()))),
        reason=sentence(choice),
        volume_type=choice.disk.id,
        size_gib=choice.size_gib,
        role=choice.role,
        attached=not attaches_disk(blueprint),
        copies=disks_hold_copies(blueprint),
    )


def snapshots_view(blueprint: Blueprint) -> Snapshots | None:
    """The policy and the vault that joins it to nodes or disks; what lives and dies with a pool needs none."""
    data, nodes = disk_choice(blueprint), not pooled(blueprint)
    if blueprint.snapshots == "none" or not (nodes or attaches_disk(blueprint)):
        return None
    count = blueprint.nodes.count + blueprint.nodes.spare
    each = (system_choice(blueprint).size_gib if nodes else 0) + (data.size_gib if data else 0)
    return Snapshots(
        title=snapshots_title(blueprint),
        interval_days=SNAPSHOT_DAYS[blueprint.snapshots],
        keep=SNAPSHOT_KEEP_DAYS[blueprint.snapshots] // SNAPSHOT_DAYS[blueprint.snapshots],
        size_gib=count * each,
        nodes=nodes,
    )
