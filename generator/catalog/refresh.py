"""Makes new catalog tables of the present ones and what a cloud's API listed; keeps what the API does not tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path

import msgspec

from generator.catalog.folders import TABLES
from generator.catalog.listing import ListedOffer, ListedType, Listing, Reading
from generator.rows import cell, read_columns, read_rows, table_text

Row = dict[str, str]

# Statuses that a refresh gives; those of the present tables say more and stay, but for the cloud's `opens`.
LISTED = ("listed", "yes", "the cloud's API lists it for sale; its family is described here")
UNDESCRIBED = ("listed_only", "no", "the cloud's API lists it; what its family has is not described here")
# Tables that stand sorted by their columns from left to right; a person keeps the others in an order of their own.
SORTED = frozenset({"families", "card_families", "instance_types", "offers", "other_types", "regions", "sources"})
# What the API tells better than the table, and what it tells only where the table does not know.
TOLD = ("vcpus", "ram_gib")
FILLED = ("network_gbps",)


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table: its columns and its rows as texts by column; `text` is how it stands in its file, None: not yet."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    text: str | None = None

    def with_rows(self, rows: Iterable[Row]) -> Table:
        """The table with these rows; itself when they are the same in whatever order."""
        new = tuple(rows)
        if sorted(map(tuple, map(dict.items, new))) == sorted(map(tuple, map(dict.items, self.rows))):
            return self
        return Table(columns=self.columns, rows=new)


Tables = Mapping[str, Table]


def read_tables(folder: Path) -> dict[str, Table]:
    """The catalog tables that a folder holds, by file name without `.csv`."""
    paths = {name: folder / f"{name}.csv" for name in TABLES}
    return {
        name: Table(columns=read_columns(path), rows=read_rows(path), text=path.read_text(encoding="utf-8"))
        for name, path in paths.items()
        if path.exists()
    }


def table_texts(tables: Tables) -> dict[str, str]:
    """The text of each table by file name; one without a change is as it stood."""
    return {
        f"{name}.csv": table.text or table_text(table.columns, table.rows, sort=name in SORTED)
        for name, table in tables.items()
    }


def merge(tables: Tables, listing: Listing, reading: Reading, day: str) -> dict[str, Table]:
    """The tables after a refresh: offers of the regions read are the API's, all else is kept where it does not tell.

    A new type of a described family is `listed`; one with accelerators of an unknown family stands with its card
    unknown and cannot be ordered; any other goes to `other_types`. `day` is the date of every row that was read.
    """
    rows = {name: [dict(row) for row in table.rows] for name, table in tables.items()}
    sold = {offer.instance_type for offer in listing.offers}
    types = {row["id"]: row for row in rows["instance_types"]}
    others = {row["id"]: row for row in rows["other_types"]}
    families = {row["family"]: row for row in rows["families"]}
    new_families: dict[str, ListedType] = {}
    source = reading.types_source.key
    for kind in listing.types:
        if kind.id in types:
            types[kind.id] = _told(types[kind.id], kind, sold, reading, day)
        elif kind.id in sold and kind.id not in others:
            row = _new_type(kind, families, rows, source, day)
            if row is None:
                others[kind.id] = {"id": kind.id, "regions": "", "source": source, "date": day}
                continue
            types[kind.id] = row
            if kind.family not in families:
                new_families[kind.family] = kind
    for name, kind in new_families.items():
        rows["families"].append(_new_family(kind, source, day))
        rows["card_families"].append(_unknown_card(name, kind, source, day))
    rows["instance_types"] = list(types.values())
    rows["offers"] = _offers(rows["offers"], listing, types, reading, day)
    rows["other_types"] = _others(others, listing, reading.offers_source.key, day)
    rows["regions"] = [_region(row, listing, reading.offers_source.key) for row in rows["regions"]]
    _add_statuses(rows["statuses"], types.values(), source)
    _add_sources(rows["sources"], reading, day)
    return {name: table.with_rows(rows[name]) for name, table in tables.items()}


def _with_source(sources: str, key: str) -> str:
    return sources if key in sources.split() else f"{sources} {key}".strip()


def _told(row: Row, kind: ListedType, sold: Iterable[str], reading: Reading, day: str) -> Row:
    """The row of a known type with what the API tells of it."""
    new = dict(row)
    for name in TOLD:
        new[name] = cell(getattr(kind, name)) if _differs(row[name], getattr(kind, name)) else row[name]
    for name in FILLED:
        new[name] = row[name] or cell(getattr(kind, name))
    if kind.gpus and row["is_slice"] == "no" and kind.gpus != int(row["gpus"]):
        new["gpus"] = cell(kind.gpus)
        if row["gpu_memory_gib"]:
            new["gpu_total_gib"] = cell(float(row["gpu_memory_gib"]) * kind.gpus)
    if row["status"] in reading.opens and kind.id in sold:
        new["status"] = LISTED[0]
    new["source"] = _with_source(row["source"], reading.types_source.key)
    new["date"] = day
    return new


def _differs(text: str, value: float) -> bool:
    return not text or abs(float(text) - value) > 1e-6


def _one(values: Iterable[str]) -> str | None:
    """The value that all of them are; None where they differ or there is none."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _new_type(
    kind: ListedType, families: Mapping[str, Row], rows: Mapping[str, list[Row]], source: str, day: str
) -> Row | None:
    """The row of a type that the catalog lacks; None where too little is known to describe it."""
    known = kind.family in families
    if not known and (not kind.gpus or kind.bare_metal is None or kind.cpu_arch is None):
        return None
    siblings = [row for row in rows["instance_types"] if row["family"] == kind.family]
    row = {
        "id": kind.id,
        "family": kind.family,
        "status": UNDESCRIBED[0],
        "vcpus": cell(kind.vcpus),
        "ram_gib": cell(kind.ram_gib),
        "gpus": cell(kind.gpus),
        "is_slice": "no",
        "network_gbps": cell(kind.network_gbps),
        "source": source,
        "date": day,
    }
    if not known:
        return row
    orderable = {status["status"] for status in rows["statuses"] if status["orderable"] == "yes"}
    if any(sibling["status"] in orderable for sibling in siblings):
        row["status"] = LISTED[0]
    is_slice = _one(sibling["is_slice"] for sibling in siblings)
    if not kind.gpus and all(sibling["gpus"] == "0" for sibling in siblings):
        return row
    memory = cell(kind.gpu_memory_gib) if is_slice == "yes" else _one(one["gpu_memory_gib"] for one in siblings)
    if is_slice is None or not kind.gpus or not memory:
        return None
    usable = _one(sibling["gpu_usable_gib"] for sibling in siblings) if is_slice == "no" else None
    total = cell(float(memory) * kind.gpus)
    return row | {
        "is_slice": is_slice, "gpu_memory_gib": memory, "gpu_total_gib": total, "gpu_usable_gib": usable or "",
    }  # fmt: skip


def _new_family(kind: ListedType, source: str, day: str) -> Row:
    """The row of a family of which only the API tells: links, RDMA, disks and spot are not known."""
    return {
        "family": kind.family,
        "bare_metal": cell(kind.bare_metal),
        "cpu_arch": cell(kind.cpu_arch),
        "hpc_cluster": "no",
        "source": source,
        "note": f"read from the API on {day}; links, RDMA, HPC cluster, disks and spot are not known",
    }


def _unknown_card(family: str, kind: ListedType, source: str, day: str) -> Row:
    named = f"the API of {day} names it {kind.gpu_name!r}" if kind.gpu_name else f"the API of {day} does not name it"
    return {"family": family, "gpu": "", "reason": f"{named}; not yet matched with a known card", "source": source}


def _offers(old: Iterable[Row], listing: Listing, types: Mapping[str, Row], reading: Reading, day: str) -> list[Row]:
    """The offers: of regions not read as they were, of the others what the API lists, with its price or the old one."""
    kept = [row for row in old if row["region"] not in listing.zones]
    before: dict[tuple[str, str], list[Row]] = {}
    for row in old:
        before.setdefault((row["region"], row["instance_type"]), []).append(row)
    seen = {
        (offer.region, offer.zone or "", offer.instance_type): offer
        for offer in listing.offers
        if offer.instance_type in types
    }
    return kept + [_offer(offer, before, reading, day) for offer in seen.values()]


def _offer(offer: ListedOffer, before: Mapping[tuple[str, str], list[Row]], reading: Reading, day: str) -> Row:
    row = {"region": offer.region, "zone": offer.zone or "", "instance_type": offer.instance_type}
    if offer.amount is not None and offer.currency is not None:
        amount = _amount(offer.amount)
        return row | {"price": amount, "currency": offer.currency, "date": day, "source": reading.price_source.key}
    priced = [one for one in before.get((offer.region, offer.instance_type), ()) if one["price"]]
    if priced:
        best = next((one for one in priced if one["zone"] == row["zone"]), priced[0])
        return best | row
    return row | {"price": "", "currency": "", "date": day, "source": reading.offers_source.key}


def _amount(amount: Decimal) -> str:
    """A price in plain digits, without needless zeros."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _others(others: Mapping[str, Row], listing: Listing, source: str, day: str) -> list[Row]:
    """The types that are not described: for the regions read, where the API lists them."""
    now: dict[str, set[str]] = {}
    for offer in listing.offers:
        now.setdefault(offer.instance_type, set()).add(offer.region)
    rows = []
    for name, row in others.items():
        old = set(row["regions"].split())
        regions = (old - set(listing.zones)) | now.get(name, set())
        new = row if regions == old else row | {"regions": cell(sorted(regions)), "source": source, "date": day}
        rows.append(new)
    return rows


def _region(row: Row, listing: Listing, source: str) -> Row:
    zones = listing.zones.get(row["id"])
    return row if not zones else row | {"zones": cell(sorted(zones)), "source": _with_source(row["source"], source)}


def _add_statuses(statuses: list[Row], types: Iterable[Row], source: str) -> None:
    """The statuses that a refresh gives, where a type has one and the table lacks it."""
    known = {row["status"] for row in statuses}
    used = {row["status"] for row in types}
    for name, orderable, meaning in (LISTED, UNDESCRIBED):
        if name in used - known:
            statuses.append({"status": name, "orderable": orderable, "meaning": meaning, "source": source})


def _add_sources(sources: list[Row], reading: Reading, day: str) -> None:
    """The API's calls as sources, of this day."""
    calls = {one.key: one for one in (reading.types_source, reading.offers_source, reading.price_source)}
    sources[:] = [row for row in sources if row["key"] not in calls]
    sources += [{"key": key, "title": one.title, "date": day} for key, one in calls.items()]
