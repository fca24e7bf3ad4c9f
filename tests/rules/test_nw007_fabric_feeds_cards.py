"""NW007: the network between machines is wide enough for the cards."""

import pytest

from tests.rules.drafts import A10, A100_ERDMA, TRAIN, Draft, node

TWO = TRAIN | {"trainform-nodes": "2"}
INTERFACE = "ecs/ecsNetworkInterface:EcsNetworkInterface"
ATTACHMENT = "ecs/ecsNetworkInterfaceAttachment:EcsNetworkInterfaceAttachment"


@pytest.mark.parametrize(
    ("ratio", "verdicts"), [(0.1, []), (0.2, []), (0.21, ["warn"]), (1.0, ["warn"]), (1.1, ["deny"])]
)
def test_ratio_of_the_stack(ratio: float, verdicts: list[str]) -> None:
    """What the stack says of exposed communication decides."""
    draft = Draft(outputs={"exposed_ratio": ratio})
    node(draft, instanceType=A10, tags=TWO)
    assert [verdict for verdict, _ in draft.verdicts("NW007")] == verdicts


@pytest.mark.parametrize(
    ("kind", "tags", "verdicts"),
    [
        (A10, TWO, ["warn"]),
        (A10, TRAIN, []),
        (A10, {}, ["unknown"]),
        (A10, {"trainform-role": "infer", "trainform-nodes": "2"}, []),
        ("ecs.g7.2xlarge", TWO, []),
    ],
)
def test_figures_of_the_catalog(kind: str, tags: dict[str, str], verdicts: list[str]) -> None:
    """Without the ratio the type's Gbit/s decide, for training over several machines."""
    draft = Draft()
    node(draft, instanceType=kind, tags=tags)
    assert [verdict for verdict, _ in draft.verdicts("NW007")] == verdicts


def test_an_interface_on_every_card() -> None:
    """One interface on a type with two network cards is a warning at the interface."""
    draft = Draft(outputs={"exposed_ratio": 0.1})
    machine = node(draft, instanceType=A100_ERDMA, tags=TWO, networkInterfaceTrafficMode="HighPerformance")
    assert [entry.message for entry in draft.findings("NW007")] == [
        "1 RDMA interfaces, and the type has 2 network cards for it"
    ]
    card = draft.add(INTERFACE, "card", networkInterfaceTrafficMode="HighPerformance")
    draft.add(ATTACHMENT, "card", instanceId=machine, networkInterfaceId=card, networkCardIndex=1)
    assert draft.findings("NW007") == []
