"""A weekly timetable is the same moment in whichever clock a cloud's timers read."""

import datetime as dt
import zoneinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import InputError
from generator.stack.blueprint import Schedule
from generator.stack.week_times import week_time

MONDAY = dt.date(2030, 1, 7)
ZONES = ("Asia/Shanghai", "Asia/Tokyo", "Asia/Kolkata", "UTC", "Pacific/Kiritimati", "Pacific/Midway")


@given(timezone=st.sampled_from(ZONES), hour=st.integers(0, 23), minute=st.integers(0, 59), offset=st.integers(-11, 14))
def test_the_moment_is_the_same(timezone: str, hour: int, minute: int, offset: int) -> None:
    """A Wednesday's clock in the job's zone and the moved one are the same instant."""
    schedule = Schedule(days="WED", start="09:00", stop="19:00", timezone=timezone)
    moved = week_time(schedule, f"{hour:02d}:{minute:02d}", offset)
    local = dt.datetime.combine(MONDAY + dt.timedelta(2), dt.time(hour, minute), zoneinfo.ZoneInfo(timezone))
    there = local.astimezone(dt.timezone(dt.timedelta(hours=offset)))
    assert (moved.hour, moved.minute, moved.days) == (there.hour, there.minute, (there.weekday(),))


def test_days_move_together() -> None:
    """Early mornings of Monday to Friday are evenings of Sunday to Thursday further west."""
    schedule = Schedule(days="MON-FRI", start="06:00", stop="19:00", timezone="Asia/Shanghai")
    assert week_time(schedule, "06:00", 0).days == (0, 1, 2, 3, 6)
    assert week_time(schedule, "19:00", 0).days == (0, 1, 2, 3, 4)


def test_summer_time_is_refused() -> None:
    """No fixed offset follows a clock that moves twice a year."""
    schedule = Schedule(days="MON", start="09:00", stop="19:00", timezone="Europe/Berlin")
    with pytest.raises(InputError, match="summer time"):
        week_time(schedule, "09:00", 0)
