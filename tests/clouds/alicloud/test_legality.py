"""Legal values on Alibaba Cloud: clean resources pass, and each small mistake of practice is found."""

from __future__ import annotations

from typing import Any

import pytest

from generator.legality import check_resource, check_zone, zone_region
from generator.program.values import UNKNOWN

INSTANCE = "alicloud:ecs/instance:Instance"
DISK = "alicloud:ecs/ecsDisk:EcsDisk"
POOL = "alicloud:ess/scalingConfiguration:ScalingConfiguration"
GROUP = "alicloud:ess/scalingGroup:ScalingGroup"
FILES = "alicloud:nas/fileSystem:FileSystem"
RULE = "alicloud:ecs/securityGroupRule:SecurityGroupRule"
BUCKET = "alicloud:oss/bucket:Bucket"

CLEAN: dict[str, dict[str, Any]] = {
    INSTANCE: {
        "instanceType": "ecs.gn7i-c8g1.2xlarge",
        "imageId": "ubuntu_22_04_x64_20G_alibase_20240508.vhd",
        "securityGroups": ["sg-1"],
        "availabilityZone": "cn-beijing-i",
        "systemDiskCategory": "cloud_essd",
        "systemDiskPerformanceLevel": "PL1",
        "systemDiskSize": 200,
        "httpTokens": "required",
        "stoppedMode": "StopCharging",
    },
    DISK: {"zoneId": "cn-beijing-i", "category": "cloud_essd", "performanceLevel": "PL2", "size": 500},
    POOL: {
        "instanceTypes": ["ecs.gn7i-c8g1.2xlarge", "ecs.gn7i-c16g1.4xlarge"],
        "imageId": "ubuntu_22_04_x64_20G_alibase_20240508.vhd",
        "securityGroupIds": ["sg-1"],
        "active": True,
        "enable": True,
        "forceDelete": True,
        "spotStrategy": "SpotWithPriceLimit",
        "spotPriceLimits": [{"instanceType": "ecs.gn7i-c8g1.2xlarge", "priceLimit": 9.53}],
        "systemDiskCategory": "cloud_essd",
        "systemDiskPerformanceLevel": "PL1",
        "systemDiskSize": 100,
    },
    GROUP: {
        "minSize": 0,
        "maxSize": 2,
        "desiredCapacity": 1,
        "multiAzPolicy": "COST_OPTIMIZED",
        "compensateWithOnDemand": True,
    },
    FILES: {
        "fileSystemType": "cpfs",
        "storageType": "advance_200",
        "protocolType": "cpfs",
        "capacity": 7200,
        "zoneId": "cn-beijing-i",
        "vpcId": UNKNOWN,
        "vswitchId": UNKNOWN,
    },
    RULE: {"type": "ingress", "ipProtocol": "tcp", "portRange": "22/22", "cidrIp": "203.0.113.0/24"},
    BUCKET: {
        "bucket": "trainform-ckpt-7f3a",
        "redundancyType": "ZRS",
        "lifecycleRules": [{"enabled": True, "transitions": [{"days": 30, "storageClass": "IA"}]}],
    },
}


def findings(token: str, **changes: Any) -> list[tuple[str, str, str]]:
    """Field, level and subject of what is wrong with a clean resource after these changes; None takes a value away."""
    inputs = {key: value for key, value in (CLEAN[token] | changes).items() if value is not None}
    return [(one.field, one.level, one.subject) for one in check_resource("alicloud", token, inputs, "cn-beijing")]


@pytest.mark.parametrize("token", CLEAN)
def test_a_clean_resource_passes(token: str) -> None:
    """What the vendor's plugin accepts is not called illegal."""
    assert findings(token) == []


MISTAKES = [
    (INSTANCE, {"systemDiskCategory": "cloud_esd"}, ("systemDiskCategory", "deny", "disk")),
    (INSTANCE, {"dataDisks": [{"category": "cloud_foo", "size": 100}]}, ("dataDisks[0].category", "deny", "disk")),
    (INSTANCE, {"systemDiskPerformanceLevel": "PL9"}, ("systemDiskPerformanceLevel", "deny", "disk")),
    (INSTANCE, {"systemDiskCategory": "cloud_auto"}, ("systemDiskPerformanceLevel", "deny", "disk")),
    (INSTANCE, {"systemDiskSize": 10}, ("systemDiskSize", "deny", "disk")),
    (INSTANCE, {"systemDiskSize": 9000}, ("systemDiskSize", "deny", "disk")),
    (INSTANCE, {"systemDiskSize": "10"}, ("systemDiskSize", "deny", "disk")),
    (INSTANCE, {"dataDisks": [{"category": "cloud_essd", "size": 5}]}, ("dataDisks[0].size", "deny", "disk")),
    (INSTANCE, {"dataDisks": [{"category": "cloud_essd"}]}, ("dataDisks[0].size", "deny", "disk")),
    (
        INSTANCE,
        {"systemDiskCategory": "cloud_efficiency", "systemDiskPerformanceLevel": None},
        ("systemDiskCategory", "deny", "disk"),
    ),
    (INSTANCE, {"instanceType": "ecs.gn5-c4g1.xlarge"}, ("systemDiskCategory", "deny", "disk")),
    (INSTANCE, {"imageId": None}, ("imageId", "deny", "image")),
    (INSTANCE, {"instanceType": None}, ("instanceType", "deny", "type")),
    (INSTANCE, {"instanceType": "gpu.huge"}, ("instanceType", "deny", "type")),
    (INSTANCE, {"securityGroups": None}, ("securityGroups", "deny", "network")),
    (INSTANCE, {"spotStrategy": "SpotFoo"}, ("spotStrategy", "deny", "spot")),
    (INSTANCE, {"spotStrategy": "SpotAsPriceGo", "spotDuration": 9}, ("spotDuration", "deny", "spot")),
    (
        INSTANCE,
        {"spotStrategy": "SpotAsPriceGo", "spotInterruptionBehavior": "Hibernate"},
        ("spotInterruptionBehavior", "deny", "spot"),
    ),
    (INSTANCE, {"spotStrategy": "SpotWithPriceLimit"}, ("spotPriceLimit", "deny", "spot")),
    (INSTANCE, {"spotPriceLimit": 3.0}, ("spotPriceLimit", "deny", "spot")),
    (
        INSTANCE,
        {"spotStrategy": "SpotAsPriceGo", "instanceChargeType": "PrePaid"},
        ("instanceChargeType", "deny", "spot"),
    ),
    (INSTANCE, {"spotStrategy": "SpotAsPriceGo", "deletionProtection": True}, ("deletionProtection", "deny", "spot")),
    (INSTANCE, {"instanceChargeType": "Spot"}, ("instanceChargeType", "deny", "charge")),
    (INSTANCE, {"autoReleaseTime": "tomorrow"}, ("autoReleaseTime", "deny", "charge")),
    (INSTANCE, {"availabilityZone": "cn-shanghai-b"}, ("availabilityZone", "deny", "zone")),
    (INSTANCE, {"networkInterfaceTrafficMode": "HighPerformance"}, ("networkInterfaceTrafficMode", "deny", "rdma")),
    (INSTANCE, {"hpcClusterId": "hpc-1"}, ("hpcClusterId", "deny", "rdma")),
    (INSTANCE, {"instanceType": "ecs.sccgn7ex.32xlarge"}, ("hpcClusterId", "deny", "rdma")),
    (INSTANCE, {"imageId": "aliyun_3_arm64_20G_alibase_20240819.vhd"}, ("imageId", "deny", "image")),
    (INSTANCE, {"hostName": "my_host"}, ("hostName", "deny", "other")),
    (DISK, {"category": "cloud_foo"}, ("category", "deny", "disk")),
    (DISK, {"performanceLevel": "PL9"}, ("performanceLevel", "deny", "disk")),
    (DISK, {"performanceLevel": "PL3", "size": 100}, ("size", "deny", "disk")),
    (DISK, {"performanceLevel": None, "size": 5}, ("size", "deny", "disk")),
    (DISK, {"size": None}, ("size", "deny", "disk")),
    (DISK, {"category": "cloud_efficiency", "performanceLevel": "PL1"}, ("performanceLevel", "deny", "disk")),
    (DISK, {"zoneId": None}, ("zoneId", "deny", "disk")),
    (DISK, {"multiAttach": "true"}, ("multiAttach", "deny", "disk")),
    (
        DISK,
        {"category": "cloud_auto", "performanceLevel": None, "size": 20, "provisionedIops": 20000},
        ("provisionedIops", "deny", "disk"),
    ),
    (DISK, {"provisionedIops": 1000}, ("provisionedIops", "deny", "disk")),
    (POOL, {"systemDiskCategory": "cloud_auto"}, ("systemDiskCategory", "deny", "disk")),
    (POOL, {"systemDiskSize": 600}, ("systemDiskSize", "deny", "disk")),
    (POOL, {"spotPriceLimits": None}, ("spotPriceLimits", "deny", "spot")),
    (POOL, {"spotStrategy": "SpotFoo", "spotPriceLimits": None}, ("spotStrategy", "deny", "spot")),
    (POOL, {"enable": None}, ("enable", "warn", "other")),
    (POOL, {"securityGroupId": "sg-1"}, ("securityGroupId", "deny", "network")),
    (GROUP, {"minSize": 3}, ("minSize", "deny", "other")),
    (GROUP, {"multiAzPolicy": "PRIORITY"}, ("compensateWithOnDemand", "warn", "spot")),
    (
        GROUP,
        {"multiAzPolicy": "COMPOSABLE", "compensateWithOnDemand": None},
        ("capacityOptionsOnDemandPercentageAboveBaseCapacity", "warn", "spot"),
    ),
    (FILES, {"fileSystemType": "cpfsx"}, ("fileSystemType", "deny", "file_system")),
    (FILES, {"storageType": "advance_300"}, ("storageType", "deny", "file_system")),
    (FILES, {"protocolType": "NFS"}, ("protocolType", "deny", "file_system")),
    (FILES, {"capacity": 100}, ("capacity", "deny", "file_system")),
    (FILES, {"capacity": 5000}, ("capacity", "warn", "file_system")),
    (FILES, {"capacity": None}, ("capacity", "deny", "file_system")),
    (FILES, {"vpcId": None}, ("vpcId", "deny", "file_system")),
    (FILES, {"vswitchId": None}, ("vswitchId", "deny", "file_system")),
    (RULE, {"ipProtocol": "tcpp"}, ("ipProtocol", "deny", "network")),
    (RULE, {"portRange": "22"}, ("portRange", "deny", "network")),
    (RULE, {"portRange": None}, ("portRange", "deny", "network")),
    (RULE, {"portRange": "1/70000"}, ("portRange", "deny", "network")),
    (RULE, {"type": "inbound"}, ("type", "deny", "network")),
    (RULE, {"priority": 1000}, ("priority", "deny", "network")),
    (RULE, {"cidrIp": "300.0.0.0/8"}, ("cidrIp", "deny", "network")),
    (RULE, {"cidrIp": None}, ("cidrIp", "deny", "network")),
    (BUCKET, {"storageClass": "Hot"}, ("storageClass", "deny", "bucket")),
    (BUCKET, {"bucket": "A_B"}, ("bucket", "deny", "bucket")),
    (
        BUCKET,
        {"lifecycleRules": [{"enabled": True, "transitions": [{"storageClass": "Hot"}]}]},
        ("lifecycleRules[0].transitions[0].storageClass", "deny", "bucket"),
    ),
    (BUCKET, {"lifecycleRules": [{"transitions": []}]}, ("lifecycleRules[0].enabled", "deny", "bucket")),
]


@pytest.mark.parametrize(("token", "changes", "finding"), MISTAKES)
def test_a_small_mistake_is_found(token: str, changes: dict[str, Any], finding: tuple[str, str, str]) -> None:
    """Each mistake of practice, also those that the vendor's plugin lets through, is found at its field."""
    assert finding in findings(token, **changes)


def test_erdma_is_switched_on_where_the_type_has_it() -> None:
    """The switch is legal on a type with elastic RDMA, in an interface of the instance and of a pool alike."""
    ebm = {"instanceType": "ecs.ebmgn7ex.32xlarge", "imageId": "m-1", "networkInterfaceTrafficMode": "HighPerformance"}
    assert findings(INSTANCE, **ebm) == []
    pool = {
        "instanceTypes": ["ecs.gn7e-c16g1.32xlarge"],
        "networkInterfaces": [{"networkInterfaceTrafficMode": "HighPerformance"}],
    }
    assert ("networkInterfaces[0].networkInterfaceTrafficMode", "deny", "rdma") in findings(POOL, **pool)


def test_a_type_whose_rdma_nobody_states_is_left_alone() -> None:
    """What no source says of a type is not judged."""
    assert findings(INSTANCE, instanceType="ecs.c8i.xlarge", networkInterfaceTrafficMode="HighPerformance") == []


@pytest.mark.parametrize(
    ("zone", "region"),
    [
        ("cn-beijing-i", "cn-beijing"), ("cn-wuhan-lr-a", "cn-wuhan-lr"), ("ap-southeast-1a", "ap-southeast-1"),
        ("us-east-1b", "us-east-1"), ("cn-hongkong-b", "cn-hongkong"), ("eu-central-1a", "eu-central-1"),
        ("beijing", None),
    ],
)  # fmt: skip
def test_zones_name_their_region(zone: str, region: str | None) -> None:
    """A zone's name holds its region: with a dash before the letter in China, without one abroad."""
    assert zone_region("alicloud", zone) == region


def test_a_foreign_zone_says_where_it_is() -> None:
    """The message names the region that the zone is in."""
    assert (
        check_zone("alicloud", "cn-shanghai-b", "cn-beijing")
        == "'cn-shanghai-b' is a zone of cn-shanghai, not of cn-beijing"
    )
