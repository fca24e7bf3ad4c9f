"""NW005: the machines of one job reach one another."""

import pytest

from generator.program.values import UNKNOWN
from generator.resources import Resource
from tests.rules.drafts import TRAIN, Draft, node, pool

GROUP, RULE = "ecs/securityGroup:SecurityGroup", "ecs/securityGroupRule:SecurityGroupRule"
TWO = TRAIN | {"trainform-nodes": "2"}


def job(draft: Draft, *groups: object, tags: dict[str, str] = TWO) -> None:
    """Two machines in these groups."""
    for rank in range(2):
        node(draft, f"node-{rank}", securityGroups=list(groups), tags=tags)


@pytest.mark.parametrize(
    ("inputs", "verdicts"),
    [
        ({}, []),
        ({"innerAccessPolicy": "Accept"}, []),
        ({"innerAccessPolicy": "Drop"}, ["deny"]),
        ({"securityGroupType": "enterprise"}, ["deny"]),
        ({"innerAccessPolicy": UNKNOWN}, ["unknown", "unknown"]),
    ],
)
def test_policy_of_the_group(inputs: dict[str, object], verdicts: list[str]) -> None:
    """A normal group lets its members talk unless it says otherwise, an enterprise one does not; said once."""
    draft = Draft()
    job(draft, draft.add(GROUP, "group", **inputs))
    assert [verdict for verdict, _ in draft.verdicts("NW005")] == verdicts


@pytest.mark.parametrize(
    ("protocol", "ports", "source", "verdicts"),
    [
        ("all", "-1/-1", "group", []),
        ("tcp", "1/65535", "group", ["deny"]),
        ("all", "-1/-1", "other", ["deny"]),
        ("tcp", "22/22", "group", ["deny"]),
    ],
)
def test_rule_within_the_group(protocol: str, ports: str, source: str, verdicts: list[str]) -> None:
    """A rule whose source is the group itself, for every port and protocol, opens it."""
    draft = Draft()
    groups: dict[str, Resource] = {
        name: draft.add(GROUP, name, innerAccessPolicy="Drop") for name in ("group", "other")
    }
    draft.add(
        RULE,
        "inner",
        type="ingress",
        ipProtocol=protocol,
        portRange=ports,
        securityGroupId=groups["group"],
        sourceSecurityGroupId=groups[source],
    )
    job(draft, groups["group"])
    assert [verdict for verdict, _ in draft.verdicts("NW005")] == verdicts


def test_one_open_group_is_enough() -> None:
    """A machine in two groups reaches its fellows by the open one."""
    draft = Draft()
    job(draft, draft.add(GROUP, "closed", innerAccessPolicy="Drop"), draft.add(GROUP, "open"))
    assert draft.verdicts("NW005") == []


def test_group_of_another_stack() -> None:
    """A literal id is nobody knows what."""
    draft = Draft()
    job(draft, "sg-1")
    assert {verdict for verdict, _ in draft.verdicts("NW005")} == {"unknown"}


def test_pool_and_single_machine() -> None:
    """A pool of several is judged, one machine is not; without tags it is unknown."""
    draft = Draft()
    closed = draft.add(GROUP, "closed", innerAccessPolicy="Drop")
    pool(draft, securityGroupIds=[closed])
    assert draft.verdicts("NW005") == [("deny", "closed")]
    single = Draft()
    node(single, securityGroups=[single.add(GROUP, "closed", innerAccessPolicy="Drop")])
    node(single, "untagged", tags={})
    assert single.verdicts("NW005") == [("unknown", "untagged")]
