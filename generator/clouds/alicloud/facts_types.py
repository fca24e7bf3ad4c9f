"""What the tables say of the types, disk kinds, images and boot steps that a stack of Alibaba Cloud names."""

from __future__ import annotations

import base64
import binascii
import difflib
import fnmatch
import functools
import re
from pathlib import Path
from typing import Literal

import msgspec

from generator.catalog import InstanceType, load_catalog, read_rows
from generator.values import UNKNOWN, Unknown

FOLDER = Path(__file__).parent
# Lingjun machines and PAI types are sold by platforms, not by the lists we have.
PLATFORM = re.compile(r"(efg\d|ml\.|ecs\.ehpc|pai)", re.IGNORECASE)

Standing = Literal["sold", "not_listed", "unknown", "platform"]


class Image(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of an image by its id."""

    kind: Literal["gpu", "cpu", "plain", "private"] | Unknown | None
    ends: str | None


@functools.cache
def instance_types() -> dict[str, InstanceType]:
    """Every type that the catalog describes, by id."""
    return {kind.id: kind for kind in load_catalog("alicloud").types}


@functools.cache
def selling_regions() -> dict[str, frozenset[str]]:
    """Every type id that any list holds, with the regions whose dated list has it."""
    regions: dict[str, set[str]] = {kind: set() for kind in instance_types()}
    for offer in load_catalog("alicloud").offers:
        regions[offer.type.id].add(offer.region)
    for row in read_rows(FOLDER / "other_types.csv"):
        regions.setdefault(row["id"], set()).update(row["regions"].split())
    return {kind: frozenset(sold) for kind, sold in regions.items()}


def standing(kind: str, region: str | Unknown | None) -> Standing | Unknown:
    """Where a type stands: sold in the region by its list, known but not listed there, unknown to every list."""
    if PLATFORM.match(kind):
        return "platform"
    if kind not in selling_regions():
        return "unknown"
    if not isinstance(region, str):
        return UNKNOWN
    return "sold" if region in selling_regions()[kind] else "not_listed"


def nearest(kind: str) -> str | None:
    """The known type whose name is nearest."""
    found = difflib.get_close_matches(kind, selling_regions(), 1, cutoff=0.5)
    return found[0] if found else None


@functools.cache
def _prices() -> dict[tuple[str, str], float]:
    offers = load_catalog("alicloud").offers
    return {(offer.type.id, offer.region): float(offer.price.amount) for offer in offers if offer.price is not None}


def on_demand_price(kind: str, region: str | Unknown | None) -> float | None:
    """The list price an hour, None where the lists have none."""
    return _prices().get((kind, region)) if isinstance(region, str) else None


@functools.cache
def disk_kinds() -> dict[str, tuple[Literal["hdd", "hybrid", "ssd", "nvme"], bool]]:
    """Disk kind to its medium and whether it outlives the node."""
    found: dict[str, tuple[Literal["hdd", "hybrid", "ssd", "nvme"], bool]] = {}
    for row in read_rows(FOLDER / "disks.csv"):
        media: Literal["hdd", "hybrid", "ssd", "nvme"] = row["media"]  # type: ignore[assignment]  # the table is linted
        found[row["id"]] = (media, row["persistent"] == "yes")
    return found


@functools.cache
def _images() -> tuple[dict[str, str], ...]:
    return tuple(read_rows(FOLDER / "images.csv"))


def image(image_id: object) -> Image:
    """What the id of an image tells; the first row of the table that matches."""
    if isinstance(image_id, Unknown):
        return Image(kind=UNKNOWN, ends=None)
    for row in _images():
        if isinstance(image_id, str) and fnmatch.fnmatch(image_id.lower(), row["pattern"]):
            return Image(kind=row["kind"], ends=row["ends"] or None)  # type: ignore[arg-type]  # the table is linted
    return Image(kind=None, ends=None)


@functools.cache
def _boot_steps(step: str) -> re.Pattern[str]:
    rows = [row["pattern"] for row in read_rows(FOLDER / "boot_steps.csv") if row["step"] == step]
    return re.compile("|".join(f"(?:{pattern})" for pattern in rows), re.MULTILINE)


def has_boot_step(user_data: object, step: Literal["driver", "agent", "notice"]) -> bool | Unknown:
    """Whether the user data holds a step that we recognise; UNKNOWN when it cannot be seen."""
    if isinstance(user_data, Unknown):
        return UNKNOWN
    return isinstance(user_data, str) and _boot_steps(step).search(decoded(user_data)) is not None


def decoded(user_data: str) -> str:
    """User data as text, whether or not it is base64."""
    try:
        return base64.b64decode(user_data, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return user_data
