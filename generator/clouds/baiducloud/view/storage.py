"""Buckets, data disks and snapshots: what lasts longer than a node."""

from __future__ import annotations

import msgspec

from generator.stack import buckets
from generator.stack.blueprint import Blueprint
from generator.stack.storage import (
    SNAPSHOT_KEEP_DAYS,
    disk_choice,
    disks_hold_copies,
    sentence,
    snapshots_title,
)

SNAPSHOT_DAYS = {"daily": (0, 1, 2, 3, 4, 5, 6), "weekly": (0,)}  # 0 is Sunday


class Bucket(msgspec.Struct, frozen=True, kw_only=True):
    """One bucket: its Python name, the constant of settings.py that holds its own name, and why it is there."""

    variable: str
    constant: str
    role: str
    reason: str
    cold_prefix: str
    infrequent: str
    archive: str


class Buckets(msgspec.Struct, frozen=True, kw_only=True):
    """The names of buckets.py.jinja."""

    title: str
    imports: tuple[str, ...]
    buckets: tuple[Bucket, ...]


class DataDisks(msgspec.Struct, frozen=True, kw_only=True):
    """The names of disks.py.jinja: one disk a node."""

    title: str
    imports: tuple[str, ...]
    reason: str
    storage_type: str
    size_gib: int
    role: str
    kept: bool


class Snapshots(msgspec.Struct, frozen=True, kw_only=True):
    """The names of snapshots.py.jinja: the policy takes the data disks."""

    title: str
    weekdays: tuple[int, ...]
    keep_days: int


def buckets_view(blueprint: Blueprint) -> Buckets | None:
    """The buckets of the stack, their prefixes and ages in this cloud's form; None when the user's own are enough."""
    shared = buckets.buckets_view(blueprint)
    if shared is None:
        return None
    return Buckets(
        title=shared.title,
        imports=shared.imports,
        buckets=tuple(
            Bucket(
                variable=bucket.variable,
                constant=bucket.constant,
                role=bucket.role,
                reason=bucket.reason,
                cold_prefix=f"/{bucket.cold_prefix}*",
                infrequent=f"$(lastModified)+P{bucket.infrequent_days}D",
                archive=f"$(lastModified)+P{bucket.archive_days}D",
            )
            for bucket in shared.buckets
        ),
    )


def disks_view(blueprint: Blueprint) -> DataDisks | None:
    """Disks of their own where they must last; those of a pool live and die with its members."""
    choice = disk_choice(blueprint)
    if choice is None or blueprint.nodes.pool:
        return None
    assert choice.disk is not None, "selection names the kind of a disk"
    return DataDisks(
        title="Data disks of their own: one that is nested in an instance cannot change without a new instance.",
        imports=("JOB", "NAME", "ZONE"),
        reason=sentence(choice),
        storage_type=choice.disk.id,
        size_gib=choice.size_gib,
        role=choice.role,
        kept=not disks_hold_copies(blueprint),
    )


def snapshots_view(blueprint: Blueprint) -> Snapshots | None:
    """The policy of the data disks that last; None where there is none to take."""
    choice = disk_choice(blueprint)
    lasting = choice is not None and not disks_hold_copies(blueprint) and not blueprint.nodes.pool
    if blueprint.snapshots == "none" or not lasting:
        return None
    return Snapshots(
        title=snapshots_title(blueprint),
        weekdays=SNAPSHOT_DAYS[blueprint.snapshots],
        keep_days=SNAPSHOT_KEEP_DAYS[blueprint.snapshots],
    )
