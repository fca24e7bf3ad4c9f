"""Data disks for what is staged in again: a destroy takes them along."""

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

from nodes import nodes
from settings import JOB, NAME, ZONE

disks = [
    # 174 MB/s, 3 files/s needed, 70 MB/s and 747 GiB with head-room; 750 GiB give 260 MB/s.
    tencentcloud.cbs.Storage(
        f"data-{rank}",
        storage_name=f"{NAME}-data-{rank}",
        availability_zone=ZONE,
        storage_type="CLOUD_SSD",
        storage_size=750,
        encrypt=True,
        charge_type="POSTPAID_BY_HOUR",
        force_delete=True,
        tags=JOB | {"trainform-role": "cache"},
    )
    for rank in range(len(nodes))
]

for rank, (node, disk) in enumerate(zip(nodes, disks, strict=True)):
    # Attached after the node has started: trainform-disks waits for it, and mounts it at /data.
    tencentcloud.cbs.StorageAttachment(
        f"data-{rank}",
        storage_id=disk.id,
        instance_id=node.id,
        opts=pulumi.ResourceOptions(delete_before_replace=True),  # One node at a time has the disk.
    )
