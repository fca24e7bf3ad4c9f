"""Data disks of their own: one that is nested in an instance cannot change without a new instance."""

import pulumi

import baiducloud
from nodes import nodes
from settings import JOB, NAME, ZONE

disks = [
    # Under 1 MB/s needed, 1 MB/s and 209 GiB with head-room; 210 GiB give 225 MB/s.
    baiducloud.Cds(
        f"data-{rank}",
        name=f"{NAME}-data-{rank}",
        zone_name=ZONE,
        storage_type="cloud_hp1",
        disk_size_in_gb=210,
        payment_timing="Postpaid",
        tags=JOB | {"trainform-role": "data"},
        # A destroy must not take the data with it, and the provider replaces a disk whose tags change.
        opts=pulumi.ResourceOptions(protect=True, ignore_changes=["tags"]),
    )
    for rank in range(len(nodes))
]

attachments = [
    # Attached after the node has started: trainform-disks waits for it, and mounts it at /data.
    baiducloud.CdsAttachment(
        f"data-{rank}",
        cds_id=disk.id,
        instance_id=node.id,
        opts=pulumi.ResourceOptions(delete_before_replace=True),  # One node at a time has the disk.
    )
    for rank, (node, disk) in enumerate(zip(nodes, disks, strict=True))
]
