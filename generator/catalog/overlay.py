"""A person's own prices, stock and quotas (`prices.csv`) laid over a catalog; what it touches names file and line.

Columns: cloud, region, instance_type or kind and id, charge (on_demand, spot, month, year), amount, currency, per,
date, note, zone, quota (most nodes the account may have), sold (yes, no). A row may give a price, or say only what is
sold, or only a quota. A type that the catalog does not describe is refused: a price says nothing of its memory, so
that it could be neither sized nor checked.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path

import msgspec

from generator import legality
from generator.catalog import other_types
from generator.catalog.offers import Catalog, InstanceType, Offer, Price, Region, StoragePrice
from generator.clouds import catalogued_clouds, find_cloud
from generator.errors import InputError, Place, Problem
from generator.spelling import did_you_mean

COLUMNS = (
    "cloud", "region", "instance_type", "kind", "id", "charge", "amount", "currency", "per", "date", "note", "zone",
    "quota", "sold",
)  # fmt: skip
CHARGES = ("on_demand", "spot", "month", "year")
UNITS = {"on_demand": ("hour",), "spot": ("hour",), "month": ("month",), "year": ("year",)}
STORAGE_KINDS = ("disk", "file_system", "bucket", "bandwidth", "snapshot", "nat", "eip")
STORAGE_UNITS = ("gib_hour", "gib_month", "gb", "hour", "month", "mbps_month")


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of an overlay, checked by itself: `price` None when the line says only what is sold or a quota."""

    cloud: str
    region: str
    zone: str | None
    instance_type: str | None
    kind: str | None
    id: str | None
    charge: str
    price: Price | None
    quota: int | None
    sold: bool | None
    where: Place


def _lines(path: Path) -> Iterator[tuple[Place, dict[str, str]]]:
    """Every line with its place; problems of the file itself end the reading."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else "cannot be read"
        hint = "give the path of a CSV file with a header line"
        raise InputError(Problem(message=f"{str(path)!r} {reason}", where=Place(file=str(path)), hint=hint)) from None
    lines = text.splitlines()
    reader = csv.reader(lines)
    names = [name.strip() for name in next(reader, [])]
    first = Place(file=str(path), line=1, text=lines[0] if lines else "")
    problems = [
        Problem(message=f"{name!r} is not a column of an overlay", where=first, hint=did_you_mean(name, COLUMNS))
        for name in names
        if name not in COLUMNS
    ]
    if "cloud" not in names or not ({"instance_type"} & set(names) or {"kind", "id"} <= set(names)):
        message = "an overlay needs the columns cloud and instance_type, or cloud, kind and id"
        problems.append(Problem(message=message, where=first, hint=f"columns: {', '.join(COLUMNS)}"))
    if problems:
        raise InputError(*problems)
    for cells in reader:
        place = Place(file=str(path), line=reader.line_num, text=lines[reader.line_num - 1])
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(names):
            message = f"{len(cells)} cells under {len(names)} columns"
            raise InputError(Problem(message=message, where=place, hint="put text with commas in double quotes"))
        yield place, dict(zip(names, (cell.strip() for cell in cells), strict=False))


class _Reader:
    """Turns lines into rows and collects what is wrong with each."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def say(self, where: Place, message: str, hint: str | None = None) -> None:
        """Remember a problem of a line."""
        self.problems.append(Problem(message=message, where=where, hint=hint))

    def choice(self, where: Place, column: str, value: str, legal: Iterable[str]) -> None:
        """A value must be one of a few."""
        known = tuple(legal)
        if value not in known:
            hint = did_you_mean(value, known) or f"one of {', '.join(known)}"
            self.say(where, f"{column} {value!r} is not known", hint)

    def amount(self, where: Place, text: str) -> Decimal | None:
        """A price above 0; empty is none."""
        if not text:
            return None
        try:
            value = Decimal(text)
        except InvalidOperation:
            value = Decimal("NaN")
        if not value.is_finite():
            self.say(where, f"amount {text!r} is not a number", "write digits and a point, 9.53")
        elif value < 0:
            self.say(where, f"amount {text} is negative")
        elif value == 0:
            self.say(where, "amount 0 is not a price", "leave it empty where there is no price, or say sold=no")
        else:
            return value
        return None

    def price(self, where: Place, cells: dict[str, str], charge: str, *, storage: bool) -> Price | None:
        """The price of a line, None when it gives none or a wrong one."""
        amount = self.amount(where, cells.get("amount", ""))
        units = STORAGE_UNITS if storage else UNITS.get(charge, ())
        per = cells.get("per", "") or ("gib_month" if storage else next(iter(units), "hour"))
        if per not in units and units:
            self.say(where, f"per {per!r} does not go with charge {charge!r}", f"one of {', '.join(units)}")
        date = cells.get("date", "")
        if date and not re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?", date):
            self.say(where, f"date {date!r} is not of the form 2026-11-30 or 2026-11")
        if amount is None:
            return None
        cloud = cells.get("cloud", "")
        legal = (find_cloud(cloud).currency, "USD") if cloud in catalogued_clouds() else ()
        currency = cells.get("currency", "")
        if currency not in legal and legal:
            hint = f"{' or '.join(legal)}; prices are never converted here"
            self.say(where, f"currency {currency!r} is not one that {cloud} bills in", hint)
        source = f"{Path(where.file).name}:{where.line}"
        kind = charge if charge in CHARGES else "on_demand"
        raw = {
            "amount": amount,
            "currency": currency,
            "date": date or None,
            "source": source,
            "charge": kind,
            "per": per,
        }
        return msgspec.convert(raw, Price)

    def row(self, where: Place, cells: dict[str, str]) -> Row:
        """One line as a row."""
        self.choice(where, "cloud", cells.get("cloud", ""), catalogued_clouds())
        name, kind, thing = cells.get("instance_type", ""), cells.get("kind", ""), cells.get("id", "")
        if bool(name) == bool(kind or thing):
            self.say(where, "a line names an instance_type, or a kind and an id")
        if kind or thing:
            self.choice(where, "kind", kind, STORAGE_KINDS)
        charge = cells.get("charge", "") or "on_demand"
        self.choice(where, "charge", charge, CHARGES)
        sold, quota = cells.get("sold", ""), cells.get("quota", "")
        if sold:
            self.choice(where, "sold", sold, ("yes", "no"))
        if quota and not quota.isdecimal():
            self.say(where, f"quota {quota!r} is not a whole number of nodes")
        price = self.price(where, cells, charge, storage=bool(kind))
        if sold == "no" and cells.get("amount"):
            self.say(where, "the line gives a price and says sold=no", "leave one of them out")
        if not (cells.get("amount") or sold or quota):
            self.say(where, "the line gives no amount, no sold and no quota")
        if name and not cells.get("region"):
            self.say(where, f"{name} needs a region")
        return Row(
            cloud=cells.get("cloud", ""),
            region=cells.get("region", ""),
            zone=cells.get("zone") or None,
            instance_type=name or None,
            kind=kind or None,
            id=thing or None,
            charge=charge,
            price=price,
            quota=int(quota) if quota.isdecimal() else None,
            sold={"yes": True, "no": False}.get(sold),
            where=where,
        )

    def agree(self, rows: Iterable[Row]) -> None:
        """No thing is said twice, and two lines on one type do not contradict one another."""
        seen: dict[tuple[object, ...], Row] = {}
        quotas: dict[tuple[object, ...], Row] = {}
        for row in rows:
            key = (row.cloud, row.region, row.zone, row.instance_type, row.kind, row.id, row.charge)
            if key in seen:
                first = seen[key]
                word = "contradicts" if first.sold != row.sold and None not in (first.sold, row.sold) else "repeats"
                self.say(
                    row.where, f"the line {word} line {first.where.line}", "keep one line for each thing and charge"
                )
            seen.setdefault(key, row)
            if row.quota is not None:
                other = quotas.setdefault((row.cloud, row.region, row.instance_type), row)
                if other.quota != row.quota:
                    self.say(row.where, f"quota {row.quota} contradicts line {other.where.line}: {other.quota}")


def read_overlay(path: Path) -> tuple[Row, ...]:
    """The rows of an overlay, checked as far as no catalog is needed; InputError with every problem and its line."""
    reader = _Reader()
    rows = tuple(reader.row(where, cells) for where, cells in _lines(path))
    reader.agree(rows)
    if reader.problems:
        raise InputError(*reader.problems)
    return rows


def _check(row: Row, catalog: Catalog, kinds: dict[str, InstanceType]) -> Iterator[Problem]:
    """What is wrong with a row by this catalog."""
    regions = [region.id for region in catalog.regions]
    if row.region and row.region not in regions:
        hint = did_you_mean(row.region, regions)
        yield Problem(message=f"{row.region!r} is not a region of {catalog.cloud}", where=row.where, hint=hint)
    elif row.zone is not None and (wrong := legality.check_zone(catalog.cloud, row.zone, row.region)):
        yield Problem(message=wrong, where=row.where)
    if row.instance_type is not None and row.instance_type not in kinds:
        if row.instance_type in other_types(catalog.cloud):
            message = f"{row.instance_type} exists, but the catalog does not describe it, so it cannot be chosen"
            yield Problem(message=message, where=row.where)
        else:
            hint = did_you_mean(row.instance_type, kinds)
            yield Problem(message=f"{row.instance_type!r} is not in the catalog", where=row.where, hint=hint)
    if row.kind is not None:
        known = _things(catalog).get(row.kind)
        name = re.split(r"[ :/]", row.id or "")[0]
        if known is not None and name not in known:
            yield Problem(
                message=f"{name!r} is no {row.kind} of {catalog.cloud}", where=row.where, hint=did_you_mean(name, known)
            )


def _things(catalog: Catalog) -> dict[str, set[str]]:
    return {
        "disk": {disk.id for disk in catalog.disks},
        "file_system": {row.id for row in catalog.file_systems},
        "bucket": {row.id for row in catalog.bucket_classes},
    }


def _laid(offer: Offer, rows: Iterable[Row]) -> Offer:
    """An offer with what the rows say of it; a row that sells it opens a type that cannot be ordered by itself."""
    for row in rows:
        source = f"{Path(row.where.file).name}:{row.where.line}"
        sold = row.sold if row.sold is not None else (True if row.price is not None else None)
        changes: dict[str, object] = {"source": source}
        if row.quota is not None:
            changes["quota"] = row.quota
        if row.charge == "spot":
            changes |= {
                "spot_price": row.price or offer.spot_price,
                "spot_sold": offer.spot_sold if sold is None else sold,
            }
        elif row.charge == "on_demand":
            changes |= {"price": row.price or offer.price, "sold": offer.sold if sold is None else sold}
        elif row.price is not None:
            changes["term_prices"] = (*offer.term_prices, row.price)
        if sold and not offer.type.orderable:
            changes["type"] = msgspec.structs.replace(offer.type, orderable=True)
        offer = msgspec.structs.replace(offer, **changes)
    return offer


def _offers(catalog: Catalog, rows: tuple[Row, ...], kinds: dict[str, InstanceType]) -> tuple[Offer, ...]:
    """All offers with the rows laid over them; a row for a zone or region that no offer has makes one."""
    offers = {(offer.region, offer.zone, offer.type.id): offer for offer in catalog.offers}
    places: dict[tuple[str, str], list[str | None]] = {}
    for region, zone, name in offers:
        places.setdefault((region, name), []).append(zone)
    for row in rows:
        name = row.instance_type or ""
        zones = places.setdefault((row.region, name), [])
        if row.zone is not None and row.zone not in zones:
            # a zone is a nearer look at the region's offer, so it starts from what the region says
            known = offers.pop((row.region, None, name), None)
            base = known or Offer(type=kinds[name], region=row.region, zone=row.zone, price=None)
            offers[row.region, row.zone, name] = msgspec.structs.replace(base, zone=row.zone)
            zones[:] = [zone for zone in zones if zone is not None] + [row.zone]
        elif not zones:
            offers[row.region, None, name] = Offer(type=kinds[name], region=row.region, zone=None, price=None)
            zones.append(None)
        for zone in [row.zone] if row.zone is not None else zones:
            key = (row.region, zone, name)
            offers[key] = _laid(offers[key], (row,))
    return tuple(offers[key] for key in sorted(offers, key=lambda key: (key[0], key[1] or "", key[2])))


def _storage(catalog: Catalog, rows: tuple[Row, ...]) -> tuple[StoragePrice, ...]:
    """Storage prices with the rows in place of the same thing's; a row without a region holds in every region."""
    prices = {(row.kind, row.id, row.level, row.region, row.price.charge): row for row in catalog.storage_prices}
    for row in rows:
        name, _, level = re.sub(r"[:/]", " ", row.id or "").partition(" ")
        for region in (row.region,) if row.region else tuple(region.id for region in catalog.regions):
            if row.price is not None and row.kind is not None:
                one = StoragePrice(kind=row.kind, id=name, level=level or None, region=region, price=row.price)
                prices[row.kind, name, level or None, region, row.price.charge] = one
    return tuple(prices.values())


def _with_zones(region: Region, zones: set[tuple[str, str]]) -> Region:
    """A region with the zones that an overlay names in it."""
    named = sorted({*region.zones, *(zone for name, zone in zones if name == region.id)})
    return msgspec.structs.replace(region, zones=tuple(named))


def apply_overlay(catalog: Catalog, path: Path) -> Catalog:
    """The catalog with the lines of this overlay that name its cloud; InputError with every problem and its line."""
    rows = tuple(row for row in read_overlay(path) if row.cloud == catalog.cloud)
    kinds = {kind.id: kind for kind in catalog.types}
    problems = [problem for row in rows for problem in _check(row, catalog, kinds)]
    if problems:
        raise InputError(*problems)
    zones = {(row.region, row.zone) for row in rows if row.zone}
    return msgspec.structs.replace(
        catalog,
        regions=tuple(_with_zones(region, zones) for region in catalog.regions),
        offers=_offers(catalog, tuple(row for row in rows if row.instance_type is not None), kinds),
        storage_prices=_storage(catalog, tuple(row for row in rows if row.kind is not None)),
    )
