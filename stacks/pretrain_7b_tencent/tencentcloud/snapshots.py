"""Snapshots daily, kept 7 days: a broken upgrade costs a day, no more (ST005)."""

import tencentcloud_iac_pulumi as tencentcloud

from nodes import nodes
from settings import NAME

# Attached to every disk that lasts: a policy alone snapshots nothing. 3 a.m. is when nobody waits for a disk.
snapshots = tencentcloud.cbs.SnapshotPolicy(
    "snapshots",
    snapshot_policy_name=f"{NAME}-snapshots",
    repeat_weekdays=[0, 1, 2, 3, 4, 5, 6],
    repeat_hours=[3],
    retention_days=7,
)
for rank, node in enumerate(nodes):
    # The policy takes effect only where it is attached (ST005).
    tencentcloud.cbs.SnapshotPolicyAttachment(
        f"system-{rank}",
        snapshot_policy_id=snapshots.id,
        storage_id=node.system_disk_id,
    )
