"""Whether a resource's disks and file systems have a legal kind, level, size and speed, by the cloud's tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.catalog import Disk, InstanceType
from generator.field_checks import ABSENT, found, number, text
from generator.legality_tables import DiskCarrier, FileSystemCarrier, Illegal, Tables
from generator.spelling import did_you_mean
from generator.values import SECRET, UNKNOWN


def _known(value: Any) -> bool:
    return value is not ABSENT and value is not UNKNOWN and value is not SECRET


def _given(block: Mapping[str, Any], field: str | None) -> Any:
    value = block.get(field) if field else None
    return ABSENT if value is None else value


def disk_blocks(carrier: DiskCarrier, inputs: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a resource that hold a disk of this carrier row, each with the path that stands before its fields."""
    if carrier.block is None:
        yield "", inputs
        return
    for where, _, block in found(inputs, carrier.block):
        if isinstance(block, Mapping):
            yield f"{where}.", block


def find_disk(tables: Tables, kind: str, level: str | None) -> Disk | None:
    """The row of a kind at a level; without a level the one that the cloud gives by itself (`default_level` of the kind)."""
    wanted = level or tables.default_levels.get(kind)
    return next((disk for disk in tables.disks if disk.id == kind and disk.level == wanted), None)


def _kind(tables: Tables, carrier: DiskCarrier, kind: str, types: tuple[InstanceType, ...]) -> str | None:
    """What is wrong with a disk kind on this carrier and these types."""
    if kind not in tables.disk_media:
        hint = did_you_mean(kind, tables.disk_media)
        return f"{kind!r} is not a disk kind of this cloud" + (f"; {hint}" if hint else "")
    if carrier.kinds and kind not in carrier.kinds:
        return f"{kind!r} is refused here; legal: {', '.join(carrier.kinds)}"
    for one in types:
        if one.disk_kinds and kind not in one.disk_kinds and kind in {disk.id for disk in tables.disks}:
            return f"{one.id} does not take {kind!r}; it takes {', '.join(one.disk_kinds)}"
    return None


def _size(carrier: DiskCarrier, disk: Disk, size: float) -> str | None:
    """What is wrong with a size in GiB."""
    if carrier.use == "system":
        low, high = disk.system_min_gib or disk.min_gib, disk.system_max_gib or disk.max_gib
    else:
        low, high = disk.min_gib, disk.max_gib
    low, high = max(low, carrier.min_gib or low), min(high, carrier.max_gib or high)
    name = f"{disk.id} {disk.level}" if disk.level else disk.id
    if not low <= size <= high:
        return f"{size:g} GiB is not legal for a {carrier.use} disk of {name}: {low} to {high} GiB"
    if size % disk.step_gib:
        return f"{size:g} GiB is not legal for {name}: sizes go in steps of {disk.step_gib} GiB"
    return None


def _speed(
    tables: Tables, carrier: DiskCarrier, disk: Disk, place: str, block: Mapping[str, Any], size: float | None
) -> Iterator[Illegal]:
    """What is wrong with the IOPS and MB/s that were chosen."""
    chosen = tables.chosen_speeds.get(disk.id)
    iops, mbps = _given(block, carrier.iops), _given(block, carrier.mbps)
    for field, value, name in ((carrier.iops, iops, "IOPS"), (carrier.mbps, mbps, "MB/s")):
        if field is None:
            continue
        legal = chosen is not None and (name == "IOPS" or chosen.mbps_max is not None)
        if value is ABSENT and legal and chosen is not None and chosen.required:
            message = f"{place}{field}: it is missing; {disk.id} has no {name} of its own"
            yield Illegal(
                field=f"{place}{field}", message=message, wanted="a number", source=chosen.source, subject="disk"
            )
        if value is not ABSENT and not legal and number(value):
            message = f"{place}{field}: {disk.id} does not take chosen {name}"
            yield Illegal(field=f"{place}{field}", message=message, wanted=None, source=carrier.source, subject="disk")
    if chosen is None:
        return
    rate = number(iops) if _known(iops) else None
    if rate is not None and carrier.iops:
        high = float(chosen.iops_max)
        if size is not None and chosen.iops_per_gib is not None:
            base = min((disk.iops_base or 0) + (disk.iops_per_gib or 0) * size, disk.iops_max or 0)
            high = min(high, chosen.iops_per_gib * size - (base if chosen.less_baseline else 0))
        if not chosen.iops_min <= rate <= high:
            span = f"{chosen.iops_min} to {max(high, 0):g}" + (f" at {size:g} GiB" if size is not None else "")
            message = f"{place}{carrier.iops}: {rate:g} IOPS is not legal for {disk.id}: {span}"
            yield Illegal(
                field=f"{place}{carrier.iops}", message=message, wanted=span, source=chosen.source, subject="disk"
            )
    flow = number(mbps) if _known(mbps) else None
    if flow is not None and carrier.mbps and chosen.mbps_max is not None:
        high = float(chosen.mbps_max)
        if rate is not None and chosen.iops_per_mbps:
            high = min(high, rate / chosen.iops_per_mbps)
        if not (chosen.mbps_min or 0) <= flow <= high:
            span = f"{chosen.mbps_min or 0} to {high:g}"
            message = f"{place}{carrier.mbps}: {flow:g} MB/s is not legal for {disk.id}: {span}"
            yield Illegal(
                field=f"{place}{carrier.mbps}", message=message, wanted=span, source=chosen.source, subject="disk"
            )


def check_disks(
    tables: Tables, token: str, inputs: Mapping[str, Any], types: tuple[InstanceType, ...] = ()
) -> Iterator[Illegal]:
    """Every illegal disk kind, level, size and speed of a resource; `types` are the known instance types it names."""
    for carrier in tables.disk_carriers:
        if carrier.carrier != token:
            continue
        for place, block in disk_blocks(carrier, inputs):
            yield from _check_disk(tables, carrier, place, block, types)


def _check_disk(
    tables: Tables, carrier: DiskCarrier, place: str, block: Mapping[str, Any], types: tuple[InstanceType, ...]
) -> Iterator[Illegal]:
    kind, level, size = (_given(block, field) for field in (carrier.kind, carrier.level, carrier.size))
    if not _known(kind):
        return
    wrong = _kind(tables, carrier, text(kind), types)
    if wrong is not None:
        field = f"{place}{carrier.kind}"
        wanted = " | ".join(carrier.kinds or tuple(sorted({disk.id for disk in tables.disks})))
        yield Illegal(field=field, message=f"{field}: {wrong}", wanted=wanted, source=carrier.source, subject="disk")
        return
    levels = [disk.level for disk in tables.disks if disk.id == kind and disk.level]
    if _known(level) and text(level) not in levels:
        field = f"{place}{carrier.level}"
        legal = f"legal: {', '.join(levels)}" if levels else "this kind has no levels"
        message = f"{field}: {kind} does not take level {text(level)!r}; {legal}"
        wanted = " | ".join(levels) or None
        yield Illegal(field=field, message=message, wanted=wanted, source=carrier.source, subject="disk")
        return
    if level is UNKNOWN:
        return
    disk = find_disk(tables, text(kind), text(level) if _known(level) else None)
    if disk is None:
        return
    gib = number(size) if _known(size) else None
    if gib is not None and (wrong := _size(carrier, disk, gib)):
        field = f"{place}{carrier.size}"
        yield Illegal(field=field, message=f"{field}: {wrong}", wanted=None, source=disk.source, subject="disk")
    yield from _speed(tables, carrier, disk, place, block, gib)


def _file_system_size(row: Any, size: float) -> tuple[str, str] | None:
    """What is wrong with a file system's size and how bad that is; between two sources' minimum it is a warning."""
    name = f"{row.id} {row.level}" if row.level else row.id
    most = f" to {row.max_gib}" if row.max_gib else " or more"
    if row.max_gib and size > row.max_gib:
        return f"{size:g} GiB is too big for {name}: {row.min_gib}{most} GiB", "deny"
    if size < row.min_gib:
        level = "warn" if row.refused_below_gib is not None and size >= row.refused_below_gib else "deny"
        return f"{size:g} GiB is too small for {name}: {row.min_gib}{most} GiB", level
    if (size - row.min_gib) % row.step_gib:
        wrong = f"{size:g} GiB is not a size of {name}: {row.min_gib} GiB and steps of {row.step_gib}"
        return wrong, "deny" if row.step_stated else "warn"
    return None


def check_file_systems(tables: Tables, token: str, inputs: Mapping[str, Any]) -> Iterator[Illegal]:
    """An illegal size of a file system; product and level by themselves are judged by `fields.csv`."""
    for carrier in tables.file_system_carriers:
        if carrier.carrier == token:
            yield from _check_file_system(tables, carrier, inputs)


def _check_file_system(tables: Tables, carrier: FileSystemCarrier, inputs: Mapping[str, Any]) -> Iterator[Illegal]:
    product, level, size = (_given(inputs, field) for field in (carrier.id, carrier.level, carrier.size))
    product = carrier.default_id if product is ABSENT else product
    level = carrier.default_level if level is ABSENT else level
    if not _known(size) or product is UNKNOWN or level is UNKNOWN:
        return
    rows = [row for row in tables.file_systems if row.id == product]
    row = next((one for one in rows if one.level == level), rows[0] if len(rows) == 1 else None)
    gib = number(size)
    wrong = _file_system_size(row, gib) if row is not None and gib is not None else None
    if row is not None and wrong is not None:
        message, severity = wrong
        yield Illegal(
            field=carrier.size,
            message=f"{carrier.size}: {message}",
            wanted=str(row.min_gib),
            source=row.source,
            level="warn" if severity == "warn" else "deny",
            subject="file_system",
        )
