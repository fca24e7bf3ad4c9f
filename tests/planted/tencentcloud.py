"""The faults in a stack of Tencent Cloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.resources import Resource
from tests.rules.drafts import TRAIN, Draft

INSTANCE = "Instance/instance:Instance"
SUBNET = "Subnet/instance:Instance"
GROUP = "As/scalingGroup:ScalingGroup"
CONFIGURATION = "As/scalingConfig:ScalingConfig"
STORAGE = "Cbs/storage:Storage"
POLICY = "Cbs/snapshotPolicy:SnapshotPolicy"
POLICY_ATTACHMENT = "Cbs/snapshotPolicyAttachment:SnapshotPolicyAttachment"
ALARM = "Monitor/alarmPolicy:AlarmPolicy"
NOTICE = "Monitor/alarmNotice:AlarmNotice"
BINDING = "Monitor/policyBindingObject:PolicyBindingObject"
BUCKET = "Cos/bucket:Bucket"
V100 = "GN10Xp.2XLARGE40"  # one card, no RDMA
PLAIN_IMAGE = "img-eb30mz89"
SAVES = {"trainform-checkpoint-every": "20min", "trainform-checkpoint-to": "bucket"}
DRIVER = "#!/bin/bash\nDRIVER_VERSION=535.161.07\n"
REGION = "ap-beijing"


def node(draft: Draft, name: str = "node", **inputs: Any) -> Resource:
    """A GPU machine without a fault of its own, but for what `inputs` change."""
    sound = {
        "instanceType": V100,
        "imageId": PLAIN_IMAGE,
        "userDataRaw": DRIVER,
        "systemDiskType": "CLOUD_BSSD",
        "systemDiskSize": 200,
        "tags": TRAIN | SAVES,
    }
    return draft.add(INSTANCE, name, **sound | inputs)


def pool(draft: Draft, name: str = "pool", size: int = 2, **inputs: Any) -> Resource:
    """A scaling group with its configuration; `inputs` change the configuration, which is returned."""
    sound = {
        "instanceTypes": [V100],
        "imageId": PLAIN_IMAGE,
        "userData": DRIVER,
        "systemDiskType": "CLOUD_BSSD",
        "instanceTags": TRAIN | SAVES,
    }
    configuration = draft.add(CONFIGURATION, name, **sound | inputs)
    network = draft.add(SUBNET, f"{name}-subnet", availabilityZone="ap-beijing-6")
    draft.add(
        GROUP, f"{name}-group", configurationId=configuration, maxSize=size, desiredCapacity=size, subnetIds=[network]
    )
    return configuration


def alarm(draft: Draft, machine: Resource, **notice: Any) -> Resource:
    """A policy on the cards of a machine, with a notice that names whom `notice` says."""
    told = draft.add(NOTICE, "oncall", noticeType="ALL", **notice)
    rules = [{"metricName": "GpuUtil", "operator": "lt", "value": "30", "period": 60}]
    policy = draft.add(ALARM, "gpu", namespace="cvm_device", conditions={"rules": rules}, noticeIds=[told])
    draft.add(BINDING, "gpu", policyId=policy, dimensions=[{"dimensionsJson": machine}])
    return policy


def _bare_data_disk(draft: Draft) -> None:
    machine, policy = node(draft), draft.add(POLICY, "daily")
    draft.add(POLICY_ATTACHMENT, "system", snapshotPolicyId=policy, storageId=machine)
    disk = draft.add(STORAGE, "data", storageType="CLOUD_BSSD", storageSize=100)
    draft.add("Cbs/storageAttachment:StorageAttachment", "data", storageId=disk, instanceId=machine)


def _two_zones(draft: Draft) -> None:
    for zone in ("ap-beijing-6", "ap-beijing-7"):
        network = draft.add(SUBNET, zone, availabilityZone=zone)
        node(draft, f"in-{zone}", subnetId=network, tags=TRAIN | SAVES | {"trainform-nodes": "2"})


PLANTED: dict[str, Callable[[Draft], object]] = {
    "hard disk for data": lambda draft: node(draft, dataDisks=[{"dataDiskType": "CLOUD_BASIC", "dataDiskSize": 500}]),
    "hybrid disk for data": lambda draft: node(
        draft, dataDisks=[{"dataDiskType": "CLOUD_PREMIUM", "dataDiskSize": 500}]
    ),
    "hard disk for the system": lambda draft: node(draft, systemDiskType="CLOUD_BASIC"),
    "bare system disk": node,
    "bare data disk": _bare_data_disk,
    "bucket that never cools": lambda draft: draft.add(
        BUCKET, "raw", bucket="b-1250000000", tags={"trainform-role": "raw", "trainform-job": "j"}
    ),
    "several nodes without RDMA": lambda draft: node(draft, tags=TRAIN | SAVES | {"trainform-nodes": "2"}),
    "one job in two zones": _two_zones,
    "spot without checkpoints": lambda draft: node(
        draft, instanceChargeType="SPOTPAID", spotInstanceType="ONE-TIME", spotMaxPrice="9.5", tags=TRAIN
    ),
    "pool of spot without checkpoints": lambda draft: pool(
        draft, instanceChargeType="SPOTPAID", spotInstanceType="one-time", spotMaxPrice="9.5", instanceTags=TRAIN
    ),
    "several nodes without checkpoints": lambda draft: node(draft, tags=TRAIN | {"trainform-nodes": "4"}),
    "type that never was": lambda draft: node(draft, instanceType="GN9.2XLARGE32"),
    "card too small": node,
    "plain image without a driver": lambda draft: node(draft, userDataRaw="#!/bin/bash\necho hello there\n"),
    "system past its end": lambda draft: node(draft, imageId="img-9qabwvbn"),
    "nobody watches the cards": node,
    "alarm that tells nobody": lambda draft: alarm(draft, node(draft)),
    "development day and night": lambda draft: node(draft, tags={"trainform-role": "dev", "trainform-job": "j"}),
    "training without an end": node,
    "SSH for the world": lambda draft: draft.add(
        "Security/groupRuleSet:GroupRuleSet",
        "nodes",
        securityGroupId=draft.add("Security/group:Group", "nodes"),
        ingresses=[{"action": "ACCEPT", "protocol": "TCP", "port": "22", "cidrBlock": "0.0.0.0/0"}],
    ),
    "password in the program": lambda draft: node(draft, password="Hunter2-Hunter2"),
    "public machine": lambda draft: node(draft, allocatePublicIp=True, internetMaxBandwidthOut=10),
    "public bucket": lambda draft: draft.add(BUCKET, "raw", bucket="b-1250000000", acl="public-read"),
}
