"""A spot pool of 1 x 1 x V100-PCIE-32; the job saves when a node is taken back."""

import pulumi
import pulumi_huaweicloud as huaweicloud

from encryption import encryption
from identity import agency
from network import egress, security_group, subnet_id, vpc_id
from settings import IMAGE, NAME, NODE, NODES, ON_DEMAND_NODES, ZONE
from user_data import user_data

FLAVORS = "p2s.2xlarge.8"  # The first choice first: one that is sold out gives way to the next.

# 1 x V100-PCIE-32: ranked first for this job and its limits; the reasons: SELECTION.md.
pool_configuration = huaweicloud.as_.Configuration(
    "spot",
    scaling_configuration_name=f"{NAME}-spot",
    instance_config=huaweicloud.as_.ConfigurationInstanceConfigArgs(
        flavor=FLAVORS,
        flavor_priority_policy="PICK_FIRST",
        image=IMAGE,
        charging_mode="spot",  # No limit can be named: the market's price never goes above the on-demand one (SP002).
        security_group_ids=[security_group.id],
        user_data=user_data(0),
        disks=[
            huaweicloud.as_.ConfigurationInstanceConfigDiskArgs(
                disk_type="SYS",
                volume_type="GPSSD",
                # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
                size=200,
                kms_id=encryption.id,
            ),
            # A copy, which goes with its node: the data set and the checkpoints lie in their buckets.
            huaweicloud.as_.ConfigurationInstanceConfigDiskArgs(
                disk_type="DATA",
                volume_type="GPSSD",
                # Under 1 MB/s needed, 1 MB/s and 40 GiB with head-room; 40 GiB give 126 MB/s.
                size=40,
                kms_id=encryption.id,
            ),
        ],
    ),
)
# Keeps the wished number of spot nodes: one that is taken back gives way to the next that can be had.
pool = huaweicloud.as_.Group(
    "spot",
    scaling_group_name=f"{NAME}-spot",
    scaling_configuration_id=pool_configuration.id,
    vpc_id=vpc_id,
    networks=[huaweicloud.as_.GroupNetworkArgs(id=subnet_id)],
    availability_zones=[ZONE],  # One zone: nodes of a job stay together, unlike those of a web site (NW002).
    multi_az_scaling_policy="PICK_FIRST",
    min_instance_number=0,
    max_instance_number=NODES,
    desire_instance_number=NODES,
    cool_down_time=60,
    instance_terminate_policy="OLD_INSTANCE",
    agency_name=agency.name,  # Members get it from here; their configuration has no word for it.
    delete_instances="yes",  # A destroy must not leave members that go on costing,
    delete_publicip=True,
    delete_volume=True,  # or their disks: left out, those of lost nodes stay, billed.
    force_delete=True,
    tags=NODE,  # The one place from which they reach the members.
    opts=pulumi.ResourceOptions(
        depends_on=[egress],  # What a node fetches at its first start leaves through it.
    ),
)
# 1 x V100-PCIE-32: ranked first for this job and its limits; the reasons: SELECTION.md.
base_configuration = huaweicloud.as_.Configuration(
    "base",
    scaling_configuration_name=f"{NAME}-base",
    instance_config=huaweicloud.as_.ConfigurationInstanceConfigArgs(
        flavor=FLAVORS,
        flavor_priority_policy="PICK_FIRST",
        image=IMAGE,
        charging_mode="postPaid",
        security_group_ids=[security_group.id],
        user_data=user_data(0),
        disks=[
            huaweicloud.as_.ConfigurationInstanceConfigDiskArgs(
                disk_type="SYS",
                volume_type="GPSSD",
                # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
                size=200,
                kms_id=encryption.id,
            ),
            # A copy, which goes with its node: the data set and the checkpoints lie in their buckets.
            huaweicloud.as_.ConfigurationInstanceConfigDiskArgs(
                disk_type="DATA",
                volume_type="GPSSD",
                # Under 1 MB/s needed, 1 MB/s and 40 GiB with head-room; 40 GiB give 126 MB/s.
                size=40,
                kms_id=encryption.id,
            ),
        ],
    ),
)
# Stands in while there is no spot node to be had: a group here has one way to pay, so it is one of its own, empty until
# `onDemandNodes` is set to 1.
base = huaweicloud.as_.Group(
    "base",
    scaling_group_name=f"{NAME}-base",
    scaling_configuration_id=base_configuration.id,
    vpc_id=vpc_id,
    networks=[huaweicloud.as_.GroupNetworkArgs(id=subnet_id)],
    availability_zones=[ZONE],  # One zone: nodes of a job stay together, unlike those of a web site (NW002).
    multi_az_scaling_policy="PICK_FIRST",
    min_instance_number=0,
    max_instance_number=ON_DEMAND_NODES,
    desire_instance_number=ON_DEMAND_NODES,
    cool_down_time=60,
    instance_terminate_policy="OLD_INSTANCE",
    agency_name=agency.name,  # Members get it from here; their configuration has no word for it.
    delete_instances="yes",  # A destroy must not leave members that go on costing,
    delete_publicip=True,
    delete_volume=True,  # or their disks: left out, those of lost nodes stay, billed.
    force_delete=True,
    tags=NODE,  # The one place from which they reach the members.
    opts=pulumi.ResourceOptions(
        depends_on=[egress],  # What a node fetches at its first start leaves through it.
    ),
)
