"""Alarms of a stack of Huawei Cloud: AOM's rules, whose figures they are made of, and whom they tell."""

from __future__ import annotations

from collections.abc import Iterator

from generator.clouds.huaweicloud.facts_nodes import CONFIGURATION, GROUP
from generator.facts import Alarm, Node
from generator.facts.reader import StackReader, Value, truth
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

RULE = "Aom/alarmRule:AlarmRule"
TOPIC = "Smn/topic:Topic"
SUBSCRIPTION = "Smn/subscription:Subscription"
CARDS = ("gpu", "npu")
JOB = "job"  # the dimension by which our nodes report


def read_alarms(
    reader: StackReader, nodes: tuple[Node, ...], region_of: dict[str, str | Unknown | None]
) -> Iterator[Alarm]:
    """Every rule; `nodes` tells which resources of the stack one may watch."""
    members = _members(reader, nodes)
    for rule in reader.of(RULE):
        metric = reader.value(rule, "metricName")
        watched, unseen = _watched(reader, rule, nodes, members)
        yield Alarm(
            resource=rule,
            cloud="huaweicloud",
            region=region_of[rule.urn],
            paths={"receivers": "alarmActions", "metric": "metricName"},
            metric=metric,
            gpu_metric=UNKNOWN if metric is UNKNOWN else any(card in str(metric).lower() for card in CARDS),
            receivers=_receivers(reader, rule),
            all_nodes=UNKNOWN if unseen else False,
            nodes=watched,
        )


def _members(reader: StackReader, nodes: tuple[Node, ...]) -> dict[str, str]:
    """URN of anything that stands for a machine or pool, to the URN of its fact."""
    found = {node.resource.urn: node.resource.urn for node in nodes}
    for configuration in reader.of(CONFIGURATION):
        for group in reader.referrers(configuration.urn, "scalingConfigurationId", GROUP):
            found.setdefault(group.urn, configuration.urn)
    return found


def _watched(
    reader: StackReader, rule: Resource, nodes: tuple[Node, ...], members: dict[str, str]
) -> tuple[tuple[str, ...], bool]:
    """The nodes whose figures a rule reads, and whether it reads some of which nobody can tell whose they are."""
    named = rule.property_dependencies.get("dimensions", ())
    found = [members[urn] for urn in named if urn in members]
    blocks = reader.value(rule, "dimensions")
    for block in blocks if isinstance(blocks, list) else ():
        if isinstance(block, dict) and block.get("name") == JOB:
            found += [node.resource.urn for node in nodes if node.job is not None and node.job == block.get("value")]
    return tuple(dict.fromkeys(found)), not found and _is_unknown(blocks)


def _is_unknown(blocks: Value) -> bool:
    several = blocks if isinstance(blocks, list) else [blocks]
    return any(block is UNKNOWN or (isinstance(block, dict) and UNKNOWN in block.values()) for block in several)


def _receivers(reader: StackReader, rule: Resource) -> bool | Unknown:
    """Whether somebody is told: by a topic that has subscribers, or by one that lies outside the stack."""
    if truth(reader.value(rule, "alarmActionEnabled")) is False:
        return False
    told: list[bool | Unknown] = []
    for target in reader.targets(rule, "alarmActions", TOPIC):
        inside = isinstance(target, str) and target in reader.by_urn
        told.append(
            bool(reader.referrers(target, "topicUrn", SUBSCRIPTION)) if inside else isinstance(target, str) or UNKNOWN
        )
    return True if True in told else (UNKNOWN if UNKNOWN in told else False)
