"""A careless training job: spot GPU nodes on spinning disks, no RDMA, no checkpoints, no snapshots, no alarm."""

import pulumi
import pulumi_alicloud as alicloud

zone = pulumi.Config().require("zone")
train = {"trainform-job": "denied", "trainform-role": "train", "trainform-nodes": "2"}

vpc = alicloud.vpc.Network("vpc", vpc_name="denied", cidr_block="10.0.0.0/16")
vswitch = alicloud.vpc.Switch("nodes", vpc_id=vpc.id, cidr_block="10.0.1.0/24", zone_id=zone)
group = alicloud.ecs.SecurityGroup("nodes", security_group_name="denied", vpc_id=vpc.id)
for rank in range(2):
    alicloud.ecs.Instance(
        f"node-{rank}",
        instance_type="ecs.gn6v-c8g1.2xlarge",
        image_id="ubuntu_22_04_x64_20G_alibase_20240819.vhd",
        availability_zone=zone,
        vswitch_id=vswitch.id,
        security_groups=[group.id],
        spot_strategy="SpotAsPriceGo",
        user_data=pulumi.Output.secret("#!/bin/sh\ntrue\n"),
        system_disk_category="cloud",
        system_disk_size=100,
        data_disks=[{"size": 500}],
        tags=train,
    )
