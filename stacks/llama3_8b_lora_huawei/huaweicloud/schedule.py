"""Empties the pool for good at the release time: a pool has none of its own (CO002)."""

import pulumi_huaweicloud as huaweicloud

from pool import base, pool
from settings import NAME, RELEASE_AT

for name, group in (
    ("base", base),
    ("pool", pool),
):
    # Once, and for good: no node is left, and none comes back.
    huaweicloud.as_.Policy(
        f"end-{name}",
        scaling_group_id=group.id,
        scaling_policy_name=f"{NAME}-{name}-end",
        scaling_policy_type="SCHEDULED",
        scheduled_policy=huaweicloud.as_.PolicyScheduledPolicyArgs(
            launch_time=f"{RELEASE_AT[:16]}Z",  # Minutes, no seconds, is the form here.
        ),
        scaling_policy_action=huaweicloud.as_.PolicyScalingPolicyActionArgs(operation="SET", instance_number=0),
        cool_down_time=60,
    )
