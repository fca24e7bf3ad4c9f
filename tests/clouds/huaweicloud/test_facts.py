"""What only Huawei Cloud says in its own way: vaults, groups with tags, policies, and stacks that others wrote."""

from typing import Any, TypeVar

import pytest

from generator.clouds.huaweicloud.facts import read_facts
from generator.facts import Alarm, Disk, Fact, IngressRule, Node, SecurityGroup
from generator.program.values import UNKNOWN
from tests.planted.huaweicloud import ALARM, POLICY, SAVES, TOPIC, V100, VAULT, VOLUME, node, pool, vault
from tests.rules.drafts import TRAIN, Draft

F = TypeVar("F", bound=Fact)
RULE, GROUP = "Vpc/secgroupRule:SecgroupRule", "Vpc/secgroup:Secgroup"


def draft(**sized: Any) -> Draft:
    """An empty stack in Beijing."""
    return Draft("huaweicloud", "cn-north-4", outputs=sized or None)


def facts(stack: Draft, kind: type[F]) -> list[F]:
    """The facts of one kind."""
    return [fact for fact in read_facts(stack.state()) if isinstance(fact, kind)]


def test_c043_a_cluster_node_of_another_author() -> None:
    """C043: SATA under the provider's own spelling is denied for system and data; nobody watches the card."""
    stack = draft()
    stack.add(
        "Cce/node:Node",
        "node",
        flavorId=V100,
        availabilityZone="cn-north-4a",
        keyPair="key",
        rootVolume={"volumetype": "SATA", "size": 40},
        dataVolumes=[{"volumetype": "SATA", "size": 100}],
    )
    assert stack.verdicts("ST002") == [("deny", "node")]
    assert stack.verdicts("ST001") == [("deny", "node")]
    assert ("warn", "node") in stack.verdicts("MO002")
    (machine,) = facts(stack, Node)
    assert (machine.gpu, machine.gpus) == ("V100-PCIE-32", 1)


def test_c044_spot_for_long_work() -> None:
    """C044: twenty days on spot without a checkpoint are denied twice; with one every 20 minutes only warnings stay."""
    bare = draft(run_hours=480)
    node(bare, chargingMode="spot", tags=TRAIN)
    assert bare.verdicts("SP001") == [("deny", "node")]
    assert bare.verdicts("SP003") == [("deny", "node")]
    saved = draft(run_hours=480)
    node(saved, chargingMode="spot", tags=TRAIN | SAVES)
    assert [found for rule in ("SP001", "SP003") for found in saved.verdicts(rule) if found[0] == "deny"] == []


def test_a_group_gives_its_tags_and_zone_to_its_members() -> None:
    """A scaling group with its configuration is one fact: types in one text, tags and zones of the group."""
    stack = draft()
    pool(stack, TRAIN | SAVES, flavor=f"{V100},p2v.2xlarge.8", chargingMode="spot")
    (found,) = facts(stack, Node)
    assert found.types == (V100, "p2v.2xlarge.8")
    assert (found.role, found.charge, found.count, found.zones) == ("train", "spot", 2, ("cn-north-4a",))
    (disk,) = facts(stack, Disk)
    assert (disk.use, disk.kind, disk.tags["trainform-role"]) == ("system", "GPSSD", "train")


@pytest.mark.parametrize(
    ("kind", "policy", "expected"),
    [("server", True, True), ("disk", True, True), ("server", False, False)],
)
def test_a_vault_backs_up_what_it_holds_by_a_policy(kind: str, policy: bool, expected: bool) -> None:
    """A vault of servers or of disks covers a machine that it holds, when a policy is joined to it."""
    stack = draft()
    machine = node(stack)
    held = {"serverId": machine} if kind == "server" else {"includes": [machine]}
    joined = [{"id": stack.add(POLICY, "daily", type="backup")}] if policy else None
    stack.add(VAULT, "vault", type=kind, size=500, policies=joined, resources=[held])
    assert {disk.snapshots for disk in facts(stack, Disk)} == {expected}


def test_a_data_disk_is_backed_up_with_its_server_or_by_itself() -> None:
    """A vault of servers takes the attached disk along; one of disks only what it names."""
    for kind, covered in (("server", True), ("disk", False)):
        stack = draft()
        machine = node(stack)
        vault(stack, kind, [{"serverId": machine}] if kind == "server" else [{"includes": [machine]}])
        disk = stack.add(VOLUME, "data", volumeType="GPSSD", size=100)
        stack.add("Ecs/volumeAttach:VolumeAttach", "data", volumeId=disk, instanceId=machine)
        assert [one.snapshots for one in facts(stack, Disk) if one.standalone] == [covered]


def test_a_vault_of_nobody_knows_what_may_hold_it() -> None:
    """In the streaming form no dependency is told: what a vault holds is then unknown, and so is each disk's backup."""
    stack = draft()
    node(stack)
    stack.add(VAULT, "vault", type="server", size=500, policies=[{"id": "p"}], resources=[{"serverId": UNKNOWN}])
    assert [disk.snapshots for disk in facts(stack, Disk)] == [UNKNOWN]


@pytest.mark.parametrize(
    ("inputs", "ports", "sources"),
    [
        ({"protocol": "tcp", "ports": "22,8000-8010"}, ((22, 22), (8000, 8010)), ("0.0.0.0/0",)),
        ({"protocol": "tcp", "portRangeMin": 1, "portRangeMax": 9, "remoteIpPrefix": "::1/8"}, ((1, 9),), ("::1/8",)),
        ({"ethertype": "IPv6"}, ((0, 65535),), ("::/0",)),
        ({"protocol": "icmp"}, (), ("0.0.0.0/0",)),
        ({"remoteGroupId": "sg-1"}, ((0, 65535),), ()),
    ],
    ids=["no source", "old form", "everything", "no ports", "a group"],
)  # fmt: skip
def test_a_rule_without_a_source_is_open_to_the_world(
    inputs: dict[str, Any], ports: tuple[tuple[int, int], ...], sources: tuple[str, ...]
) -> None:
    """What is left out lets everybody in, or every port."""
    stack = draft()
    stack.add(RULE, "rule", **{"securityGroupId": "sg-0", "direction": "ingress", "ethertype": "IPv4"} | inputs)
    (rule,) = facts(stack, IngressRule)
    assert (rule.ports, rule.sources) == (ports, sources)


def test_members_reach_one_another_by_the_default_rules() -> None:
    """The cloud's own rules join the members of a group; without them a rule has to."""
    stack = draft()
    stack.add(GROUP, "kept")
    stack.add(GROUP, "bare", deleteDefaultRules=True)
    told = {group.resource.name: group.members_reach for group in facts(stack, SecurityGroup)}
    assert told == {"kept": True, "bare": False}


def test_an_alarm_watches_a_job_by_what_its_nodes_report() -> None:
    """A dimension `job` covers the machines of that job; a topic tells somebody once it has a subscriber."""
    stack = draft()
    machine, topic = node(stack), stack.add(TOPIC, "oncall")
    job = [{"name": "job", "value": "j"}]
    stack.add(ALARM, "idle", metricName="gpuUtil", dimensions=job, alarmActions=[topic])
    (alarm,) = facts(stack, Alarm)
    assert (alarm.nodes, alarm.gpu_metric, alarm.receivers) == ((machine.urn,), True, False)
    stack.add("Smn/subscription:Subscription", "oncall", topicUrn=topic, protocol="email", endpoint="a@b")
    assert [found.receivers for found in facts(stack, Alarm)] == [True]


def test_a_policy_stops_or_ends_a_group() -> None:
    """Setting a group to zero every week is a stop without a bill; once it is the end."""
    for kind, told in (("RECURRENCE", (True, True, False)), ("SCHEDULED", (False, False, True))):
        stack = draft()
        pool(stack, {"trainform-role": "dev", "trainform-job": "j"})
        group = next(one for one in stack.resources if one.name == "group")
        stack.add(
            "As/policy:Policy",
            "zero",
            scalingGroupId=group,
            scalingPolicyType=kind,
            scalingPolicyAction={"operation": "SET", "instanceNumber": 0},
        )
        (found,) = facts(stack, Node)
        assert (found.stops_by_schedule, found.stop_without_charge, found.ends) == told
