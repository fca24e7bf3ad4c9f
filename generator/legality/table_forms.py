"""What the legality tables of a cloud folder hold, one struct a table.

`fields.csv` has enums, ranges, forms, what needs or excludes what; `disk_carriers.csv`, `file_system_carriers.csv` and
`type_carriers.csv` say where a resource names its disks, size and type; `chosen_speeds.csv` and `images.csv` the rest.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from typing import Literal

import msgspec

from generator.catalog import CLOUDS, Disk, FileSystem, read_disks, structs

Level = Literal["deny", "warn"]
Subject = Literal[
    "disk", "file_system", "rdma", "spot", "charge", "image", "type", "zone", "bucket", "network", "other"
]


class Illegal(msgspec.Struct, frozen=True, kw_only=True):
    """A value that the cloud refuses, or that does not do what it says: at `field`, with the value that is wanted.

    `wanted` None means that the field shall be absent. `subject` says which rule speaks: disk ST007, file_system ST008,
    rdma NW004, spot and charge SP006, image IM002; the rest only the preview.
    """

    field: str
    message: str
    wanted: str | None
    source: str
    level: Level = "deny"
    subject: Subject = "other"


class FieldRule(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `fields.csv`: on `carriers`, `field` must pass `check` with `value` where every term of `when` holds."""

    carriers: tuple[str, ...]
    field: str
    check: str
    value: str | None
    when: str | None
    level: Level
    subject: Subject
    message: str | None
    source: str


class DiskCarrier(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `disk_carriers.csv`: where a resource says what its disks are, and which kinds it takes.

    `block` is the list or object that holds the fields, None for the resource itself. `kinds` () takes all kinds of the
    cloud; `max_gib` is the carrier's own limit.
    """

    carrier: str
    use: Literal["system", "data"]
    block: str | None
    kind: str
    level: str | None
    size: str | None
    iops: str | None
    mbps: str | None
    kinds: tuple[str, ...]
    min_gib: int | None
    max_gib: int | None
    source: str


class FileSystemCarrier(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `file_system_carriers.csv`: the fields that name product, level and size, with the provider's defaults.

    `id` None: the resource is always the product `default_id`.
    """

    carrier: str
    id: str | None
    level: str | None
    size: str
    default_id: str
    default_level: str | None
    source: str


class TypeCarrier(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `type_carriers.csv`: the fields in which a resource names instance types and its image."""

    carrier: str
    types: tuple[str, ...]
    image: str | None


class ChosenSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `chosen_speeds.csv`: the IOPS and MB/s that a person may give to a disk kind beyond what its size gives.

    Upper limits are min(max, per_gib x GiB, less the baseline of the size where `less_baseline`); `above_gib` is the
    size that a disk must exceed to take any.
    """

    id: str
    required: bool
    above_gib: int | None
    iops_min: int
    iops_max: int
    iops_per_gib: float | None
    less_baseline: bool
    mbps_min: int | None
    mbps_max: int | None
    iops_per_mbps: float | None
    source: str


class Image(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `images.csv`: images whose lower-case id or name matches `pattern` (shell wildcards); the first counts.

    `kind` gpu brings the driver, plain does not, cpu cannot use a card, private is not the vendor's. `boot_mode` None
    is not known; `ends` is the last day of support; `families` are those that the vendor names for it.
    """

    pattern: str
    title: str
    kind: Literal["gpu", "plain", "cpu", "private"]
    arch: Literal["x86_64", "arm64"] | None
    boot_mode: Literal["BIOS", "UEFI"] | None
    ends: str | None
    families: tuple[str, ...]
    source: str


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """All that a cloud's folder says of what is legal."""

    cloud: str
    fields: tuple[FieldRule, ...]
    disks: tuple[Disk, ...]
    disk_media: Mapping[str, str]  # kind -> media, also kinds that come with a type and cannot be ordered
    disk_carriers: tuple[DiskCarrier, ...]
    chosen_speeds: Mapping[str, ChosenSpeed]
    file_systems: tuple[FileSystem, ...]
    file_system_carriers: tuple[FileSystemCarrier, ...]
    type_carriers: Mapping[str, TypeCarrier]
    images: tuple[Image, ...]
    zone_pattern: str  # a zone's name, its region as group 1
    default_levels: Mapping[str, str]  # disk kind -> the level that the cloud gives when none is said


@functools.cache
def tables(cloud_id: str) -> Tables:
    """The legality tables of this cloud."""
    folder = CLOUDS / cloud_id
    module = importlib.import_module(f"generator.clouds.{cloud_id}.legality")
    disks, media = read_disks(folder, cloud_id)
    return Tables(
        cloud=cloud_id,
        fields=structs(folder / "fields.csv", FieldRule),
        disks=disks,
        disk_media=media,
        disk_carriers=structs(folder / "disk_carriers.csv", DiskCarrier),
        chosen_speeds={row.id: row for row in structs(folder / "chosen_speeds.csv", ChosenSpeed)},
        file_systems=structs(folder / "file_systems.csv", FileSystem, cloud=cloud_id),
        file_system_carriers=structs(folder / "file_system_carriers.csv", FileSystemCarrier),
        type_carriers={row.carrier: row for row in structs(folder / "type_carriers.csv", TypeCarrier)},
        images=structs(folder / "images.csv", Image),
        zone_pattern=module.ZONE_PATTERN,
        default_levels=module.DEFAULT_LEVELS,
    )
