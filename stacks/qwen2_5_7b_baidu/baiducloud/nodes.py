"""One node of bcc.hgn5IB.c116m978.8A100-80g: 8 x A100-SXM-80."""

import pulumi

import baiducloud
from identity import key
from network import security_group, subnet_id
from settings import IMAGE, NAME, NODE, NODES, ZONE
from user_data import user_data

nodes = [
    # 8 x A100-SXM-80: ranked first for this job and its limits; the reasons: SELECTION.md.
    baiducloud.Instance(
        f"node-{rank}",
        name=f"{NAME}-{rank}",
        hostname=f"{NAME}-{rank}",
        image_id=IMAGE,
        instance_spec="bcc.hgn5IB.c116m978.8A100-80g",
        availability_zone=ZONE,
        subnet_id=subnet_id,
        security_groups=[security_group.id],
        keypair_id=key.id,
        payment_timing="Postpaid",
        root_disk_storage_type="cloud_hp1",
        # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
        root_disk_size_in_gb=200,
        action="start",
        stop_with_no_charge=True,  # Whoever stops the node does not go on paying for it.
        user_data=user_data(rank),
        tags=NODE,
        # The provider replaces a node whose tags change, and those say how the job is sized.
        opts=pulumi.ResourceOptions(ignore_changes=["tags"]),
    )
    for rank in range(NODES)
]
