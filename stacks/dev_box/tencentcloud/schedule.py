"""Runs MON-FRI 09:00 to 19:00; gone and unbilled otherwise (CO001)."""

from datetime import datetime, timedelta, timezone

import tencentcloud_iac_pulumi as tencentcloud

from pool import pool
from settings import NAME, NODES, SCHEDULE_FROM, SCHEDULE_UNTIL


def in_china(moment: str) -> str:
    """A moment as timers take it: RFC 3339, in the time of China."""
    china = timezone(timedelta(hours=8))
    return datetime.fromisoformat(moment).astimezone(china).isoformat()


for name, cron, size in (
    ("morning", "0 9 * * 1-5", NODES),
    ("evening", "0 19 * * 1-5", 0),
):
    # What is set to zero is gone, and not billed; the data disk and its content stay.
    tencentcloud.as_.Schedule(
        name,
        scaling_group_id=pool.id,
        schedule_action_name=f"{NAME}-{name}",
        min_size=0,
        max_size=NODES,
        desired_capacity=size,
        start_time=in_china(SCHEDULE_FROM),
        end_time=in_china(SCHEDULE_UNTIL),
        recurrence=cron,
    )
