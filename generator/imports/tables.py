"""How the tables of the project are written: sorted, one row a line, plain numbers, empty for unknown."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from generator.rows import table_text

_LINE = re.compile(r"(?P<base>[\d.]+)\s*\+\s*(?P<per_gib>[\d.]*)\s*\*?\s*(?:C|GiB|GB)")
_CAP = re.compile(r"\d[\d.]*")


def read_yaml(path: Path) -> Any:
    """The content of a YAML file (C loader: these files are large)."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV table as text by column name."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_table(path: Path, columns: Iterable[str], rows: Iterable[Mapping[str, Any]], *, sort: bool = True) -> None:
    """Write rows as CSV in the order of `columns`; sorted by the columns from left to right unless told otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(table_text(list(columns), rows, sort=sort), encoding="utf-8", newline="")


def linear(formula: str | None) -> tuple[float, float, float] | None:
    """Base, growth per GiB and cap of the first `min(1800+50*C, 50000)` of a text, in either order; None without."""
    for inner in re.findall(r"min\(([^()]*)\)", formula or ""):
        line = _LINE.search(inner)
        cap = _CAP.search(_LINE.sub("", inner))
        if line is not None and cap is not None:
            return float(line["base"]), float(line["per_gib"] or 1), float(cap[0])
    return None


def check_families(known: Iterable[str], table: Path) -> dict[str, dict[str, str]]:
    """The hand-kept rows family -> accelerator; SystemExit when a family lacks its row or a row its family."""
    rows = {row["family"]: row for row in read_table(table)}
    wanted = set(known)
    if missing := sorted(wanted - set(rows)):
        raise SystemExit(f"{table.name} lacks a row for: {', '.join(missing)}")
    if spare := sorted(set(rows) - wanted):
        raise SystemExit(f"{table.name} has rows for families that no source lists: {', '.join(spare)}")
    return rows
