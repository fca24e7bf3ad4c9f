"""A small training job without a mistake: a spot GPU node, a pool, a cluster, disks, file systems, a bucket, alarms."""

import base64
import json

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

ZONE = "ap-beijing-4"
IMAGE = "img-487zeit5"
JOB = {"trainform-job": "mistakes"}
TRAIN = JOB | {
    "trainform-role": "train",
    "trainform-nodes": "1",
    "trainform-checkpoint-every": "20min",
    "trainform-checkpoint-to": "bucket",
}
SETUP = base64.b64encode(b"#!/bin/bash\nDRIVER_VERSION=570.86.15\nbash driver.run --silent\n").decode()

vpc = tencentcloud.vpc.Instance("vpc", name="mistakes", cidr_block="10.20.0.0/16", tags=JOB)
subnet = tencentcloud.subnet.Instance(
    "nodes",
    name="mistakes",
    vpc_id=vpc.id,
    availability_zone=ZONE,
    cidr_block="10.20.0.0/20",
    tags=JOB,
)
security_group = tencentcloud.security.Group("nodes", name="mistakes", tags=JOB)
tencentcloud.security.GroupRuleSet(
    "nodes",
    security_group_id=security_group.id,
    ingresses=[
        tencentcloud.security.GroupRuleSetIngressArgs(
            action="ACCEPT",
            protocol="TCP",
            port="22",
            cidr_block="203.0.113.0/24",
        ),
    ],
    egresses=[{"action": "ACCEPT", "protocol": "ALL", "port": "ALL", "cidr_block": "0.0.0.0/0"}],
)
key = tencentcloud.key.Pair("login", key_name="mistakes", public_key="ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@example")
role = tencentcloud.cam.Role(
    "node",
    name="mistakes-node",
    document=json.dumps(
        {
            "version": "2.0",
            "statement": [
                {
                    "effect": "allow",
                    "action": ["name/sts:AssumeRole"],
                    "principal": {"service": ["cvm.qcloud.com"]},
                }
            ],
        }
    ),
    tags=JOB,
)
node = tencentcloud.instance.Instance(
    "node",
    instance_name="mistakes-node",
    hostname="mistakes-node",
    instance_type="GN10Xp.2XLARGE40",
    image_id=IMAGE,
    availability_zone=ZONE,
    vpc_id=vpc.id,
    subnet_id=subnet.id,
    orderly_security_groups=[security_group.id],
    key_ids=[key.id],
    cam_role_name=role.name,
    user_data=SETUP,
    instance_charge_type="SPOTPAID",
    spot_instance_type="ONE-TIME",
    spot_max_price="9.5",
    system_disk_type="CLOUD_BSSD",
    system_disk_size=200,
    tags=TRAIN,
)
# Pays by the hour, so that it may have nested disks that go with it.
helper = tencentcloud.instance.Instance(
    "helper",
    instance_name="mistakes-helper",
    instance_type="GN7.2XLARGE32",
    image_id=IMAGE,
    availability_zone=ZONE,
    vpc_id=vpc.id,
    subnet_id=subnet.id,
    orderly_security_groups=[security_group.id],
    cam_role_name=role.name,
    user_data=SETUP,
    instance_charge_type="POSTPAID_BY_HOUR",
    system_disk_type="CLOUD_HSSD",
    system_disk_size=210,
    data_disks=[
        tencentcloud.instance.InstanceDataDiskArgs(
            data_disk_type="CLOUD_BSSD", data_disk_size=500, delete_with_instance=True, encrypt=True
        ),
    ],
    tags=JOB,
)
for name, machine in {"node": node, "helper": helper}.items():
    tencentcloud.cvm.ActionTimer(
        name,
        instance_id=machine.id,
        action_timer=tencentcloud.cvm.ActionTimerActionTimerArgs(
            timer_action="TerminateInstances", action_time="2030-01-01T00:00:00Z"
        ),
    )
disk = tencentcloud.cbs.Storage(
    "data",
    storage_name="mistakes-data",
    availability_zone=ZONE,
    storage_type="CLOUD_HSSD",
    storage_size=600,
    throughput_performance=100,
    encrypt=True,
    charge_type="POSTPAID_BY_HOUR",
    tags=JOB | {"trainform-role": "data"},
    opts=pulumi.ResourceOptions(protect=True),
)
tencentcloud.cbs.StorageAttachment("data", storage_id=disk.id, instance_id=node.id)
daily = tencentcloud.cbs.SnapshotPolicy(
    "daily",
    snapshot_policy_name="mistakes-daily",
    repeat_weekdays=[0, 1, 2, 3, 4, 5, 6],
    repeat_hours=[3],
    retention_days=7,
)
tencentcloud.cbs.SnapshotPolicyAttachment(
    "daily", snapshot_policy_id=daily.id, storage_ids=[node.system_disk_id, disk.id]
)
fabric = tencentcloud.cvm.HpcCluster("fabric", zone=ZONE, name="mistakes", remark="Nodes of one job")
tencentcloud.instance.Instance(
    "member",
    instance_name="mistakes-member",
    instance_type="HCCG5v.24XLARGE384",
    image_id="img-private1",
    availability_zone=ZONE,
    vpc_id=vpc.id,
    subnet_id=subnet.id,
    orderly_security_groups=[security_group.id],
    hpc_cluster_id=fabric.id,
    user_data=SETUP,
    instance_charge_type="PREPAID",
    instance_charge_type_prepaid_period=1,
    instance_charge_type_prepaid_renew_flag="NOTIFY_AND_MANUAL_RENEW",
    system_disk_type="CLOUD_HSSD",
    system_disk_size=240,
    tags=JOB,
)
spread = tencentcloud.placement.Group("apart", name="mistakes", type="RACK", affinity=1, tags=JOB)
template = tencentcloud.as_.ScalingConfig(
    "pool",
    configuration_name="mistakes-pool",
    image_id=IMAGE,
    instance_types=["GN10Xp.5XLARGE80"],
    instance_charge_type="SPOTPAID",
    spot_instance_type="one-time",
    spot_max_price="21.5",
    system_disk_type="CLOUD_SSD",
    system_disk_size=220,
    data_disks=[
        tencentcloud.as_.ScalingConfigDataDiskArgs(disk_type="CLOUD_SSD", disk_size=300, delete_with_instance=True)
    ],
    disk_type_policy="ORIGINAL",
    security_group_ids=[security_group.id],
    cam_role_name=role.name,
    key_ids=[key.id],
    user_data=SETUP,
    enhanced_monitor_service=True,
    instance_tags=TRAIN,
    tags=JOB,
)
pool = tencentcloud.as_.ScalingGroup(
    "pool",
    scaling_group_name="mistakes-pool",
    configuration_id=template.id,
    vpc_id=vpc.id,
    subnet_ids=[subnet.id],
    min_size=0,
    max_size=2,
    desired_capacity=1,
    termination_policies="NEWEST_INSTANCE",
    retry_policy="INCREMENTAL_INTERVALS",
    multi_zone_subnet_policy="PRIORITY",
    scaling_mode="CLASSIC_SCALING",
    tags=JOB,
)
tencentcloud.as_.Schedule(
    "end",
    scaling_group_id=pool.id,
    schedule_action_name="mistakes-end",
    min_size=0,
    max_size=0,
    desired_capacity=0,
    start_time="2030-01-01T09:00:00+08:00",
    end_time="2031-01-01T09:00:00+08:00",
    recurrence="0 19 * * *",
)
tencentcloud.as_.LifecycleHook(
    "drain",
    scaling_group_id=pool.id,
    lifecycle_hook_name="mistakes-drain",
    lifecycle_transition="INSTANCE_TERMINATING",
    default_result="CONTINUE",
    heartbeat_timeout=300,
)
clients = tencentcloud.cfs.AccessGroup("nodes", name="mistakes", description="Nodes of one job")
tencentcloud.cfs.AccessRule(
    "nodes",
    access_group_id=clients.id,
    auth_client_ip="10.20.0.0/20",
    priority=10,
    rw_permission="RW",
    user_permission="no_root_squash",
)
tencentcloud.cfs.FileSystem(
    "files",
    name="mistakes",
    availability_zone=ZONE,
    access_group_id=clients.id,
    protocol="TURBO",
    storage_type="TB",
    capacity=40960,
    net_interface="VPC",
    vpc_id=vpc.id,
    subnet_id=subnet.id,
    tags=JOB | {"trainform-role": "data"},
    opts=pulumi.ResourceOptions(protect=True),
)
nightly = tencentcloud.cfs.AutoSnapshotPolicy(
    "nightly", policy_name="mistakes_nightly", day_of_week="1,2,3", hour="2", alive_days=7
)
tencentcloud.cos.Bucket(
    "checkpoints",
    bucket="mistakes-checkpoints-1250000000",
    acl="private",
    encryption_algorithm="AES256",
    versioning_enable=True,
    force_clean=False,
    lifecycle_rules=[
        tencentcloud.cos.BucketLifecycleRuleArgs(
            id="cool",
            filter_prefix="old/",
            transitions=[tencentcloud.cos.BucketLifecycleRuleTransitionArgs(days=30, storage_class="STANDARD_IA")],
        )
    ],
    tags=JOB | {"trainform-role": "ckpt"},
    opts=pulumi.ResourceOptions(protect=True),
)
oncall = tencentcloud.monitor.AlarmNotice(
    "oncall",
    name="mistakes-oncall",
    notice_type="ALL",
    notice_language="en-US",
    user_notices=[
        tencentcloud.monitor.AlarmNoticeUserNoticeArgs(
            receiver_type="USER",
            user_ids=[10001],
            notice_ways=["EMAIL"],
            start_time=0,
            end_time=86399,
            weekdays=[1, 2, 3, 4, 5, 6, 7],
        )
    ],
)
idle = tencentcloud.monitor.AlarmPolicy(
    "idle",
    policy_name="mistakes-idle",
    monitor_type="MT_QCE",
    namespace="cvm_device",
    enable=1,
    project_id=0,
    conditions=tencentcloud.monitor.AlarmPolicyConditionsArgs(
        is_union_rule=0,
        rules=[
            tencentcloud.monitor.AlarmPolicyConditionsRuleArgs(
                metric_name="GpuUtil",
                period=60,
                operator="lt",
                value="30",
                continue_period=30,
                notice_frequency=3600,
                is_power_notice=0,
            )
        ],
    ),
    notice_ids=[oncall.id],
)
tencentcloud.monitor.PolicyBindingObject(
    "idle",
    policy_id=idle.id,
    dimensions=[
        tencentcloud.monitor.PolicyBindingObjectDimensionArgs(
            dimensions_json=pulumi.Output.json_dumps({"unInstanceId": machine.id}), region="ap-beijing"
        )
        for machine in (node, helper)
    ],
)

pulumi.export("node", node.id)
