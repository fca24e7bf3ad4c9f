"""What the tables of a cloud say of the names that a stack uses: types, disk kinds, images, steps at the start."""

from __future__ import annotations

import base64
import binascii
import difflib
import functools
import math
import re
from typing import Literal

import msgspec

from generator.catalog import CLOUDS, load_catalog, load_types, other_types, read_rows
from generator.catalog.offers import InstanceType
from generator.legality import disk_media, find_disk, find_image
from generator.legality.table_forms import tables
from generator.program.values import UNKNOWN, Unknown

Standing = Literal["sold", "not_listed", "unknown", "platform", "unlisted"]
Media = Literal["hdd", "hybrid", "ssd", "nvme"]


class ImageFact(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of an image by its id; kind None: no table knows it."""

    kind: Literal["gpu", "cpu", "plain", "private"] | Unknown | None
    ends: str | None


def instance_types(cloud_id: str, names: tuple[str | Unknown, ...]) -> tuple[InstanceType | None, ...]:
    """What the catalog describes of each name; None for what it does not, or what is unknown yet."""
    described = load_types(cloud_id)
    return tuple(described.get(name) if isinstance(name, str) else None for name in names)


@functools.cache
def selling_regions(cloud_id: str) -> dict[str, frozenset[str]]:
    """Every type id that any list holds, with the regions whose dated list has it."""
    regions: dict[str, set[str]] = {kind: set() for kind in load_types(cloud_id)}
    for offer in load_catalog(cloud_id).offers:
        regions[offer.type.id].add(offer.region)
    for kind, sold in other_types(cloud_id).items():
        regions.setdefault(kind, set()).update(sold)
    return {kind: frozenset(sold) for kind, sold in regions.items()}


def standing(cloud_id: str, kind: str, region: str | Unknown | None, platform: re.Pattern[str]) -> Standing | Unknown:
    """Where a type stands: sold in the region by its list, known but not listed there, unknown to every list.

    Names that match `platform` are sold by a platform of the cloud, not by its lists. `unlisted` is a size of a family
    of which our sources tell only the family's name.
    """
    if platform.match(kind):
        return "platform"
    if kind not in selling_regions(cloud_id):
        return "unlisted" if kind.partition(".")[0] in _sizeless(cloud_id) else "unknown"
    if not isinstance(region, str):
        return UNKNOWN
    return "sold" if region in selling_regions(cloud_id)[kind] else "not_listed"


@functools.cache
def _sizeless(cloud_id: str) -> frozenset[str]:
    """The families whose types stand in the catalog under the family's name alone."""
    return frozenset(kind.id for kind in load_types(cloud_id).values() if kind.status == "incomplete_id")


def nearest(cloud_id: str, kind: str) -> str | None:
    """The known type whose name is nearest."""
    found = difflib.get_close_matches(kind, selling_regions(cloud_id), 1, cutoff=0.5)
    return found[0] if found else None


@functools.cache
def _prices(cloud_id: str) -> dict[tuple[str, str], float]:
    offers = load_catalog(cloud_id).offers
    return {(offer.type.id, offer.region): float(offer.price.amount) for offer in offers if offer.price is not None}


def on_demand_price(cloud_id: str, kind: str | Unknown, region: str | Unknown | None) -> float | None:
    """The list price an hour, None where the lists have none."""
    return _prices(cloud_id).get((kind, region)) if isinstance(kind, str) and isinstance(region, str) else None


def medium(cloud_id: str, kind: object) -> tuple[Media | None, bool]:
    """The medium of a disk kind, None where no table has it, and whether such a disk outlives its machine."""
    if not isinstance(kind, str):
        return None, True
    known: Media | None = disk_media(cloud_id, kind)  # type: ignore[assignment]  # the catalog's lint holds the words
    return known, known is None or kind in _persistent(cloud_id)


@functools.cache
def _persistent(cloud_id: str) -> frozenset[str]:
    return frozenset(disk.id for disk in tables(cloud_id).disks if disk.persistent)


def is_levelled(cloud_id: str, kind: object) -> bool:
    """Whether a disk kind is sold at several levels."""
    return any(disk.id == kind and disk.level for disk in tables(cloud_id).disks)


def disk_mbps(cloud_id: str, kind: object, level: object, size_gib: object) -> float | Unknown | None:
    """What a disk of this kind, level and size gives in MB/s; None where no table tells it."""
    if UNKNOWN in (kind, level, size_gib):
        return UNKNOWN
    disk = find_disk(tables(cloud_id), str(kind), str(level) if level is not None else None)
    if disk is None or disk.mbps_base is None or not isinstance(size_gib, int | float):
        return None
    return min(disk.mbps_base + (disk.mbps_per_gib or 0.0) * size_gib, disk.mbps_max or math.inf)


def image(cloud_id: str, image_id: object) -> ImageFact:
    """What the id of an image tells."""
    if isinstance(image_id, Unknown):
        return ImageFact(kind=UNKNOWN, ends=None)
    row = find_image(cloud_id, image_id) if isinstance(image_id, str) else None
    return ImageFact(kind=row.kind, ends=row.ends) if row is not None else ImageFact(kind=None, ends=None)


@functools.cache
def _boot_steps(cloud_id: str, step: str) -> re.Pattern[str]:
    rows = [row["pattern"] for row in read_rows(CLOUDS / cloud_id / "boot_steps.csv") if row["step"] == step]
    return re.compile("|".join(f"(?:{pattern})" for pattern in rows), re.MULTILINE)


def has_boot_step(
    cloud_id: str, user_data: object, step: Literal["driver", "agent", "notice", "fuse"]
) -> bool | Unknown:
    """Whether the user data holds a step that we recognise; UNKNOWN when it cannot be seen."""
    if isinstance(user_data, Unknown):
        return UNKNOWN
    return isinstance(user_data, str) and _boot_steps(cloud_id, step).search(decoded(user_data)) is not None


def decoded(user_data: str) -> str:
    """User data as text, whether or not it is base64."""
    try:
        return base64.b64decode(user_data, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return user_data
