"""Data disks that outlive their nodes: one that is nested in an instance is replaced and deleted with it."""

import pulumi
import pulumi_alicloud as alicloud

from nodes import nodes
from settings import JOB, NAME, ZONE
from snapshots import snapshots

disks = [
    # 113 MB/s, 897 files/s needed, 136 MB/s and 181 GiB with head-room; 190 GiB give 215 MB/s.
    alicloud.ecs.EcsDisk(
        f"data-{rank}",
        disk_name=f"{NAME}-data-{rank}",
        zone_id=ZONE,
        category="cloud_essd",
        performance_level="PL1",
        size=190,
        encrypted=True,
        payment_type="PayAsYouGo",
        delete_with_instance=False,
        delete_auto_snapshot=False,
        tags=JOB | {"trainform-role": "data"},
        opts=pulumi.ResourceOptions(protect=True),  # A destroy must not take the data with it.
    )
    for rank in range(len(nodes))
]

for rank, (node, disk) in enumerate(zip(nodes, disks, strict=True)):
    # Attached after the node has started: trainform-disks waits for it, and mounts it at /data.
    alicloud.ecs.EcsDiskAttachment(
        f"data-{rank}",
        disk_id=disk.id,
        instance_id=node.id,
        delete_with_instance=False,
        opts=pulumi.ResourceOptions(delete_before_replace=True),  # One node at a time has the disk.
    )
    # The policy takes effect only where it is attached (ST005).
    alicloud.ecs.EcsAutoSnapshotPolicyAttachment(
        f"data-{rank}",
        disk_id=disk.id,
        auto_snapshot_policy_id=snapshots.id,
    )
