"""How a table of ours is read and written: CSV with a head, each row as texts by column."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any


def read_rows(path: Path) -> tuple[dict[str, str], ...]:
    """The rows of a CSV file, in its order."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def read_columns(path: Path) -> tuple[str, ...]:
    """The head of a CSV file; a table without rows has one too."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(next(csv.reader(file)))


def cell(value: Any) -> str:
    """A value as it stands in a table: empty for None, yes/no for booleans, no needless decimals, lists by spaces."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    if isinstance(value, (list, tuple)):
        return " ".join(str(part) for part in value)
    return " ".join(str(value).split())


def table_text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, sort: bool = True) -> str:
    """Rows as CSV in the order of `columns`; sorted by the columns from left to right unless told otherwise."""
    lines = [[cell(row.get(name)) for name in columns] for row in rows]
    if sort:
        lines.sort()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(lines)
    return text.getvalue()
