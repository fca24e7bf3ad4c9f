"""Timers that stop a development machine out of hours, unbilled, and start it again."""

from __future__ import annotations

import msgspec

from generator.stack.blueprint import Blueprint


class Timers(msgspec.Struct, frozen=True, kw_only=True):
    """The names of schedule.py.jinja; cron as the timer reads it: second, minute, hour, day, month, weekdays."""

    title: str
    timezone: str
    start_cron: str
    stop_cron: str


def schedule_view(blueprint: Blueprint) -> Timers | None:
    """The timetable, where there is one."""
    schedule = blueprint.schedule
    if schedule is None:
        return None
    return Timers(
        title=f"Runs {schedule.days} {schedule.start} to {schedule.stop}; stopped and unbilled otherwise (CO001).",
        timezone=schedule.timezone,
        start_cron=_cron(schedule.start, schedule.days),
        stop_cron=_cron(schedule.stop, schedule.days),
    )


def _cron(clock: str, days: str) -> str:
    hour, minute = clock.split(":")
    return f"0 {int(minute)} {int(hour)} ? * {days}"
