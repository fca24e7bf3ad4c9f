"""The report for programs: `{findings, checked, not_applicable}`, stable and documented (CONTRACTS section 5)."""

from __future__ import annotations

import msgspec

from policies.finding import Report


def render(report: Report, lang: str) -> str:
    """The report as indented JSON; `lang` has already chosen the words."""
    del lang
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"
