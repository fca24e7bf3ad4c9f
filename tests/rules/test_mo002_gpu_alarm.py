"""MO002: an alarm on a GPU metric tells somebody."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import ALARM, CPU, TRAIN, Draft, node, pool

GPU = "gpu_gpu_usedutilization"


@pytest.mark.parametrize(
    ("metric", "receivers", "verdicts"),
    [
        (GPU, {"contactGroups": ["oncall"]}, []),
        (GPU, {"webhook": "https://example.com"}, []),
        (GPU, {"contactGroups": []}, [("warn", "alarm")]),
        ("CPUUtilization", {"contactGroups": ["oncall"]}, [("warn", "node")]),
        (UNKNOWN, {"contactGroups": ["oncall"]}, [("unknown", "node")]),
        (GPU, {"contactGroups": UNKNOWN}, [("unknown", "node")]),
    ],
)
def test_alarm_over_the_machine(metric: object, receivers: dict[str, object], verdicts: list[tuple[str, str]]) -> None:
    """The metric and the receivers decide."""
    draft = Draft()
    machine = node(draft)
    draft.add(ALARM, "alarm", metric=metric, metricDimensions=machine, **receivers)
    assert draft.verdicts("MO002") == verdicts


def test_alarm_over_another_machine() -> None:
    """An alarm over another machine does not watch this one."""
    draft = Draft()
    watched = node(draft, "watched")
    node(draft, "unwatched")
    draft.add(ALARM, "alarm", metric=GPU, metricDimensions=watched, contactGroups=["oncall"])
    assert draft.verdicts("MO002") == [("warn", "unwatched")]


@pytest.mark.parametrize(
    ("dimensions", "verdicts"), [(None, []), (UNKNOWN, ["unknown"]), ('[{"instanceId":"i-1"}]', ["warn"])]
)
def test_dimensions_without_reference(dimensions: object, verdicts: list[str]) -> None:
    """Without dimensions an alarm watches every machine of the account; with another's id it watches that one."""
    draft = Draft()
    node(draft)
    draft.add(ALARM, "alarm", metric=GPU, metricDimensions=dimensions, contactGroups=["oncall"])
    assert [verdict for verdict, _ in draft.verdicts("MO002")] == verdicts


def test_group_rule() -> None:
    """A rule of a monitor group watches the members of its own group."""
    draft = Draft()
    member, outsider = node(draft, "member"), node(draft, "outsider")
    group = draft.add("cms/monitorGroup:MonitorGroup", "group", contactGroups=["oncall"])
    other = draft.add("cms/monitorGroup:MonitorGroup", "other")
    kind = "cms/monitorGroupInstances:MonitorGroupInstances"
    draft.add(kind, "members", groupId=group, instances=[{"instanceId": member}])
    draft.add(kind, "others", groupId=other, instances=[{"instanceId": outsider}])
    draft.add("cms/groupMetricRule:GroupMetricRule", "rule", groupId=group, metricName=GPU)
    assert draft.verdicts("MO002") == [("warn", "outsider")]


@pytest.mark.parametrize(("value", "verdicts"), [("j", []), ("another", ["warn"])])
def test_template_for_tagged_machines(value: str, verdicts: list[str]) -> None:
    """A template that a dynamic group binds to a tag watches the pools that bear it, with that value."""
    draft = Draft()
    pool(draft)
    template = draft.add("cms/metricRuleTemplate:MetricRuleTemplate", "template", alertTemplates=[{"metricName": GPU}])
    draft.add(
        "cms/dynamicTagGroup:DynamicTagGroup",
        "group",
        tagKey="trainform-job",
        matchExpresses=[{"tagValue": value, "tagValueMatchFunction": "equals"}],
        templateIdLists=[template],
        contactGroupLists=["oncall"],
    )
    assert [verdict for verdict, _ in draft.verdicts("MO002")] == verdicts


def test_processors_only() -> None:
    """A machine without cards has no GPU metric."""
    draft = Draft()
    node(draft, instanceType=CPU, tags=TRAIN)
    assert draft.verdicts("MO002") == []
