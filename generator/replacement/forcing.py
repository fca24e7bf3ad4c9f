"""Which change of an input makes a resource anew: the providers' own facts, `clouds/<cloud>/replacements.csv`."""

from __future__ import annotations

import functools
import re
from typing import Literal

import msgspec

from generator.clouds import CLOUDS, catalogued_clouds, find_cloud
from generator.rows import read_rows

Effect = Literal["update", "unsure", "replace"]
Change = Literal["add", "delete", "update"]


class Forcing(msgspec.Struct, frozen=True, kw_only=True):
    """One type of resource: patterns of inputs (`dataDisks[].size`) whose change replaces it, or is known not to.

    `otherwise` holds for all other inputs: `update` where the provider's schema is published whole, else `unsure`.
    """

    replaces: tuple[str, ...]
    updates: tuple[str, ...]
    otherwise: Effect
    source: str


NOTHING_TOLD = Forcing(replaces=(), updates=(), otherwise="unsure", source="")
OTHERWISE: dict[str, Effect] = {"update": "update", "unknown": "unsure"}


@functools.cache
def forcing_facts(cloud_id: str) -> dict[str, Forcing]:
    """The facts of a cloud's resource types, by token."""
    return {
        row["type"]: Forcing(
            replaces=_patterns(row["replaces"]),
            updates=_patterns(row["updates"]),
            otherwise=OTHERWISE[row["otherwise"]],
            source=row["source"],
        )
        for row in read_rows(CLOUDS / cloud_id / "replacements.csv")
    }


def forcing_of(type_: str) -> Forcing:
    """The facts of a type by its token, bridged packages too; of a type that no table has, nothing is told."""
    package, _, kind = type_.partition(":")
    for cloud_id in catalogued_clouds():
        if package in find_cloud(cloud_id).token_packages:
            return forcing_facts(cloud_id).get(f"{cloud_id}:{kind}", NOTHING_TOLD)
    return NOTHING_TOLD


def effect(forcing: Forcing, path: str, change: Change) -> Effect:
    """What a change at a path (`dataDisks[0].size`) does to the resource.

    A field replaces by itself, by what it stands in, or, when a whole block comes or goes, by what the block holds.
    """
    pattern = re.sub(r"\[\d+\]", "[]", path)
    if any(_meets(fact, pattern, change) for fact in forcing.replaces):
        return "replace"
    if any(_within(pattern, fact) for fact in forcing.updates):
        return "update"
    return forcing.otherwise


def _meets(fact: str, pattern: str, change: Change) -> bool:
    return _within(pattern, fact) or (change != "update" and _within(fact, pattern))


def _within(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith((f"{outer}.", f"{outer}["))


def _patterns(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split(";") if part.strip())
