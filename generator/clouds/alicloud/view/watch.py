"""Alarms: which metrics, which thresholds, and who is told."""

from __future__ import annotations

import msgspec

from generator.stack.alarms import alarm_rules
from generator.stack.blueprint import Blueprint

WORDS = {"<": "LessThanThreshold", ">": "GreaterThanThreshold"}


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """One rule: `minutes` of breach in a row before anyone is told."""

    name: str
    metric: str
    operator: str
    operator_word: str
    threshold: str
    minutes: int
    times: str
    reason: str


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """The names of watch.py.jinja."""

    title: str
    imports: tuple[str, ...]
    pool: bool
    email: str | None
    group: str | None
    alarms: tuple[Alarm, ...]


def watch_view(blueprint: Blueprint) -> Watch:
    """GPU alarms of the role where there are GPUs, else those of a CPU node."""
    receiver = blueprint.alarms
    imports = {"NAME"} | (set() if receiver.email or receiver.group else {"ALARM_CONTACT_GROUP"})
    imports |= {"JOB"} if blueprint.nodes.pool else set()
    return Watch(
        title="Alarms on the figures that cost money, and people who are told.",
        imports=tuple(sorted(imports)),
        pool=blueprint.nodes.pool,
        email=receiver.email,
        group=receiver.group,
        alarms=tuple(
            Alarm(
                name=rule.name,
                metric=rule.metric,
                operator=rule.operator,
                operator_word=WORDS[rule.operator],
                threshold=rule.threshold,
                minutes=rule.minutes,
                times=str(rule.minutes),
                reason=rule.reason,
            )
            for rule in alarm_rules(blueprint)
        ),
    )
