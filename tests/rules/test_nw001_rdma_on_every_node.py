"""NW001: a job over several machines has RDMA on every one of them."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import A10, A100_ERDMA, CPU, NODE_POOL, TRAIN, Draft, node, pool

TWO = TRAIN | {"trainform-nodes": "2"}
INTERFACE = "ecs/ecsNetworkInterface:EcsNetworkInterface"
INTERFACE_ATTACHMENT = "ecs/ecsNetworkInterfaceAttachment:EcsNetworkInterfaceAttachment"


@pytest.mark.parametrize(
    "switch",
    [
        {"networkInterfaceTrafficMode": "HighPerformance"},
        {"networkInterfaces": {"networkInterfaceTrafficMode": "HighPerformance"}},
        {"hpcClusterId": "hpc-1"},
    ],
)
def test_switched_on(switch: dict[str, object]) -> None:
    """Every form of the switch counts."""
    draft = Draft()
    for rank in range(2):
        node(draft, f"node-{rank}", instanceType=A100_ERDMA, tags=TWO, **switch)
    assert draft.verdicts("NW001") == []


def test_one_of_two_is_off() -> None:
    """One machine without it is denied, and only that one."""
    draft = Draft()
    node(draft, "on", instanceType=A100_ERDMA, tags=TWO, networkInterfaceTrafficMode="HighPerformance")
    node(draft, "off", instanceType=A100_ERDMA, tags=TWO)
    assert draft.verdicts("NW001") == [("deny", "off")]
    assert draft.findings("NW001")[0].cure == "networkInterfaceTrafficMode: HighPerformance"


def test_second_interface() -> None:
    """An attached eRDMA interface counts for the machine it is attached to, and for no other."""
    draft = Draft()
    with_card = node(draft, "with", instanceType=A100_ERDMA, tags=TWO)
    node(draft, "without", instanceType=A100_ERDMA, tags=TWO)
    card = draft.add(INTERFACE, "card", networkInterfaceTrafficMode="HighPerformance")
    draft.add(INTERFACE_ATTACHMENT, "card", instanceId=with_card, networkInterfaceId=card)
    assert draft.verdicts("NW001") == [("deny", "without")]


def test_plain_second_interface() -> None:
    """An attached plain interface is none."""
    draft = Draft()
    machine = node(draft, instanceType=A100_ERDMA, tags=TWO)
    card = draft.add(INTERFACE, "card")
    draft.add(INTERFACE_ATTACHMENT, "card", instanceId=machine, networkInterfaceId=card)
    assert draft.verdicts("NW001") == [("deny", "node")]


def test_type_without_rdma() -> None:
    """A switch on a type that has none is no RDMA, and the type is at fault."""
    draft = Draft()
    node(draft, instanceType=A10, tags=TWO, networkInterfaceTrafficMode="HighPerformance")
    found = draft.findings("NW001")
    assert [(entry.verdict, entry.property) for entry in found] == [("deny", "instanceType")]


def test_pool() -> None:
    """A pool is judged by its size and the interface in its configuration."""
    draft = Draft()
    pool(draft, "off", instanceTypes=[A100_ERDMA])
    mode = [{"instanceType": "Primary", "networkInterfaceTrafficMode": "HighPerformance"}]
    pool(draft, "on", instanceTypes=[A100_ERDMA], networkInterfaces=mode)
    pool(draft, "single", size=1, instanceTypes=[A100_ERDMA])
    assert draft.verdicts("NW001") == [("deny", "off")]


def test_node_pool_takes_an_addon() -> None:
    """On Kubernetes the cluster's add-on is the switch."""
    draft = Draft()
    cluster = draft.add("cs/managedKubernetes:ManagedKubernetes", "cluster")
    draft.add(NODE_POOL, "pool", clusterId=cluster, instanceTypes=[A100_ERDMA], desiredSize="2", tags=TRAIN)
    assert draft.verdicts("NW001") == [("deny", "pool")]
    draft.add("cs/kubernetesAddon:KubernetesAddon", "erdma", clusterId=cluster, name="ack-erdma-controller")
    assert draft.verdicts("NW001") == []


def test_unknown() -> None:
    """A switch that is not known yet neither passes nor is denied."""
    draft = Draft()
    node(draft, instanceType=A100_ERDMA, tags=TWO, networkInterfaceTrafficMode=UNKNOWN)
    assert draft.verdicts("NW001") == [("unknown", "node")]


@pytest.mark.parametrize(
    "tags", [TRAIN, TRAIN | {"trainform-nodes": "1"}, {"trainform-role": "infer", "trainform-nodes": "2"}]
)
def test_not_needed(tags: dict[str, str]) -> None:
    """One machine, and serving, need none."""
    draft = Draft()
    node(draft, instanceType=A10, tags=tags)
    assert draft.verdicts("NW001") == []


def test_untagged() -> None:
    """A machine with cards that no tag explains is unknown."""
    draft = Draft()
    node(draft, tags={})
    assert draft.verdicts("NW001") == [("unknown", "node")]


def test_processors_only() -> None:
    """Machines without cards are not applicable, with that reason."""
    draft = Draft()
    node(draft, instanceType=CPU, tags={})
    report = draft.report()
    assert draft.verdicts("NW001") == []
    assert "node has no accelerators" in [entry.reason for entry in report.not_applicable if entry.rule == "NW001"]
