"""The nearest known name to one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint that names up to three known words near `word`, the nearest first; None when none is near."""
    lower = {name.lower(): name for name in reversed(list(known))}
    near = difflib.get_close_matches(word.lower()[:100], lower, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(repr(lower[name]) for name in near)}?" if near else None
