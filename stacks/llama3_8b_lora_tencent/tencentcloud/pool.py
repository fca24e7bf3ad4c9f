"""A spot pool of 1 x 1 x V100-SXM-32; the job saves when a node is taken back."""

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

from identity import role
from network import egress, security_group, subnet_id, vpc_id
from settings import IMAGE, JOB, NAME, NODE, NODES, ON_DEMAND_NODES
from user_data import user_data

# One that is sold out gives way to the next.
TYPES = ["GN10Xp.2XLARGE40", "GN10X.2XLARGE40"]


def configuration(name: str, bid: str | None) -> tencentcloud.as_.ScalingConfig:
    """What the nodes of a group look like; with a bid they are spot ones."""
    # 1 x V100-SXM-32: ranked first for this job and its limits; the reasons: SELECTION.md.
    return tencentcloud.as_.ScalingConfig(
        name,
        configuration_name=f"{NAME}-{name}",
        image_id=IMAGE,
        instance_types=TYPES,
        instance_charge_type="SPOTPAID" if bid else "POSTPAID_BY_HOUR",
        spot_instance_type="one-time" if bid else None,
        spot_max_price=bid,
        security_group_ids=[security_group.id],
        cam_role_name=role.name,
        user_data=user_data(0),
        system_disk_type="CLOUD_BSSD",
        # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
        system_disk_size=200,
        data_disks=[
            tencentcloud.as_.ScalingConfigDataDiskArgs(
                disk_type="CLOUD_SSD",
                # Under 1 MB/s needed, 1 MB/s and 40 GiB with head-room; 40 GiB give 128 MB/s.
                disk_size=40,
                # A copy: the originals lie in their buckets. Left out, the disks of lost nodes stay, and are billed.
                delete_with_instance=True,
            ),
        ],
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


# Keeps the wished number of spot nodes: one that is taken back gives way to the next that can be had.
pool = tencentcloud.as_.ScalingGroup(
    "spot",
    scaling_group_name=f"{NAME}-spot",
    # The bid: the least on-demand price of these types, and never more than that (SP004).
    configuration_id=configuration("spot", bid="11.98").id,
    vpc_id=vpc_id,
    subnet_ids=[subnet_id],  # One zone: nodes of a job stay together, unlike those of a web site (NW002).
    min_size=0,
    max_size=NODES,
    desired_capacity=NODES,
    default_cooldown=60,
    termination_policies="NEWEST_INSTANCE",
    retry_policy="INCREMENTAL_INTERVALS",  # The default gives up soon when a type is sold out.
    replace_monitor_unhealthy=True,
    scaling_mode="CLASSIC_SCALING",
    tags=JOB,
    opts=pulumi.ResourceOptions(depends_on=[egress]),  # What a node fetches at its start leaves through it.
)
# What a member does that is scaled in: the job gets SIGTERM and saves.
drain = tencentcloud.tat.Command(
    "drain",
    command_name=f"{NAME}-drain",
    command_type="SHELL",
    content="#!/bin/bash\nsystemctl stop trainform-job.service\n",
    working_directory="/root",
    username="root",
    timeout=300,
    tags=[tencentcloud.tat.CommandTagArgs(key=key, value=value) for key, value in JOB.items()],
)
# It has five minutes to write its last checkpoint.
tencentcloud.as_.LifecycleHook(
    "drain",
    scaling_group_id=pool.id,
    lifecycle_hook_name=f"{NAME}-drain",
    lifecycle_transition="INSTANCE_TERMINATING",
    lifecycle_transition_type="NORMAL",
    heartbeat_timeout=300,
    default_result="CONTINUE",
    lifecycle_command=tencentcloud.as_.LifecycleHookLifecycleCommandArgs(command_id=drain.id),
)

# Stands in while there is no spot node to be had: a group here has one way to pay, so it is one of its own, empty until
# `onDemandNodes` is set to 1.
base = tencentcloud.as_.ScalingGroup(
    "base",
    scaling_group_name=f"{NAME}-base",
    configuration_id=configuration("base", bid=None).id,
    vpc_id=vpc_id,
    subnet_ids=[subnet_id],  # One zone: nodes of a job stay together, unlike those of a web site (NW002).
    min_size=0,
    max_size=ON_DEMAND_NODES,
    desired_capacity=ON_DEMAND_NODES,
    default_cooldown=60,
    termination_policies="NEWEST_INSTANCE",
    retry_policy="INCREMENTAL_INTERVALS",  # The default gives up soon when a type is sold out.
    replace_monitor_unhealthy=True,
    scaling_mode="CLASSIC_SCALING",
    tags=JOB,
    opts=pulumi.ResourceOptions(depends_on=[egress]),  # What a node fetches at its start leaves through it.
)
