"""The faults in a stack of Baidu AI Cloud, and those that its provider cannot express."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.resources import Resource
from tests.rules.drafts import TRAIN, Draft

INSTANCE = "index/instance:Instance"
HPAS = "index/hpasInstance:HpasInstance"
GROUP = "index/ccev2InstanceGroup:Ccev2InstanceGroup"
SUBNET = "index/subnet:Subnet"
CDS = "index/cds:Cds"
ATTACHMENT = "index/cdsAttachment:CdsAttachment"
POLICY = "index/autoSnapshotPolicy:AutoSnapshotPolicy"
BUCKET = "index/bosBucket:BosBucket"
SECURITY_GROUP, RULE = "index/securityGroup:SecurityGroup", "index/securityGroupRule:SecurityGroupRule"
P40 = "bcc.lgn1.c12m40.1p40"  # one card, no RDMA
SAVES = {"trainform-checkpoint-every": "20min", "trainform-checkpoint-to": "bucket"}
DRIVER = "#!/bin/bash\nDRIVER_VERSION=580.105.08\n"
REGION = "bj"


def node(draft: Draft, name: str = "node", **inputs: Any) -> Resource:
    """A GPU machine without a fault of its own, but for what `inputs` change."""
    sound = {
        "instanceSpec": P40,
        "imageId": "m-Example1",
        "userData": DRIVER,
        "rootDiskStorageType": "cloud_hp1",
        "rootDiskSizeInGb": 200,
        "paymentTiming": "Postpaid",
        "tags": TRAIN | SAVES,
    }
    return draft.add(INSTANCE, name, **sound | inputs)


def pool(draft: Draft, name: str = "pool", size: int = 2, tags: dict[str, str] | None = None, **more: Any) -> Resource:
    """A group of a CCE cluster; `more` changes its template."""
    template = {
        "machineType": "BCC",
        "instanceType": "G1",
        "instanceChargingType": "Postpaid",
        "imageId": "m-Example1",
        "instanceResource": {"machineSpec": P40, "rootDiskType": "cloud_hp1", "rootDiskSize": 200},
        "deployCustomConfig": {"postUserScript": DRIVER},
        "tagLists": [{"tagKey": key, "tagValue": value} for key, value in (tags or TRAIN | SAVES).items()],
    }
    return draft.add(GROUP, name, spec={"replicas": size, "instanceTemplate": template | more})


def _bare_data_disk(draft: Draft) -> None:
    disk = draft.add(CDS, "data", storageType="cloud_hp1", diskSizeInGb=100, paymentTiming="Postpaid")
    draft.add(ATTACHMENT, "data", cdsId=disk, instanceId=node(draft))
    draft.add(POLICY, "nothing", retentionDays=7, timePoints=[3], repeatWeekdays=[0], volumeIds=["v-other"])


def _two_zones(draft: Draft) -> None:
    for zone in ("cn-bj-a", "cn-bj-d"):
        network = draft.add(SUBNET, zone, zoneName=zone, cidr="10.20.0.0/20")
        node(draft, f"in-{zone}", subnetId=network, tags=TRAIN | SAVES | {"trainform-nodes": "2"})


def _public(draft: Draft) -> None:
    address = draft.add("index/eip:Eip", "access", billingMethod="ByTraffic")
    draft.add("index/eipAssociation:EipAssociation", "access", eip=address, instanceId=node(draft), instanceType="BCC")


PLANTED: dict[str, Callable[[Draft], object]] = {
    "hard disk for data": lambda draft: node(draft, cdsDisks=[{"storageType": "hdd", "cdsSizeInGb": 500}]),
    "hybrid disk for data": lambda draft: node(draft, cdsDisks=[{"storageType": "hp1", "cdsSizeInGb": 500}]),
    "hard disk for the system": lambda draft: node(draft, rootDiskStorageType="hdd"),
    "bare data disk": _bare_data_disk,
    "bucket that never cools": lambda draft: draft.add(
        BUCKET, "raw", bucket="raw-example", tags={"trainform-role": "raw", "trainform-job": "j"}
    ),
    "several nodes without RDMA": lambda draft: node(draft, tags=TRAIN | SAVES | {"trainform-nodes": "2"}),
    "one job in two zones": _two_zones,
    "pool of spot without checkpoints": lambda draft: pool(draft, tags=TRAIN, instanceChargingType="bidding"),
    "several nodes without checkpoints": lambda draft: node(draft, tags=TRAIN | {"trainform-nodes": "4"}),
    "type that never was": lambda draft: node(draft, instanceSpec="gn9.2xlarge"),
    "card too small": node,
    "training without an end": node,
    "SSH for the world": lambda draft: draft.add(
        RULE,
        "ssh",
        securityGroupId=draft.add(SECURITY_GROUP, "nodes"),
        direction="ingress",
        protocol="tcp",
        portRange="22",
        sourceIp="0.0.0.0/0",
    ),
    "password in the program": lambda draft: node(draft, adminPassword="Hunter2-Hunter2"),
    "public machine": _public,
    "public bucket": lambda draft: draft.add(BUCKET, "raw", bucket="raw-example", acl="public-read"),
}
# What cannot stand in a stack here, and why the rule is silent.
CANNOT = {
    "bare system disk": "the provider does not tell the id of a system disk",
    "spot without checkpoints": "only node groups bid",
    "plain image without a driver": "an id does not tell what an image holds",
    "system past its end": "an id does not tell what an image holds",
    "nobody watches the cards": "the provider has no alarms",
    "alarm that tells nobody": "the provider has no alarms",
    "development day and night": "the provider has no timers",
}
