"""Reads what a cloud sells from the tables of its folder, and holds their invariants."""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from generator.catalog.folders import tables_folder
from generator.catalog.offers import (
    BucketClass,
    Catalog,
    Disk,
    FileSystem,
    InstanceType,
    Offer,
    Price,
    Region,
    Source,
    StoragePrice,
)
from generator.clouds import CLOUDS
from generator.errors import Problem
from generator.sizing.usable_memory import LOWEST_SHARE, usable_gib

__all__ = [
    "CLOUDS",
    "BucketClass",
    "Catalog",
    "Disk",
    "FileSystem",
    "InstanceType",
    "Offer",
    "Price",
    "Region",
    "Source",
    "StoragePrice",
    "lint",
    "load_catalog",
    "load_regions",
    "load_types",
    "other_types",
    "price_hints",
    "sources",
]


Row = TypeVar("Row", bound=msgspec.Struct)

# Columns that hold several words, and those that hold yes or no; all else is text or a number by the type of its field.
_LISTS = frozenset({"disk_kinds", "regions", "zones", "families", "kinds", "types", "carriers"})
_FLAGS = frozenset(
    {
        "bare_metal", "hpc_cluster", "is_slice", "persistent", "choosable", "mainland", "spot", "required",
        "less_baseline", "step_stated",
    }
)  # fmt: skip


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a table as text by column name."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def plain(row: dict[str, str]) -> dict[str, Any]:
    """A row with empty cells as None, lists as tuples and yes or no as booleans."""
    values: dict[str, Any] = {}
    for name, text in row.items():
        if name in _LISTS:
            values[name] = tuple(text.split())
        elif name in _FLAGS and text:
            values[name] = text == "yes"
        else:
            values[name] = text or None
    return values


def structs(path: Path, kind: type[Row], **more: str) -> tuple[Row, ...]:
    """The rows of a table as structs of `kind`; none when there is no such table."""
    if not path.exists():
        return ()
    return tuple(msgspec.convert(plain(row) | more, kind, strict=False) for row in read_rows(path))


def _usable(row: dict[str, Any]) -> tuple[float | None, str | None]:
    """Usable GiB of one card: measured on this type, else the lowest figure of the card, else a cautious share."""
    if row["gpu_usable_gib"] is not None:
        return float(row["gpu_usable_gib"]), "measured on this family"
    if row["gpu_memory_gib"] is None:
        return None, None
    shown = usable_gib(row["gpu"]) if row["gpu"] and not row["is_slice"] else None
    if shown is not None:
        return shown, "the lowest figure of this card"
    return round(float(row["gpu_memory_gib"]) * LOWEST_SHARE, 3), f"assumed: {LOWEST_SHARE:.1%} of the nominal memory"


def read_types(folder: Path, cloud: str) -> tuple[InstanceType, ...]:
    """All instance types of a cloud folder: each row joined with its family, the family's card and its status."""
    families = {row["family"]: plain(row) for row in read_rows(folder / "families.csv")}
    cards = {row["family"]: row for row in read_rows(folder / "card_families.csv")}
    orderable = {row["status"]: row["orderable"] == "yes" for row in read_rows(folder / "statuses.csv")}
    types = []
    for row in map(plain, read_rows(folder / "instance_types.csv")):
        family = families[row["family"]]
        card = cards.get(row["family"], {"gpu": "", "reason": ""})
        # what a type says of itself beats what its family says
        joined = family | {name: value for name, value in row.items() if value is not None or name not in family}
        joined |= {"cloud": cloud, "gpu": card["gpu"] or None, "gpu_note": card["reason"] or None}
        joined["orderable"] = orderable[row["status"]]
        joined["local_nvme_gib"] = row["local_nvme_gib"] or 0
        if row["gpus"] == "1" and joined["interconnect"] is not None:
            joined["interconnect"] = "none"
        joined["gpu_usable_gib"], joined["gpu_usable_source"] = _usable(joined)
        types.append(msgspec.convert(joined, InstanceType, strict=False))
    return tuple(types)


def read_offers(path: Path, types: Iterable[InstanceType]) -> tuple[Offer, ...]:
    """All offers of a table, in its order; written for tables of 50,000 rows and more (equal prices are one object)."""
    by_id = {kind.id: kind for kind in types}
    prices: dict[tuple[str, str, str, str], Price | None] = {}
    offers = []
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        for region, zone, name, amount, currency, date, source in rows:
            key = (amount, currency, date, source)
            if key not in prices:
                price = (
                    Price(amount=Decimal(amount), currency=currency, date=date or None, source=source)
                    if amount
                    else None
                )
                prices[key] = price
            offers.append(Offer(type=by_id[name], region=region, zone=zone or None, price=prices[key], source=source))
    return tuple(offers)


def read_storage_prices(path: Path) -> tuple[StoragePrice, ...]:
    """List prices of storage and network; a row without a region is a hint."""
    prices = []
    for row in map(plain, read_rows(path)) if path.exists() else ():
        price = msgspec.convert({name: row[name] for name in Price.__struct_fields__}, Price, strict=False)
        one = StoragePrice(kind=row["kind"], id=row["id"], level=row["level"], region=row["region"], price=price)
        prices.append(one)
    return tuple(prices)


def read_disks(folder: Path, cloud: str) -> tuple[tuple[Disk, ...], dict[str, str]]:
    """The disks that can be ordered by size, and the media of every kind: some come with a type only."""
    rows = [plain(row) for row in read_rows(folder / "disks.csv")]
    sized = tuple(msgspec.convert(row | {"cloud": cloud}, Disk, strict=False) for row in rows if row["min_gib"])
    return sized, {row["id"]: row["media"] for row in rows}


def read_catalog(folder: Path, cloud: str) -> Catalog:
    """The catalog that the tables of a folder hold."""
    regions = structs(folder / "regions.csv", Region)
    types = read_types(folder, cloud)
    offers = read_offers(folder / "offers.csv", types)
    return Catalog(
        cloud=cloud,
        as_of=max((offer.price.date or "" for offer in offers if offer.price), default=""),
        regions=regions,
        types=types,
        offers=offers,
        disks=read_disks(folder, cloud)[0],
        file_systems=structs(folder / "file_systems.csv", FileSystem, cloud=cloud),
        bucket_classes=structs(folder / "bucket_classes.csv", BucketClass, cloud=cloud),
        storage_prices=read_storage_prices(folder / "storage_prices.csv"),
        sources=structs(folder / "sources.csv", Source),
    )


@functools.cache
def load_catalog(cloud_id: str) -> Catalog:
    """The catalog of this cloud as its folder holds it; KeyError when there is no such cloud."""
    return read_catalog(tables_folder(cloud_id), cloud_id)


@functools.cache
def load_regions(cloud_id: str) -> tuple[Region, ...]:
    """The regions of this cloud alone, for who needs no offers."""
    return structs(tables_folder(cloud_id) / "regions.csv", Region)


@functools.cache
def load_types(cloud_id: str) -> Mapping[str, InstanceType]:
    """The instance types of this cloud by id, for who needs no offers."""
    return {kind.id: kind for kind in read_types(tables_folder(cloud_id), cloud_id)}


@functools.cache
def sources(cloud_id: str) -> Mapping[str, Source]:
    """The sources that the tables of this cloud name, by key."""
    return {source.key: source for source in structs(tables_folder(cloud_id) / "sources.csv", Source)}


@functools.cache
def price_hints(cloud_id: str) -> Mapping[str, tuple[Price, ...]]:
    """Prices by type for which no source prints a region: they hold nowhere and rank nothing, but may be shown."""
    path = tables_folder(cloud_id) / "price_hints.csv"
    hints: dict[str, tuple[Price, ...]] = {}
    for row in map(plain, read_rows(path)) if path.exists() else ():
        price = msgspec.convert({name: row[name] for name in Price.__struct_fields__}, Price, strict=False)
        hints[row["instance_type"]] = (*hints.get(row["instance_type"], ()), price)
    return hints


@functools.cache
def other_types(cloud_id: str) -> Mapping[str, tuple[str, ...]]:
    """Types that exist but are not described in the catalog, each with the regions whose list prices them."""
    path = tables_folder(cloud_id) / "other_types.csv"
    return {row["id"]: tuple(row["regions"].split()) for row in read_rows(path)} if path.exists() else {}


def lint(catalog: Catalog) -> tuple[Problem, ...]:
    """Every broken invariant of a catalog (one Problem each); a catalog that ships has none."""
    from generator.catalog.invariants import problems  # noqa: PLC0415 - `select` never needs it

    return problems(catalog)
