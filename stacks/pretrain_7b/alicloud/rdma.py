"""eRDMA on the other network cards: without an interface on each, a part of the fabric idles (NW001)."""

import pulumi
import pulumi_alicloud as alicloud

from network import security_group, vswitch_id
from nodes import nodes
from settings import JOB, NAME

for rank, node in enumerate(nodes):
    for card in range(1, 2):
        # Card 0 is the node's first interface; this one is for the next card.
        interface = alicloud.ecs.EcsNetworkInterface(
            f"erdma-{rank}-{card}",
            network_interface_name=f"{NAME}-{rank}-erdma-{card}",
            instance_type="Secondary",
            network_interface_traffic_mode="HighPerformance",
            vswitch_id=vswitch_id,
            security_group_ids=[security_group.id],
            delete_on_release=True,
            tags=JOB,
        )
        # Which card it sits on is said here, and only here.
        alicloud.ecs.EcsNetworkInterfaceAttachment(
            f"erdma-{rank}-{card}",
            instance_id=node.id,
            network_interface_id=interface.id,
            network_card_index=card,
            wait_for_network_configuration_ready=True,
            opts=pulumi.ResourceOptions(delete_before_replace=True),  # One node at a time has the interface.
        )
