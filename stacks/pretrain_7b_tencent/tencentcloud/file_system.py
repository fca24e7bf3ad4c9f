"""One file system that all nodes see: what one of them writes, the others read."""

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

from network import subnet_id, vpc_id
from settings import JOB, NAME, ZONE

# Who may mount it.
clients = tencentcloud.cfs.AccessGroup(
    "nodes",
    name=NAME,
    description="Nodes of one job",
)
# The nodes of this subnet, and nobody else.
tencentcloud.cfs.AccessRule(
    "nodes",
    access_group_id=clients.id,
    auth_client_ip="10.20.0.0/20",
    priority=1,
    rw_permission="RW",  # The default is read-only,
    user_permission="no_root_squash",  # and root is mapped away.
)
# Under 1 MB/s needed, 1 MB/s and 480 GiB with head-room; 40,960 GiB x 107 MB/s per TiB give 4,295 MB/s.
shared = tencentcloud.cfs.FileSystem(
    "shared",
    name=NAME,
    availability_zone=ZONE,
    access_group_id=clients.id,
    protocol="TURBO",
    storage_type="TB",
    capacity=40960,
    net_interface="VPC",
    vpc_id=vpc_id,
    subnet_id=subnet_id,
    tags=JOB | {"trainform-role": "data"},
    opts=pulumi.ResourceOptions(protect=True),  # A destroy must not take the data with it.
)
