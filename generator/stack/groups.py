"""Which machines are members of a scaling group, on clouds where a timetable sends machines away by emptying one."""

from __future__ import annotations

from generator.stack.blueprint import Blueprint
from generator.stack.storage import disk_choice


def pooled(blueprint: Blueprint) -> bool:
    """True when the machines are members of scaling groups: spot ones, and those that a timetable sends away."""
    return blueprint.nodes.pool or blueprint.schedule is not None


def attaches_disk(blueprint: Blueprint) -> bool:
    """True when machines come and go by a timetable and their data disk stays: each takes it when it starts."""
    return blueprint.schedule is not None and not blueprint.nodes.pool and disk_choice(blueprint) is not None
