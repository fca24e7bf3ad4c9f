"""A small training job without a mistake: a spot GPU node, a pool, a data disk, a file system, a bucket, backups."""

import base64

import pulumi
import pulumi_huaweicloud as huaweicloud

ZONE = "cn-north-4a"
IMAGE = "11111111-2222-3333-4444-555555555555"
JOB = {"trainform-job": "mistakes"}
TRAIN = JOB | {
    "trainform-role": "train",
    "trainform-nodes": "1",
    "trainform-checkpoint-every": "20min",
    "trainform-checkpoint-to": "bucket",
}
SETUP = base64.b64encode(b"#!/bin/bash\nDRIVER_VERSION=570.86.15\nbash driver.run --silent\n").decode()

vpc = huaweicloud.vpc.Vpc("vpc", name="mistakes", cidr="10.20.0.0/16", tags=JOB)
subnet = huaweicloud.vpc.Subnet(
    "nodes",
    name="mistakes",
    vpc_id=vpc.id,
    cidr="10.20.0.0/20",
    gateway_ip="10.20.0.1",
    availability_zone=ZONE,
    tags=JOB,
)
group = huaweicloud.vpc.Secgroup("nodes", name="mistakes", delete_default_rules=True, tags=JOB)
huaweicloud.vpc.SecgroupRule(
    "ssh",
    security_group_id=group.id,
    direction="ingress",
    ethertype="IPv4",
    protocol="tcp",
    ports="22",
    remote_ip_prefix="203.0.113.0/24",
    action="allow",
    priority=1,
)
key = huaweicloud.dew.Keypair("login", name="mistakes", public_key="ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@example")
agency = huaweicloud.iam.Agency(
    "node",
    name="mistakes-node",
    delegated_service_name="op_svc_ecs",
    duration="FOREVER",
    domain_roles=["OBS OperateAccess"],
)
encryption = huaweicloud.dew.Key("disks", key_alias="mistakes-disks", pending_days="7", tags=JOB)
spread = huaweicloud.ecs.Servergroup("nodes", name="mistakes", policies=["anti-affinity"])
node = huaweicloud.ecs.Instance(
    "node",
    name="mistakes-node",
    hostname="mistakes-node",
    image_id=IMAGE,
    flavor_id="p2s.2xlarge.8",
    availability_zone=ZONE,
    networks=[huaweicloud.ecs.InstanceNetworkArgs(uuid=subnet.id)],
    security_group_ids=[group.id],
    key_pair=key.name,
    agency_name=agency.name,
    agent_list="ces",
    user_data=SETUP,
    charging_mode="spot",
    spot_maximum_price="6.50",
    scheduler_hints=[huaweicloud.ecs.InstanceSchedulerHintArgs(group=spread.id)],
    system_disk_type="GPSSD",
    system_disk_size=200,
    system_disk_kms_key_id=encryption.id,
    data_disks=[
        huaweicloud.ecs.InstanceDataDiskArgs(type="ESSD", size=500, kms_key_id=encryption.id),
    ],
    delete_disks_on_termination=True,
    auto_terminate_time="2030-01-01T00:00:00Z",
    tags=TRAIN,
)
disk = huaweicloud.evs.Volume(
    "data",
    name="mistakes-data",
    availability_zone=ZONE,
    volume_type="GPSSD2",
    size=1000,
    iops=6000,
    throughput=250,
    device_type="SCSI",
    kms_id=encryption.id,
    tags=JOB | {"trainform-role": "data"},
    opts=pulumi.ResourceOptions(protect=True),
)
huaweicloud.ecs.VolumeAttach("data", instance_id=node.id, volume_id=disk.id)
daily = huaweicloud.cbr.Policy(
    "daily",
    name="mistakes-daily",
    type="backup",
    backup_cycle=huaweicloud.cbr.PolicyBackupCycleArgs(interval=1, execution_times=["03:00"]),
    backup_quantity=7,
    time_zone="UTC+08:00",
)
huaweicloud.cbr.Vault(
    "daily",
    name="mistakes-daily",
    type="server",
    protection_type="backup",
    size=2000,
    policies=[huaweicloud.cbr.VaultPolicyArgs(id=daily.id)],
    resources=[huaweicloud.cbr.VaultResourceArgs(server_id=node.id)],
    tags=JOB,
)
template = huaweicloud.as_.Configuration(
    "pool",
    scaling_configuration_name="mistakes-pool",
    instance_config=huaweicloud.as_.ConfigurationInstanceConfigArgs(
        flavor="p2s.4xlarge.8",
        flavor_priority_policy="PICK_FIRST",
        image=IMAGE,
        charging_mode="postPaid",
        key_name=key.name,
        security_group_ids=[group.id],
        user_data=SETUP,
        disks=[
            huaweicloud.as_.ConfigurationInstanceConfigDiskArgs(
                disk_type="SYS", volume_type="SSD", size=240, kms_id=encryption.id
            ),
        ],
    ),
)
pool = huaweicloud.as_.Group(
    "pool",
    scaling_group_name="mistakes-pool",
    scaling_configuration_id=template.id,
    vpc_id=vpc.id,
    networks=[huaweicloud.as_.GroupNetworkArgs(id=subnet.id)],
    availability_zones=[ZONE],
    multi_az_scaling_policy="PICK_FIRST",
    min_instance_number=0,
    max_instance_number=2,
    desire_instance_number=1,
    delete_instances="yes",
    delete_volume=True,
    force_delete=True,
    tags=TRAIN,
)
huaweicloud.as_.Policy(
    "end",
    scaling_group_id=pool.id,
    scaling_policy_name="mistakes-end",
    scaling_policy_type="SCHEDULED",
    scheduled_policy=huaweicloud.as_.PolicyScheduledPolicyArgs(launch_time="2030-01-01T00:00Z"),
    scaling_policy_action=huaweicloud.as_.PolicyScalingPolicyActionArgs(operation="SET", instance_number=0),
)
huaweicloud.sfs.Turbo(
    "files",
    name="mistakes",
    availability_zone=ZONE,
    vpc_id=vpc.id,
    subnet_id=subnet.id,
    security_group_id=group.id,
    share_type="HPC",
    hpc_bandwidth="250M",
    size=3686,
    crypt_key_id=encryption.id,
    tags=JOB | {"trainform-role": "data"},
    opts=pulumi.ResourceOptions(protect=True),
)
huaweicloud.obs.Bucket(
    "checkpoints",
    bucket="mistakes-checkpoints",
    acl="private",
    storage_class="STANDARD",
    encryption=True,
    sse_algorithm="AES256",
    lifecycle_rules=[
        huaweicloud.obs.BucketLifecycleRuleArgs(
            name="cool",
            enabled=True,
            prefix="old/",
            transitions=[huaweicloud.obs.BucketLifecycleRuleTransitionArgs(days=30, storage_class="WARM")],
        )
    ],
    tags=JOB | {"trainform-role": "ckpt"},
    opts=pulumi.ResourceOptions(protect=True),
)
oncall = huaweicloud.smn.Topic("oncall", name="mistakes-oncall")
huaweicloud.smn.Subscription("oncall", topic_urn=oncall.topic_urn, protocol="email", endpoint="ops@example.com")
huaweicloud.aom.AlarmRule(
    "idle",
    name="mistakes-idle",
    namespace="TRAINFORM.NODE",
    metric_name="gpuUtil",
    dimensions=[huaweicloud.aom.AlarmRuleDimensionArgs(name="job", value="mistakes")],
    unit="Percent",
    period=60000,
    evaluation_periods=30,
    statistic="average",
    comparison_operator="<",
    threshold="30",
    alarm_level=2,
    alarm_action_enabled=True,
    alarm_actions=[oncall.topic_urn],
)

pulumi.export("node", node.id)
