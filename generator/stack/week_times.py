"""A weekly timetable in the clock that a cloud's timers read: hours of the job's time zone, moved to a fixed offset."""

from __future__ import annotations

import datetime as dt
import zoneinfo

import msgspec

from generator.errors import InputError, Problem
from generator.stack.blueprint import DAYS, Schedule

DAY_MINUTES = 24 * 60


class WeekTime(msgspec.Struct, frozen=True, kw_only=True):
    """A time of certain days, of which Monday is 0."""

    hour: int
    minute: int
    days: tuple[int, ...]


def week_time(schedule: Schedule, clock: str, offset_hours: int) -> WeekTime:
    """`clock` (HH:MM) on the schedule's days, as a clock `offset_hours` east of UTC shows it.

    InputError for a time zone with summer time, which no fixed offset follows.
    """
    ahead = offset_hours * 60 - _zone_minutes(schedule.timezone, offset_hours)
    hour, minute = (int(part) for part in clock.split(":"))
    moved = hour * 60 + minute + ahead
    days = sorted({(day + moved // DAY_MINUTES) % 7 for day in _days(schedule.days)})
    return WeekTime(hour=moved % DAY_MINUTES // 60, minute=moved % 60, days=tuple(days))


def _zone_minutes(timezone: str, offset_hours: int) -> int:
    """Minutes that the job's clock is ahead of UTC, the whole year."""
    zone = zoneinfo.ZoneInfo(timezone)
    offsets = {dt.datetime(2030, month, 1, tzinfo=zone).utcoffset() for month in range(1, 13)}
    offset = offsets.pop()
    if offsets or offset is None:
        clock = "the time of UTC" if not offset_hours else f"one time, UTC{offset_hours:+d}"
        message = f"operate.timezone: {timezone!r} has summer time, and this cloud's timers only know {clock}"
        hint = "take Asia/Shanghai and state the hours in it, or a zone without summer time"
        raise InputError(Problem(message=message, hint=hint))
    return int(offset.total_seconds() // 60)


def _days(text: str) -> list[int]:
    """Days such as `MON-FRI` or `MON,WED` by number."""
    first, dash, last = text.partition("-")
    if dash:
        return list(range(DAYS.index(first), DAYS.index(last) + 1))
    return [DAYS.index(day) for day in text.split(",")]
