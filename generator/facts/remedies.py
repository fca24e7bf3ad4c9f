"""Cures that are certain enough for the engine to make them itself, by each cloud's table `remedies.csv`."""

from __future__ import annotations

import csv
import functools
from collections.abc import Mapping
from typing import Any

from generator.clouds import CLOUDS, cloud_ids, find_cloud


@functools.cache
def _rows() -> tuple[tuple[tuple[str, ...], dict[str, str]], ...]:
    """The rows of all clouds, each with the first parts of its cloud's tokens."""
    found = []
    for cloud_id in cloud_ids():
        file = CLOUDS / cloud_id / "remedies.csv"
        if file.exists():
            with file.open(encoding="utf-8", newline="") as table:
                found += [(find_cloud(cloud_id).token_packages, row) for row in csv.DictReader(table)]
    return tuple(found)


def remedied_rules() -> frozenset[str]:
    """The rules of which some finding is cured by a table."""
    return frozenset(row["rule"] for _, row in _rows())


def remedy(rule: str, token: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs to set on a resource of this type so that the rule is satisfied; none where no row speaks of it.

    A row holds where every term of `when` does (`category=cloud_essd tags.trainform-role=dev`), and only for an input
    that is absent, or has the value `instead_of`.
    """
    package, _, kind = token.partition(":")
    return {
        row["property"]: {"true": True, "false": False}.get(row["value"], row["value"])
        for packages, row in _rows()
        if row["rule"] == rule
        and package in packages
        and row["carrier"] == kind
        and _is_open(inputs.get(row["property"]), row["instead_of"])
        and all(_holds(term, inputs) for term in row["when"].split())
    }


def _is_open(value: object, instead_of: str) -> bool:
    return value is None or (bool(instead_of) and str(value).lower() == instead_of)


def _holds(term: str, inputs: Mapping[str, Any]) -> bool:
    path, _, wanted = term.partition("=")
    value: Any = inputs
    for step in path.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return bool(value == wanted)
