"""Branch and bound over the legal layouts: the fastest whose memory bound fits, and the nearest when none does."""

from __future__ import annotations

import bisect
import math

import msgspec

from generator.sizing.estimate import Hardware, Layout, Memory
from generator.sizing.flops import Work, count_work
from generator.sizing.memory import estimate_memory
from generator.sizing.profiles import Profile, find_profile
from generator.sizing.roofline import card_speed, micro_step_s
from generator.sizing.serving import serve
from generator.sizing.splits import micro_batches, serving_splits, training_splits
from generator.sizing.states import StateBytes, state_bytes
from generator.sizing.step_time import step_parts
from generator.workload import Workload

GIB = 2**30
HOST_RAM_SHARE = 0.9  # of the node's RAM that offloaded state may take
SIMPLER = 0.005  # of the time that each further scheme must gain to be worth its complexity
FULL_CARD = (0.9, 0.2)  # from this share of usable memory on, time is counted up by so much of the excess
ROOM = 0.95  # share of usable memory up to which a micro-batch is taken without weighing what it gains
NEAREST_TRIES = 8  # layouts of least state whose memory is asked where the state alone is too much
BATCH_GAIN = 1.03  # in requests a second that makes a larger batch worth its latency


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A legal layout with its memory and what it is ranked by: seconds of a step, or of a request, and simplicity."""

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
    keep: int
    speed: tuple[float, float, float, float]
    held: StateBytes  # whole model: what of it is split and sharded, and nothing else

    def least_bytes(self, layout: Layout) -> float:
        """A floor under the memory of one card: weights, gradients and optimizer as they are split and sharded."""
        share = (1 - self.work.expert_share * (1 - 1 / layout.expert)) / (layout.tensor * layout.pipeline)
        weights, gradients, optimizer = self.held.weights, self.held.gradients, self.held.optimizer
        ranks = layout.data * layout.context
        if layout.sharding != "none":
            optimizer /= ranks
        if layout.sharding in ("zero2", "zero3", "fsdp", "hsdp"):
            gradients /= ranks
        if layout.sharding in ("zero3", "fsdp", "hsdp"):
            weights /= ranks
        if layout.offload == "all":
            return 0.0
        return share * (weights + gradients + (0.0 if layout.offload == "optimizer" else optimizer))

    def memory(self, layout: Layout) -> Memory:
        """Memory of this job in a layout."""
        return estimate_memory(self.workload, self.hardware, layout, self.precision)

    def host_holds(self, memory: Memory) -> bool:
        """True when the node's RAM takes what is offloaded."""
        return memory.host_ram_gib <= HOST_RAM_SHARE * self.hardware.ram_gib

    def least_s(self, layout: Layout) -> float:
        """A floor under `step_s`: the compute alone."""
        return layout.accumulation * micro_step_s(self.work, self.speed, layout, self.profile)

    def step_s(self, layout: Layout) -> float:
        """Seconds of an optimizer step in a layout, before data and checkpoints, and a little for each scheme in it."""
        seconds = step_parts(self.work, self.hardware, layout, self.precision, self.profile).total_s
        return seconds * (1 + SIMPLER * _schemes(layout))


def _schemes(layout: Layout) -> int:
    """How many things a person has to understand in a layout: a model of 124 million is not sharded for 1 %."""
    return (
        (layout.tensor > 1)
        + (layout.pipeline > 1)
        + (layout.context > 1)
        + (layout.expert > 1)
        + {"none": 0, "zero1": 1, "zero2": 1}.get(layout.sharding, 2)
        + (layout.recompute != "none")
    )


def _held(workload: Workload, work: Work, precision: str, profile: Profile) -> StateBytes:
    """Bytes of the whole model's states; of a frozen base the weights alone."""
    if workload.method != "full" or work.forward_only:
        return StateBytes(work.weight_bytes, 0.0, 0.0)
    each = state_bytes(workload, precision, profile)
    gradients = each.gradients * profile.gradient_share
    return StateBytes(each.weights * work.parameters, gradients * work.parameters, each.optimizer * work.parameters)


def _job(workload: Workload, hardware: Hardware, precision: str, keep: int) -> Job:
    assert hardware.gpu is not None
    work, profile = count_work(workload, precision), find_profile(workload.profile)
    return Job(
        workload=workload,
        work=work,
        hardware=hardware,
        precision=precision,
        profile=profile,
        keep=keep,
        speed=card_speed(hardware.gpu, precision, hardware.fraction),
        held=_held(workload, work, precision, profile),
    )


def fill_card(workload: Workload, hardware: Hardware, precision: str, layout: Layout) -> Layout:
    """The layout with the largest micro-batch that fits (the smallest when none does), the global batch kept."""
    return _largest_micro(_job(workload, hardware, precision, keep=1), layout).layout


def search(workload: Workload, hardware: Hardware, precision: str, keep: int = 3) -> Search:
    """The `keep` fastest layouts that fit; offload only when nothing fits without: optimizer first, then all."""
    job = _job(workload, hardware, precision, keep)
    if workload.task == "infer":
        return _search_serving(job)
    nearest: Choice | None = None
    short: Choice | None = None
    whole = hardware.fraction >= 1.0  # a slice shares the host with strangers: nothing is offloaded to it
    for offload in ("none", *(name for name in job.profile.offload if whole and name != "none")):
        found = _search_splits(job, training_splits(workload, hardware, offload))
        if found.fitting:
            return found
        if found.host_short:
            short = short or found.nearest
        else:
            nearest = _nearer(nearest, found.nearest)
    return Search(fitting=(), nearest=short or nearest, host_short=short is not None)


def _nearer(one: Choice | None, other: Choice | None) -> Choice | None:
    if one is None or other is None:
        return one or other
    return other if other.memory.bound < one.memory.bound else one


def _search_splits(job: Job, splits: tuple[Layout, ...]) -> Search:
    """The fastest of these layouts that fit, and the nearest when none does.

    A split's compute with its largest micro-batch is the least it can take: once enough layouts fit that are faster
    than that, the rest need not be looked at. Communication is counted only of those that remain, and memory only where
    the leanest recomputation fits.
    """
    usable = job.hardware.usable_gib * GIB
    ordered = [(job.least_s(split), split) for split in splits if job.least_bytes(split) <= usable]
    ordered.sort(key=lambda pair: pair[0])
    fitting: list[Choice] = []
    nearest: Choice | None = None
    short: Choice | None = None
    known: dict[Layout, Choice] = {}
    for least, split in ordered:
        bar = fitting[job.keep - 1].rank_s if len(fitting) >= job.keep else math.inf
        if least >= bar:
            break
        if bar < math.inf and job.step_s(split) >= bar:
            continue
        lean = msgspec.structs.replace(split, recompute=job.profile.recompute[-1])
        if lean not in known:
            known[lean] = _largest_micro(job, lean)
        choice = known[lean]
        if choice.memory.fits and lean != split:
            choice = _largest_micro(job, split)
        if choice.memory.fits and not job.host_holds(choice.memory):
            short = short or choice
        elif choice.memory.fits:
            rank = job.step_s(choice.layout) * _pressure(choice.memory)
            fitting.append(msgspec.structs.replace(choice, rank_s=rank))
            fitting.sort(key=lambda found: found.rank_s)
        elif not fitting:
            nearest = _nearer(nearest, choice)
    if not ordered:
        nearest = _closest(job, splits)
    return Search(
        fitting=tuple(fitting[: job.keep]),
        nearest=None if fitting else short or nearest,
        host_short=short is not None and not fitting,
    )


def _closest(job: Job, splits: tuple[Layout, ...]) -> Choice | None:
    """Of layouts whose state alone is too much, the one that needs least."""
    leanest = [split for split in splits if split.recompute == job.profile.recompute[-1]]
    leanest.sort(key=lambda split: (job.least_bytes(split), split.micro_batch))
    nearest: Choice | None = None
    for split in leanest[:NEAREST_TRIES]:
        nearest = _nearer(nearest, _largest_micro(job, split))
    return nearest


def _pressure(memory: Memory) -> float:
    """What a nearly full card costs: the allocator retries, and the next change of the job no longer fits."""
    from_share, weight = FULL_CARD
    return 1.0 + weight * max(0.0, memory.bound / memory.usable - from_share)


def _largest_micro(job: Job, split: Layout) -> Choice:
    """The split with the largest micro-batch that fits; with the smallest when none does.

    The largest is tried first, for its single micro-step; between, activations and logits grow about in proportion:
    the first guess is from the smallest, and the neighbours decide.
    """
    if split.pipeline > 1:
        return Choice(layout=split, memory=job.memory(split), rank_s=0.0)
    per_rank = split.micro_batch * split.accumulation
    sizes = micro_batches(job.workload, per_rank, split.tensor * split.context)[::-1]
    largest = _sized(job, split, sizes[-1], per_rank)
    if len(sizes) == 1 or _has_room(largest):
        return largest
    least = _sized(job, split, sizes[0], per_rank)
    fitting = [choice for choice in (largest, least) if choice.memory.fits]
    if least.memory.fits:
        fitting += _between(job, split, sizes[1:-1], least)
    if not fitting:  # a single micro-step keeps no gradients between steps, and may need less
        return largest if largest.memory.bound < least.memory.bound else least
    if len(fitting) == 1:
        return fitting[0]
    ranked = ((job.step_s(choice.layout) * _pressure(choice.memory), -choice.layout.micro_batch) for choice in fitting)
    return min(zip(ranked, fitting, strict=True), key=lambda pair: pair[0])[1]


def _between(job: Job, split: Layout, sizes: tuple[int, ...], least: Choice) -> list[Choice]:
    """Of ascending micro-batches, the largest that leaves room and the largest that fits."""
    if not sizes:
        return []
    per_rank, memory = split.micro_batch * split.accumulation, least.memory
    growing = (memory.activations + memory.logits) * memory.bound / memory.total
    most = (
        least.layout.micro_batch * (1 + (ROOM * memory.usable - memory.bound) / growing) if growing > 0 else sizes[-1]
    )
    place = max(0, bisect.bisect_right(sizes, most) - 1)
    choice = _sized(job, split, sizes[place], per_rank)
    while not _has_room(choice) and place > 0:
        place -= 1
        choice = _sized(job, split, sizes[place], per_rank)
    roomy: list[Choice] = []
    tight: list[Choice] = []
    while choice.memory.fits:
        (roomy if _has_room(choice) else tight).append(choice)
        place += 1
        if place == len(sizes):
            break
        choice = _sized(job, split, sizes[place], per_rank)
    return roomy[-1:] + tight[-1:]


def _has_room(choice: Choice) -> bool:
    return choice.memory.bound <= ROOM * choice.memory.usable


def _sized(job: Job, split: Layout, size: int, per_rank: int) -> Choice:
    layout = _with_micro(split, size, per_rank)
    return Choice(layout=layout, memory=job.memory(layout), rank_s=0.0)


def _with_micro(split: Layout, size: int, per_rank: int) -> Layout:
    if size == split.micro_batch:
        return split
    return msgspec.structs.replace(split, micro_batch=size, accumulation=per_rank // size)


def _search_serving(job: Job) -> Search:
    """Replicas of each legal size with the most concurrent requests that fit and gain; most requests a second first."""
    fitting: dict[int, Choice] = {}
    full: set[int] = set()
    nearest: Choice | None = None
    slow: dict[float, Choice] = {}
    for split in serving_splits(job.workload, job.hardware):
        size = split.tensor * split.pipeline * split.context
        if size in full:
            continue
        memory = job.memory(split)
        served = serve(job.work, job.hardware, split, job.precision)
        choice = Choice(layout=split, memory=memory, rank_s=1 / served.requests_per_s)
        if not memory.fits:
            full.add(size)
            nearest = _nearer(nearest, choice)
        elif job.workload.latency_ms is not None and served.latency_ms > job.workload.latency_ms:
            full.add(size)
            slow[served.latency_ms] = choice
        elif size not in fitting or fitting[size].rank_s > BATCH_GAIN * choice.rank_s:
            fitting[size] = choice
    if fitting:
        ranked = sorted(fitting.values(), key=lambda choice: choice.rank_s)
        return Search(fitting=tuple(ranked[: job.keep]), nearest=None)
    if slow:
        least = min(slow)
        return Search(fitting=(), nearest=slow[least], too_slow_ms=least)
    return Search(fitting=(), nearest=nearest)
