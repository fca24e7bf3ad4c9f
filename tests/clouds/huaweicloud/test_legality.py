"""Legal values on Huawei Cloud: clean resources pass, and each small mistake of practice is found."""

from __future__ import annotations

from typing import Any

import pytest

from generator.legality import check_resource, zone_region

INSTANCE = "huaweicloud:Ecs/instance:Instance"
DISK = "huaweicloud:Evs/volume:Volume"
POOL = "huaweicloud:As/configuration:Configuration"
FILES = "huaweicloud:Sfs/turbo:Turbo"
BUCKET = "huaweicloud:Obs/bucket:Bucket"
RULE = "huaweicloud:Vpc/secgroupRule:SecgroupRule"
NODE = "huaweicloud:Cce/node:Node"

CLEAN: dict[str, dict[str, Any]] = {
    INSTANCE: {
        "flavorId": "p2s.2xlarge.8",
        "imageId": "0d9c1b6a",
        "networks": [{"uuid": "subnet"}],
        "availabilityZone": "cn-north-4a",
        "systemDiskType": "GPSSD",
        "systemDiskSize": 100,
        "chargingMode": "spot",
        "spotMaximumPrice": "9.5",
    },
    DISK: {"availabilityZone": "cn-north-4a", "volumeType": "ESSD", "size": 500},
    POOL: {
        "instanceConfig": {
            "flavor": "p2s.2xlarge.8,p2v.2xlarge.8",
            "chargingMode": "spot",
            "disks": [{"diskType": "SYS", "size": 100, "volumeType": "GPSSD"}],
        }
    },
    FILES: {"shareType": "HPC", "hpcBandwidth": "250M", "size": 3686},
    BUCKET: {"bucket": "trainform-ckpt", "acl": "private"},
    RULE: {
        "direction": "ingress",
        "ethertype": "IPv4",
        "protocol": "tcp",
        "ports": "22",
        "remoteIpPrefix": "203.0.113.0/24",
    },
    NODE: {"flavorId": "p2s.2xlarge.8", "rootVolume": {"size": 50, "volumetype": "GPSSD"}},
}


def findings(token: str, **changes: Any) -> list[tuple[str, str, str]]:
    """Field, level and subject of what is wrong with a clean resource after these changes; None takes a value away."""
    inputs = {key: value for key, value in (CLEAN[token] | changes).items() if value is not None}
    return [(one.field, one.level, one.subject) for one in check_resource("huaweicloud", token, inputs, "cn-north-4")]


@pytest.mark.parametrize("token", CLEAN)
def test_a_clean_resource_passes(token: str) -> None:
    """What the vendor's plugin accepts is not called illegal."""
    assert findings(token) == []


MISTAKES = [
    (INSTANCE, {"systemDiskType": "FOO"}, ("systemDiskType", "deny", "disk")),
    (INSTANCE, {"systemDiskSize": 5}, ("systemDiskSize", "deny", "disk")),
    (INSTANCE, {"systemDiskSize": 9000}, ("systemDiskSize", "deny", "disk")),
    (INSTANCE, {"dataDisks": [{"type": "SSD", "size": 5}]}, ("dataDisks[0].size", "deny", "disk")),
    (INSTANCE, {"systemDiskType": "GPSSD2"}, ("systemDiskIops", "deny", "disk")),
    (
        INSTANCE,
        {"systemDiskType": "GPSSD2", "systemDiskIops": 4000, "systemDiskThroughput": 1001},
        ("systemDiskThroughput", "deny", "disk"),
    ),
    (INSTANCE, {"systemDiskIops": 4000}, ("systemDiskIops", "deny", "disk")),
    (INSTANCE, {"flavorId": None}, ("flavorId", "deny", "type")),
    (INSTANCE, {"imageId": None}, ("imageId", "deny", "image")),
    (INSTANCE, {"networks": [{"uid": "subnet"}]}, ("networks[0].uuid", "deny", "network")),
    (INSTANCE, {"spotDuration": 1}, ("spotMaximumPrice", "deny", "spot")),
    (INSTANCE, {"spotMaximumPrice": None, "spotDuration": 9}, ("spotDuration", "deny", "spot")),
    (INSTANCE, {"spotMaximumPrice": "cheap"}, ("spotMaximumPrice", "deny", "spot")),
    (INSTANCE, {"chargingMode": "postPaid"}, ("spotMaximumPrice", "deny", "spot")),
    (INSTANCE, {"chargingMode": "SPOT"}, ("chargingMode", "deny", "charge")),
    (INSTANCE, {"chargingMode": "prePaid", "spotMaximumPrice": None}, ("period", "deny", "charge")),
    (INSTANCE, {"availabilityZone": "cn-east-3a"}, ("availabilityZone", "deny", "zone")),
    (INSTANCE, {"powerAction": "STOP"}, ("powerAction", "deny", "other")),
    (DISK, {"volumeType": "FOO"}, ("volumeType", "deny", "disk")),
    (DISK, {"size": 5}, ("size", "deny", "disk")),
    (DISK, {"volumeType": "ESSD2", "iops": 600000}, ("iops", "deny", "disk")),
    (
        POOL,
        {"instanceConfig": {"chargingMode": "foo", "disks": [{"diskType": "SYS", "volumeType": "GPSSD", "size": 50}]}},
        ("instanceConfig.chargingMode", "deny", "spot"),
    ),
    (
        POOL,
        {"instanceConfig": {"disks": [{"diskType": "SYS", "volumeType": "GPSSD", "size": 2000}]}},
        ("instanceConfig.disks[0].size", "deny", "disk"),
    ),
    (
        POOL,
        {"instanceConfig": {"disks": [{"diskType": "sys", "volumeType": "GPSSD", "size": 50}]}},
        ("instanceConfig.disks[0].diskType", "deny", "disk"),
    ),
    (FILES, {"shareType": "FOO"}, ("shareType", "deny", "file_system")),
    (FILES, {"hpcBandwidth": "33M"}, ("hpcBandwidth", "deny", "file_system")),
    (FILES, {"hpcBandwidth": None}, ("hpcBandwidth", "deny", "file_system")),
    (FILES, {"size": 1}, ("size", "deny", "file_system")),
    (FILES, {"size": 2000}, ("size", "deny", "file_system")),
    (FILES, {"shareType": None, "hpcBandwidth": None, "size": 100}, ("size", "deny", "file_system")),
    (BUCKET, {"bucket": "A_B"}, ("bucket", "deny", "bucket")),
    (BUCKET, {"storageClass": "HOT"}, ("storageClass", "deny", "bucket")),
    (
        BUCKET,
        {"lifecycleRules": [{"transitions": [{"storageClass": "HOT", "days": 30}]}]},
        ("lifecycleRules[0].transitions[0].storageClass", "deny", "bucket"),
    ),
    (BUCKET, {"kmsKeyId": "key"}, ("encryption", "deny", "bucket")),
    (RULE, {"direction": "inbound"}, ("direction", "deny", "network")),
    (RULE, {"ethertype": "v4"}, ("ethertype", "deny", "network")),
    (RULE, {"ports": "99999"}, ("ports", "deny", "network")),
    (RULE, {"protocol": None}, ("protocol", "deny", "network")),
    (NODE, {"rootVolume": {"size": 20, "volumetype": "GPSSD"}}, ("rootVolume.size", "deny", "disk")),
    (NODE, {"rootVolume": {"size": 50, "volumetype": "FOO"}}, ("rootVolume.volumetype", "deny", "disk")),
]


@pytest.mark.parametrize(("token", "changes", "finding"), MISTAKES)
def test_a_small_mistake_is_found(token: str, changes: dict[str, Any], finding: tuple[str, str, str]) -> None:
    """Each mistake of practice, also those that the vendor's plugin lets through, is found at its field."""
    assert finding in findings(token, **changes)


@pytest.mark.parametrize("size", [1228, 2457, 3686, 12288, 122880])
def test_steps_of_tebibytes_are_legal_as_the_vendor_prints_them(size: int) -> None:
    """1.2 TiB steps are printed rounded down, so that three steps are 3686 and not 3684 GiB."""
    assert findings(FILES, size=size) == []


@pytest.mark.parametrize(
    ("zone", "region"), [("cn-north-4a", "cn-north-4"), ("cn-southwest-2c", "cn-southwest-2"), ("cn-north-4", None)]
)
def test_zones_name_their_region(zone: str, region: str | None) -> None:
    """A zone is its region and a letter."""
    assert zone_region("huaweicloud", zone) == region
