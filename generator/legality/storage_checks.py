"""Whether a resource's disks and file systems have a legal kind, level, size and speed, by the cloud's tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from generator.catalog.offers import Disk, InstanceType
from generator.legality.field_checks import ABSENT, found, number, text
from generator.legality.table_forms import ChosenSpeed, DiskCarrier, FileSystemCarrier, Illegal, Tables
from generator.program.values import SECRET, UNKNOWN
from generator.spelling import did_you_mean


def _known(value: Any) -> bool:
    return value is not ABSENT and value is not UNKNOWN and value is not SECRET


def _given(block: Mapping[str, Any], field: str | None) -> Any:
    value = block.get(field) if field else None
    return ABSENT if value is None else value


def disk_blocks(carrier: DiskCarrier, inputs: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a resource that hold a disk of this row, each with the path before its fields."""
    if carrier.block is None:
        yield "", inputs
        return
    for where, _, block in found(inputs, carrier.block):
        if isinstance(block, Mapping):
            yield f"{where}.", block


def find_disk(tables: Tables, kind: str, level: str | None) -> Disk | None:
    """The row of a kind at a level; without a level, at the one that the cloud gives by itself."""
    wanted = level or tables.default_levels.get(kind)
    return next((disk for disk in tables.disks if disk.id == kind and disk.level == wanted), None)


def _kind(
    tables: Tables, carrier: DiskCarrier, kind: str, types: tuple[InstanceType, ...]
) -> tuple[str, tuple[str, ...]] | None:
    """What is wrong with a disk kind on this carrier and these types, and the kinds that are right."""
    every = tuple(dict.fromkeys(disk.id for disk in tables.disks))
    here = carrier.kinds or every
    if kind not in tables.disk_media:
        hint = did_you_mean(kind, here)
        return f"{kind!r} is not a disk kind of this cloud" + (f"; {hint}" if hint else ""), here
    if carrier.kinds and kind not in carrier.kinds:
        return f"{kind!r} is refused here", here
    for one in types:
        if one.disk_kinds and kind in every and kind not in one.disk_kinds:
            takes = tuple(name for name in one.disk_kinds if name in here)
            return f"{one.id} does not take {kind!r}; it takes {', '.join(takes)}", takes
    return None


def _size(carrier: DiskCarrier, disk: Disk, size: float) -> tuple[str, str] | None:
    """What is wrong with a size in GiB, and what is right."""
    if carrier.use == "system":
        low, high = disk.system_min_gib or disk.min_gib, disk.system_max_gib or disk.max_gib
    else:
        low, high = disk.min_gib, disk.max_gib
    low, high = max(low, carrier.min_gib or low), min(high, carrier.max_gib or high)
    name = f"{disk.id} {disk.level}" if disk.level else disk.id
    span = f"{low} to {high} GiB" + (f" in steps of {disk.step_gib}" if disk.step_gib > 1 else "")
    if not low <= size <= high or size % disk.step_gib:
        return f"{size:g} GiB is not legal for a {carrier.use} disk of {name}: {span}", span
    return None


class _Disk(msgspec.Struct, frozen=True, kw_only=True):
    """One disk of a resource as its carrier row reads it; `place` stands before the names of its fields."""

    carrier: DiskCarrier
    row: Disk
    place: str
    block: Mapping[str, Any]
    gib: float | None

    def illegal(self, field: str | None, wrong: str, wanted: str | None, source: str) -> Illegal:
        """A finding on one field of the disk."""
        path = f"{self.place}{field}"
        return Illegal(field=path, message=f"{path}: {wrong}", wanted=wanted, source=source, subject="disk")


def _presence(disk: _Disk, chosen: ChosenSpeed | None) -> Iterator[Illegal]:
    """IOPS and MB/s that are missing where they must be chosen, or given where they cannot be."""
    for field, name, most in (
        (disk.carrier.iops, "IOPS", chosen.iops_max if chosen else None),
        (disk.carrier.mbps, "MB/s", chosen.mbps_max if chosen else None),
    ):
        given = _given(disk.block, field)
        if field is None:
            continue
        if given is ABSENT and chosen is not None and chosen.required and most:
            yield disk.illegal(
                field, f"it is missing; {disk.row.id} has no {name} of its own", "a number", chosen.source
            )
        if given is not ABSENT and number(given) and not most:
            yield disk.illegal(field, f"{disk.row.id} does not take chosen {name}", None, disk.carrier.source)
        least = chosen.above_gib if chosen is not None else None
        if number(given) and most and least is not None and disk.gib is not None and disk.gib <= least:
            wrong = f"{disk.row.id} takes chosen {name} above {least} GiB only"
            yield disk.illegal(field, wrong, None, disk.carrier.source)


def _iops_limit(disk: _Disk, chosen: ChosenSpeed) -> float:
    """The most IOPS that may be chosen at this size."""
    if disk.gib is None or chosen.iops_per_gib is None:
        return float(chosen.iops_max)
    row = disk.row
    base = min((row.iops_base or 0) + (row.iops_per_gib or 0) * disk.gib, row.iops_max or 0)
    return max(0.0, min(chosen.iops_max, chosen.iops_per_gib * disk.gib - (base if chosen.less_baseline else 0)))


def _speed(disk: _Disk, chosen: ChosenSpeed) -> Iterator[Illegal]:
    """What is wrong with the IOPS and MB/s that were chosen."""
    iops, mbps = (
        number(value) if _known(value) else None
        for value in (_given(disk.block, disk.carrier.iops), _given(disk.block, disk.carrier.mbps))
    )
    most = _iops_limit(disk, chosen)
    if iops is not None and chosen.iops_max and not chosen.iops_min <= iops <= most:
        span = f"{chosen.iops_min} to {most:g}" + (f" at {disk.gib:g} GiB" if disk.gib is not None else "")
        yield disk.illegal(
            disk.carrier.iops, f"{iops:g} IOPS is not legal for {disk.row.id}: {span}", span, chosen.source
        )
    if mbps is not None and chosen.mbps_max:
        high = min(
            float(chosen.mbps_max), iops / chosen.iops_per_mbps if iops and chosen.iops_per_mbps else chosen.mbps_max
        )
        if not (chosen.mbps_min or 0) <= mbps <= high:
            span = f"{chosen.mbps_min or 0} to {high:g}"
            yield disk.illegal(
                disk.carrier.mbps, f"{mbps:g} MB/s is not legal for {disk.row.id}: {span}", span, chosen.source
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
        field, (message, kinds) = f"{place}{carrier.kind}", wrong
        message, wanted = f"{field}: {message}", " | ".join(kinds)
        yield Illegal(field=field, message=message, wanted=wanted, source=carrier.source, subject="disk")
        return
    levels = [disk.level for disk in tables.disks if disk.id == kind and disk.level]
    if _known(level) and text(level) not in levels:
        field = f"{place}{carrier.level}"
        legal = f"legal: {', '.join(levels)}" if levels else "this kind has no levels"
        message = f"{field}: {kind} does not take level {text(level)!r}; {legal}"
        best = " | ".join(levels) or None
        yield Illegal(field=field, message=message, wanted=best, source=carrier.source, subject="disk")
        return
    if level is UNKNOWN:
        return
    disk = find_disk(tables, text(kind), text(level) if _known(level) else None)
    if disk is None:
        return
    gib = number(size) if _known(size) else None
    if gib is not None and (refused := _size(carrier, disk, gib)):
        field, (message, wanted) = f"{place}{carrier.size}", refused
        message = f"{field}: {message}"
        yield Illegal(field=field, message=message, wanted=wanted, source=disk.source, subject="disk")
    one, chosen = _Disk(carrier=carrier, row=disk, place=place, block=block, gib=gib), tables.chosen_speeds.get(disk.id)
    yield from _presence(one, chosen)
    if chosen is not None:
        yield from _speed(one, chosen)


def _file_system_size(row: Any, size: float) -> tuple[str, str] | None:
    """What is wrong with a file system's size and how bad that is; between two sources' minimum it is a warning."""
    name = f"{row.id} {row.level}" if row.level else row.id
    most = f" to {row.max_gib}" if row.max_gib else " or more"
    if row.max_gib and size > row.max_gib:
        return f"{size:g} GiB is too big for {name}: {row.min_gib}{most} GiB", "deny"
    if size < row.min_gib:
        if row.refused_below_gib is not None and size >= row.refused_below_gib:
            return (
                f"{size:g} GiB is less than the page's minimum for {name}, {row.min_gib} GiB; the SDK allows it",
                "warn",
            )
        return f"{size:g} GiB is too small for {name}: {row.min_gib}{most} GiB", "deny"
    steps = round((size - row.min_gib) / row.step_gib)
    # steps of 1.2 TiB are printed rounded down, so that n steps may be n GiB off
    if abs(size - row.min_gib - steps * row.step_gib) > steps:
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
