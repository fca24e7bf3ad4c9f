"""The nearest known name to one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

NEAR = 0.6  # similarity of two names, 0 to 1
NEARLY_SAME = 0.85


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint that names the known word meant, or up to three that may be; None when none is near."""
    lower = {name.lower(): name for name in reversed(list(known))}
    wanted = word.lower()[:100]
    near = difflib.get_close_matches(wanted, lower, n=3, cutoff=NEAR)
    if near and difflib.SequenceMatcher(None, wanted, near[0]).ratio() >= NEARLY_SAME:
        near = near[:1]
    return f"did you mean {' or '.join(repr(lower[name]) for name in near)}?" if near else None
