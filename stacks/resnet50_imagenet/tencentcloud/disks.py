"""Data disks that outlive their nodes: one that is nested in an instance is replaced and deleted with it."""

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

from nodes import nodes
from settings import JOB, NAME, ZONE

disks = [
    # 134 MB/s, 1,066 files/s needed, 161 MB/s and 181 GiB with head-room; 190 GiB give 215 MB/s.
    tencentcloud.cbs.Storage(
        f"data-{rank}",
        storage_name=f"{NAME}-data-{rank}",
        availability_zone=ZONE,
        storage_type="CLOUD_HSSD",
        storage_size=190,
        encrypt=True,
        charge_type="POSTPAID_BY_HOUR",
        force_delete=False,
        tags=JOB | {"trainform-role": "data"},
        opts=pulumi.ResourceOptions(protect=True),  # A destroy must not take the data with it.
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
