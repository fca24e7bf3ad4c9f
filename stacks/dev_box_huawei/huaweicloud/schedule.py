"""Runs MON-FRI 09:00 to 19:00; gone and unbilled otherwise (CO001)."""

import pulumi_huaweicloud as huaweicloud

from pool import pool
from settings import NAME, NODES, SCHEDULE_FROM, SCHEDULE_UNTIL

for name, launch_time, days, size in (
    ("morning", "01:00", "2,3,4,5,6", NODES),
    ("evening", "11:00", "2,3,4,5,6", 0),
):
    # UTC, in which the cloud reads it, and Sunday is 1; the spec says Asia/Shanghai.
    # What is set to zero is gone, and not billed; the data disk and its content stay.
    huaweicloud.as_.Policy(
        name,
        scaling_group_id=pool.id,
        scaling_policy_name=f"{NAME}-{name}",
        scaling_policy_type="RECURRENCE",
        scheduled_policy=huaweicloud.as_.PolicyScheduledPolicyArgs(
            launch_time=launch_time,
            recurrence_type="Weekly",
            recurrence_value=days,
            start_time=f"{SCHEDULE_FROM[:16]}Z",  # Minutes, no seconds, is the form here.
            end_time=f"{SCHEDULE_UNTIL[:16]}Z",
        ),
        scaling_policy_action=huaweicloud.as_.PolicyScalingPolicyActionArgs(operation="SET", instance_number=size),
        cool_down_time=60,
    )
