"""Data disks that outlive their nodes: one that is nested in an instance is replaced and deleted with it."""

import pulumi
import pulumi_huaweicloud as huaweicloud

from encryption import encryption
from nodes import nodes
from settings import JOB, NAME, ZONE

disks = [
    # 80 MB/s, 367 files/s needed, 96 MB/s and 40 GiB with head-room; 40 GiB give 126 MB/s.
    huaweicloud.evs.Volume(
        f"data-{rank}",
        name=f"{NAME}-data-{rank}",
        availability_zone=ZONE,
        volume_type="GPSSD",
        size=40,
        kms_id=encryption.id,
        device_type="VBD",
        charging_mode="postPaid",
        tags=JOB | {"trainform-role": "data"},
        opts=pulumi.ResourceOptions(protect=True),  # A destroy must not take the data with it.
    )
    for rank in range(len(nodes))
]

for rank, (node, disk) in enumerate(zip(nodes, disks, strict=True)):
    # Attached after the node has started: trainform-disks waits for it, and mounts it at /data.
    huaweicloud.ecs.VolumeAttach(
        f"data-{rank}",
        instance_id=node.id,
        volume_id=disk.id,
        opts=pulumi.ResourceOptions(delete_before_replace=True),  # One node at a time has the disk.
    )
