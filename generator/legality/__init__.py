"""Which values go together on a resource of a cloud: one door for the view, the rules, the preview and the tests.

The facts stand in the cloud's folder: in tables (`generator.legality.table_forms`), and in its `legality.py` what none
can say. A value that is unknown or absent is never illegal by itself.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from generator.catalog import load_types
from generator.catalog.offers import InstanceType
from generator.legality.field_checks import check_fields, found
from generator.legality.storage_checks import check_disks, check_file_systems, find_disk
from generator.legality.table_forms import FieldRule, Illegal, Image, tables
from generator.program.values import SECRET, UNKNOWN

__all__ = [
    "Illegal",
    "Image",
    "check_image",
    "check_resource",
    "check_zone",
    "disk_kinds",
    "disk_media",
    "find_disk",
    "find_image",
    "types_of",
    "zone_region",
]


def zone_region(cloud_id: str, zone: str) -> str | None:
    """The region that a zone's name says it is in; None when it is not a zone's name."""
    match = re.fullmatch(tables(cloud_id).zone_pattern, zone)
    return match[1] if match else None


def check_zone(cloud_id: str, zone: str, region: str) -> str | None:
    """What is wrong with a zone in a stack of this region; None when its name says that region."""
    said = zone_region(cloud_id, zone)
    if said == region:
        return None
    return f"{zone!r} is not a zone of {region}" if said is None else f"{zone!r} is a zone of {said}, not of {region}"


def disk_media(cloud_id: str, kind: str) -> str | None:
    """The media of a disk kind (hdd, hybrid, ssd, nvme), also of kinds that come with a type; None: no such kind."""
    return tables(cloud_id).disk_media.get(kind)


def disk_kinds(cloud_id: str, token: str, use: str, kind: InstanceType | None = None) -> tuple[str, ...]:
    """The disk kinds that a resource of this token takes as a system or data disk, for this instance type."""
    known = tables(cloud_id)
    carriers = [row for row in known.disk_carriers if row.carrier == token and row.use == use]
    every = tuple(dict.fromkeys(disk.id for disk in known.disks))
    here = [one for one in every if any(not row.kinds or one in row.kinds for row in carriers)]
    return tuple(one for one in here if kind is None or not kind.disk_kinds or one in kind.disk_kinds)


def types_of(cloud_id: str, token: str, inputs: Mapping[str, Any]) -> tuple[str, ...]:
    """The instance types that a resource names, in its order; unknown values are left out."""
    carrier = tables(cloud_id).type_carriers.get(token)
    paths = carrier.types if carrier else ()
    values = (value for path in paths for _, _, value in found(inputs, path) if isinstance(value, str))
    # some carriers hold several types in one text, with commas
    return tuple(dict.fromkeys(name.strip() for value in values for name in value.split(",") if name.strip()))


def find_image(cloud_id: str, image: str) -> Image | None:
    """What the cloud's table says of an image id or name; None for an image that it does not know."""
    return next((row for row in tables(cloud_id).images if fnmatchcase(image.lower(), row.pattern)), None)


def check_image(cloud_id: str, image: str, kind: InstanceType) -> str | None:
    """Why an image cannot start on a type (architecture, boot mode); None when nothing is known against it."""
    known = find_image(cloud_id, image)
    if known is None:
        return None
    if known.arch is not None and known.arch != kind.cpu_arch:
        return f"{image} is an image for {known.arch}, {kind.id} has {kind.cpu_arch} processors"
    if known.boot_mode == "BIOS" and kind.boot_mode == "UEFI":
        return f"{image} boots by BIOS, {kind.id} boots by UEFI only"
    if known.boot_mode == "UEFI" and kind.boot_mode == "BIOS":
        return f"{image} boots by UEFI, {kind.id} boots by BIOS only"
    return None


def _check_images(
    cloud_id: str, token: str, inputs: Mapping[str, Any], kinds: tuple[InstanceType, ...]
) -> Iterator[Illegal]:
    carrier = tables(cloud_id).type_carriers.get(token)
    if carrier is None or carrier.image is None:
        return
    for where, _, image in found(inputs, carrier.image):
        if not isinstance(image, str):
            continue
        for kind in kinds:
            if wrong := check_image(cloud_id, image, kind):
                wanted = f"an image for {kind.cpu_arch}" + (
                    f" that boots by {kind.boot_mode}" if kind.boot_mode else ""
                )
                yield Illegal(
                    field=where, message=f"{where}: {wrong}", wanted=wanted, source=kind.source, subject="image"
                )


def _check_zones(cloud_id: str, inputs: Mapping[str, Any], fields: tuple[str, ...], region: str) -> Iterator[Illegal]:
    for path in fields:
        for where, _, zone in found(inputs, path):
            if zone is UNKNOWN or zone is SECRET or not isinstance(zone, str):
                continue
            if wrong := check_zone(cloud_id, zone, region):
                message = f"{where}: {wrong}"
                yield Illegal(
                    field=where, message=message, wanted=f"a zone of {region}", source="zone names", subject="zone"
                )


@functools.cache
def _fields(cloud_id: str, token: str) -> tuple[FieldRule, ...]:
    """The rows about this token, found once: a stack has thousands of resources of a few tokens."""
    return tuple(rule for rule in tables(cloud_id).fields if token in rule.carriers)


def check_resource(
    cloud_id: str, token: str, inputs: Mapping[str, Any], region: str | None = None
) -> tuple[Illegal, ...]:
    """Everything illegal in the inputs (camelCase) of a resource; `region` is the stack's, None when not known."""
    known = tables(cloud_id)
    module = importlib.import_module(f"generator.clouds.{cloud_id}.legality")
    described = load_types(cloud_id)
    kinds = tuple(described[name] for name in types_of(cloud_id, token, inputs) if name in described)
    zones = _check_zones(cloud_id, inputs, module.ZONE_FIELDS, region) if region is not None else ()
    return (
        *check_fields(_fields(cloud_id, token), token, inputs),
        *check_disks(known, token, inputs, kinds),
        *check_file_systems(known, token, inputs),
        *_check_images(cloud_id, token, inputs, kinds),
        *zones,
        *module.check(token, inputs, kinds),
    )
