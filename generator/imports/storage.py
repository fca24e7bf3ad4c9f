"""Columns of the storage tables, and what the clouds' price rows of storage have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from generator.imports import tables

DISK_COLUMNS = (
    "id", "level", "media", "status", "min_gib", "max_gib", "system_min_gib", "system_max_gib", "step_gib",
    "iops_base", "iops_per_gib", "iops_max", "mbps_base", "mbps_per_gib", "mbps_max", "persistent", "choosable",
    "source", "note",
)  # fmt: skip
FILE_SYSTEM_COLUMNS = (
    "id", "level", "kind", "media", "min_gib", "refused_below_gib", "step_gib", "step_stated", "max_gib",
    "mbps_per_tib", "mbps_max", "mbps_per_client", "regions", "choosable", "source", "note",
)  # fmt: skip
BUCKET_COLUMNS = ("id", "min_days", "source")
PRICE_COLUMNS = ("kind", "id", "level", "region", "charge", "amount", "currency", "per", "date", "source", "note")


MIB = 1.048576  # MB in a MiB


def speed(iops: str | None, mbps: str | None, unit: float = 1.0) -> dict[str, float]:
    """The six figures of a disk's speed from its two formulas; `unit` is what the second one prints, in MB/s."""
    figures: dict[str, float] = {}
    for name, formula, factor in (("iops", iops, 1.0), ("mbps", mbps, unit)):
        if found := tables.linear(formula):
            scaled = [figure * factor for figure in found]
            figures |= dict(zip((f"{name}_base", f"{name}_per_gib", f"{name}_max"), scaled, strict=True))
    return figures


def newest(rows: Iterable[Mapping[str, Any]], currency: str, folder: Path) -> Iterator[dict[str, Any]]:
    """The newest list price for each thing: same kind, id, level, region, charge and unit.

    `currency` is the one of the mainland site, which comes first; dollar prices count where it prints none. A row for
    `mainland` is written for each mainland region of the folder's `regions.csv` that has no row of its own.
    """
    mainland = [row["id"] for row in tables.read_table(folder / "regions.csv") if row["mainland"] == "yes"]
    best: dict[tuple[Any, ...], tuple[tuple[bool, bool, str], dict[str, Any]]] = {}
    for row in rows:
        general = row["region"] == "mainland"
        rank = (row["currency"] == currency, not general, row.get("date") or "")
        for region in mainland if general else (row["region"],):
            one = {**row, "region": region, "source": source(row["source"])}
            key = tuple(one.get(name) for name in ("kind", "id", "level", "region", "charge", "per"))
            if key not in best or rank > best[key][0]:
                best[key] = (rank, one)
    return (row for _, row in best.values())


def source(text: str) -> str:
    """Who printed a price, without how the copy was kept."""
    plain = text.removeprefix("stored copy, repository not recorded: ").removeprefix(
        "stored copy, address not recorded: "
    )
    return plain.partition(" (stored version ")[0]


def price_region(region: str | None) -> str:
    """The region of a price row as our tables say it: `mainland` for all of mainland China, empty for not printed."""
    return "mainland" if region == "mainland China" else region or ""


def is_discount(row: Mapping[str, Any]) -> bool:
    """Whether the note says that the row is not the list price."""
    note = (row.get("note") or "").lower()
    return "discount price" in note or "折扣" in note
