"""Snapshots daily, kept 7 days: a broken upgrade costs a day, no more (ST005)."""

import pulumi_alicloud as alicloud

from settings import JOB, NAME

# Attached to every disk that lasts: a policy alone snapshots nothing. 3 a.m. is when nobody waits for a disk.
snapshots = alicloud.ecs.AutoSnapshotPolicy(
    "snapshots",
    auto_snapshot_policy_name=f"{NAME}-snapshots",
    repeat_weekdays=["1", "2", "3", "4", "5", "6", "7"],
    time_points=["3"],
    retention_days=7,
    tags=JOB,
)
