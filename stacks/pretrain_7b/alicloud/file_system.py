"""One file system that all nodes see: what one of them writes, the others read."""

import pulumi
import pulumi_alicloud as alicloud

from network import vpc_id, vswitch_id
from settings import JOB, NAME, ZONE

# Under 1 MB/s needed, 1 MB/s and 480 GiB with head-room; 3,600 GiB x 100 MB/s per TiB give 352 MB/s.
shared = alicloud.nas.FileSystem(
    "shared",
    file_system_type="cpfs",
    protocol_type="cpfs",
    storage_type="advance_100",
    capacity=3600,
    zone_id=ZONE,
    vpc_id=vpc_id,
    vswitch_id=vswitch_id,
    description=NAME,
    tags=JOB | {"trainform-role": "data"},
    opts=pulumi.ResourceOptions(protect=True),  # A destroy must not take the data with it.
)

# NFS in front of CPFS: a POSIX mount target would buy three machines of its own to manage its clients.
service = alicloud.nas.ProtocolService(
    "shared",
    file_system_id=shared.id,
    protocol_spec="General",
    protocol_type="NFS",
    vpc_id=vpc_id,
    vswitch_id=vswitch_id,
    description=NAME,
)
# The whole file system, to the VPC that it lies in.
export = alicloud.nas.ProtocolMountTarget(
    "shared",
    file_system_id=shared.id,
    protocol_service_id=service.protocol_service_id,
    path="/",
    access_group_name="DEFAULT_VPC_GROUP_NAME",
    description=NAME,
)
