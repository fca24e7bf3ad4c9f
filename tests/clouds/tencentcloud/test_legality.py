"""Legal values on Tencent Cloud: clean resources pass, and each small mistake of practice is found."""

from __future__ import annotations

from typing import Any

import pytest

from generator.legality import check_resource, zone_region
from generator.program.values import UNKNOWN

INSTANCE = "tencentcloud:Instance/instance:Instance"
DISK = "tencentcloud:Cbs/storage:Storage"
POOL = "tencentcloud:As/scalingConfig:ScalingConfig"
NODES = "tencentcloud:Kubernetes/nodePool:NodePool"
FILES = "tencentcloud:Cfs/fileSystem:FileSystem"
BUCKET = "tencentcloud:Cos/bucket:Bucket"
RULES = "tencentcloud:Security/groupRuleSet:GroupRuleSet"
VPC = "tencentcloud:Vpc/instance:Instance"

CLEAN: dict[str, dict[str, Any]] = {
    INSTANCE: {
        "instanceType": "GN7.2XLARGE32",
        "imageId": "img-487zeit5",
        "availabilityZone": "ap-guangzhou-6",
        "systemDiskType": "CLOUD_BSSD",
        "systemDiskSize": 100,
        "instanceChargeType": "SPOTPAID",
        "spotInstanceType": "ONE-TIME",
        "spotMaxPrice": "8.68",
    },
    DISK: {
        "storageType": "CLOUD_HSSD",
        "storageSize": 500,
        "availabilityZone": "ap-guangzhou-6",
        "throughputPerformance": 100,
    },
    POOL: {
        "instanceTypes": ["GN7.2XLARGE32"],
        "imageId": "img-487zeit5",
        "instanceChargeType": "SPOTPAID",
        "spotInstanceType": "one-time",
        "spotMaxPrice": "8.68",
        "systemDiskType": "CLOUD_BSSD",
        "systemDiskSize": 100,
        "dataDisks": [{"diskType": "CLOUD_HSSD", "diskSize": 500, "deleteWithInstance": True}],
    },
    NODES: {
        "deleteKeepInstance": False,
        "minSize": 0,
        "maxSize": 2,
        "autoScalingConfig": {"instanceType": "GN7.2XLARGE32", "systemDiskType": "CLOUD_BSSD", "systemDiskSize": 100},
    },
    FILES: {"storageType": "TP", "protocol": "TURBO", "capacity": 20480, "vpcId": UNKNOWN, "subnetId": UNKNOWN},
    BUCKET: {"bucket": "ckpt-1250000000", "acl": "private"},
    RULES: {"ingresses": [{"action": "ACCEPT", "protocol": "TCP", "port": "22", "cidrBlock": "203.0.113.0/24"}]},
    VPC: {"cidrBlock": "10.0.0.0/16"},
}


def findings(token: str, **changes: Any) -> list[tuple[str, str, str]]:
    """Field, level and subject of what is wrong with a clean resource after these changes; None takes a value away."""
    inputs = {key: value for key, value in (CLEAN[token] | changes).items() if value is not None}
    return [
        (one.field, one.level, one.subject) for one in check_resource("tencentcloud", token, inputs, "ap-guangzhou")
    ]


@pytest.mark.parametrize("token", CLEAN)
def test_a_clean_resource_passes(token: str) -> None:
    """What the vendor's plugin accepts is not called illegal."""
    assert findings(token) == []


MISTAKES = [
    (INSTANCE, {"systemDiskType": "CLOUD_FOO"}, ("systemDiskType", "deny", "disk")),
    (
        INSTANCE,
        {"dataDisks": [{"dataDiskType": "CLOUD_FOO", "dataDiskSize": 100}]},
        ("dataDisks[0].dataDiskType", "deny", "disk"),
    ),
    (INSTANCE, {"systemDiskSize": 5}, ("systemDiskSize", "deny", "disk")),
    (INSTANCE, {"systemDiskSize": 90000}, ("systemDiskSize", "deny", "disk")),
    (
        INSTANCE,
        {"dataDisks": [{"dataDiskType": "CLOUD_HSSD", "dataDiskSize": 3}]},
        ("dataDisks[0].dataDiskSize", "deny", "disk"),
    ),
    (
        INSTANCE,
        {"dataDisks": [{"dataDiskType": "CLOUD_HSSD", "dataDiskSize": 505}]},
        ("dataDisks[0].dataDiskSize", "deny", "disk"),
    ),
    (
        INSTANCE,
        {"dataDisks": [{"dataDiskType": "CLOUD_HSSD", "dataDiskSize": 500}]},
        ("dataDisks[0].deleteWithInstance", "deny", "spot"),
    ),
    (INSTANCE, {"instanceType": None}, ("instanceType", "deny", "type")),
    (INSTANCE, {"imageId": None}, ("imageId", "deny", "image")),
    (INSTANCE, {"spotInstanceType": None}, ("spotInstanceType", "deny", "spot")),
    (INSTANCE, {"spotMaxPrice": None}, ("spotMaxPrice", "deny", "spot")),
    (INSTANCE, {"spotInstanceType": "FOREVER"}, ("spotInstanceType", "deny", "spot")),
    (INSTANCE, {"spotInstanceType": "one-time"}, ("spotInstanceType", "deny", "spot")),
    (INSTANCE, {"spotMaxPrice": "cheap"}, ("spotMaxPrice", "deny", "spot")),
    (INSTANCE, {"instanceChargeType": "POSTPAID_BY_HOUR"}, ("spotMaxPrice", "deny", "spot")),
    (INSTANCE, {"instanceChargeType": "SPOT"}, ("instanceChargeType", "deny", "charge")),
    (INSTANCE, {"instanceChargeType": "PREPAID"}, ("instanceChargeTypePrepaidPeriod", "deny", "charge")),
    (INSTANCE, {"instanceType": "gpu.huge"}, ("instanceType", "deny", "type")),
    (INSTANCE, {"availabilityZone": "ap-shanghai-2"}, ("availabilityZone", "deny", "zone")),
    (INSTANCE, {"userData": "eA==", "userDataRaw": "x"}, ("userData", "deny", "other")),
    (INSTANCE, {"userData": "#!/bin/sh"}, ("userData", "deny", "other")),
    (INSTANCE, {"instanceType": "HCCG5v.24XLARGE384"}, ("hpcClusterId", "deny", "rdma")),
    (INSTANCE, {"hpcClusterId": "hpc-1"}, ("hpcClusterId", "deny", "rdma")),
    (INSTANCE, {"instanceType": "PNV6.4XLARGE160", "imageId": "img-eb30mz89"}, ("imageId", "deny", "image")),
    (DISK, {"storageType": "CLOUD_FOO"}, ("storageType", "deny", "disk")),
    (DISK, {"storageSize": 3}, ("storageSize", "deny", "disk")),
    (DISK, {"storageSize": 400}, ("throughputPerformance", "deny", "disk")),
    (DISK, {"throughputPerformance": 900}, ("throughputPerformance", "deny", "disk")),
    (DISK, {"storageType": "CLOUD_BSSD"}, ("throughputPerformance", "deny", "disk")),
    (POOL, {"systemDiskSize": 600}, ("systemDiskSize", "deny", "disk")),
    (POOL, {"spotInstanceType": "ONE-TIME"}, ("spotInstanceType", "deny", "spot")),
    (
        POOL,
        {"dataDisks": [{"diskType": "CLOUD_HSSD", "diskSize": 500}]},
        ("dataDisks[0].deleteWithInstance", "warn", "disk"),
    ),
    (
        NODES,
        {"autoScalingConfig": {"instanceType": "GN7.2XLARGE32", "systemDiskType": "CLOUD_FOO"}},
        ("autoScalingConfig.systemDiskType", "deny", "disk"),
    ),
    (NODES, {"deleteKeepInstance": True}, ("deleteKeepInstance", "warn", "other")),
    (FILES, {"storageType": "XX"}, ("storageType", "deny", "file_system")),
    (FILES, {"protocol": "FOO"}, ("protocol", "deny", "file_system")),
    (FILES, {"protocol": None}, ("protocol", "deny", "file_system")),
    (FILES, {"storageType": "TB", "capacity": 100}, ("capacity", "deny", "file_system")),
    (FILES, {"storageType": "TB", "capacity": 20480}, ("capacity", "warn", "file_system")),
    (FILES, {"capacity": 10240}, ("capacity", "warn", "file_system")),
    (FILES, {"vpcId": None}, ("vpcId", "deny", "file_system")),
    (BUCKET, {"bucket": "ckpt"}, ("bucket", "deny", "bucket")),
    (BUCKET, {"bucket": "A_B-1250000000"}, ("bucket", "deny", "bucket")),
    (BUCKET, {"acl": "secret"}, ("acl", "deny", "bucket")),
    (
        BUCKET,
        {"lifecycleRules": [{"transitions": [{"storageClass": "HOT"}]}]},
        ("lifecycleRules[0].transitions[0].storageClass", "deny", "bucket"),
    ),
    (RULES, {"ingresses": [{"action": "ALLOW"}]}, ("ingresses[0].action", "deny", "network")),
    (RULES, {"ingresses": [{"action": "ACCEPT", "protocol": "TCPP"}]}, ("ingresses[0].protocol", "deny", "network")),
    (RULES, {"ingresses": [{"action": "ACCEPT", "port": "99999"}]}, ("ingresses[0].port", "deny", "network")),
    (VPC, {"cidrBlock": "10.0.0.0/99"}, ("cidrBlock", "deny", "network")),
]


@pytest.mark.parametrize(("token", "changes", "finding"), MISTAKES)
def test_a_small_mistake_is_found(token: str, changes: dict[str, Any], finding: tuple[str, str, str]) -> None:
    """Each mistake of practice, also those that the vendor's plugin lets through, is found at its field."""
    assert finding in findings(token, **changes)


def test_sources_that_differ_on_a_size_warn_between_their_figures() -> None:
    """Turbo: below the SDK's minimum refused, from there to the page's a warning, from the page's on nothing."""
    levels = [
        [level for _, level, _ in findings(FILES, storageType="TB", capacity=size)]
        for size in (10240, 20480, 40960, 61440)
    ]
    assert levels == [["deny"], ["warn"], [], []]


@pytest.mark.parametrize(
    ("zone", "region"), [("ap-guangzhou-6", "ap-guangzhou"), ("na-ashburn-2", "na-ashburn"), ("guangzhou", None)]
)
def test_zones_name_their_region(zone: str, region: str | None) -> None:
    """A zone is its region and a number."""
    assert zone_region("tencentcloud", zone) == region
