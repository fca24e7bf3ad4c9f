"""1 x V100-PCIE-32 while people work, else nothing."""

import pulumi
import pulumi_huaweicloud as huaweicloud

from encryption import encryption
from identity import agency, key
from network import egress, security_group, subnet_id, vpc_id
from settings import IMAGE, NAME, NODE, NODES, ZONE
from user_data import user_data

FLAVORS = "p2s.2xlarge.8"  # The first choice first: one that is sold out gives way to the next.

# 1 x V100-PCIE-32: ranked first for this job and its limits; the reasons: SELECTION.md.
pool_configuration = huaweicloud.as_.Configuration(
    "dev",
    scaling_configuration_name=f"{NAME}-dev",
    instance_config=huaweicloud.as_.ConfigurationInstanceConfigArgs(
        flavor=FLAVORS,
        flavor_priority_policy="PICK_FIRST",
        image=IMAGE,
        charging_mode="postPaid",
        security_group_ids=[security_group.id],
        key_name=key.name,
        # The spec asks for an address; SSH reaches it only from the ranges in `sshFrom`.
        public_ip=huaweicloud.as_.ConfigurationInstanceConfigPublicIpArgs(
            eip=huaweicloud.as_.ConfigurationInstanceConfigPublicIpEipArgs(
                ip_type="5_bgp",
                bandwidth=huaweicloud.as_.ConfigurationInstanceConfigPublicIpEipBandwidthArgs(
                    share_type="PER",
                    charging_mode="traffic",
                    size=20,
                ),
            ),
        ),
        user_data=user_data(0),
        disks=[
            huaweicloud.as_.ConfigurationInstanceConfigDiskArgs(
                disk_type="SYS",
                volume_type="GPSSD",
                # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
                size=200,
                kms_id=encryption.id,
            ),
        ],
    ),
)
# Holds its machines MON-FRI 09:00 to 19:00 only. No timer here stops a single machine, so the group is emptied.
pool = huaweicloud.as_.Group(
    "dev",
    scaling_group_name=f"{NAME}-dev",
    scaling_configuration_id=pool_configuration.id,
    vpc_id=vpc_id,
    networks=[huaweicloud.as_.GroupNetworkArgs(id=subnet_id)],
    availability_zones=[ZONE],  # One zone: nodes of a job stay together, unlike those of a web site (NW002).
    multi_az_scaling_policy="PICK_FIRST",
    min_instance_number=0,
    max_instance_number=NODES,
    desire_instance_number=0,
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
        ignore_changes=["desireInstanceNumber"],  # Timers set it; every `up` would undo them.
    ),
)
