"""The key that disks are encrypted with."""

import pulumi_huaweicloud as huaweicloud

from settings import JOB, NAME

# A key of the job's own: with it gone, nobody reads what it encrypted.
encryption = huaweicloud.dew.Key(
    "disks",
    key_alias=f"{NAME}-disks",
    key_description="Disks of one job",
    pending_days="7",  # A destroy that was a mistake can be taken back for a week.
    tags=JOB,
)
