"""What only Baidu AI Cloud says in its own way: performance for machines, groups that bid, clusters named by id."""

from typing import TypeVar

import pytest

from generator.clouds.baiducloud.facts import read_facts
from generator.facts import Bucket, Disk, Fact, FileSystem, IngressRule, KnownType, Node, SecurityGroup
from generator.program.values import UNKNOWN
from tests.planted.baiducloud import (
    ATTACHMENT,
    BUCKET,
    CDS,
    HPAS,
    POLICY,
    RULE,
    SAVES,
    SECURITY_GROUP,
    SUBNET,
    node,
    pool,
)
from tests.rules.drafts import TRAIN, Draft

F = TypeVar("F", bound=Fact)
PAIR = TRAIN | SAVES | {"trainform-nodes": "2"}
DAILY = {"timePoints": [3], "repeatWeekdays": [0], "retentionDays": 7}


def draft() -> Draft:
    """An empty stack in Beijing."""
    return Draft("baiducloud", "bj")


def facts(stack: Draft, kind: type[F]) -> list[F]:
    """The facts of one kind."""
    return [fact for fact in read_facts(stack.state()) if isinstance(fact, kind)]


def hpas(stack: Draft, name: str, **inputs: object) -> None:
    """A machine that sells the performance of an application."""
    sound = {"appType": "llama2_7B_train", "appPerformanceLevel": "10k", "imageId": "m-1", "tags": PAIR}
    stack.add(HPAS, name, **sound | inputs)


@pytest.mark.parametrize(
    ("clusters", "verdict"),
    [(("ehc-1", "ehc-2"), {"deny"}), ((None, None), {"unknown"}), (("ehc-1", "ehc-1"), set())],
)
def test_c046_two_machines_and_their_clusters(clusters: tuple[str | None, ...], verdict: set[str]) -> None:
    """C046: two EHC clusters are denied, none is unknown (the cloud picks one), the same one passes; never a CPU."""
    stack = draft()
    for number, cluster in enumerate(clusters):
        hpas(stack, f"hpas-{number}", ehcClusterId=cluster, password="Hunter2-Hunter2")
    assert {finding.verdict for finding in stack.findings("NW001")} == verdict
    assert {finding.verdict for finding in stack.findings("SE002")} == {"deny"}
    assert all(fact.on_gpus for fact in facts(stack, Node))
    assert {fact.standing for fact in facts(stack, KnownType)} == {"platform"}


def test_c047_a_group_of_old_cards_that_bids() -> None:
    """C047: untagged, SP001 is unknown; tagged by its facts, two nodes without RDMA are denied, and V100 warns."""
    old = {
        "instanceChargingType": "bidding",
        "instanceResource": {"gpuType": "V100-16", "gpuCount": 8, "rootDiskType": "cloud_hp1", "rootDiskSize": 100},
        "vpcConfig": {"availableZone": "zoneA"},
    }
    stack = draft()
    pool(stack, tags={"team": "nlp"}, **old)
    assert [finding.verdict for finding in stack.findings("SP001")] == ["unknown"]
    assert [finding.verdict for finding in stack.findings("SZ006")] == ["warn"]
    tagged = draft()
    pool(tagged, tags=PAIR, **old)
    assert [finding.verdict for finding in tagged.findings("NW001")] == ["deny"]
    assert facts(tagged, Node)[0].gpus == 8


def test_a_group_on_demand_stands_in_for_one_that_bids() -> None:
    """A group has one way to pay: a fallback is another group of the same job, and then no cap is missed."""
    alone = draft()
    pool(alone, instanceChargingType="bidding")
    assert [finding.verdict for finding in alone.findings("SP002")] == ["warn"]
    both = draft()
    pool(both, "spot", instanceChargingType="bidding")
    pool(both, "base", size=0)
    assert both.findings("SP002") == []


def test_nothing_tells_a_machine_that_it_is_taken() -> None:
    """A long interval between checkpoints of a group that bids is denied: no hook on the machine can shorten it."""
    stack = draft()
    rare = TRAIN | {"trainform-checkpoint-every": "60min", "trainform-checkpoint-to": "bucket"}
    pool(stack, tags=rare, instanceChargingType="bidding")
    assert [finding.verdict for finding in stack.findings("SP001")] == ["deny"]


def test_infiniband_comes_with_its_type() -> None:
    """Machines of an InfiniBand type have RDMA without a field; an ehc type without a cluster may have it."""
    stack = draft()
    node(stack, "ib", instanceSpec="bcc.hgn5IB.c116m978.8A100-80g", tags=PAIR)
    node(stack, "ehc", instanceSpec="ehc.lgn5.c128m1024.8a100.8re.4d", tags=PAIR)
    assert {fact.resource.name: fact.rdma for fact in facts(stack, Node)} == {"ib": True, "ehc": UNKNOWN}


def test_what_no_list_tells_is_not_held_against_a_type() -> None:
    """A described type is not judged by region, a name of the cloud's form is unknown, an invented one is denied."""
    for name, verdicts in (
        ("bcc.lgn1.c12m40.1p40", []),
        ("bcc.gn5.c40m160.2a10", ["unknown"]),
        ("ebc.lgn7t.c224m2048.8a800", ["unknown"]),
        ("ehc.lgn9.c128m1024.8p800.8re.4d", ["unknown"]),
        ("bcc.g8.c4m16", ["unknown"]),
        ("bcc.gx9.c16m64.1x9", ["deny"]),
        ("bcc.gn5.c40m160.2a10.big", ["deny"]),
        ("ecs.gn7i-c8g1.2xlarge", ["deny"]),
    ):
        stack = draft()
        node(stack, instanceSpec=name)
        assert [finding.verdict for finding in stack.findings("SZ001")] == verdicts, name


@pytest.mark.parametrize("by_attachment", [True, False])
def test_a_policy_takes_a_disk_by_its_own_id_or_by_its_attachment(by_attachment: bool) -> None:
    """A snapshot policy counts for the disk whose id it holds, whichever resource gives it."""
    stack = draft()
    disk = stack.add(CDS, "data", storageType="cloud_hp1", diskSizeInGb=100)
    attached = stack.add(ATTACHMENT, "data", cdsId=disk, instanceId=node(stack))
    stack.add(POLICY, "daily", volumeIds=[attached if by_attachment else disk], **DAILY)
    assert [fact.snapshots for fact in facts(stack, Disk) if fact.standalone] == [True]
    assert stack.findings("ST005") == []


def test_a_disk_of_its_own_without_a_kind_is_the_slow_default() -> None:
    """Left out, the kind is hp1, and the finding says that it is the provider's default."""
    stack = draft()
    stack.add(CDS, "data", diskSizeInGb=100)
    (disk,) = facts(stack, Disk)
    assert (disk.kind, disk.media, disk.defaulted) == ("hp1", "hybrid", True)


def test_rules_of_a_security_group() -> None:
    """One without a source lets everybody in, one from the group itself lets its members reach one another."""
    stack = draft()
    group = stack.add(SECURITY_GROUP, "nodes")
    stack.add(RULE, "open", securityGroupId=group, direction="ingress", protocol="tcp", portRange="8888")
    within = {"direction": "ingress", "protocol": "all", "portRange": "1-65535"}
    stack.add(RULE, "within", securityGroupId=group, sourceGroupId=group, **within)
    stack.add(RULE, "out", securityGroupId=group, direction="egress", protocol="all", destIp="0.0.0.0/0")
    assert [fact.sources for fact in facts(stack, IngressRule)] == [("0.0.0.0/0",), ()]
    assert [fact.members_reach for fact in facts(stack, SecurityGroup)] == [True]
    assert {finding.verdict for finding in stack.findings("SE001")} == {"deny"}


def test_the_zone_of_a_group_is_that_of_its_subnet() -> None:
    """CCE calls zones by another name than the rest of the cloud: what counts is the subnet."""
    stack = draft()
    network = stack.add(SUBNET, "nodes", zoneName="cn-bj-d")
    spec = {"replicas": 1, "instanceTemplate": {"vpcConfig": {"vpcSubnetId": network, "availableZone": "zoneD"}}}
    stack.add("index/ccev2InstanceGroup:Ccev2InstanceGroup", "pool", spec=spec)
    assert [fact.zones for fact in facts(stack, Node)] == [("cn-bj-d",)]


def test_buckets_cool_by_their_rules() -> None:
    """The first transition counts; rules that are switched off, or that delete, do not."""

    def rule(days: int, status: str = "enabled", name: str = "Transition") -> dict[str, object]:
        when = {"time": {"dateGreaterThan": f"$(lastModified)+P{days}D"}}
        return {"status": status, "resources": ["b/*"], "condition": when, "action": {"name": name}}

    stack = draft()
    rules = [rule(5, status="disabled"), rule(3, name="AbortMultipartUpload"), rule(90), rule(30)]
    stack.add(BUCKET, "raw", bucket="b-example", lifecycleRules=rules, forceDestroy=True)
    (bucket,) = facts(stack, Bucket)
    assert (bucket.cools_after_days, bucket.emptied_by_destroy, bucket.public) == (30.0, True, False)


def test_cfs_is_of_the_capacity_class_and_has_no_switch_for_encryption() -> None:
    """The one class of the provider is made of hard disks; nothing is said of encryption, which it cannot switch on."""
    stack = draft()
    stack.add("index/cfs:Cfs", "shared", type="cap", protocol="nfs", zone="cn-bj-d")
    (store,) = facts(stack, FileSystem)
    assert (store.kind, store.media, store.can_encrypt) == ("nas", "hdd", False)
    assert stack.findings("SE004") == []


def test_rules_rest_where_the_provider_has_nothing_for_them() -> None:
    """Alarms and timetables are not applicable here, with the reason of the table of capabilities."""
    stack = draft()
    node(stack, tags={"trainform-role": "dev", "trainform-job": "j"})
    resting = {entry.rule: entry.reason for entry in stack.report().not_applicable}
    assert "no alarms" in resting["MO002"]
    assert "no timers" in resting["CO001"]
    assert stack.findings("MO001") == []
