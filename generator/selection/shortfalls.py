"""What a spec wants that the chosen cloud does in part or not at all, though the job runs: the table's own reasons."""

from __future__ import annotations

from collections.abc import Callable

from generator.catalog.capabilities import find_capability
from generator.selection.candidate import Variant
from generator.selection.scope import TRAINING_TASKS, Request


def list_shortfalls(request: Request, chosen: Variant) -> tuple[str, ...]:
    """A sentence for each wish that `capabilities.csv` of the chosen cloud does not answer with a plain yes.

    What the job cannot do without is refused before (`needs.py`); here stands what can be lived with.
    """
    cloud = chosen.offer.type.cloud
    rows = [find_capability(cloud, name) for name, wanted in WISHES if wanted(request, chosen)]
    return tuple(
        f"{'only in part' if row.can == 'partly' else 'not here'}, {row.capability.replace('_', ' ')}: {row.reason}"
        for row in rows
        if row.can != "yes"
    )


def _mixed(request: Request, chosen: Variant) -> bool:
    plan = request.workload.interruptible
    return chosen.charge == "spot" and plan is not None and plan.on_demand_nodes > 0


def _talks(request: Request, chosen: Variant) -> bool:
    return chosen.nodes > 1 and request.workload.task in TRAINING_TASKS


# Capability, and who wants it.
WISHES: tuple[tuple[str, Callable[[Request, Variant], bool]], ...] = (
    ("spot", lambda _, chosen: chosen.charge == "spot"),
    ("spot_pool", _mixed),
    ("rdma", _talks),
    ("parallel_file_system", lambda _, chosen: any(piece.kind == "file_system" for piece in chosen.storage)),
    ("snapshots", lambda request, _: request.workload.snapshots != "none"),
    ("gpu_alarms", lambda request, chosen: request.watched and chosen.offer.type.gpus > 0),
    ("schedules", lambda request, _: request.timetable),
    ("stop_without_charge", lambda request, _: request.timetable),
    ("encryption", lambda _request, _chosen: True),  # every stack asks for it (SE004)
)
