"""How a wanted state is set on a cloud: the property and the value, by the cloud's table `cures.csv`."""

from __future__ import annotations

import csv
import functools
from typing import Any

from generator.clouds import CLOUDS
from generator.facts import Fact
from generator.facts.reader import kind_of


@functools.cache
def _table(cloud_id: str) -> dict[tuple[str, str, str], dict[str, str]]:
    with (CLOUDS / cloud_id / "cures.csv").open(encoding="utf-8", newline="") as file:
        return {(row["field"], row["wanted"], row["carrier"]): row for row in csv.DictReader(file)}


def cure(fact: Fact, field: str, wanted: str, lang: str, values: dict[str, Any]) -> tuple[str | None, str]:
    """The property at fault and the text of the edit that cures it.

    Where the cloud's table has no such row, as for a rule of a person's own, the wanted state stands as the rule says.
    """
    table = _table(fact.cloud)
    row = table.get((field, wanted, kind_of(fact.resource))) or table.get((field, wanted, "*"))
    if row is None:
        path = fact.paths.get(field)
        return path, f"{path}: {wanted}" if path else wanted
    path = row["property"] or fact.paths.get(field) or None
    places = {"path": path or "", "list": (path or "").partition("[")[0], **values}
    return path, row["zh" if lang == "zh" else "en"].format_map(places)
