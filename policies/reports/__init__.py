"""The forms a report takes, one a file: `as_<format>.py` with `render(report, lang)`, found by file name."""

from __future__ import annotations

import importlib
from pathlib import Path

from policies.finding import Report


def formats() -> tuple[str, ...]:
    """Names of all forms, text first."""
    names = sorted(path.stem.removeprefix("as_") for path in Path(__file__).parent.glob("as_*.py"))
    return ("text", *(name for name in names if name != "text"))


def render(report: Report, form: str, lang: str = "en") -> str:
    """The report in one of `formats()`, ending with a line break."""
    text: str = importlib.import_module(f"policies.reports.as_{form}").render(report, lang)
    return text
