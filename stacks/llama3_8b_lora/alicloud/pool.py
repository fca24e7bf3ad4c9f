"""A spot pool of 1 x 1 x A10; the job saves when a node is taken back."""

import pulumi_alicloud as alicloud

from identity import role
from network import security_group, vswitch_id
from settings import IMAGE, JOB, NAME, NODE, NODES, RELEASE_AT
from user_data import user_data

# Each type with the most we pay for it an hour, its on-demand price: one that is sold out gives way to the next.
PRICE_CAPS = {
    "ecs.gn7i-c8g1.2xlarge": 9.532,
    "ecs.gn7i-c16g1.4xlarge": 10.093,
    "ecs.gn7i-c32g1.8xlarge": 13.308,
    "ecs.gn7i-c48g1.12xlarge": 17.944,
}

# Keeps the wished number of nodes: one that is taken back gives way to the cheapest there is.
pool = alicloud.ess.ScalingGroup(
    "nodes",
    scaling_group_name=NAME,
    min_size=0,
    max_size=NODES,
    desired_capacity=NODES,
    default_cooldown=60,
    vswitch_ids=[vswitch_id],  # One zone: nodes of a job stay together, unlike those of a web site (NW002).
    multi_az_policy="COST_OPTIMIZED",  # For good; the default, PRIORITY, knows no price.
    on_demand_base_capacity=0,
    on_demand_percentage_above_base_capacity=0,
    spot_instance_pools=4,
    spot_instance_remedy=True,  # The next node starts at the notice, not after the loss (SP002).
    # When there is no spot node, an on-demand one.
    compensate_with_on_demand=True,
    removal_policies=["OldestInstance", "NewestInstance"],
    scaling_policy="release",
    health_check_types=["ECS"],
    group_deletion_protection=False,
    tags=JOB,
)
# 1 x A10: ranked first for this job and its limits; the reasons: SELECTION.md.
configuration = alicloud.ess.ScalingConfiguration(
    "nodes",
    scaling_group_id=pool.id,
    scaling_configuration_name=NAME,
    active=True,
    enable=True,  # Without it the group stays disabled and starts nothing.
    force_delete=True,
    image_id=IMAGE,
    instance_types=list(PRICE_CAPS),
    spot_strategy="SpotWithPriceLimit",
    spot_price_limits=[{"instance_type": kind, "price_limit": cap} for kind, cap in PRICE_CAPS.items()],
    spot_duration=0,  # No protected hour: an hour's price is not risked for it.
    security_group_ids=[security_group.id],
    role_name=role.role_name,
    instance_name=f"{NAME}-node",
    user_data=user_data(0),
    system_disk_category="cloud_essd",
    system_disk_performance_level="PL0",
    # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
    system_disk_size=200,
    system_disk_encrypted=True,
    data_disks=[
        {
            "category": "cloud_essd",
            "performance_level": "PL1",
            # Under 1 MB/s needed, 1 MB/s and 40 GiB with head-room; 40 GiB give 140 MB/s.
            "size": 40,
            "encrypted": True,
            "delete_with_instance": True,  # A copy: the data set and the checkpoints lie in their buckets.
        },
    ],
    tags=NODE,
)
# A member that is scaled in has five minutes to write its last checkpoint.
alicloud.ess.LifecycleHook(
    "drain",
    name=f"{NAME}-drain",
    scaling_group_id=pool.id,
    lifecycle_transition="SCALE_IN",
    heartbeat_timeout=300,
    default_result="CONTINUE",
)
# Empties the pool at the release time: a pool has none of its own (CO002). Minutes, no seconds, is the form here.
alicloud.ess.ScheduledTask(
    "end",
    scheduled_task_name=f"{NAME}-end",
    scaling_group_id=pool.id,
    min_value=0,
    max_value=NODES,
    desired_capacity=0,
    launch_time=f"{RELEASE_AT[:16]}Z",
    launch_expiration_time=3600,
    task_enabled=True,
)
