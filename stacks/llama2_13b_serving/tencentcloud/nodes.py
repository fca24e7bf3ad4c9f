"""3 nodes of GN10Xp.5XLARGE80: 2 x V100-SXM-32."""

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

from identity import role
from network import egress, security_group, subnet_id, vpc_id
from settings import IMAGE, JOB, NAME, NODE, NODES, RELEASE_AT, ZONE
from user_data import user_data

# Each node on another host: a host that fails takes one of them, and the others go on serving.
apart = tencentcloud.placement.Group(
    "nodes",
    name=NAME,
    type="HOST",
    affinity=1,
    tags=JOB,
)

nodes = [
    # 2 x V100-SXM-32, NVLink between them: ranked first for this job and its limits; the reasons: SELECTION.md.
    tencentcloud.instance.Instance(
        f"node-{rank}",
        instance_name=f"{NAME}-{rank}",
        hostname=f"{NAME}-{rank}",
        instance_type="GN10Xp.5XLARGE80",
        image_id=IMAGE,
        availability_zone=ZONE,
        vpc_id=vpc_id,
        subnet_id=subnet_id,
        orderly_security_groups=[security_group.id],
        placement_group_id=apart.id,
        cam_role_name=role.name,
        user_data=user_data(rank),
        instance_charge_type="POSTPAID_BY_HOUR",
        system_disk_type="CLOUD_BSSD",
        # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
        system_disk_size=200,
        disable_monitor_service=False,  # Without the agent a node has no metrics, and no alarm.
        disable_security_service=False,
        disable_automation_service=False,
        disable_api_termination=False,
        tags=NODE,
        opts=pulumi.ResourceOptions(
            depends_on=[egress],  # What a node fetches at its first start leaves through it.
        ),
    )
    for rank in range(NODES)
]

for rank, node in enumerate(nodes):
    # Nothing is billed after this moment, whatever happens: an instance has no end of its own here (CO002).
    tencentcloud.cvm.ActionTimer(
        f"end-{rank}",
        instance_id=node.id,
        action_timer=tencentcloud.cvm.ActionTimerActionTimerArgs(
            timer_action="TerminateInstances",
            action_time=RELEASE_AT,
        ),
    )
