"""Which figures of a node are watched, with which thresholds, by the cloud's table `alarms.csv`."""

from __future__ import annotations

import msgspec

from generator.clouds import CLOUDS
from generator.rows import read_rows
from generator.stack.blueprint import Blueprint


class AlarmRule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule in the cloud's own words: `minutes` of breach in a row before anyone is told."""

    name: str
    metric: str
    operator: str
    threshold: str
    minutes: int
    reason: str


def alarm_rules(blueprint: Blueprint) -> tuple[AlarmRule, ...]:
    """GPU alarms of the role where there are GPUs, else those of a CPU node."""
    kind = blueprint.candidate.type
    gpu = "yes" if kind.gpus else "no"
    return tuple(
        AlarmRule(
            name=row["name"],
            metric=row["metric"],
            operator=row["operator"],
            threshold=row["threshold"],
            minutes=int(row["minutes"]),
            reason=row["reason"],
        )
        for row in read_rows(CLOUDS / kind.cloud / "alarms.csv")
        if row["gpu"] == gpu and row["role"] in {"any", blueprint.nodes.role}
    )
