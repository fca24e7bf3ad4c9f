"""How much memory of a card a program may use: what the driver shows, the lowest figure that was read anywhere."""

from __future__ import annotations

import csv
import functools
from pathlib import Path

# The lowest share of nominal memory that any card of the table shows (L20 with ECC on, 45,056 of 49,152 MiB).
LOWEST_SHARE = 0.9166


@functools.cache
def _shown() -> dict[str, float]:
    with Path(__file__).with_name("usable_memory.csv").open(encoding="utf-8", newline="") as file:
        return {row["gpu"]: int(row["mib"]) / 1024 for row in csv.DictReader(file)}


def usable_gib(gpu: str) -> float | None:
    """GiB that the driver shows of one whole card of this canonical name; None when no figure of it was read."""
    return _shown().get(gpu)
