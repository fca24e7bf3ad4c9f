"""4 nodes of ecs.ebmgn7ex.32xlarge: 8 x A100-SXM-80, joined by erdma."""

import pulumi
import pulumi_alicloud as alicloud

from identity import key, role
from network import security_group, vswitch_id
from settings import IMAGE, JOB, MASTER_ADDR, NAME, NODE, NODES, RELEASE_AT, ZONE
from snapshots import snapshots
from user_data import user_data

# Racks close to one another: the all-reduce crosses as few switches as the zone allows.
close_together = alicloud.ecs.EcsDeploymentSet(
    "nodes",
    deployment_set_name=NAME,
    strategy="LowLatency",
    description="Nodes of one job",
)

nodes = [
    # 8 x A100-SXM-80, NVLink between them, erdma between nodes: ranked first for this job and its limits; the reasons:
    # SELECTION.md.
    alicloud.ecs.Instance(
        f"node-{rank}",
        instance_name=f"{NAME}-{rank}",
        host_name=f"{NAME}-{rank}",
        instance_type="ecs.ebmgn7ex.32xlarge",
        image_id=IMAGE,
        availability_zone=ZONE,
        vswitch_id=vswitch_id,
        private_ip=MASTER_ADDR if rank == 0 else None,  # Where the others meet (MASTER_ADDR).
        security_groups=[security_group.id],
        network_interface_traffic_mode="HighPerformance",  # An eRDMA interface on the first network card (NW001).
        deployment_set_id=close_together.id,
        key_name=key.key_pair_name,
        user_data=user_data(rank),
        instance_charge_type="PostPaid",
        system_disk_category="cloud_essd",
        system_disk_performance_level="PL0",
        # 80 GiB for the image and its layers, 13 of weights x 1.5, 176 for two checkpoints on their way to the bucket.
        system_disk_size=280,
        system_disk_encrypted=True,
        system_disk_auto_snapshot_policy_id=snapshots.id,
        http_endpoint="enabled",
        http_tokens="required",  # A stolen request cannot read the role's credentials.
        http_put_response_hop_limit=2,  # Two, so that a container on the node may still ask.
        auto_release_time=RELEASE_AT,  # Nothing is billed after this moment, whatever happens (CO002).
        tags=NODE,
        volume_tags=JOB,
        opts=pulumi.ResourceOptions(delete_before_replace=True),  # The first node's address exists only once.
    )
    for rank in range(NODES)
]

for rank, node in enumerate(nodes):
    # What lets the node act in the role (the instance's own role_name is deprecated).
    alicloud.ecs.RamRoleAttachment(
        f"node-{rank}",
        instance_id=node.id,
        ram_role_name=role.role_name,
    )
