"""Alarms of a stack of Tencent Cloud: policies with what is bound to them, by id or by tag, and whom they tell."""

from __future__ import annotations

from collections.abc import Iterator

from generator.facts import Alarm, Node
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, Value
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

POLICY = "Monitor/alarmPolicy:AlarmPolicy"
BINDING = "Monitor/policyBindingObject:PolicyBindingObject"
NOTICE = "Monitor/alarmNotice:AlarmNotice"
GPU_PREFIX = "Gpu"  # every GPU metric of cvm_device begins so
RECEIVERS = ("userNotices", "urlNotices", "clsNotices")


def read_alarms(
    reader: StackReader, nodes: tuple[Node, ...], region_of: dict[str, str | Unknown | None]
) -> Iterator[Alarm]:
    """Every condition of every policy; `nodes` tells which resources of the stack one may watch."""
    members = _members(reader, nodes)
    for policy in reader.of(POLICY):
        watched, unseen = _watched(reader, policy, nodes, members)
        receivers = _receivers(reader, policy)
        for metric in _metrics(reader, policy):
            yield Alarm(
                resource=policy,
                cloud="tencentcloud",
                region=region_of[policy.urn],
                paths={"receivers": "noticeIds", "metric": "conditions"},
                metric=metric,
                gpu_metric=UNKNOWN if metric is UNKNOWN else isinstance(metric, str) and metric.startswith(GPU_PREFIX),
                receivers=receivers,
                all_nodes=UNKNOWN if unseen else False,
                nodes=watched,
            )


def _members(reader: StackReader, nodes: tuple[Node, ...]) -> dict[str, str]:
    """URN of anything that stands for a machine or pool, to the URN of its fact."""
    found = {node.resource.urn: node.resource.urn for node in nodes}
    for node in nodes:
        for group in reader.referrers(node.resource.urn, "configurationId", "As/scalingGroup:ScalingGroup"):
            found.setdefault(group.urn, node.resource.urn)
    return found


def _metrics(reader: StackReader, policy: Resource) -> tuple[Value, ...]:
    conditions = reader.value(policy, "conditions")
    if conditions is UNKNOWN:
        return (UNKNOWN,)
    rules = conditions.get("rules") if isinstance(conditions, dict) else None
    return tuple(rule.get("metricName") if isinstance(rule, dict) else UNKNOWN for rule in rules or ())


def _watched(
    reader: StackReader, policy: Resource, nodes: tuple[Node, ...], members: dict[str, str]
) -> tuple[tuple[str, ...], bool]:
    """The nodes that are bound to a policy, and whether something is bound of which nobody can tell what it is."""
    found: list[str] = []
    unseen = False
    for binding in reader.referrers(policy.urn, "policyId", BINDING):
        bound = [members[urn] for urn in binding.property_dependencies.get("dimensions", ()) if urn in members]
        found += bound
        unseen = unseen or (not bound and _is_unknown(reader.value(binding, "dimensions")))
    for tag in reader.value(policy, "policyTags") or ():
        if isinstance(tag, dict):
            found += [node.resource.urn for node in nodes if node.tags.get(str(tag.get("key"))) == tag.get("value")]
    return tuple(dict.fromkeys(found)), unseen


def _is_unknown(dimensions: Value) -> bool:
    blocks = dimensions if isinstance(dimensions, list) else [dimensions]
    return any(block is UNKNOWN or (isinstance(block, dict) and UNKNOWN in block.values()) for block in blocks)


def _receivers(reader: StackReader, policy: Resource) -> bool | Unknown:
    """Whether some notice of the policy names anybody; one that lies outside the stack is taken to."""
    told: list[bool | Unknown] = []
    for target in reader.targets(policy, "noticeIds", NOTICE):
        notice = reader.by_urn.get(target) if isinstance(target, str) else None
        if notice is None:
            told.append(isinstance(target, str) or UNKNOWN)
            continue
        values = [reader.value(notice, name) for name in RECEIVERS]
        told += [UNKNOWN if value is UNKNOWN else bool(value) for value in values]
    return either(*told)
