"""Branch and bound over the legal layouts: the fastest whose memory bound fits, and the nearest when none does."""

from __future__ import annotations

import msgspec

from generator.sizing.estimate import Hardware, Layout, Memory
from generator.sizing.flops import Work, count_work
from generator.sizing.memory import estimate_memory
from generator.sizing.profiles import Profile, find_profile
from generator.sizing.serving import serve
from generator.sizing.splits import micro_batches, serving_splits, training_splits
from generator.sizing.step_time import step_parts
from generator.workload import Workload

GIB = 2**30
HOST_RAM_SHARE = 0.9  # of the node's RAM that offloaded state may take
KEPT = 3  # the best and the two next
MICRO_TRIES = 4  # micro-batches below the estimated largest that are tried before 1 is taken


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A legal layout with its memory and what it is ranked by: seconds of a step, or of a request served."""

    layout: Layout
    memory: Memory
    rank_s: float


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """What was found: layouts that fit, fastest first, and the one nearest to fitting when none does."""

    fitting: tuple[Choice, ...]
    nearest: Choice | None
    host_short: bool = False  # the nearest lacks RAM on the host, not memory on the card
    too_slow_ms: float | None = None  # the least latency, when it is over the limit


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What stays the same during one search."""

    workload: Workload
    work: Work
    hardware: Hardware
    precision: str
    profile: Profile

    def memory(self, layout: Layout) -> Memory:
        """Memory of this job in a layout."""
        return estimate_memory(self.workload, self.hardware, layout, self.precision)

    def step_s(self, layout: Layout) -> float:
        """Seconds of one optimizer step in a layout, before data and checkpoints."""
        return step_parts(self.work, self.hardware, layout, self.precision, self.profile).total_s


def search(workload: Workload, hardware: Hardware, precision: str) -> Search:
    """The fastest layouts that fit. Offload is tried only when nothing fits without it: optimizer first, then all."""
    job = Job(
        workload=workload,
        work=count_work(workload, precision),
        hardware=hardware,
        precision=precision,
        profile=find_profile(workload.profile),
    )
    if workload.task == "infer":
        return _search_serving(job)
    nearest: Choice | None = None
    host_short = False
    for offload in ("none", *(name for name in job.profile.offload if name != "none")):
        fitting, closest = _search_splits(job, training_splits(workload, hardware, offload))
        roomy = tuple(found for found in fitting if found.memory.host_ram_gib <= HOST_RAM_SHARE * hardware.ram_gib)
        if roomy:
            return Search(fitting=roomy, nearest=None)
        if fitting:
            nearest, host_short = fitting[0], True
        elif closest and not host_short:
            nearest = _nearer(nearest, closest)
    return Search(fitting=(), nearest=nearest, host_short=host_short)


def _nearer(one: Choice | None, other: Choice | None) -> Choice | None:
    if one is None or other is None:
        return one or other
    return other if other.memory.bound < one.memory.bound else one


def _search_splits(job: Job, splits: tuple[Layout, ...]) -> tuple[tuple[Choice, ...], Choice | None]:
    """The fastest of these layouts that fit, and the nearest when none does.

    A split's time with its largest micro-batch is the least it can take: once enough layouts fit that are faster than
    that, the rest need not be looked at. Memory is asked only of those.
    """
    usable = job.hardware.usable_gib * GIB
    floors = [(_least_bytes(job.work, split), split) for split in splits]
    timed = [(job.step_s(split), split) for floor, split in floors if floor <= usable]
    timed.sort(key=lambda pair: pair[0])
    fitting: list[Choice] = []
    nearest: Choice | None = None
    for optimistic, split in timed:
        if len(fitting) >= KEPT and optimistic >= fitting[KEPT - 1].rank_s:
            break
        choice = _largest_micro(job, split)
        if choice.memory.fits:
            step = optimistic if choice.layout is split else job.step_s(choice.layout)
            fitting.append(msgspec.structs.replace(choice, rank_s=step))
            fitting.sort(key=lambda found: found.rank_s)
        elif not fitting:
            nearest = _nearer(nearest, choice)
    if floors and not timed:
        nearest = _largest_micro(job, min(floors, key=lambda pair: pair[0])[1])
    return tuple(fitting[:KEPT]), nearest


def _least_bytes(work: Work, layout: Layout) -> float:
    """A floor under the memory of one card: stored weights and optimizer moments, as they are split and sharded."""
    held = (1 - work.expert_share * (1 - 1 / layout.expert)) / (layout.tensor * layout.pipeline)
    weights, states = work.weight_bytes * held, work.optimizer_state_bytes * held
    ranks = layout.data * layout.context
    if layout.sharding in ("zero3", "fsdp"):
        weights, states = weights / ranks, states / ranks
    elif layout.sharding != "none":
        states /= ranks
        if layout.sharding == "hsdp":
            weights /= ranks
    if layout.offload == "all":
        return 0.0
    return weights if layout.offload == "optimizer" else weights + states


def _largest_micro(job: Job, split: Layout) -> Choice:
    """The split with the largest micro-batch that fits; with the smallest when none does.

    Activations and logits grow with the micro-batch at most in proportion, so two estimates find it.
    """
    if split.pipeline > 1:
        return Choice(layout=split, memory=job.memory(split), rank_s=0.0)
    per_rank = split.micro_batch * split.accumulation
    sizes = micro_batches(job.workload, per_rank, split.tensor * split.context)
    layout = _with_micro(split, sizes[-1], per_rank)
    memory = job.memory(layout)
    least = Choice(layout=layout, memory=memory, rank_s=0.0)
    if len(sizes) == 1 or not memory.fits:
        return least
    growing = (memory.activations + memory.logits) * memory.bound / memory.total
    most = sizes[-1] * (1 + (memory.usable - memory.bound) / growing) if growing > 0 else sizes[0]
    for size in [size for size in sizes[:-1] if size <= most * 1.1][:MICRO_TRIES]:
        layout = _with_micro(split, size, per_rank)
        memory = job.memory(layout)
        if memory.fits:
            return Choice(layout=layout, memory=memory, rank_s=0.0)
    return least


def _with_micro(split: Layout, size: int, per_rank: int) -> Layout:
    if size == split.micro_batch:
        return split
    return msgspec.structs.replace(split, micro_batch=size, accumulation=per_rank // size)


def _search_serving(job: Job) -> Search:
    """Replicas of each legal size with the most concurrent requests that fit; most requests a second first."""
    fitting: dict[tuple[int, int], Choice] = {}
    nearest: Choice | None = None
    slow: dict[float, Choice] = {}
    for split in serving_splits(job.workload, job.hardware):
        size = (split.tensor, split.pipeline)
        if size in fitting:
            continue
        memory = job.memory(split)
        served = serve(job.work, job.hardware, split, job.precision)
        choice = Choice(layout=split, memory=memory, rank_s=1 / served.requests_per_s)
        if not memory.fits:
            nearest = _nearer(nearest, choice)
        elif job.workload.latency_ms is not None and served.latency_ms > job.workload.latency_ms:
            slow[served.latency_ms] = choice
        else:
            fitting[size] = choice
    if fitting:
        ranked = sorted(fitting.values(), key=lambda choice: choice.rank_s)
        return Search(fitting=tuple(ranked[:KEPT]), nearest=None)
    if slow:
        least = min(slow)
        return Search(fitting=(), nearest=slow[least], too_slow_ms=least)
    return Search(fitting=(), nearest=nearest)
