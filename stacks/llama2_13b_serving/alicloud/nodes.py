"""2 nodes of ecs.gn7e-c16g1.4xlarge: 1 x A100-SXM-80."""

import pulumi_alicloud as alicloud

from identity import role
from network import security_group, vswitch_id
from settings import IMAGE, JOB, NAME, NODE, NODES, RELEASE_AT, ZONE
from user_data import user_data

nodes = [
    # 1 x A100-SXM-80: ranked first for this job and its limits; the reasons: SELECTION.md.
    alicloud.ecs.Instance(
        f"node-{rank}",
        instance_name=f"{NAME}-{rank}",
        host_name=f"{NAME}-{rank}",
        instance_type="ecs.gn7e-c16g1.4xlarge",
        image_id=IMAGE,
        availability_zone=ZONE,
        vswitch_id=vswitch_id,
        security_groups=[security_group.id],
        user_data=user_data(rank),
        instance_charge_type="PostPaid",
        system_disk_category="cloud_essd",
        system_disk_performance_level="PL0",
        # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
        system_disk_size=200,
        system_disk_encrypted=True,
        http_endpoint="enabled",
        http_tokens="required",  # A stolen request cannot read the role's credentials.
        http_put_response_hop_limit=2,  # Two, so that a container on the node may still ask.
        auto_release_time=RELEASE_AT,  # Nothing is billed after this moment, whatever happens (CO002).
        tags=NODE,
        volume_tags=JOB,
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
