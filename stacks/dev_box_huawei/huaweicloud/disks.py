"""Data disks that outlive their machines: each morning's machine takes one and mounts it at /data."""

import pulumi
import pulumi_huaweicloud as huaweicloud

from encryption import encryption
from settings import JOB, NAME, NODES, ZONE

disks = [
    # Under 1 MB/s needed, 0 MB/s and 120 GiB with head-room; 120 GiB give 168 MB/s.
    huaweicloud.evs.Volume(
        f"data-{rank}",
        name=f"{NAME}-data-{rank}",
        availability_zone=ZONE,
        volume_type="GPSSD",
        size=120,
        kms_id=encryption.id,
        device_type="VBD",
        charging_mode="postPaid",
        tags=JOB | {"trainform-role": "data"},
        opts=pulumi.ResourceOptions(protect=True),  # A destroy must not take the data with it.
    )
    for rank in range(NODES)
]
