"""The key that disks and what outlives the nodes are encrypted with."""

import pulumi
import pulumi_huaweicloud as huaweicloud

from settings import JOB, NAME

# A key of the job's own: with it gone, nobody reads what it encrypted, so it stays as long as the data.
encryption = huaweicloud.dew.Key(
    "disks",
    key_alias=f"{NAME}-disks",
    key_description="Disks of one job",
    pending_days="7",  # A destroy that was a mistake can be taken back for a week.
    tags=JOB,
    opts=pulumi.ResourceOptions(protect=True),
)
