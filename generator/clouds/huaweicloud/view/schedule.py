"""When groups are filled and emptied: a timetable for development machines, and the end of every pool."""

from __future__ import annotations

import msgspec

from generator.clouds.huaweicloud.view.compute import pool_view
from generator.stack.blueprint import Blueprint
from generator.stack.week_times import WeekTime, week_time

UTC_HOURS = 0  # the cloud reads a recurrence in UTC, whatever the region


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A time of every week as the cloud writes it: `hh:mm` in UTC, and days, of which Sunday is 1."""

    launch_time: str
    days: str


class Timetable(msgspec.Struct, frozen=True, kw_only=True):
    """When machines come and go every week; in which time the spec says it."""

    start: Moment
    stop: Moment
    timezone: str


class Timers(msgspec.Struct, frozen=True, kw_only=True):
    """The names of schedule.py.jinja; `ends`: the groups are emptied for good at the release time."""

    title: str
    imports: tuple[str, ...]
    groups: tuple[str, ...]
    timetable: Timetable | None
    ends: bool


def schedule_view(blueprint: Blueprint) -> Timers | None:
    """The timers of groups; None where there is nothing to time. InputError for a time zone with summer time."""
    pool, schedule = pool_view(blueprint), blueprint.schedule
    if pool is None or not (schedule or blueprint.release):
        return None
    title = "Empties the pool for good at the release time: a pool has none of its own (CO002)."
    if schedule:
        title = f"Runs {schedule.days} {schedule.start} to {schedule.stop}; gone and unbilled otherwise (CO001)."
    imports = {"NAME"} | ({"NODES", "SCHEDULE_FROM", "SCHEDULE_UNTIL"} if schedule else set())
    imports |= {"RELEASE_AT"} if blueprint.release else set()
    timetable = None
    if schedule:
        timetable = Timetable(
            start=_moment(week_time(schedule, schedule.start, UTC_HOURS)),
            stop=_moment(week_time(schedule, schedule.stop, UTC_HOURS)),
            timezone=schedule.timezone,
        )
    return Timers(
        title=title,
        imports=tuple(sorted(imports)),
        groups=tuple(sorted(group.variable for group in pool.groups)),
        timetable=timetable,
        ends=blueprint.release,
    )


def _moment(time: WeekTime) -> Moment:
    days = sorted((day + 1) % 7 + 1 for day in time.days)
    return Moment(launch_time=f"{time.hour:02d}:{time.minute:02d}", days=",".join(str(day) for day in days))
