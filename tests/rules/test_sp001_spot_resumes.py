"""SP001: spot machines train only what can resume."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import A10, GROUP, NODE_POOL, TEMPLATE, TRAIN, Draft, node, pool

FLEET = "ecs/autoProvisioningGroup:AutoProvisioningGroup"
HOOK = "ess/lifecycleHook:LifecycleHook"
WATCH = (
    "#!/bin/bash\nwhile ! curl -sf http://100.100.100.200/latest/meta-data/instance/spot/termination-time; do :; done\n"
)


def saved(every: str, to: str) -> dict[str, str]:
    """Tags of a training machine that saves so."""
    return TRAIN | {"trainform-checkpoint-every": every, "trainform-checkpoint-to": to}


@pytest.mark.parametrize(
    ("tags", "user_data", "verdicts"),
    [
        (saved("20min", "bucket"), None, []),
        (saved("30min", "file_system"), None, []),
        (saved("31min", "bucket"), None, ["deny"]),
        (saved("90min", "bucket"), WATCH, []),
        (saved("90min", "bucket"), UNKNOWN, ["unknown"]),
        (saved("20min", "local"), WATCH, ["deny"]),
        (TRAIN, None, ["deny"]),
        (TRAIN | {"trainform-checkpoint-every": "20min"}, None, ["deny"]),
        (TRAIN | {"trainform-checkpoint-to": "bucket"}, None, ["deny"]),
        ({}, None, ["unknown"]),
        ({"trainform-role": "infer"}, None, []),
        ({"trainform-role": "dev"}, None, []),
    ],
)
def test_instance(tags: dict[str, str], user_data: object, verdicts: list[str]) -> None:
    """Interval, target and a watch on the notice decide, for training only."""
    draft = Draft()
    node(draft, spotStrategy="SpotAsPriceGo", tags=tags, userData=user_data)
    assert [verdict for verdict, _ in draft.verdicts("SP001")] == verdicts


@pytest.mark.parametrize(("strategy", "verdicts"), [(None, []), ("NoSpot", []), (UNKNOWN, ["unknown"])])
def test_strategy(strategy: object, verdicts: list[str]) -> None:
    """Without spot there is nothing to judge; an unknown strategy is unknown."""
    draft = Draft()
    node(draft, spotStrategy=strategy, tags=TRAIN)
    assert [verdict for verdict, _ in draft.verdicts("SP001")] == verdicts


def test_scaling_configuration() -> None:
    """A pool's configuration carries the flag, and a hook of its own group is a watch."""
    draft = Draft()
    pool(draft, "pool", spotStrategy="SpotAsPriceGo", tags=saved("60min", "bucket"))
    assert draft.verdicts("SP001") == [("deny", "pool")]
    other = draft.add(GROUP, "other", maxSize=1)
    draft.add(HOOK, "of-other", scalingGroupId=other, lifecycleTransition="SCALE_IN")
    assert draft.verdicts("SP001") == [("deny", "pool")]
    group = next(entry for entry in draft.resources if entry.name == "pool-group")
    draft.add(HOOK, "of-it", scalingGroupId=group, lifecycleTransition="SCALE_IN")
    assert draft.verdicts("SP001") == []


def test_node_pool() -> None:
    """A node pool carries the flag."""
    draft = Draft()
    draft.add(NODE_POOL, "pool", instanceTypes=[A10], spotStrategy="SpotAsPriceGo", tags=TRAIN)
    assert draft.verdicts("SP001") == [("deny", "pool")]


def test_template_and_fleet() -> None:
    """A fleet that wants spot capacity is one, and its template lends the tags; the machine that uses one inherits."""
    draft = Draft()
    template = draft.add(TEMPLATE, "template", instanceType=A10, tags=TRAIN)
    draft.add(FLEET, "fleet", launchTemplateId=template, totalTargetCapacity="2", spotTargetCapacity="2")
    assert draft.verdicts("SP001") == [("deny", "template")]


def test_instance_from_template() -> None:
    """An instance inherits the strategy of its launch template."""
    draft = Draft()
    template = draft.add(TEMPLATE, "template", instanceType=A10, spotStrategy="SpotAsPriceGo")
    node(draft, launchTemplateId=template, tags=TRAIN)
    assert draft.verdicts("SP001") == [("deny", "node")]
