"""2 nodes of HCCG5v.24XLARGE384: 8 x V100-SXM-32, joined by roce."""

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

from identity import key, role
from network import egress, security_group, subnet_id, vpc_id
from settings import IMAGE, MASTER_ADDR, NAME, NODE, NODES, RELEASE_AT, ZONE
from user_data import user_data

# The RDMA network of this type joins only the members of one such cluster, in one zone (NW004).
fabric = tencentcloud.cvm.HpcCluster(
    "nodes",
    zone=ZONE,
    name=NAME,
    remark="Nodes of one job",
)

nodes = [
    # 8 x V100-SXM-32, NVLink between them, roce between nodes: ranked first for this job and its limits; the reasons:
    # SELECTION.md.
    tencentcloud.instance.Instance(
        f"node-{rank}",
        instance_name=f"{NAME}-{rank}",
        hostname=f"{NAME}-{rank}",
        instance_type="HCCG5v.24XLARGE384",
        image_id=IMAGE,
        availability_zone=ZONE,
        vpc_id=vpc_id,
        subnet_id=subnet_id,
        private_ip=MASTER_ADDR if rank == 0 else None,  # Where the others meet (MASTER_ADDR).
        orderly_security_groups=[security_group.id],
        hpc_cluster_id=fabric.id,  # What switches RDMA on (NW001).
        key_ids=[key.id],
        cam_role_name=role.name,
        user_data=user_data(rank),
        instance_charge_type="POSTPAID_BY_HOUR",
        system_disk_type="CLOUD_BSSD",
        # 80 GiB for the image and its layers, 13 of weights x 1.5, 176 for two checkpoints on their way to the bucket.
        system_disk_size=280,
        disable_monitor_service=False,  # Without the agent a node has no metrics, and no alarm.
        disable_security_service=False,
        disable_automation_service=False,
        disable_api_termination=False,
        tags=NODE,
        opts=pulumi.ResourceOptions(
            depends_on=[egress],  # What a node fetches at its first start leaves through it.
            delete_before_replace=True,  # The first node's address exists only once.
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
