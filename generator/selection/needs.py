"""What a spec needs of a cloud as a whole, beyond the machine; what the cloud's own table denies ends the search."""

from __future__ import annotations

from collections.abc import Callable

from generator.catalog.capabilities import find_capability
from generator.selection.candidate import Refusal
from generator.workload import Workload


def refuse_missing(workload: Workload, cloud_id: str) -> Refusal | None:
    """The first need of the workload that `capabilities.csv` of the cloud denies, with its sentence; None for none.

    Alarms, schedules and snapshots are no such need: the job runs without them, and the stack's README says how.
    """
    for name, needed, would_need in NEEDS:
        if needed(workload):
            row = find_capability(cloud_id, name)
            if row.can == "no":
                return Refusal(
                    reason="capability", message=f"no {name.replace('_', ' ')}: {row.reason}", would_need=would_need
                )
    return None


def _bids(workload: Workload) -> bool:
    return workload.interruptible is not None


def _mixes(workload: Workload) -> bool:
    return workload.interruptible is not None and workload.interruptible.on_demand_nodes > 0


def _shares_files(workload: Workload) -> bool:
    data, checkpoint = workload.data, workload.checkpoint
    return (data is not None and data.on == "file_system") or (
        checkpoint is not None and checkpoint.to == "file_system"
    )


def _talks(workload: Workload) -> bool:
    """Nodes of one training job exchange gradients, which no other network carries (NW001)."""
    return workload.task in {"pretrain", "finetune"} and workload.limits.min_nodes > 1


# Capability, who needs it, and what the spec would say instead.
NEEDS: tuple[tuple[str, Callable[[Workload], bool], str], ...] = (
    ("spot", _bids, "interruptible: false"),
    ("spot_pool", _mixes, "interruptible: true"),
    ("rdma", _talks, "hardware.nodes: 1"),
    ("parallel_file_system", _shares_files, "data.on: auto, and checkpoint.to: bucket"),
)
