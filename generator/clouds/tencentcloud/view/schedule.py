"""When groups are filled and emptied: a timetable for development machines, and the end of every pool."""

from __future__ import annotations

import datetime as dt
import zoneinfo

import msgspec

from generator.blueprint import DAYS, Blueprint, Schedule
from generator.clouds.tencentcloud.view.compute import pool_view
from generator.errors import InputError, Problem

CHINA_HOURS = 8  # the cloud reads cron in the time of China (UTC+8), whatever the region
WEEK_MINUTES = 7 * 24 * 60


class Timetable(msgspec.Struct, frozen=True, kw_only=True):
    """When machines come and go every week: cron of five fields, 0 is Sunday; in which time, when it is another."""

    start_cron: str
    stop_cron: str
    china: str | None


class Timers(msgspec.Struct, frozen=True, kw_only=True):
    """The names of schedule.py.jinja; `ends`: the groups are emptied for good at the release time."""

    title: str
    imports: tuple[str, ...]
    groups: tuple[str, ...]
    timetable: Timetable | None
    ends: bool


def schedule_view(blueprint: Blueprint) -> Timers | None:
    """The timers of groups; None where there is nothing to time."""
    pool, schedule = pool_view(blueprint), blueprint.schedule
    if pool is None or not (schedule or blueprint.release):
        return None
    title = "Empties the pool for good at the release time: a pool has none of its own (CO002)."
    if schedule:
        title = f"Runs {schedule.days} {schedule.start} to {schedule.stop}; gone and unbilled otherwise (CO001)."
    imports = {"NAME"} | ({"NODES", "SCHEDULE_FROM", "SCHEDULE_UNTIL"} if schedule else set())
    imports |= {"RELEASE_AT"} if blueprint.release else set()
    return Timers(
        title=title,
        imports=tuple(sorted(imports)),
        groups=tuple(sorted(group.variable for group in pool.groups)),
        timetable=_timetable(schedule) if schedule else None,
        ends=blueprint.release,
    )


def _timetable(schedule: Schedule) -> Timetable:
    """InputError for a time zone that no fixed hour of China follows."""
    ahead = _minutes_to_china(schedule.timezone)
    return Timetable(
        start_cron=_cron(schedule, schedule.start, ahead),
        stop_cron=_cron(schedule, schedule.stop, ahead),
        china=f"The time of China, in which the cloud reads it; {schedule.timezone} in the spec." if ahead else None,
    )


def _minutes_to_china(timezone: str) -> int:
    """How far China's clock is ahead of that of the job."""
    zone = zoneinfo.ZoneInfo(timezone)
    offsets = {dt.datetime(2030, month, 1, tzinfo=zone).utcoffset() for month in range(1, 13)}
    offset = offsets.pop()
    if offsets or offset is None:
        hint = "take Asia/Shanghai and state the hours in it, or a zone without summer time"
        message = f"operate.timezone: {timezone!r} has summer time, and this cloud's timers only know the time of China"
        raise InputError(Problem(message=message, hint=hint))
    return CHINA_HOURS * 60 - int(offset.total_seconds() // 60)


def _cron(schedule: Schedule, clock: str, ahead: int) -> str:
    hour, minute = (int(part) for part in clock.split(":"))
    days, local = [], hour * 60 + minute
    for day in _days(schedule.days):
        moment = (day * 24 * 60 + local + ahead) % WEEK_MINUTES
        days.append((moment // (24 * 60) + 1) % 7)  # Monday is day 0 here, and 1 in cron
    china = (local + ahead) % (24 * 60)
    return f"{china % 60} {china // 60} * * {_ranges(days)}"


def _days(text: str) -> list[int]:
    """Days such as `MON-FRI` or `MON,WED` by number, Monday 0."""
    first, dash, last = text.partition("-")
    if dash:
        return list(range(DAYS.index(first), DAYS.index(last) + 1))
    return [DAYS.index(day) for day in text.split(",")]


def _ranges(days: list[int]) -> str:
    """Cron's list of days, as a range where they follow one another."""
    days = sorted(set(days))
    if len(days) > 2 and days == list(range(days[0], days[-1] + 1)):
        return f"{days[0]}-{days[-1]}"
    return ",".join(str(day) for day in days)
