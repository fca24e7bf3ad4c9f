"""NW002: the machines of one job share region, zone and VPC."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import CONFIGURATION, GROUP, NETWORK, SWITCH, TRAIN, Draft, node

TWO = TRAIN | {"trainform-nodes": "2"}


def two_nodes(draft: Draft, first: object, second: object, tags: dict[str, str] = TWO) -> None:
    """Two machines of one job, each in a subnet of its own in the given zone."""
    network = draft.add(NETWORK, "vpc")
    for name, zone in (("a", first), ("b", second)):
        switch = draft.add(SWITCH, f"switch-{name}", vpcId=network, zoneId=zone)
        node(draft, f"node-{name}", vswitchId=switch, tags=tags)


@pytest.mark.parametrize(("role", "verdict"), [("train", "deny"), ("prep", "warn")])
def test_two_zones(role: str, verdict: str) -> None:
    """Two zones are denied for training and warned of for preparing data."""
    draft = Draft()
    two_nodes(draft, "cn-beijing-l", "cn-beijing-i", TWO | {"trainform-role": role})
    assert draft.verdicts("NW002") == [(verdict, "node-a")]


def test_one_zone() -> None:
    """Two subnets of one zone are one zone."""
    draft = Draft()
    two_nodes(draft, "cn-beijing-l", "cn-beijing-l")
    assert draft.verdicts("NW002") == []


def test_unknown_zones() -> None:
    """Two subnets whose zones nobody knows are unknown."""
    draft = Draft()
    two_nodes(draft, UNKNOWN, UNKNOWN)
    assert draft.verdicts("NW002") == [("unknown", "node-a")]


def test_one_subnet() -> None:
    """One subnet is one zone, whatever its name will be."""
    draft = Draft()
    switch = draft.add(SWITCH, "switch", zoneId=UNKNOWN)
    for rank in range(2):
        node(draft, f"node-{rank}", vswitchId=switch, tags=TWO)
    assert draft.verdicts("NW002") == []


def test_unknown_subnets() -> None:
    """Subnets that are nobody knows which never count as one."""
    draft = Draft()
    for rank in range(2):
        node(draft, f"node-{rank}", vswitchId=UNKNOWN, tags=TWO)
    assert {verdict for verdict, _ in draft.verdicts("NW002")} == {"unknown"}


def test_two_networks() -> None:
    """Two VPCs in one zone are denied."""
    draft = Draft()
    for name in ("a", "b"):
        switch = draft.add(SWITCH, name, vpcId=draft.add(NETWORK, name), zoneId="cn-beijing-l")
        node(draft, name, vswitchId=switch, tags=TWO)
    assert draft.verdicts("NW002") == [("deny", "a")]


def test_two_jobs() -> None:
    """Machines of different jobs may stand apart."""
    draft = Draft()
    for name, zone in (("a", "cn-beijing-l"), ("b", "cn-beijing-i")):
        switch = draft.add(SWITCH, name, zoneId=zone)
        node(draft, name, vswitchId=switch, tags=TRAIN | {"trainform-job": name})
    assert draft.verdicts("NW002") == []


@pytest.mark.parametrize(("size", "verdicts"), [(2, [("deny", "pool")]), (1, [])])
def test_pool_over_zones(size: int, verdicts: list[tuple[str, str]]) -> None:
    """A pool of several that may spread over zones is denied; a pool of one may take any."""
    draft = Draft()
    switches = [draft.add(SWITCH, zone, zoneId=zone) for zone in ("cn-beijing-l", "cn-beijing-i")]
    group = draft.add(GROUP, "group", maxSize=size, vswitchIds=switches)
    draft.add(CONFIGURATION, "pool", scalingGroupId=group, tags=TRAIN)
    assert draft.verdicts("NW002") == verdicts


def test_untagged() -> None:
    """A machine with cards that no tag explains is unknown."""
    draft = Draft()
    node(draft, tags={})
    assert draft.verdicts("NW002") == [("unknown", "node")]
