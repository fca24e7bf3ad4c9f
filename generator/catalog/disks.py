"""What a disk of a size gives, which disks a type takes, and the smallest that is enough."""

from __future__ import annotations

import math

from generator.catalog import Catalog, Disk, InstanceType


def disk_mbps(disk: Disk, size_gib: int) -> float | None:
    """MB/s of one disk of this size, `min(base + per_gib x GiB, max)`; None where no source tells."""
    return _linear(disk.mbps_base, disk.mbps_per_gib, disk.mbps_max, size_gib)


def disk_iops(disk: Disk, size_gib: int) -> float | None:
    """IOPS of one disk of this size, by the same formula; None where no source tells."""
    return _linear(disk.iops_base, disk.iops_per_gib, disk.iops_max, size_gib)


def usable_disks(catalog: Catalog, instance_type: InstanceType) -> tuple[Disk, ...]:
    """Persistent SSD disks that this type takes, in the order in which one is chosen.

    Current kinds come before those being phased out, kinds with a stated level before those without (a level left open
    is settled later by the provider, ST008), slow before fast. Where no source lists a type's kinds: all current ones.
    """
    kinds = instance_type.disk_kinds
    fitting = (
        disk
        for disk in catalog.disks
        if disk.media in {"ssd", "nvme"}
        and disk.choosable
        and disk.persistent
        and disk.mbps_max is not None
        and (disk.id in kinds if kinds else disk.status == "current")
    )
    return tuple(sorted(fitting, key=_order))


def _order(disk: Disk) -> tuple[object, ...]:
    speed = (disk.mbps_max or 0, disk.iops_max or 0)
    return (disk.status != "current", disk.level is None, *speed, disk.id, disk.level or "")


def smallest_size(disk: Disk, size_gib: float, mbps: float, iops: float) -> int | None:
    """The smallest legal size of this disk, in tens, that holds `size_gib` and gives MB/s and IOPS, or None."""
    wanted = max(size_gib, disk.min_gib)
    for need, base, per_gib, most in (
        (mbps, disk.mbps_base, disk.mbps_per_gib, disk.mbps_max),
        (iops, disk.iops_base, disk.iops_per_gib, disk.iops_max),
    ):
        if need <= 0:
            continue
        if most is None or need > most:
            return None
        if need > (base or 0):
            if not per_gib:
                return None
            wanted = max(wanted, (need - (base or 0)) / per_gib)
    wanted = max(disk.min_gib, math.ceil(wanted / 10) * 10)
    step = max(disk.step_gib, 1)
    size = disk.min_gib + math.ceil((wanted - disk.min_gib) / step) * step
    return size if size <= disk.max_gib else None


def _linear(base: float | None, per_gib: float | None, most: float | None, size_gib: int) -> float | None:
    if most is None:
        return None
    return min((base if base is not None else most) + (per_gib or 0) * size_gib, most)
