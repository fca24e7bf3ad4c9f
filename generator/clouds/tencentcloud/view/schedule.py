"""When groups are filled and emptied: a timetable for development machines, and the end of every pool."""

from __future__ import annotations

import msgspec

from generator.clouds.tencentcloud.view.compute import pool_view
from generator.stack.blueprint import Blueprint, Schedule
from generator.stack.week_times import WeekTime, week_time

CHINA_HOURS = 8  # the cloud reads cron in the time of China (UTC+8), whatever the region
CHINA = "Asia/Shanghai"


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
    elsewhere = f"The time of China, in which the cloud reads it; {schedule.timezone} in the spec."
    return Timetable(
        start_cron=_cron(week_time(schedule, schedule.start, CHINA_HOURS)),
        stop_cron=_cron(week_time(schedule, schedule.stop, CHINA_HOURS)),
        china=None if schedule.timezone == CHINA else elsewhere,
    )


def _cron(time: WeekTime) -> str:
    """Five fields; days as a range where they follow one another."""
    days = sorted((day + 1) % 7 for day in time.days)
    in_row = len(days) > 2 and days == list(range(days[0], days[-1] + 1))
    return f"{time.minute} {time.hour} * * {f'{days[0]}-{days[-1]}' if in_row else ','.join(map(str, days))}"
