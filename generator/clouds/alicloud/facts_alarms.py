"""Alarms of a stack of Alibaba Cloud: plain ones, those of a monitor group, and templates bound to tagged machines."""

from __future__ import annotations

from collections.abc import Iterator

from generator.facts import Alarm, Node
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, Value
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

GROUP_MEMBERS = "cms/monitorGroupInstances:MonitorGroupInstances"
GPU_PREFIX = "gpu_"  # every GPU metric of acs_ecs_dashboard begins so


def read_alarms(
    reader: StackReader, nodes: tuple[Node, ...], region_of: dict[str, str | Unknown | None]
) -> Iterator[Alarm]:
    """Every alarm; `nodes` tells which resources of the stack one may watch."""
    chains = _members(reader, nodes)
    for alarm in reader.of("cms/alarm:Alarm"):
        metric = reader.value(alarm, "metric")
        watched = [chains[urn] for urn in alarm.property_dependencies.get("metricDimensions", ()) if urn in chains]
        dimensions = reader.value(alarm, "metricDimensions") or reader.value(alarm, "dimensions")
        yield _alarm(
            alarm,
            region_of,
            metric,
            receivers=_any(reader, alarm, "contactGroups", "webhook"),
            all_nodes=dimensions is None if dimensions is not UNKNOWN or watched else UNKNOWN,
            nodes=tuple(dict.fromkeys(watched)),
        )
    for rule in reader.of("cms/groupMetricRule:GroupMetricRule"):
        group = reader.target(rule, "groupId")
        watched = [
            chains[urn]
            for members in reader.of(GROUP_MEMBERS)
            if group is not None and reader.target(members, "groupId") == group
            for urn in members.property_dependencies.get("instances", ())
            if urn in chains
        ]
        yield _alarm(
            rule,
            region_of,
            reader.value(rule, "metricName"),
            receivers=either(_any(reader, rule, "contactGroups", "webhook"), _group_contacts(reader, group)),
            all_nodes=False,
            nodes=tuple(dict.fromkeys(watched)),
        )
    yield from _tagged(reader, nodes, region_of)


def _members(reader: StackReader, nodes: tuple[Node, ...]) -> dict[str, str]:
    """URN of anything that stands for a machine or pool, to the URN of its fact."""
    found = {node.resource.urn: node.resource.urn for node in nodes}
    for node in nodes:
        for name in ("scalingGroupId", "launchTemplateId"):
            target = reader.target(node.resource, name)
            if isinstance(target, str) and target in reader.by_urn:
                found.setdefault(target, node.resource.urn)
    return found


def _any(reader: StackReader, alarm: Resource, *names: str) -> bool | Unknown:
    values = [reader.value(alarm, name) for name in names]
    return either(*(UNKNOWN if value is UNKNOWN else bool(value) for value in values))


def _group_contacts(reader: StackReader, group: str | Unknown | None) -> bool | Unknown:
    resource = reader.by_urn.get(group) if isinstance(group, str) else None
    return False if resource is None else _any(reader, resource, "contactGroups")


def _alarm(
    resource: Resource,
    region_of: dict[str, str | Unknown | None],
    metric: Value,
    *,
    receivers: bool | Unknown,
    all_nodes: bool | Unknown,
    nodes: tuple[str, ...],
) -> Alarm:
    return Alarm(
        resource=resource,
        cloud="alicloud",
        region=region_of[resource.urn],
        paths={"receivers": "contactGroups", "metric": "metric"},
        metric=metric,
        gpu_metric=UNKNOWN if metric is UNKNOWN else isinstance(metric, str) and metric.startswith(GPU_PREFIX),
        receivers=receivers,
        all_nodes=all_nodes,
        nodes=nodes,
    )


def _tagged(
    reader: StackReader, nodes: tuple[Node, ...], region_of: dict[str, str | Unknown | None]
) -> Iterator[Alarm]:
    """Alarm templates that a group binds to machines with a tag: the way for pools, whose members have no ids yet."""
    carrying: dict[str, dict[str | None, list[str]]] = {}  # tag key to value to nodes
    for group in reader.of("cms/dynamicTagGroup:DynamicTagGroup"):
        key = str(reader.value(group, "tagKey"))
        expressions = [block for _, block in reader.blocks(group, "matchExpresses")]
        if key not in carrying:
            carrying[key] = {}
            for node in nodes:
                carrying[key].setdefault(node.tags.get(key), []).append(node.resource.urn)
        watched = tuple(urn for tag, urns in carrying[key].items() if _matches(tag, expressions) for urn in urns)
        for target in reader.targets(group, "templateIdLists", "cms/metricRuleTemplate:MetricRuleTemplate"):
            template = reader.by_urn.get(target) if isinstance(target, str) else None
            metrics: list[Value] = [UNKNOWN]
            if template is not None:
                metrics = [
                    UNKNOWN if isinstance(block, Unknown) else block.get("metricName")
                    for _, block in reader.blocks(template, "alertTemplates")
                ]
            for metric in metrics:
                receivers = _any(reader, group, "contactGroupLists")
                yield _alarm(group, region_of, metric, receivers=receivers, all_nodes=False, nodes=watched)


def _matches(tag: str | None, expressions: list[dict[str, Value] | Unknown]) -> bool:
    """Whether a tag's value satisfies every expression of a group; one that cannot be known does not."""
    if tag is None:
        return False
    for expression in expressions:
        wanted = None if isinstance(expression, Unknown) else expression.get("tagValue")
        if not isinstance(wanted, str):
            return False
        how = expression.get("tagValueMatchFunction", "equals") if isinstance(expression, dict) else ""
        tests = {
            "equals": tag == wanted,
            "contains": wanted in tag,
            "startWith": tag.startswith(wanted),
            "endWith": tag.endswith(wanted),
            "all": True,
        }
        if not tests.get(str(how), False):
            return False
    return True
