"""The faults in a stack of Huawei Cloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.resources import Resource
from tests.rules.drafts import TRAIN, Draft

INSTANCE = "Ecs/instance:Instance"
SUBNET = "Vpc/subnet:Subnet"
GROUP = "As/group:Group"
CONFIGURATION = "As/configuration:Configuration"
VOLUME = "Evs/volume:Volume"
POLICY = "Cbr/policy:Policy"
VAULT = "Cbr/vault:Vault"
ALARM = "Aom/alarmRule:AlarmRule"
TOPIC = "Smn/topic:Topic"
BUCKET = "Obs/bucket:Bucket"
V100 = "p2s.2xlarge.8"  # one card, no RDMA
PLAIN_IMAGE = "Huawei Cloud EulerOS 2.0 Standard 64 bit"
SAVES = {"trainform-checkpoint-every": "20min", "trainform-checkpoint-to": "bucket"}
DRIVER = "#!/bin/bash\nDRIVER_VERSION=570.124.06\n"
REGION = "cn-north-4"
ZONE = "cn-north-4a"


def node(draft: Draft, name: str = "node", **inputs: Any) -> Resource:
    """A GPU machine without a fault of its own, but for what `inputs` change."""
    sound = {
        "flavorId": V100,
        "imageName": PLAIN_IMAGE,
        "userData": DRIVER,
        "availabilityZone": ZONE,
        "systemDiskType": "GPSSD",
        "systemDiskSize": 200,
        "tags": TRAIN | SAVES,
    }
    return draft.add(INSTANCE, name, **sound | inputs)


def pool(draft: Draft, tags: dict[str, str], **inputs: Any) -> Resource:
    """A scaling group with its configuration, which is returned; `tags` are the group's, `inputs` the machine's."""
    sound = {
        "flavor": V100,
        "image": "11111111-2222-3333-4444-555555555555",
        "userData": DRIVER,
        "disks": [{"diskType": "SYS", "volumeType": "GPSSD", "size": 200}],
    }
    configuration = draft.add(CONFIGURATION, "pool", instanceConfig=sound | inputs)
    draft.add(
        GROUP,
        "group",
        scalingConfigurationId=configuration,
        maxInstanceNumber=2,
        desireInstanceNumber=2,
        networks=[{"id": draft.add(SUBNET, "nodes")}],
        availabilityZones=[ZONE],
        tags=tags,
    )
    return configuration


def vault(draft: Draft, kind: str, resources: list[dict[str, Any]]) -> Resource:
    """A vault with a policy that holds something."""
    policy = draft.add(POLICY, "daily", type="backup", backupCycle={"interval": 1, "executionTimes": ["03:00"]})
    return draft.add(VAULT, "daily", type=kind, size=500, policies=[{"id": policy}], resources=resources)


def alarm(draft: Draft, machine: Resource) -> Resource:
    """A rule on the cards of a machine, for a topic that nobody has subscribed."""
    return draft.add(
        ALARM,
        "gpu",
        namespace="PAAS.NODE",
        metricName="gpuUtil",
        dimensions=[{"name": "hostID", "value": machine}],
        alarmActions=[draft.add(TOPIC, "oncall")],
    )


def _bare_data_disk(draft: Draft) -> None:
    machine = node(draft)
    vault(draft, "disk", [{"includes": [machine]}])
    disk = draft.add(VOLUME, "data", volumeType="GPSSD", size=100, availabilityZone=ZONE)
    draft.add("Ecs/volumeAttach:VolumeAttach", "data", volumeId=disk, instanceId=machine)


def _two_zones(draft: Draft) -> None:
    for zone in (ZONE, "cn-north-4b"):
        node(draft, f"in-{zone}", availabilityZone=zone, tags=TRAIN | SAVES | {"trainform-nodes": "2"})


PLANTED: dict[str, Callable[[Draft], object]] = {
    "hard disk for data": lambda draft: node(draft, dataDisks=[{"type": "SATA", "size": 500}]),
    "hybrid disk for data": lambda draft: node(draft, dataDisks=[{"type": "SAS", "size": 500}]),
    "hard disk for the system": lambda draft: node(draft, systemDiskType="SATA"),
    "bare system disk": node,
    "bare data disk": _bare_data_disk,
    "bucket that never cools": lambda draft: draft.add(
        BUCKET, "raw", bucket="b-raw", tags={"trainform-role": "raw", "trainform-job": "j"}
    ),
    "several nodes without RDMA": lambda draft: node(draft, tags=TRAIN | SAVES | {"trainform-nodes": "2"}),
    "one job in two zones": _two_zones,
    "spot without checkpoints": lambda draft: node(draft, chargingMode="spot", tags=TRAIN),
    "pool of spot without checkpoints": lambda draft: pool(draft, TRAIN, chargingMode="spot"),
    "several nodes without checkpoints": lambda draft: node(draft, tags=TRAIN | {"trainform-nodes": "4"}),
    "type that never was": lambda draft: node(draft, flavorId="pccs.2xlarge.8"),
    "card too small": node,
    "plain image without a driver": lambda draft: node(draft, userData="#!/bin/bash\necho hello there\n"),
    "system past its end": lambda draft: node(draft, imageName="CentOS 7.9 64bit"),
    "nobody watches the cards": node,
    "alarm that tells nobody": lambda draft: alarm(draft, node(draft)),
    "development day and night": lambda draft: node(draft, tags={"trainform-role": "dev", "trainform-job": "j"}),
    "training without an end": node,
    "SSH for the world": lambda draft: draft.add(
        "Vpc/secgroupRule:SecgroupRule",
        "ssh",
        securityGroupId=draft.add("Vpc/secgroup:Secgroup", "nodes", deleteDefaultRules=True),
        direction="ingress",
        ethertype="IPv4",
        protocol="tcp",
        ports="22",
    ),
    "password in the program": lambda draft: node(draft, adminPass="Hunter2-Hunter2"),
    "public machine": lambda draft: node(draft, eipType="5_bgp", bandwidth={"shareType": "PER", "size": 10}),
    "public bucket": lambda draft: draft.add(BUCKET, "raw", bucket="b-raw", acl="public-read"),
}
