"""Snapshots daily, kept 7 days: a broken upgrade costs a day, no more (ST005)."""

import baiducloud
from disks import attachments
from settings import NAME

# Of the data disks; the provider does not tell the id of a system disk. 3 a.m. is when nobody waits for a disk.
baiducloud.AutoSnapshotPolicy(
    "snapshots",
    name=f"{NAME}-snapshots",
    time_points=[3],
    repeat_weekdays=[0, 1, 2, 3, 4, 5, 6],
    retention_days=7,
    # A policy takes disks in use only, so the ids come from the attachments; without ids it saves nothing (ST005).
    volume_ids=[attachment.cds_id for attachment in attachments],
)
