"""Data disks that outlive their machines: each morning's machine takes one and mounts it at /data."""

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

from settings import JOB, NAME, NODES, ZONE

disks = [
    # Under 1 MB/s needed, 0 MB/s and 120 GiB with head-room; 120 GiB give 124 MB/s.
    tencentcloud.cbs.Storage(
        f"data-{rank}",
        storage_name=f"{NAME}-data-{rank}",
        availability_zone=ZONE,
        storage_type="CLOUD_BSSD",
        storage_size=120,
        encrypt=True,
        charge_type="POSTPAID_BY_HOUR",
        force_delete=False,
        tags=JOB | {"trainform-role": "data"},
        opts=pulumi.ResourceOptions(protect=True),  # A destroy must not take the data with it.
    )
    for rank in range(NODES)
]
