"""Legal values on Baidu AI Cloud: clean resources pass, and each small mistake of practice is found."""

from __future__ import annotations

from typing import Any

import pytest

from generator.legality import check_resource, zone_region

INSTANCE = "baiducloud:index/instance:Instance"
DISK = "baiducloud:index/cds:Cds"
NODES = "baiducloud:index/ccev2InstanceGroup:Ccev2InstanceGroup"
BUCKET = "baiducloud:index/bosBucket:BosBucket"
FILES = "baiducloud:index/cfs:Cfs"
RULE = "baiducloud:index/securityGroupRule:SecurityGroupRule"
VPC = "baiducloud:index/vpc:Vpc"

CLEAN: dict[str, dict[str, Any]] = {
    INSTANCE: {
        "instanceSpec": "bcc.g5.c4m16",
        "imageId": "m-Nlv9C0tF",
        "availabilityZone": "cn-bj-a",
        "rootDiskStorageType": "enhanced_ssd_pl1",
        "rootDiskSizeInGb": 100,
        "paymentTiming": "Postpaid",
        "cdsDisks": [{"storageType": "enhanced_ssd_pl1", "cdsSizeInGb": 200}],
    },
    DISK: {"storageType": "enhanced_ssd_pl1", "diskSizeInGb": 500, "paymentTiming": "Postpaid", "zoneName": "cn-bj-a"},
    NODES: {
        "spec": {
            "replicas": 2,
            "instanceTemplate": {
                "instanceType": "G1",
                "instanceChargingType": "bidding",
                "instanceResource": {"machineSpec": "bcc.g5.c4m16", "rootDiskType": "hp1", "rootDiskSize": 100},
            },
        }
    },
    BUCKET: {
        "bucket": "trainform-ckpt",
        "acl": "private",
        "storageClass": "STANDARD",
        "lifecycleRules": [
            {
                "status": "enabled",
                "condition": {"time": {"dateGreaterThan": "$(lastModified)+P30D"}},
                "action": {"name": "Transition", "storageClass": "COLD"},
            }
        ],
    },
    FILES: {"type": "cap", "protocol": "nfs"},
    RULE: {
        "direction": "ingress",
        "etherType": "IPv4",
        "protocol": "tcp",
        "portRange": "22",
        "sourceIp": "203.0.113.0/24",
    },
    VPC: {"name": "job_vpc", "cidr": "10.0.0.0/16"},
}


def findings(token: str, **changes: Any) -> list[tuple[str, str, str]]:
    """Field, level and subject of what is wrong with a clean resource after these changes; None takes a value away."""
    inputs = {key: value for key, value in (CLEAN[token] | changes).items() if value is not None}
    return [(one.field, one.level, one.subject) for one in check_resource("baiducloud", token, inputs, "bj")]


@pytest.mark.parametrize("token", CLEAN)
def test_a_clean_resource_passes(token: str) -> None:
    """What the vendor's plugin accepts is not called illegal."""
    assert findings(token) == []


MISTAKES = [
    (INSTANCE, {"rootDiskStorageType": "foo"}, ("rootDiskStorageType", "deny", "disk")),
    (INSTANCE, {"cdsDisks": [{"storageType": "foo", "cdsSizeInGb": 100}]}, ("cdsDisks[0].storageType", "deny", "disk")),
    (
        INSTANCE,
        {"cdsDisks": [{"storageType": "enhanced_ssd_pl0", "cdsSizeInGb": 100}]},
        ("cdsDisks[0].storageType", "deny", "disk"),
    ),
    (INSTANCE, {"cdsDisks": [{"storageType": "hp1", "cdsSize": 100}]}, ("cdsDisks[0].cdsSizeInGb", "deny", "disk")),
    (INSTANCE, {"rootDiskSizeInGb": 10}, ("rootDiskSizeInGb", "deny", "disk")),
    (INSTANCE, {"rootDiskSizeInGb": 9000}, ("rootDiskSizeInGb", "deny", "disk")),
    (INSTANCE, {"imageId": None}, ("imageId", "deny", "image")),
    (INSTANCE, {"instanceSpec": None}, ("instanceSpec", "deny", "type")),
    (INSTANCE, {"instanceSpec": "gpu.huge"}, ("instanceSpec", "deny", "type")),
    (INSTANCE, {"paymentTiming": "bidding"}, ("paymentTiming", "deny", "charge")),
    (INSTANCE, {"ehcClusterId": "ehc-1"}, ("ehcClusterId", "deny", "rdma")),
    (INSTANCE, {"availabilityZone": "cn-gz-a"}, ("availabilityZone", "deny", "zone")),
    (DISK, {"storageType": "foo"}, ("storageType", "deny", "disk")),
    (DISK, {"storageType": "hp1", "diskSizeInGb": 1}, ("diskSizeInGb", "deny", "disk")),
    (DISK, {"diskSizeInGb": None}, ("diskSizeInGb", "deny", "disk")),
    (BUCKET, {"storageClass": "HOT"}, ("storageClass", "deny", "bucket")),
    (BUCKET, {"acl": "secret"}, ("acl", "deny", "bucket")),
    (BUCKET, {"lifecycleRules": [{"status": "Enabled"}]}, ("lifecycleRules[0].status", "deny", "bucket")),
    (
        BUCKET,
        {"lifecycleRules": [{"status": "enabled", "condition": {"time": {"dateGreaterThan": "30d"}}}]},
        ("lifecycleRules[0].condition.time.dateGreaterThan", "deny", "bucket"),
    ),
    (FILES, {"protocol": "foo"}, ("protocol", "deny", "file_system")),
    (FILES, {"type": "fast"}, ("type", "deny", "file_system")),
    (RULE, {"direction": "inbound"}, ("direction", "deny", "network")),
    (RULE, {"protocol": "tcpp"}, ("protocol", "deny", "network")),
    (RULE, {"portRange": "22/22"}, ("portRange", "deny", "network")),
    (RULE, {"sourceIp": None}, ("sourceIp", "deny", "network")),
    (VPC, {"cidr": "10.0.0.0/99"}, ("cidr", "deny", "network")),
    (VPC, {"name": "job-vpc"}, ("name", "deny", "network")),
]


@pytest.mark.parametrize(("token", "changes", "finding"), MISTAKES)
def test_a_small_mistake_is_found(token: str, changes: dict[str, Any], finding: tuple[str, str, str]) -> None:
    """Each mistake of practice, also those that the vendor's plugin lets through, is found at its field."""
    assert finding in findings(token, **changes)


def test_a_group_may_bid_and_an_instance_may_not() -> None:
    """Spot nodes come from a CCE instance group, with the word in lower case."""
    template = CLEAN[NODES]["spec"]["instanceTemplate"] | {"instanceChargingType": "Bidding"}
    said = findings(NODES, spec={"replicas": 2, "instanceTemplate": template})
    assert said == [("spec.instanceTemplate.instanceChargingType", "deny", "spot")]


@pytest.mark.parametrize(("zone", "region"), [("cn-bj-a", "bj"), ("cn-fsh-b", "fsh"), ("zoneA", None)])
def test_zones_name_their_region(zone: str, region: str | None) -> None:
    """A zone is cn, its region and a letter."""
    assert zone_region("baiducloud", zone) == region
