"""Alarms: which metrics, which thresholds, and who is told."""

from __future__ import annotations

import msgspec

from generator.stack.alarms import alarm_rules
from generator.stack.blueprint import Blueprint
from generator.stack.groups import pooled

LONGEST_MINUTES = 30  # of breach in periods of a minute; longer ones are counted in periods of five


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One condition of the policy: breached in `periods` periods of `period_s` in a row."""

    metric: str
    operator: str
    threshold: str
    period_s: int
    periods: int
    reason: str


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """The names of watch.py.jinja. `group`: the id of the CAM user group that the spec names; None: from config."""

    title: str
    imports: tuple[str, ...]
    region: str
    pool: bool
    spot: bool
    email: str | None
    group: int | None
    rules: tuple[Rule, ...]


def watch_view(blueprint: Blueprint) -> Watch:
    """GPU alarms of the role where there are GPUs, else those of a CPU node."""
    receiver, pool = blueprint.alarms, pooled(blueprint)
    group = int(receiver.group) if receiver.group and receiver.group.isdigit() else None
    imports = {"NAME"} | ({"JOB"} if pool or receiver.email else set())
    imports |= set() if receiver.email or group is not None else {"ALARM_GROUP_ID"}
    rules = []
    for rule in alarm_rules(blueprint):
        period_s = 60 if rule.minutes <= LONGEST_MINUTES else 300
        rules.append(
            Rule(
                metric=rule.metric,
                operator=rule.operator,
                threshold=rule.threshold,
                period_s=period_s,
                periods=rule.minutes * 60 // period_s,
                reason=rule.reason,
            )
        )
    return Watch(
        title="Alarms on the figures that cost money, and people who are told.",
        imports=tuple(sorted(imports)),
        region=blueprint.candidate.offer.region,
        pool=pool,
        spot=blueprint.nodes.pool,
        email=receiver.email,
        group=group,
        rules=tuple(rules),
    )
