"""A small training job without a mistake: a spot GPU node, a data disk, a file system, a bucket, and what they need."""

import base64
import json

import pulumi
import pulumi_alicloud as alicloud

ZONE = "cn-beijing-i"
JOB = {"trainform-job": "mistakes"}
TRAIN = JOB | {
    "trainform-role": "train",
    "trainform-nodes": "1",
    "trainform-checkpoint-every": "20min",
    "trainform-checkpoint-to": "bucket",
}
SETUP = "#cloud-config\nruncmd:\n  - bash /root/auto_install_v4.0.sh\n"

vpc = alicloud.vpc.Network("vpc", vpc_name="mistakes", cidr_block="10.0.0.0/16", tags=JOB)
vswitch = alicloud.vpc.Switch(
    "nodes", vswitch_name="mistakes", vpc_id=vpc.id, cidr_block="10.0.1.0/24", zone_id=ZONE, tags=JOB
)
security_group = alicloud.ecs.SecurityGroup("nodes", security_group_name="mistakes", vpc_id=vpc.id, tags=JOB)
alicloud.ecs.SecurityGroupRule(
    "ssh",
    security_group_id=security_group.id,
    type="ingress",
    ip_protocol="tcp",
    port_range="22/22",
    priority=1,
    cidr_ip="203.0.113.0/24",
)
key = alicloud.ecs.EcsKeyPair(
    "login", key_pair_name="mistakes", public_key="ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@example"
)
role = alicloud.ram.Role(
    "node",
    role_name="mistakes-node",
    assume_role_policy_document=json.dumps({"Version": "1", "Statement": []}),
)
daily = alicloud.ecs.AutoSnapshotPolicy(
    "daily",
    auto_snapshot_policy_name="mistakes",
    repeat_weekdays=["1", "2", "3"],
    retention_days=7,
    time_points=["3"],
)
node = alicloud.ecs.Instance(
    "node",
    instance_name="mistakes-node",
    host_name="mistakes-node",
    instance_type="ecs.gn7i-c16g1.4xlarge",
    image_id="aliyun_3_x64_20G_alibase_20240819.vhd",
    availability_zone=ZONE,
    vswitch_id=vswitch.id,
    security_groups=[security_group.id],
    key_name=key.key_pair_name,
    user_data=base64.b64encode(SETUP.encode()).decode(),
    instance_charge_type="PostPaid",
    spot_strategy="SpotWithPriceLimit",
    spot_price_limit=9.5,
    spot_duration=0,
    spot_interruption_behavior="Terminate",
    system_disk_category="cloud_essd",
    system_disk_performance_level="PL1",
    system_disk_size=200,
    system_disk_auto_snapshot_policy_id=daily.id,
    data_disks=[
        {
            "name": "scratch",
            "category": "cloud_essd",
            "performance_level": "PL1",
            "size": 500,
            "delete_with_instance": True,
            "auto_snapshot_policy_id": daily.id,
        }
    ],
    http_tokens="required",
    auto_release_time="2030-01-01T00:00:00Z",
    tags=TRAIN,
)
disk = alicloud.ecs.EcsDisk(
    "data",
    disk_name="data",
    zone_id=ZONE,
    category="cloud_essd",
    performance_level="PL2",
    size=600,
    multi_attach="Disabled",
    tags=JOB | {"trainform-role": "data"},
)
alicloud.ecs.EcsDiskAttachment("data", disk_id=disk.id, instance_id=node.id)
alicloud.ecs.EcsAutoSnapshotPolicyAttachment("data", auto_snapshot_policy_id=daily.id, disk_id=disk.id)
files = alicloud.nas.FileSystem(
    "files",
    file_system_type="cpfs",
    protocol_type="cpfs",
    storage_type="advance_100",
    capacity=3600,
    zone_id=ZONE,
    vpc_id=vpc.id,
    vswitch_id=vswitch.id,
)
bucket = alicloud.oss.Bucket(
    "checkpoints",
    bucket="mistakes-checkpoints",
    storage_class="Standard",
    redundancy_type="ZRS",
    server_side_encryption_rule={"sse_algorithm": "AES256"},
    lifecycle_rules=[
        {"id": "cool", "enabled": True, "prefix": "old/", "transitions": [{"days": 30, "storage_class": "IA"}]}
    ],
    tags=JOB | {"trainform-role": "ckpt"},
)
alicloud.cms.Alarm(
    "idle",
    name="mistakes-idle",
    project="acs_ecs_dashboard",
    metric="gpu_gpu_usedutilization",
    metric_dimensions=node.id.apply(lambda id_: json.dumps([{"instanceId": id_}])),
    period=60,
    silence_time=3600,
    escalations_critical={"statistics": "Average", "comparison_operator": "<", "threshold": "30", "times": 30},
    contact_groups=["ml-oncall"],
)

pulumi.export("node", node.id)
