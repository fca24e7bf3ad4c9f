"""Empties the pool for good at the release time: a pool has none of its own (CO002)."""

from datetime import datetime, timedelta, timezone

import tencentcloud_iac_pulumi as tencentcloud

from pool import base, pool
from settings import NAME, RELEASE_AT


def in_china(moment: str) -> str:
    """A moment as timers take it: RFC 3339, in the time of China."""
    china = timezone(timedelta(hours=8))
    return datetime.fromisoformat(moment).astimezone(china).isoformat()


for name, group in {"base": base, "pool": pool}.items():
    # Once, and for good: no node is left, and none comes back.
    tencentcloud.as_.Schedule(
        f"end-{name}",
        scaling_group_id=group.id,
        schedule_action_name=f"{NAME}-{name}-end",
        min_size=0,
        max_size=0,
        desired_capacity=0,
        start_time=in_china(RELEASE_AT),
    )
