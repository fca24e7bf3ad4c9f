"""The cards: canonical names, their aliases, and the nearest name for one that is unknown."""

from __future__ import annotations

import csv
import functools
from pathlib import Path
from typing import Literal

import msgspec

from generator.sizing.estimate import Accelerator

TABLE = Path(__file__).with_name("accelerators.csv")
ALIASES = Path(__file__).with_name("gpu_aliases.csv")


def _key(name: str) -> str:
    """Names are compared without case, blanks and underscores: `a100 sxm 80` is `A100-SXM-80`."""
    return name.strip().casefold().replace("_", "-").replace(" ", "-").removeprefix("nvidia-")


@functools.cache
def _accelerators() -> dict[str, Accelerator]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        cards = [_accelerator(row) for row in csv.DictReader(file)]
    return {_key(card.name): card for card in cards}


def _accelerator(row: dict[str, str]) -> Accelerator:
    values = {column: value or None for column, value in row.items()}
    return msgspec.convert(values, Accelerator, strict=False)


@functools.cache
def _aliases() -> dict[str, tuple[str, tuple[str, ...]]]:
    with ALIASES.open(encoding="utf-8", newline="") as file:
        return {_key(row["alias"]): (row["alias"], tuple(row["members"].split())) for row in csv.DictReader(file)}


def accelerator_names() -> tuple[str, ...]:
    """Canonical names of all cards, as their table orders them."""
    return tuple(card.name for card in _accelerators().values())


def find_accelerator(name: str) -> Accelerator | None:
    """The card of this canonical name (case does not matter), or None; aliases are `expand_alias`'s."""
    return _accelerators().get(_key(name))


def expand_alias(name: str) -> tuple[str, ...]:
    """Canonical names that a name or alias means: `A100-80GB` is its SXM and PCIe forms; () when nobody knows it."""
    card = find_accelerator(name)
    return (card.name,) if card else _aliases().get(_key(name), (name, ()))[1]


def suggest_accelerators(name: str) -> tuple[str, ...]:
    """Up to three names or aliases near to an unknown one, nearest first."""
    import difflib  # noqa: PLC0415 (only for a message)

    known = {key: alias for key, (alias, _) in _aliases().items()}
    known |= {key: card.name for key, card in _accelerators().items()}
    return tuple(known[key] for key in difflib.get_close_matches(_key(name), known, n=3, cutoff=0.5))


def pick_member(
    name: str, *, gpus_per_node: int, interconnect: Literal["nvlink", "pcie"] | None = None
) -> tuple[Accelerator, str | None] | None:
    """The one card that `size --gpu NAME` means, and what was assumed; None when nobody knows the name.

    NVLink, or several cards a node without PCIe being asked, take the SXM form, else PCIe; of what is left the member
    with least memory, then least bandwidth (CONTRACTS section 1).
    """
    cards = [card for member in expand_alias(name) if (card := find_accelerator(member))]
    if not cards:
        return None
    wants_sxm = interconnect == "nvlink" or (gpus_per_node > 1 and interconnect is None)
    formed = [card for card in cards if ("SXM" in card.name) == wants_sxm] or cards
    pick = min(formed, key=lambda card: (card.memory_gib, card.bandwidth_gbytes_s, card.fp16_tflops or 0.0))
    if len(cards) == 1:
        return pick, None
    return pick, f"{name} is taken as {pick.name}; it may also mean {', '.join(c.name for c in cards if c is not pick)}"
