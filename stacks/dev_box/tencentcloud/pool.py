"""1 x T4 while people work, else nothing."""

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

from identity import key, role
from network import egress, security_group, subnet_id, vpc_id
from settings import IMAGE, JOB, NAME, NODE, NODES
from user_data import user_data

TYPES = ["GN7.2XLARGE32"]


def configuration(name: str) -> tencentcloud.as_.ScalingConfig:
    """What the nodes of a group look like."""
    # 1 x T4: ranked first for this job and its limits; the reasons: SELECTION.md.
    return tencentcloud.as_.ScalingConfig(
        name,
        configuration_name=f"{NAME}-{name}",
        image_id=IMAGE,
        instance_types=TYPES,
        instance_charge_type="POSTPAID_BY_HOUR",
        security_group_ids=[security_group.id],
        cam_role_name=role.name,
        key_ids=[key.id],
        # The spec asks for an address; SSH reaches it only from the ranges in `sshFrom`.
        public_ip_assigned=True,
        internet_charge_type="TRAFFIC_POSTPAID_BY_HOUR",
        internet_max_bandwidth_out=20,
        user_data=user_data(0),
        system_disk_type="CLOUD_BSSD",
        # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
        system_disk_size=200,
        disk_type_policy="ORIGINAL",  # AUTOMATIC may hand out a slower disk.
        enhanced_monitor_service=True,  # Without the agent a node has no metrics, and no alarm.
        enhanced_security_service=True,
        enhanced_automation_tools_service=True,
        host_name_settings=tencentcloud.as_.ScalingConfigHostNameSettingsArgs(
            host_name=NAME,
            host_name_style="UNIQUE",
        ),
        instance_name_settings=tencentcloud.as_.ScalingConfigInstanceNameSettingsArgs(
            instance_name=NAME,
            instance_name_style="UNIQUE",
        ),
        instance_tags=NODE,  # These reach the nodes; those of the configuration do not.
        tags=JOB,
    )


# Holds its machines MON-FRI 09:00 to 19:00 only. No timer here stops an instance unbilled, so the group is emptied.
pool = tencentcloud.as_.ScalingGroup(
    "dev",
    scaling_group_name=f"{NAME}-dev",
    configuration_id=configuration("dev").id,
    vpc_id=vpc_id,
    subnet_ids=[subnet_id],  # One zone: nodes of a job stay together, unlike those of a web site (NW002).
    min_size=0,
    max_size=NODES,
    default_cooldown=60,
    termination_policies="NEWEST_INSTANCE",
    retry_policy="INCREMENTAL_INTERVALS",  # The default gives up soon when a type is sold out.
    replace_monitor_unhealthy=True,
    scaling_mode="CLASSIC_SCALING",
    tags=JOB,
    opts=pulumi.ResourceOptions(depends_on=[egress]),  # What a node fetches at its start leaves through it.
)
