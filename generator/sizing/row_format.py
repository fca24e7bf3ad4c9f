"""The shared format of measured rows, and what each source measured with."""

from __future__ import annotations

import csv
import functools
from pathlib import Path
from typing import Any, Literal

import msgspec

from generator.workload import Optimizer

TABLES = Path(__file__).parent

Reading = Literal["driver", "reserved", "allocated", "resident"]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the shared format; `value` is absent in rows held back, `kind` marks what is no measurement."""

    id: str
    task: str
    metric: str
    unit: str
    workload: dict[str, Any]
    hardware: dict[str, Any]
    source: str
    value: float | None = None
    holdout: bool = False
    bracket: dict[str, int | None] | None = None
    saturated: bool = False
    kind: str | None = None


class RowSource(msgspec.Struct, frozen=True, kw_only=True):
    """What a source measured with: its work (sources of one work stay together), profile, and how it read memory.

    `reading`: driver (all that the driver shows), reserved (without context), allocated (without the allocator's
    cache), resident (weights and cache alone, after the peak).
    """

    source: str
    work: str
    part: Literal["tuned", "held"]
    profile: str
    reading: Reading
    serving_reading: Reading  # of its rows on inference
    optimizer: Optimizer | None = None  # what its notes prove against its rows' word


class UnusableRowError(Exception):
    """The row says too little, or what no spec can say; the text is the reason."""


def read_table(table: str) -> list[dict[str, str]]:
    """The rows of a table of this folder, as text by column name."""
    with (TABLES / table).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@functools.cache
def row_sources() -> dict[str, RowSource]:
    """Every source of rows by its id: the one table from sources to profiles, and the split."""
    rows = ({key: value for key, value in row.items() if value} for row in read_table("row_sources.csv"))
    return {row["source"]: msgspec.convert(row, RowSource) for row in rows}


# Profile of a source that nobody has assigned one, by what its rows do; the same as a spec without a framework gets.
USUAL_PROFILES = {"pretrain": "fsdp2", "finetune": "hf_trainer", "inference": "transformers", "train": "timm"}


def row_source(row: Row) -> RowSource:
    """What the source of a row measured with; an unknown one took the usual framework and read all the driver shows."""
    known = row_sources().get(row.source)
    if known is not None:
        return known
    profile = USUAL_PROFILES.get(row.task, "hf_trainer")
    return RowSource(
        source=row.source,
        work=row.source,
        part="held",
        profile=profile,
        reading="driver",
        serving_reading="driver",
    )
