"""SE003: a compute machine has no public address."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import CPU, Draft, node, pool

ADDRESS, ASSOCIATION = "ecs/eipAddress:EipAddress", "ecs/eipAssociation:EipAssociation"


@pytest.mark.parametrize(
    ("inputs", "verdicts"),
    [
        ({}, []),
        ({"internetMaxBandwidthOut": 0}, []),
        ({"internetMaxBandwidthOut": 10}, ["warn"]),
        ({"internetMaxBandwidthOut": UNKNOWN}, ["unknown"]),
        ({"internetMaxBandwidthOut": 10, "instanceType": CPU, "tags": {}}, []),
        ({"internetMaxBandwidthOut": 10, "instanceType": CPU, "tags": {"trainform-role": "prep"}}, ["warn"]),
    ],
)
def test_bandwidth_of_its_own(inputs: dict[str, object], verdicts: list[str]) -> None:
    """Bandwidth to the internet is a public address."""
    draft = Draft()
    node(draft, **inputs)
    assert [verdict for verdict, _ in draft.verdicts("SE003")] == verdicts


def test_association() -> None:
    """An elastic address counts for the machine it is associated with, and for no other."""
    draft = Draft()
    public = node(draft, "public")
    node(draft, "private")
    address = draft.add(ADDRESS, "address")
    draft.add(ASSOCIATION, "address", allocationId=address, instanceId=public)
    assert draft.verdicts("SE003") == [("warn", "public")]


def test_pool() -> None:
    """A pool's configuration gives each member an address."""
    draft = Draft()
    pool(draft, internetMaxBandwidthOut=5)
    assert draft.verdicts("SE003") == [("warn", "pool")]


@pytest.mark.parametrize(("kind", "verdicts"), [("Nat", []), (None, ["unknown"]), ("EcsInstance", ["unknown"])])
def test_association_with_nobody_knows_what(kind: str | None, verdicts: list[str]) -> None:
    """An address whose machine is unknown may be this one's, unless it is a gateway's."""
    draft = Draft()
    node(draft)
    draft.add(ASSOCIATION, "address", allocationId="eip-1", instanceId=UNKNOWN, instanceType=kind)
    assert [verdict for verdict, _ in draft.verdicts("SE003")] == verdicts
