"""Alarms: which figures, which thresholds, and who is told."""

from __future__ import annotations

import msgspec

from generator.stack.alarms import alarm_rules
from generator.stack.blueprint import Blueprint

# Minutes of one period, and the most periods in a row, that an alarm takes.
PERIODS = (1, 5, 15, 60)
MOST_PERIODS = 5
# AOM keeps the names that begin with PAAS for itself.
NAMESPACE = "TRAINFORM.NODE"


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """One rule: breached in `periods` periods of `period_ms` in a row."""

    name: str
    metric: str
    operator: str
    threshold: str
    period_ms: int
    periods: int
    reason: str


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """The names of watch.py.jinja. `email` None: a topic is told whose URN stands in config, for a name is none."""

    title: str
    imports: tuple[str, ...]
    namespace: str
    spot: bool
    email: str | None
    alarms: tuple[Alarm, ...]


def watch_view(blueprint: Blueprint) -> Watch:
    """GPU alarms of the role where there are GPUs, else those of a CPU node."""
    receiver = blueprint.alarms
    imports = {"JOB", "NAME"}
    imports |= set() if receiver.email else {"ALARM_TOPIC_URN"}
    alarms = []
    for rule in alarm_rules(blueprint):
        minutes = next(one for one in PERIODS if rule.minutes % one == 0 and rule.minutes // one <= MOST_PERIODS)
        alarms.append(
            Alarm(
                name=rule.name,
                metric=rule.metric,
                operator=rule.operator,
                threshold=rule.threshold,
                period_ms=minutes * 60_000,
                periods=rule.minutes // minutes,
                reason=rule.reason,
            )
        )
    return Watch(
        title="Alarms on the figures that cost money, and people who are told.",
        imports=tuple(sorted(imports)),
        namespace=NAMESPACE,
        spot=blueprint.nodes.pool,
        email=receiver.email,
        alarms=tuple(alarms),
    )
