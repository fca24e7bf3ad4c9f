"""2 nodes of physical.kat2ne.48xlarge.8.ei.pod101: 8 x Ascend910B1, joined by roce."""

import pulumi
import pulumi_huaweicloud as huaweicloud

from identity import agency, key
from network import egress, security_group, subnet_id, vpc_id
from settings import IMAGE, MASTER_ADDR, NAME, NODE, NODES, USER_ID, ZONE
from user_data import user_data

nodes = [
    # 8 x Ascend910B1, HCCS between them, roce between nodes: ranked first for this job and its limits; the reasons:
    # SELECTION.md.
    # Nothing switches its RDMA on: the flavor brings it, for all servers of one zone and kind (NW001).
    huaweicloud.bms.Instance(
        f"node-{rank}",
        name=f"{NAME}-{rank}",
        flavor_id="physical.kat2ne.48xlarge.8.ei.pod101",
        image_id=IMAGE,
        availability_zone=ZONE,
        vpc_id=vpc_id,
        nics=[
            huaweicloud.bms.InstanceNicArgs(
                subnet_id=subnet_id,
                ip_address=MASTER_ADDR if rank == 0 else None,  # Where the others meet (MASTER_ADDR).
            ),
        ],
        security_groups=[security_group.id],
        key_pair=key.name,
        user_id=USER_ID,
        agency_name=agency.name,
        user_data=user_data(rank),
        charging_mode="prePaid",  # Bare metal is sold by the month only,
        period_unit="month",
        period=1,
        auto_renew="false",  # and ends with the month.
        system_disk_type="GPSSD",
        # 80 GiB for the image and its layers, 13 of weights x 1.5, 176 for two checkpoints on their way to the bucket.
        system_disk_size=280,
        tags=NODE,
        opts=pulumi.ResourceOptions(
            depends_on=[egress],  # What a node fetches at its first start leaves through it.
            delete_before_replace=True,  # An address, and a month's price, exist only once.
        ),
    )
    for rank in range(NODES)
]
