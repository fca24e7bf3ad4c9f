"""How a table of ours is read: CSV with a head, each row as texts by column."""

from __future__ import annotations

import csv
from pathlib import Path


def read_rows(path: Path) -> tuple[dict[str, str], ...]:
    """The rows of a CSV file, in its order."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))
