"""What only Tencent Cloud says in its own way: groups of one charge, clusters, timers, and stacks that others wrote."""

from typing import TypeVar

import pytest

from generator.clouds.tencentcloud.facts import read_facts
from generator.facts import Alarm, Disk, Fact, IngressRule, Node, SecurityGroup
from generator.program.values import UNKNOWN
from tests.planted.tencentcloud import (
    BINDING,
    GROUP,
    POLICY,
    POLICY_ATTACHMENT,
    SAVES,
    STORAGE,
    alarm,
    node,
    pool,
)
from tests.rules.drafts import TRAIN, Draft

F = TypeVar("F", bound=Fact)
SPOT = {"instanceChargeType": "SPOTPAID", "spotInstanceType": "one-time", "spotMaxPrice": "9.5"}


def draft() -> Draft:
    """An empty stack in Beijing."""
    return Draft("tencentcloud", "ap-beijing")


def facts(stack: Draft, kind: type[F]) -> list[F]:
    """The facts of one kind."""
    return [fact for fact in read_facts(stack.state()) if isinstance(fact, kind)]


def test_c040_a_node_pool_of_another_author() -> None:
    """C040: hybrid disks warn, the agent switched off is denied, a cap of 1000 caps nothing, roles are not known."""
    stack = Draft("tencentcloud", "ap-guangzhou")
    disk = {"diskType": "CLOUD_PREMIUM", "diskSize": 50}
    stack.add(
        "Kubernetes/nodePool:NodePool",
        "pool",
        maxSize=6,
        minSize=1,
        vpcId="vpc-1",
        subnetIds=["subnet-1"],
        retryPolicy="INCREMENTAL_INTERVALS",
        desiredCapacity=1,
        multiZoneSubnetPolicy="EQUALITY",
        autoScalingConfig={
            "instanceType": "GN6S.LARGE20",
            "systemDiskType": "CLOUD_PREMIUM",
            "systemDiskSize": "50",
            "securityGroupIds": ["sg-1"],
            "instanceChargeType": "SPOTPAID",
            "spotInstanceType": "one-time",
            "spotMaxPrice": "1000",
            "dataDisks": [disk],
            "enhancedMonitorService": False,
            "password": "test123#Secret",
        },
    )
    found = {(finding.rule, finding.verdict) for finding in stack.report().findings}
    assert {("ST001", "warn"), ("ST002", "warn"), ("MO001", "deny"), ("SP001", "unknown")} <= found
    assert ("ST001", "deny") not in found
    assert any(rule == "SP004" for rule, _ in found)


def test_c041_a_space_of_the_hpc_platform() -> None:
    """C041: a space in an HPC cluster has RDMA; its nested disks and addresses are seen."""
    stack = draft()
    stack.add(
        "Thpc/workspaces:Workspaces",
        "space",
        spaceType="96A.96XLARGE2304",
        hpcClusterId="hpc-l9anqcbl",
        placement={"zone": "ap-beijing-6"},
        systemDisk={"diskType": "CLOUD_HSSD", "diskSize": 100},
        dataDisks=[{"diskType": "CLOUD_HSSD", "diskSize": 100, "encrypt": False}],
        virtualPrivateCloud={"vpcId": "vpc-1", "subnetId": "subnet-1"},
        internetAccessible={"publicIpAssigned": True, "internetMaxBandwidthOut": 200},
        loginSettings={"password": "testHpcWorkspaces198"},
        tagSpecifications=[{"resourceType": "workspaces", "tags": [{"key": "trainform-role", "value": "train"}]}],
    )
    (space,) = facts(stack, Node)
    assert (space.rdma, space.public_address, space.role) == (True, True, "train")
    assert [(disk.use, disk.media) for disk in facts(stack, Disk)] == [("system", "ssd"), ("data", "ssd")]
    found = {(finding.rule, finding.verdict) for finding in stack.report().findings}
    assert ("SE002", "deny") in found
    assert not any(rule == "NW001" for rule, _ in found)


def test_another_group_of_the_job_stands_in() -> None:
    """A spot group has a fallback when the same job has a group on demand, whatever its size; another job's is none."""
    stack = draft()
    pool(stack, "spot", instanceTags=TRAIN | SAVES, **SPOT)
    assert [one.spot_fallback for one in facts(stack, Node)] == [False]
    pool(stack, "other", size=0, instanceTags={"trainform-role": "train", "trainform-job": "another"})
    assert {one.resource.name: one.spot_fallback for one in facts(stack, Node)}["spot"] is False
    pool(stack, "base", size=0, instanceTags=TRAIN | SAVES)
    assert {one.resource.name: one.spot_fallback for one in facts(stack, Node)}["spot"] is True


def test_one_bid_is_held_against_each_type() -> None:
    """The bid of a group counts for each of its types, beside the list price of each."""
    stack = draft()
    pool(stack, instanceTypes=["GN7.2XLARGE32", "GN10Xp.2XLARGE40"], **SPOT)
    (found,) = facts(stack, Node)
    assert isinstance(found.bids, tuple)
    assert [(bid.type, bid.amount) for bid in found.bids] == [("GN7.2XLARGE32", 9.5), ("GN10Xp.2XLARGE40", 9.5)]
    assert all(bid.on_demand for bid in found.bids)


@pytest.mark.parametrize(
    ("kind", "cluster", "rdma"),
    [
        ("HCCG5v.24XLARGE384", "hpc-1", True),
        ("HCCG5v.24XLARGE384", None, False),
        ("GN10Xp.20XLARGE320", "hpc-1", False),
    ],
)
def test_rdma_is_the_clusters(kind: str, cluster: str | None, rdma: bool) -> None:
    """RDMA is on where a type of the HCC families is in a cluster; a cluster gives other types none."""
    stack = draft()
    node(stack, instanceType=kind, hpcClusterId=cluster)
    assert [one.rdma for one in facts(stack, Node)] == [rdma]


@pytest.mark.parametrize(
    ("timer", "stops", "unbilled", "ends"),
    [
        ({"desiredCapacity": 0, "recurrence": "0 20 * * 1-5"}, True, True, False),
        ({"desiredCapacity": 0}, False, False, True),
        ({"desiredCapacity": 2, "recurrence": "0 9 * * 1-5"}, False, False, False),
        ({"desiredCapacity": UNKNOWN}, UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_what_a_schedule_of_a_group_means(timer: dict, stops: object, unbilled: object, ends: object) -> None:
    """Emptied again and again is a stop without a bill, emptied once is an end, filled is neither."""
    stack = draft()
    pool(stack)
    group = next(one for one in stack.resources if one.name == "pool-group")
    stack.add("As/schedule:Schedule", "timer", scalingGroupId=group, **timer)
    (found,) = facts(stack, Node)
    assert (found.stops_by_schedule, found.stop_without_charge, found.ends) == (stops, unbilled, ends)


@pytest.mark.parametrize(
    ("content", "stops", "unbilled"),
    [
        ("tccli cvm StopInstances --StoppedMode STOP_CHARGING", True, True),
        ("tccli cvm StopInstances", True, False),
        ("shutdown -h now", True, False),
        ("nvidia-smi", False, False),
    ],
)
def test_what_a_scheduled_command_means(content: str, stops: bool, unbilled: bool) -> None:
    """A shutdown in the shell keeps the price; only the API's call with its mode ends the bill."""
    stack = draft()
    machine = node(stack)
    command = stack.add("Tat/command:Command", "stop", content=content)
    stack.add("Tat/invoker:Invoker", "evening", type="SCHEDULE", commandId=command, instanceIds=[machine])
    (found,) = facts(stack, Node)
    assert (found.stops_by_schedule, found.stop_without_charge) == (stops, unbilled)


def test_a_timer_ends_an_instance() -> None:
    """The action timer is what ends an instance."""
    stack = draft()
    machine = node(stack)
    stack.add(
        "Cvm/actionTimer:ActionTimer", "end", instanceId=machine, actionTimer={"timerAction": "TerminateInstances"}
    )
    assert [one.ends for one in facts(stack, Node)] == [True]


def test_snapshots_by_one_id_and_by_several() -> None:
    """An attachment counts for each disk that it names, alone or in a list, and for no other."""
    stack = draft()
    machine, policy = node(stack), stack.add(POLICY, "daily")
    first = stack.add(STORAGE, "first", storageType="CLOUD_BSSD", storageSize=100)
    stack.add(STORAGE, "second", storageType="CLOUD_BSSD", storageSize=100)
    stack.add(POLICY_ATTACHMENT, "both", snapshotPolicyId=policy, storageIds=[machine, first])
    told = {(disk.resource.name, disk.use): disk.snapshots for disk in facts(stack, Disk)}
    assert told == {("node", "system"): True, ("first", "data"): True, ("second", "data"): False}


def test_a_disk_that_machines_take_belongs_to_their_pool() -> None:
    """A disk with the job's tag is the pool's when its members attach it by themselves."""
    stack = draft()
    taker = pool(stack, userData="ask AttachDisks\n")
    stack.add(STORAGE, "data", storageType="CLOUD_BSSD", storageSize=100, tags=TRAIN)
    stack.add(STORAGE, "foreign", storageType="CLOUD_BSSD", storageSize=100, tags={"trainform-job": "k"})
    told = {disk.resource.name: disk.node for disk in facts(stack, Disk) if disk.standalone}
    assert told == {"data": taker.urn, "foreign": None}


def test_alarms_watch_what_is_bound_to_them() -> None:
    """By the id of a machine, or by a tag; a policy with neither watches nothing, and a notice tells people."""
    stack = draft()
    machine, members = node(stack), pool(stack)
    policy = alarm(stack, machine, userNotices=[{"receiverType": "USER", "userIds": [1]}])
    (found,) = facts(stack, Alarm)
    assert (found.nodes, found.gpu_metric, found.receivers) == ((machine.urn,), True, True)
    policy.inputs["policyTags"] = [{"key": "trainform-job", "value": "j"}]
    assert set(facts(stack, Alarm)[0].nodes) == {machine.urn, members.urn}
    stack.resources = [one for one in stack.resources if not one.type.endswith(BINDING)]
    del policy.inputs["policyTags"]
    assert facts(stack, Alarm)[0].nodes == ()


def test_rules_of_a_group_in_every_form() -> None:
    """Sets, single rules and lines say the same; members reach one another only where a rule says so."""
    stack = draft()
    group = stack.add("Security/group:Group", "nodes")
    stack.add(
        "Security/groupRuleSet:GroupRuleSet",
        "set",
        securityGroupId=group,
        ingresses=[{"action": "ACCEPT", "protocol": "TCP", "port": "22,8000-9000", "cidrBlock": "0.0.0.0/0"}],
    )
    stack.add(
        "Security/groupLiteRule:GroupLiteRule",
        "lines",
        securityGroupId=group,
        ingresses=["ACCEPT#10.0.0.0/8#ALL#ALL", "DROP#0.0.0.0/0#3389#TCP"],
    )
    stack.add(
        "Security/groupRule:GroupRule", "one", securityGroupId=group, type="ingress", ipProtocol="tcp",
        portRange="6443", cidrIp="203.0.113.0/24", policy="ACCEPT",
    )  # fmt: skip
    found = {(one.resource.name, one.ports, one.accept) for one in facts(stack, IngressRule)}
    assert found == {
        ("set", ((22, 22), (8000, 9000)), True),
        ("lines", ((0, 65535),), True),
        ("lines", ((3389, 3389),), False),
        ("one", ((6443, 6443),), True),
    }
    assert [one.members_reach for one in facts(stack, SecurityGroup)] == [False]


def test_members_of_a_group_that_names_itself_reach_each_other() -> None:
    """A rule whose source is the group opens it to its own members."""
    stack = draft()
    group = stack.add("Security/group:Group", "nodes")
    stack.add(
        "Security/groupRuleSet:GroupRuleSet",
        "set",
        securityGroupId=group,
        ingresses=[{"action": "ACCEPT", "protocol": "ALL", "port": "ALL", "sourceSecurityId": group}],
    )
    assert [one.members_reach for one in facts(stack, SecurityGroup)] == [True]


def test_a_group_lends_its_configuration() -> None:
    """A group and its configuration are one machine; one that no group of the stack uses stands for itself."""
    stack = draft()
    pool(stack, size=3)
    assert [(one.count, one.pool) for one in facts(stack, Node)] == [(3, True)]
    stack.resources = [one for one in stack.resources if not one.type.endswith(GROUP)]
    assert [one.count for one in facts(stack, Node)] == [UNKNOWN]
