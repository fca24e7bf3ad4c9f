"""A type as a hardware shape, and the layout search over the node counts that are worth trying on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import msgspec

from generator.catalog import InstanceType
from generator.selection.candidate import Refusal
from generator.selection.scope import TRAINING_TASKS, Request
from generator.sizing.accelerators import find_accelerator
from generator.sizing.estimate import Fit, Hardware
from generator.sizing.layout import find_fit, node_counts
from generator.sizing.step_time import estimate_time
from generator.sizing.storage_need import storage_need
from generator.workload import Workload, settle_checkpoint

# vCPUs per GPU below which a card starves (SZ002 warns below 8, denies below 4), and the memory a person works in.
TRAINING_VCPUS_PER_GPU = 8
LEAST_VCPUS_PER_GPU = 4
DEVELOP_RAM_GIB = 30
DEVELOP_GPU_GIB = 16  # one T4 or better (D0-61), unless the user limits the memory of a card
# Up to this many, every node count is tried; beyond, steps of a quarter.
EVERY_COUNT = 8
PATIENCE = 2  # node counts that get worse in a row before the search stops

FitOf = Callable[[Hardware], Fit]


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A node count on which the job fits, with its hours on demand and, when interruptible, on spot."""

    nodes: int
    fit: Fit
    hours: float
    spot_hours: float | None = None


class Sized(msgspec.Struct, frozen=True, kw_only=True):
    """What a type can do: node counts that fit, best first by the user's preference, and how the others failed."""

    attempts: tuple[Attempt, ...]
    refusals: tuple[tuple[int, Refusal, Fit], ...]


def hardware_of(row: InstanceType, nodes: int) -> Hardware:
    """The shape of `nodes` such machines, as sizing sees it."""
    card = find_accelerator(row.gpu) if row.gpu else None
    rdma = row.rdma not in (None, "none")
    network = row.network_gbps or 0.0
    return Hardware(
        gpu=card,
        gpus_per_node=row.gpus,
        nodes=nodes,
        vcpus=row.vcpus,
        ram_gib=row.ram_gib,
        usable_gib=row.gpu_usable_gib or 0.0,
        interconnect=row.interconnect or "pcie",
        nvlink_gbytes_s=_nvlink(row, card.nvlink_gbytes_s if card else 0.0),
        network_gbps=network,
        rdma=rdma,
        rdma_gbps=(row.rdma_gbps or network) if rdma else 0.0,
        local_nvme_gib=row.local_nvme_gib,
        fraction=row.slice_fraction or 1.0,
    )


def _nvlink(row: InstanceType, of_card: float) -> float:
    return (row.nvlink_gbytes_s or of_card) if row.interconnect == "nvlink" else 0.0


def fits_of(workload: Workload) -> FitOf:
    """The layout search of this job, remembered by shape and node count; limits on hardware play no part in it."""
    known: dict[Hardware, Fit] = {}

    def fit_of(hardware: Hardware) -> Fit:
        if hardware not in known:
            known[hardware] = find_fit(workload, hardware, detailed=False)
        return known[hardware]

    return fit_of


def with_accuracy(workload: Workload, fit: Fit) -> Fit:
    """The fit with the layouts that come next and how sure we are of its kind: for the one that is shown."""
    full = find_fit(workload, fit.hardware)
    return msgspec.structs.replace(fit, alternatives=full.alternatives, accuracy=full.accuracy)


class Shapes:
    """What the types of one request can do; types of one shape are sized once, whatever they are called or cost."""

    def __init__(self, request: Request, fit_of: FitOf) -> None:
        self._request = request
        self._fit_of = fit_of
        self._known: dict[tuple[object, ...], Sized] = {}

    def size(self, row: InstanceType) -> Sized:
        """The node counts that fit on this type, and how the others failed."""
        shape = (hardware_of(row, 1), row.is_slice, row.rdma, row.gpu_memory_gib)
        if shape not in self._known:
            self._known[shape] = size_type(self._request, row, self._fit_of)
        return self._known[shape]


def size_type(request: Request, row: InstanceType, fit_of: FitOf) -> Sized:
    """Tries node counts until more of them only cost more, and sorts what fits by the user's preference."""
    attempts: list[Attempt] = []
    refusals: list[tuple[int, Refusal, Fit]] = []
    best, worse = math.inf, 0
    for nodes in _counts(request, row, fit_of):
        fit = fit_of(hardware_of(row, nodes))
        refusal = _refuse(request, row, nodes, fit)
        if refusal:
            refusals.append((nodes, refusal, fit))
            continue
        attempt = _attempt(request, nodes, fit)
        attempts.append(attempt)
        if request.deadline_hours is not None and attempt.hours > request.deadline_hours:
            continue
        value = attempt.hours if request.prefer == "time" else attempt.hours * nodes
        worse = 0 if value < best * 0.999 else worse + 1
        best = min(best, value)
        if worse >= PATIENCE:
            break
    by_time = request.prefer == "time"
    attempts.sort(key=lambda a: (a.hours, a.nodes) if by_time else (round(a.hours * a.nodes, 6), a.nodes))
    return Sized(attempts=tuple(attempts), refusals=tuple(refusals))


def _counts(request: Request, row: InstanceType, fit_of: FitOf) -> Iterator[int]:
    """Node counts worth trying, ascending: one for a person, replicas for a service, a ladder for a run."""
    limits, interruptible = request.limits, request.workload.interruptible
    least, most = limits.min_nodes, limits.max_nodes
    if interruptible is not None and interruptible.on_demand_nodes > 1:
        least = max(least, interruptible.on_demand_nodes + 1)  # fewer stay on demand than work, but in a pool of one
    task = request.workload.task
    if task == "develop" or (must_be_alone(request.workload, row) and least == 1):
        yield least
    elif task == "infer":
        yield _replicas(request, row, fit_of)
    elif task == "preprocess":
        yield from _cpu_counts(request, row, fit_of)
    else:
        tried = node_counts(request.workload, hardware_of(row, 1), least, most) or (least,)
        yield from (count for count in tried if _on_ladder(count, tried[0], tried[-1]))


def _on_ladder(count: int, least: int, most: int) -> bool:
    if count <= least + EVERY_COUNT or count in (least, most):
        return True
    step: int = 1 << (count.bit_length() - 3)
    return count % step == 0


def _replicas(request: Request, row: InstanceType, fit_of: FitOf) -> int:
    """The fewest nodes that together answer the requests asked; a replica's layout may differ with their number."""
    nodes, most = request.limits.min_nodes, request.limits.max_nodes
    wanted = request.workload.requests_per_second or 0.0
    while nodes <= most:
        time = fit_of(hardware_of(row, nodes)).time
        served = (time.requests_per_s if time else None) or wanted
        if served >= wanted:
            break
        nodes = max(nodes + 1, math.ceil(nodes * wanted / served))
    return nodes


def _cpu_counts(request: Request, row: InstanceType, fit_of: FitOf) -> Iterator[int]:
    """The fewest nodes that meet the deadline (hours fall with the count), or all allowed when time matters most."""
    least, most = request.limits.min_nodes, request.limits.max_nodes
    if request.prefer == "time":
        yield most
        return
    deadline = request.deadline_hours
    while deadline is not None and least < most:
        middle = (least + most) // 2
        time = fit_of(hardware_of(row, middle)).time
        if time is None or time.run_hours <= deadline:
            most = middle
        else:
            least = middle + 1
    yield least


def must_be_alone(workload: Workload, row: InstanceType) -> bool:
    """Training over several nodes without RDMA is refused (NW001), so only one is tried; slices never form a job."""
    return workload.task in TRAINING_TASKS and (row.is_slice or row.rdma in (None, "none"))


def _attempt(request: Request, nodes: int, fit: Fit) -> Attempt:
    hours = fit.time.run_hours if fit.time else request.workload.run_hours or 0.0
    workload = settle_checkpoint(request.workload, nodes, hours)
    if workload is not request.workload and fit.time:
        need = storage_need(workload, fit.hardware, fit.layout, fit.time.step_s, fit.precision or "bf16")
        fit = msgspec.structs.replace(fit, storage=need)
    spot = None
    if workload.interruptible is not None:
        spot = hours
        if fit.time and workload.task in (*TRAINING_TASKS, "preprocess"):
            spot = estimate_time(workload, fit.hardware, fit.layout, fit.precision, spot=True).run_hours
    return Attempt(nodes=nodes, fit=fit, hours=hours, spot_hours=spot)


def _refuse(request: Request, row: InstanceType, nodes: int, fit: Fit) -> Refusal | None:
    """The first reason against this node count, by the order of codes; storage is judged where the region is known."""
    reasons = [
        own
        for own in (_refuse_count(request, nodes), _refuse_host(request, row), _refuse_fabric(request, row, nodes))
        if own
    ]
    if not fit.fits:
        reasons.append(Refusal(reason=fit.reason or "layout", message=fit.message, would_need=_change(fit)))
    return min(reasons, key=lambda reason: reason.rank) if reasons else None


def _change(fit: Fit) -> str | None:
    return fit.would_fit[0].change if fit.would_fit else None


def _refuse_count(request: Request, nodes: int) -> Refusal | None:
    most = request.limits.max_nodes
    if nodes <= most:
        return None
    return Refusal(
        reason="hardware_limit",
        message=f"hardware.nodes: {request.workload.requests_per_second:g} requests/s want {nodes}, at most {most}",
        would_need=f"hardware.nodes up to {nodes}",
    )


def _refuse_host(request: Request, row: InstanceType) -> Refusal | None:
    if row.gpus:
        floor = LEAST_VCPUS_PER_GPU if request.workload.task == "infer" else TRAINING_VCPUS_PER_GPU
        if row.vcpus / row.gpus < floor:
            return Refusal(
                reason="cpu", message=f"{row.vcpus / row.gpus:g} vCPU per GPU, {floor} are needed to feed one (SZ002)",
                would_need="a larger size of the same card",
            )  # fmt: skip
    if request.workload.task != "develop":
        return None
    if request.limits.min_ram_gib is None and row.ram_gib < DEVELOP_RAM_GIB:
        return Refusal(
            reason="ram", message=f"{row.ram_gib:g} GiB of RAM, {DEVELOP_RAM_GIB} are needed to develop on",
            would_need="a larger size, or hardware.ram",
        )  # fmt: skip
    limits = request.limits
    free = limits.min_gpu_memory_gib is None and limits.max_gpu_memory_gib is None
    if free and row.gpus and (row.gpu_memory_gib or 0) < DEVELOP_GPU_GIB:
        return Refusal(
            reason="memory", message=f"{row.gpu_memory_gib:g} GiB a card, {DEVELOP_GPU_GIB} to develop on (D0-61)",
            would_need="hardware.gpu_memory with the memory that is enough",
        )  # fmt: skip
    return None


def _refuse_fabric(request: Request, row: InstanceType, nodes: int) -> Refusal | None:
    if nodes == 1 or not must_be_alone(request.workload, row):
        return None
    known = "has no RDMA" if row.rdma == "none" else "is not known to have RDMA"
    return Refusal(
        reason="fabric",
        message=f"{nodes} nodes asked, and the type {known}: gradients over TCP are refused (NW001)",
        would_need="a type with RDMA, or one node",
    )
