"""The faults in a stack of Alibaba Cloud."""

from __future__ import annotations

from collections.abc import Callable

from tests.rules.drafts import (
    ALARM,
    DISK,
    DISK_ATTACHMENT,
    PLAIN_IMAGE,
    SWITCH,
    TRAIN,
    Draft,
    node,
    pool,
)

BUCKET = "oss/bucket:Bucket"
SAVES = {"trainform-checkpoint-every": "20min", "trainform-checkpoint-to": "bucket"}
OUTPUTS = {"gpu_memory_bound_gib": 60.0, "run_hours": 10}


def _two_zones(draft: Draft) -> None:
    for zone in ("cn-beijing-l", "cn-beijing-i"):
        network = draft.add(SWITCH, zone, zoneId=zone)
        node(draft, f"in-{zone}", vswitchId=network, tags=TRAIN | SAVES | {"trainform-nodes": "2"})


def _deaf_alarm(draft: Draft) -> None:
    machine = node(draft)
    draft.add(ALARM, "deaf", metric="gpu_gpu_usedutilization", metricDimensions=machine)


PLANTED: dict[str, Callable[[Draft], object]] = {
    "hard disk for data": lambda draft: node(draft, dataDisks=[{"category": "cloud", "size": 500}]),
    "hybrid disk for data": lambda draft: node(draft, dataDisks=[{"category": "cloud_efficiency", "size": 500}]),
    "hard disk for the system": lambda draft: node(draft, systemDiskCategory="cloud"),
    "bare system disk": node,
    "bare data disk": lambda draft: draft.add(
        DISK_ATTACHMENT,
        "data",
        diskId=draft.add(DISK, "data", category="cloud_essd", size=100),
        instanceId=node(draft, systemDiskAutoSnapshotPolicyId="sp-1"),
    ),
    "bucket that never cools": lambda draft: draft.add(
        BUCKET, "raw", bucket="b", tags={"trainform-role": "raw", "trainform-job": "j"}
    ),
    "several nodes without RDMA": lambda draft: node(draft, tags=TRAIN | SAVES | {"trainform-nodes": "2"}),
    "one job in two zones": _two_zones,
    "spot without checkpoints": lambda draft: node(draft, spotStrategy="SpotAsPriceGo", tags=TRAIN),
    "pool of spot without checkpoints": lambda draft: pool(draft, spotStrategy="SpotAsPriceGo", tags=TRAIN),
    "several nodes without checkpoints": lambda draft: node(draft, tags=TRAIN | {"trainform-nodes": "4"}),
    "type that never was": lambda draft: node(draft, instanceType="ecs.gn99.large"),
    "card too small": node,
    "plain image without a driver": lambda draft: node(draft, imageId=PLAIN_IMAGE),
    "system past its end": lambda draft: node(draft, imageId="centos_7_9_x64_20G_alibase_20240628.vhd"),
    "nobody watches the cards": node,
    "alarm that tells nobody": _deaf_alarm,
    "development day and night": lambda draft: node(draft, tags={"trainform-role": "dev", "trainform-job": "j"}),
    "training without an end": node,
    "SSH for the world": lambda draft: draft.add(
        "ecs/securityGroupRule:SecurityGroupRule",
        "ssh",
        type="ingress",
        ipProtocol="tcp",
        portRange="22/22",
        cidrIp="0.0.0.0/0",
        securityGroupId=draft.add("ecs/securityGroup:SecurityGroup", "nodes"),
    ),
    "password in the program": lambda draft: node(draft, password="Hunter2-Hunter2"),
    "public machine": lambda draft: node(draft, internetMaxBandwidthOut=10),
    "public bucket": lambda draft: draft.add(BUCKET, "raw", bucket="b", acl="public-read"),
}
REGION = "cn-beijing"
