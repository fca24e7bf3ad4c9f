"""Names of many equal resources in a few words: `64 x node-0, node-1 ... node-63`."""

from __future__ import annotations

import re

SHOWN = 4


def name_all(names: tuple[str, ...]) -> str:
    """One name as it is; several with their number, in the order people count, without the middle of many."""
    ordered = sorted(
        names, key=lambda name: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
    )
    if len(ordered) == 1:
        return ordered[0]
    listed = ", ".join(ordered) if len(ordered) <= SHOWN else f"{ordered[0]}, {ordered[1]} ... {ordered[-1]}"
    return f"{len(ordered)} x {listed}"
