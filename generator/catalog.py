"""Offers of all clouds alike: what a type is, where it is sold, what it costs, and the storage beside it."""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from generator.errors import Problem
from generator.sizing.usable_memory import LOWEST_SHARE, usable_gib

CLOUDS = Path(__file__).parent / "clouds"


class Price(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A list price: `amount` per `per`, with its source and the date of the list (None: undated).

    `per` is hour, month or year of the whole machine; gib_hour, gib_month of storage; gb of traffic; month of a gateway.
    """

    amount: Decimal
    currency: str
    date: str | None
    source: str
    charge: Literal["on_demand", "spot", "month", "year"] = "on_demand"
    per: str = "hour"


class InstanceType(msgspec.Struct, frozen=True, kw_only=True):
    """One instance type of one cloud as its maker describes it, whatever the region."""

    cloud: str
    id: str
    family: str
    vcpus: int
    ram_gib: float
    cpu_arch: Literal["x86_64", "arm64"]
    gpu: str | None  # canonical accelerator name; None for CPU types and for an unknown card
    gpu_note: str | None  # why `gpu` is None although there is a card
    gpus: int
    gpu_memory_gib: float | None  # nominal, one card or the slice
    gpu_usable_gib: float | None  # what the driver shows, one card
    slice_fraction: float | None  # share of the card a vGPU sells; None for whole cards and where unknown
    is_slice: bool
    interconnect: Literal["nvlink", "pcie", "none"] | None  # between the node's cards
    nvlink_gbytes_s: float | None
    network_gbps: float | None
    rdma: str | None  # erdma | roce | infiniband | none; None: not known
    rdma_gbps: float | None
    rdma_nics: int | None
    hpc_cluster: bool  # must join an HPC cluster object
    local_nvme_gib: float
    disk_kinds: tuple[str, ...]  # () where the source lists none
    disk_iops: int | None  # the type's own ceiling
    disk_mbps: float | None
    boot_mode: str | None  # UEFI where the type boots only so
    bare_metal: bool
    status: str
    orderable: bool
    spot: bool | None
    source: str
    note: str | None
    date: str | None = None  # of the newest source
    gpu_total_gib: float | None = None  # nominal, all cards of the node
    gpu_usable_source: str | None = None  # where `gpu_usable_gib` comes from

    @property
    def gpu_label(self) -> str | None:
        """The card as people read it: `A10`, or `A10 slice` where a vGPU sells a part of it."""
        return f"{self.gpu} slice" if self.gpu is not None and self.is_slice else self.gpu


class Offer(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One type in one region (and zone where known) at one price; `price` None means unpriced.

    The last three fields come from an overlay only: `sold` False means that this account cannot have it, `spot_sold`
    overrules what the type says of spot.
    """

    type: InstanceType
    region: str
    zone: str | None
    price: Price | None
    spot_price: Price | None = None
    quota: int | None = None  # most nodes the account may have
    sold: bool = True
    spot_sold: bool | None = None
    source: str = ""  # who says that the type is sold here


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """A region of a cloud; `zones` are those that some source names."""

    id: str
    title: str
    mainland: bool
    zones: tuple[str, ...]


class Disk(msgspec.Struct, frozen=True, kw_only=True):
    """A disk kind at one level: legal sizes and what it gives, `min(base + per_gib x GiB, cap)`."""

    cloud: str
    id: str
    level: str | None
    media: Literal["hdd", "hybrid", "ssd", "nvme"]
    status: str
    min_gib: int
    max_gib: int
    system_min_gib: int | None
    system_max_gib: int | None
    step_gib: int
    iops_base: float | None
    iops_per_gib: float | None
    iops_max: float | None
    mbps_base: float | None
    mbps_per_gib: float | None
    mbps_max: float | None
    persistent: bool
    source: str
    choosable: bool = True  # False: legal, but not for the nodes that we choose (comes with few types, or too little is known)
    note: str | None = None


class FileSystem(msgspec.Struct, frozen=True, kw_only=True):
    """A file system product: `parallel` ones serve many nodes at once; MB/s grow with TiB."""

    cloud: str
    id: str  # the cloud's name of the product, `cpfs`
    level: str | None  # the cloud's storage type, `advance_200`
    kind: Literal["parallel", "nas"]
    media: Literal["hdd", "ssd"]
    min_gib: int
    step_gib: int
    max_gib: int | None
    mbps_per_tib: float | None
    mbps_max: float | None
    regions: tuple[str, ...]  # () where no source limits them
    source: str
    note: str | None
    choosable: bool = True  # False: legal, but not for one job in one zone on plain nodes, or too little is known


class BucketClass(msgspec.Struct, frozen=True, kw_only=True):
    """A storage class of the cloud's object store; `min_days` is the shortest billed stay."""

    cloud: str
    id: str
    min_days: int
    source: str


class StoragePrice(msgspec.Struct, frozen=True, kw_only=True):
    """A list price of storage or network: `kind` disk | file_system | bucket | nat | eip, `id` and `level` as in the tables above."""

    kind: str
    id: str
    level: str | None
    region: str | None  # None: a hint for every region
    price: Price


class Catalog(msgspec.Struct, frozen=True, kw_only=True):
    """All that one cloud sells and some source tells."""

    cloud: str
    as_of: str
    regions: tuple[Region, ...]
    types: tuple[InstanceType, ...]
    offers: tuple[Offer, ...]
    disks: tuple[Disk, ...]
    file_systems: tuple[FileSystem, ...]
    bucket_classes: tuple[BucketClass, ...]
    storage_prices: tuple[StoragePrice, ...]


Row = TypeVar("Row", bound=msgspec.Struct)

# Columns that hold several words, and those that hold yes or no; all else is text or a number by the type of its field.
_LISTS = frozenset({"disk_kinds", "regions", "zones"})
_FLAGS = frozenset({"bare_metal", "hpc_cluster", "is_slice", "persistent", "choosable", "mainland", "orderable", "spot"})


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
    """All offers of a table, in its order; written for tables of 50,000 rows and more."""
    by_id = {kind.id: kind for kind in types}
    offers = []
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        for region, zone, name, amount, currency, date, source in rows:
            price = Price(amount=Decimal(amount), currency=currency, date=date or None, source=source) if amount else None
            offers.append(Offer(type=by_id[name], region=region, zone=zone or None, price=price, source=source))
    return tuple(offers)


def read_storage_prices(path: Path, regions: Iterable[Region]) -> tuple[StoragePrice, ...]:
    """List prices of storage and network; a row for `mainland` holds in each mainland region."""
    if not path.exists():
        return ()
    mainland = tuple(region.id for region in regions if region.mainland)
    prices = []
    for row in map(plain, read_rows(path)):
        price = msgspec.convert({name: row[name] for name in Price.__struct_fields__}, Price, strict=False)
        for region in mainland if row["region"] == "mainland" else (row["region"],):
            prices.append(StoragePrice(kind=row["kind"], id=row["id"], level=row["level"], region=region, price=price))
    return tuple(prices)


def read_catalog(folder: Path, cloud: str) -> Catalog:
    """The catalog that the tables of a folder hold."""
    regions = structs(folder / "regions.csv", Region)
    types = read_types(folder, cloud)
    offers = read_offers(folder / "offers.csv", types)
    disks = (plain(row) for row in read_rows(folder / "disks.csv"))
    return Catalog(
        cloud=cloud,
        as_of=max((offer.price.date or "" for offer in offers if offer.price), default=""),
        regions=regions,
        types=types,
        offers=offers,
        # kinds without a size come with a type and cannot be ordered
        disks=tuple(msgspec.convert(row | {"cloud": cloud}, Disk, strict=False) for row in disks if row["min_gib"]),
        file_systems=structs(folder / "file_systems.csv", FileSystem, cloud=cloud),
        bucket_classes=structs(folder / "bucket_classes.csv", BucketClass, cloud=cloud),
        storage_prices=read_storage_prices(folder / "storage_prices.csv", regions),
    )


@functools.cache
def load_catalog(cloud_id: str) -> Catalog:
    """The catalog of this cloud as its folder holds it; KeyError when there is no such cloud."""
    folder = CLOUDS / cloud_id
    if not (folder / "instance_types.csv").exists():
        raise KeyError(cloud_id)
    return read_catalog(folder, cloud_id)


def lint(catalog: Catalog) -> tuple[Problem, ...]:
    """Every broken invariant of a catalog (one Problem each); a catalog that ships has none."""
    from generator.catalog_lint import problems  # noqa: PLC0415 - `select` never needs it

    return problems(catalog)
