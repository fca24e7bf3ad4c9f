"""How old a dated list is on a day; files that are generated hold dates, ages are for commands to say."""

from __future__ import annotations

import datetime as dt

DAYS_OF_A_YEAR = 365.25
OLD_YEARS = 1.0  # a list older than this is said to be old beside each figure of it


def age_years(dated: str, today: str) -> float:
    """Years from a date (`2025-09-30`, or `2025-09` or `2025`, whose last day counts) to an ISO date; 0 if later."""
    days = (dt.date.fromisoformat(today) - last_day(dated)).days
    return max(days, 0) / DAYS_OF_A_YEAR


def last_day(dated: str) -> dt.date:
    """The last day that a date of a list can mean; ValueError for what is no date."""
    year, *rest = (int(part) for part in dated.split("-"))
    if len(rest) == 2:
        return dt.date(year, *rest)
    month = rest[0] if rest else 12
    first_after = dt.date(year + month // 12, month % 12 + 1, 1)
    return first_after - dt.timedelta(days=1)


def old_text(dated: str | None, today: str) -> str:
    """`, 4.5 years old` for a list that is older than a year, else nothing."""
    years = age_years(dated, today) if dated else 0.0
    return f", {years:.1f} years old" if years > OLD_YEARS else ""
