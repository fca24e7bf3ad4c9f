"""The option `--today`, the day by which commands judge age and expiry."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import click


def today_option(text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option `--today DATE` of a command; its value is an ISO date, the clock's where it is not given."""
    return click.option("--today", metavar="DATE", callback=_iso_date, help=text)


def _iso_date(context: click.Context, parameter: click.Parameter, value: str | None) -> str:
    try:
        return (dt.date.fromisoformat(value) if value else dt.datetime.now(tz=dt.UTC).date()).isoformat()
    except ValueError:
        raise click.BadParameter(f"{value!r} is no date (YYYY-MM-DD)", ctx=context, param=parameter) from None
