"""Data disks for what is staged in again: they go with their nodes."""

import pulumi
import pulumi_alicloud as alicloud

from nodes import nodes
from settings import JOB, NAME, ZONE

disks = [
    # Under 1 MB/s needed, 0 MB/s and 40 GiB with head-room; 40 GiB give 140 MB/s.
    alicloud.ecs.EcsDisk(
        f"data-{rank}",
        disk_name=f"{NAME}-data-{rank}",
        zone_id=ZONE,
        category="cloud_essd",
        performance_level="PL1",
        size=40,
        encrypted=True,
        payment_type="PayAsYouGo",
        delete_with_instance=True,
        delete_auto_snapshot=False,
        tags=JOB | {"trainform-role": "data"},
    )
    for rank in range(len(nodes))
]

for rank, (node, disk) in enumerate(zip(nodes, disks, strict=True)):
    # Attached after the node has started: trainform-disks waits for it, and mounts it at /data.
    alicloud.ecs.EcsDiskAttachment(
        f"data-{rank}",
        disk_id=disk.id,
        instance_id=node.id,
        delete_with_instance=True,
        opts=pulumi.ResourceOptions(delete_before_replace=True),  # One node at a time has the disk.
    )
