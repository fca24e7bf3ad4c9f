"""One node of p2v.16xlarge.8: 8 x V100-SXM-16."""

import pulumi
import pulumi_huaweicloud as huaweicloud

from encryption import encryption
from identity import agency
from network import egress, security_group, subnet_id
from settings import IMAGE, NAME, NODE, NODES, RELEASE_AT, ZONE
from user_data import user_data

nodes = [
    # 8 x V100-SXM-16, NVLink between them: ranked first for this job and its limits; the reasons: SELECTION.md.
    huaweicloud.ecs.Instance(
        f"node-{rank}",
        name=f"{NAME}-{rank}",
        hostname=f"{NAME}-{rank}",
        flavor_id="p2v.16xlarge.8",
        image_id=IMAGE,
        availability_zone=ZONE,
        networks=[huaweicloud.ecs.InstanceNetworkArgs(uuid=subnet_id)],
        security_group_ids=[security_group.id],
        agency_name=agency.name,
        agent_list="ces",  # The cloud's own agent, for its console; alarms are made of the node's own figures.
        user_data=user_data(rank),
        charging_mode="postPaid",
        system_disk_type="GPSSD",
        # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
        system_disk_size=200,
        system_disk_kms_key_id=encryption.id,
        delete_disks_on_termination=True,  # Left out, the disks of nodes that are gone stay, billed.
        stop_before_destroy=True,  # The job gets SIGTERM and saves.
        auto_terminate_time=RELEASE_AT,  # Nothing is billed after this moment, whatever happens (CO002).
        tags=NODE,
        opts=pulumi.ResourceOptions(
            depends_on=[egress],  # What a node fetches at its first start leaves through it.
        ),
    )
    for rank in range(NODES)
]
