"""How people write amounts with units (180GiB, 20min, 7B, 5000 CNY, 1..4, Mon-Fri 09:00-19:00) and what they mean.

GiB = 2**30 B, GB = 1e9 B; K, M, B, T of a count are powers of ten. Each `parse_*` raises QuantityError.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import TypeVar

import msgspec

BYTES = {"B": 1} | {
    f"{prefix}{binary}B": (1024 if binary else 1000) ** power
    for power, prefix in enumerate("KMGTP", start=1)
    for binary in ("", "i")
}
SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400, "w": 604800}
COUNTS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
CURRENCIES = ("CNY", "USD")
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

NUMBER = r"(?:0|[1-9][0-9]{0,17}|[1-9][0-9]{0,2}(?:[_,][0-9]{3}){1,5})(?:\.[0-9]{1,9})?"
SIZE = rf"{NUMBER} ?(?:{'|'.join(BYTES)})"
DURATION = rf"{NUMBER} ?(?:{'|'.join(SECONDS)})"
COUNT = rf"{NUMBER} ?[KMBT]?|[1-9](?:\.[0-9]{{1,9}})?[eE][0-9]{{1,2}}"
MONEY = rf"{NUMBER} ?(?:{'|'.join(CURRENCIES)})"
CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]"
DAY = f"(?:{'|'.join(DAYS)})"
HOURS = rf"{DAY}(?:-{DAY})? {CLOCK}-{CLOCK}"

T = TypeVar("T", int, float)


class QuantityError(ValueError):
    """A text that is not the amount it should be, with what to write instead."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class Money(msgspec.Struct, frozen=True, kw_only=True):
    """An amount with its currency; never added across currencies."""

    amount: Decimal
    currency: str


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """Limits, both included; None is no limit."""

    low: float | None = None
    high: float | None = None


class Hours(msgspec.Struct, frozen=True, kw_only=True):
    """The same hours on some days of each week: days 1 (Monday) to 7, `start` and `stop` as HH:MM of one day."""

    days: tuple[int, ...]
    start: str
    stop: str

    @property
    def per_week(self) -> float:
        """Hours a week."""
        return len(self.days) * (_minutes(self.stop) - _minutes(self.start)) / 60


def quote(text: str) -> str:
    """The user's own words in quotes, short and printable."""
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return f"'{shown[:60]}...'" if len(shown) > 63 else f"'{shown}'"


def parse_size(text: str) -> float:
    """GiB of a size such as `180GiB` or `1.5TB`."""
    number, unit = _split(text, BYTES, "a size", "180GiB or 1.5TB")
    return float(number * BYTES[unit] / 2**30)


def parse_duration(text: str) -> float:
    """Seconds of a duration such as `20min`, `72h` or `7d`."""
    number, unit = _split(text, SECONDS, "a duration", "20min, 72h or 7d")
    return float(number * SECONDS[unit])


def parse_minutes(text: str) -> float:
    """Minutes of a duration."""
    return parse_duration(text) / 60


def parse_hours(text: str) -> float:
    """Hours of a duration."""
    return parse_duration(text) / 3600


def parse_count(text: str) -> int:
    """A whole number such as `1200000`, `1_200_000`, `1.2M` or `7B`."""
    if re.fullmatch(r"[1-9](?:\.[0-9]{1,9})?[eE][0-9]{1,2}", text):
        number = Decimal(text)
    else:
        number, unit = _split(text, COUNTS, "a count", "1200000, 1.2M or 7B")
        number *= COUNTS[unit]
    if number != int(number):
        raise QuantityError(f"{quote(text)} is not a whole number", "write a count such as 1200000, 1.2M or 7B")
    return int(number)


def parse_number(text: str) -> float:
    """A plain number such as `0.5`."""
    if not re.fullmatch(NUMBER, text):
        raise QuantityError(f"{quote(text)} is not a number", "write a plain number, such as 0.5, without a unit")
    return float(_decimal(text))


def parse_money(text: str) -> Money:
    """An amount such as `5000 CNY`."""
    if re.fullmatch(NUMBER, text):
        raise QuantityError(f"{quote(text)} has no currency", f"write it as '{text} CNY' or '{text} USD'")
    number, unit = _split(text, dict.fromkeys(CURRENCIES, 1), "an amount of money", "5000 CNY or 700 USD")
    return Money(amount=number, currency=unit)


def parse_count_range(text: str) -> Range:
    """Limits of a whole number: `1..4`, `>=2`, `<=8` or `4` (exactly four)."""
    return _range(text, parse_count, "1..4, >=2, <=8 or 4")


def parse_size_range(text: str) -> Range:
    """Limits of a size: `24GiB..80GiB`, `>=24GiB`, `<=80GiB` or `80GiB` (exactly)."""
    return _range(text, parse_size, "24GiB..80GiB, >=24GiB, <=80GiB or 80GiB")


def parse_least_count(text: str) -> int:
    """A lower limit of a whole number: `>=8`."""
    return parse_count(_at_least(text, "8"))


def parse_least_size(text: str) -> float:
    """GiB of a lower limit of a size: `>=64GiB`."""
    return parse_size(_at_least(text, "64GiB"))


def parse_timetable(text: str) -> Hours:
    """Days and hours such as `Mon-Fri 09:00-19:00`; they begin and end on the same day."""
    if not re.fullmatch(HOURS, text):
        raise QuantityError(f"{quote(text)} is not a timetable", "write days and hours such as 'Mon-Fri 09:00-19:00'")
    days, clocks = text.split(" ")
    first, _, last = days.partition("-")
    start, stop = clocks.split("-")
    low, high = DAYS.index(first) + 1, DAYS.index(last or first) + 1
    if high < low:
        raise QuantityError(f"'{days}' runs over the end of the week", "begin with the earlier day: Mon-Fri, Sat-Sun")
    if _minutes(stop) <= _minutes(start):
        raise QuantityError(f"'{clocks}' does not end after it begins", "begin and end on the same day: 09:00-19:00")
    return Hours(days=tuple(range(low, high + 1)), start=start, stop=stop)


def format_duration(seconds: float) -> str:
    """A duration in the largest unit that keeps it whole: 1200 -> `20min`, 1209600 -> `2w`."""
    for unit, size in reversed(SECONDS.items()):
        if seconds and seconds % size == 0:
            return f"{seconds / size:.0f}{unit}"
    return f"{seconds:g}s"


def format_count(number: float) -> str:
    """A count for people: 1281167 -> `1.28M`, 7e9 -> `7B`."""
    unit = max((unit for unit in COUNTS if COUNTS[unit] <= abs(number)), key=COUNTS.__getitem__, default="")
    return f"{number / COUNTS[unit]:.3g}{unit}" if unit else f"{number:g}"


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace("_", "").replace(",", ""))


def _split(text: str, units: dict[str, int], what: str, examples: str) -> tuple[Decimal, str]:
    """Number and unit; the message tells a missing unit, a wrong one and a wrong number apart."""
    match = re.fullmatch(rf"({NUMBER}) ?([A-Za-z]*)", text)
    hint = f"write {what} such as {examples}"
    if match is None and text.startswith("-"):
        raise QuantityError(f"{quote(text)} is negative", hint)
    if match is None:
        raise QuantityError(f"{quote(text)} is not {what}", hint)
    number, unit = match.groups()
    if unit in units:
        return _decimal(number), unit
    names = [known for known in units if known]
    if not unit:
        raise QuantityError(f"{quote(text)} has no unit", f"{hint}; units are {', '.join(names)}")
    near = next((known for known in names if known.lower() == unit.lower()), None)
    meant = f"did you mean '{number}{near}'? " if near else ""
    raise QuantityError(f"'{unit}' is not a unit of {what}", f"{meant}units are {', '.join(names)}")


def _range(text: str, parse: Callable[[str], T], examples: str) -> Range:
    hint = f"write limits such as {examples}"
    if text.startswith(">="):
        return Range(low=parse(text[2:].strip()))
    if text.startswith("<="):
        return Range(high=parse(text[2:].strip()))
    low, dots, high = text.partition("..")
    if not dots:
        exact = parse(text)
        return Range(low=exact, high=exact)
    if not low or not high:
        raise QuantityError(f"{quote(text)} has only one end", hint)
    limits = Range(low=parse(low.strip()), high=parse(high.strip()))
    if limits.low is not None and limits.high is not None and limits.low > limits.high:
        raise QuantityError(f"{quote(text)} begins above its end", f"swap them: {high.strip()}..{low.strip()}")
    return limits


def _at_least(text: str, example: str) -> str:
    if not text.startswith(">="):
        raise QuantityError(
            f"{quote(text)} is not a lower limit", f"write it as '>={example}'; there is no upper limit here"
        )
    return text[2:].strip()


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)
