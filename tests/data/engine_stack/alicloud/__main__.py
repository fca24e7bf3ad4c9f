"""Two nodes with a data disk each, and a bucket that outlives them: what the engine's own tests run."""

import pulumi
import pulumi_alicloud as alicloud

config = pulumi.Config()
zone = config.require("zone")
job = {"trainform-job": "engine_stack"}

vpc = alicloud.vpc.Network("vpc", vpc_name="engine", cidr_block="10.0.0.0/16", tags=job)
vswitch = alicloud.vpc.Switch("nodes", vpc_id=vpc.id, cidr_block="10.0.1.0/24", zone_id=zone, tags=job)
group = alicloud.ecs.SecurityGroup("nodes", security_group_name="engine", vpc_id=vpc.id, tags=job)
bucket = alicloud.oss.Bucket(
    "checkpoints",
    bucket=f"engine-stack-{config.require('bucketSuffix')}",
    server_side_encryption_rule={"sse_algorithm": "AES256"},
    opts=pulumi.ResourceOptions(protect=True),
)
nodes = []
for rank in range(config.require_int("nodes")):
    node = alicloud.ecs.Instance(
        f"node-{rank}",
        instance_type="ecs.g7.xlarge",
        image_id="ubuntu_22_04_x64_20G_alibase_20240819.vhd",
        availability_zone=zone,
        vswitch_id=vswitch.id,
        security_groups=[group.id],
        user_data=pulumi.Output.secret("#!/bin/sh\ntrue # known to nobody\n"),
        system_disk_category="cloud_essd",
        system_disk_performance_level="PL1",
        system_disk_size=100,
        tags=job,
    )
    disk = alicloud.ecs.EcsDisk(
        f"data-{rank}", zone_id=zone, category="cloud_essd", performance_level="PL1", size=200, tags=job
    )
    alicloud.ecs.EcsDiskAttachment(f"data-{rank}", disk_id=disk.id, instance_id=node.id)
    nodes.append(node)

pulumi.export("addresses", [node.private_ip for node in nodes])
pulumi.export("checkpoints", bucket.bucket)
