"""NW006: address ranges fit."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import NETWORK, SWITCH, Draft, node, pool


def subnets(*ranges: object, network: object = "10.0.0.0/16") -> Draft:
    """Subnets of one network."""
    draft = Draft()
    vpc = draft.add(NETWORK, "vpc", cidrBlock=network)
    for number, cidr in enumerate(ranges):
        draft.add(SWITCH, f"switch-{number}", vpcId=vpc, cidrBlock=cidr)
    return draft


@pytest.mark.parametrize(
    ("draft", "verdicts"),
    [
        (subnets("10.0.0.0/24", "10.0.1.0/24"), []),
        (subnets("10.0.0.0/24", "10.0.0.128/25"), [("deny", "switch-1")]),
        (subnets("10.1.0.0/24"), [("deny", "switch-0")]),
        (subnets("10.0.0.0/24", network=None), []),
        (subnets("10.0.0.0/99"), [("deny", "switch-0")]),
        (subnets(UNKNOWN, "10.0.0.0/24"), []),
        (subnets("10.0.0.0/24", network=UNKNOWN), []),
    ],
)
def test_ranges(draft: Draft, verdicts: list[tuple[str, str]]) -> None:
    """Overlaps, ranges outside their network, and what is no range are denied; unknown ones are not judged."""
    assert draft.verdicts("NW006") == verdicts


@pytest.mark.parametrize(("size", "verdicts"), [(12, []), (13, [("deny", "pool-switch")])])
def test_room_for_a_pool(size: int, verdicts: list[tuple[str, str]]) -> None:
    """A pool must find its addresses, of which the cloud keeps four."""
    draft = Draft()
    pool(draft, size=size)
    switch = next(entry for entry in draft.resources if entry.name == "pool-switch")
    switch.inputs["cidrBlock"] = "10.0.0.0/28"
    assert draft.verdicts("NW006") == verdicts


def test_room_for_machines() -> None:
    """Machines count one by one."""
    draft = Draft()
    switch = draft.add(SWITCH, "switch", cidrBlock="10.0.0.0/29")
    for rank in range(5):
        node(draft, f"node-{rank}", vswitchId=switch)
    assert draft.verdicts("NW006") == [("deny", "switch")]
