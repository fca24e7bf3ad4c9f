"""One file system that all nodes see: what one of them writes, the others read."""

import pulumi
import pulumi_huaweicloud as huaweicloud

from encryption import encryption
from network import security_group, subnet_id, vpc_id
from settings import JOB, NAME, ZONE

# Under 1 MB/s needed, 1 MB/s and 480 GiB with head-room; 1,228 GiB x 125 MB/s per TiB give 150 MB/s.
shared = huaweicloud.sfs.Turbo(
    "shared",
    name=NAME,
    availability_zone=ZONE,
    vpc_id=vpc_id,
    subnet_id=subnet_id,
    security_group_id=security_group.id,
    share_type="HPC",
    hpc_bandwidth="125M",  # MB/s for each TiB; the whole grows with the size.
    size=1228,
    crypt_key_id=encryption.id,
    charging_mode="postPaid",
    tags=JOB | {"trainform-role": "data"},
    opts=pulumi.ResourceOptions(protect=True),  # A destroy must not take the data with it.
)
