"""The layout search: the fastest legal way to run a job on given hardware whose memory bound fits, or the reason why none does."""

from __future__ import annotations

import functools

import msgspec

from generator.sizing import advice
from generator.sizing.estimate import Fit, Hardware, Layout, Memory, StorageNeed, Time
from generator.sizing.flops import Work, count_work
from generator.sizing.memory import estimate_memory
from generator.sizing.network import fabric_gbytes_s
from generator.sizing.precision import resolve_precision
from generator.sizing.profiles import Profile, default_toolchain, find_profile, find_toolchain, supports
from generator.sizing.serving import serve
from generator.sizing.splits import divisors, micro_batches, serving_splits, training_splits
from generator.sizing.step_time import estimate_time, step_parts
from generator.sizing.storage_need import storage_need
from generator.workload import Workload

GIB = 2**30
WARN_EXPOSED = 0.2
REFUSE_EXPOSED = 1.0
HOST_RAM_SHARE = 0.9  # of the node's RAM that offloaded state may take


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A legal layout with its memory and what it is ranked by: seconds of a step, or of a request served."""

    layout: Layout
    memory: Memory
    rank_s: float


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """What the search found: layouts that fit, fastest first, and the one nearest to fitting when none does."""

    fitting: tuple[Choice, ...]
    nearest: Choice | None
    host_short: bool = False  # the nearest lacks RAM on the host, not memory on the card
    too_slow_ms: float | None = None  # the least latency, when it is over the limit


def node_counts(workload: Workload, hardware: Hardware, least: int, most: int) -> tuple[int, ...]:
    """Node counts worth trying, ascending: those over whose cards the global batch or the model can be split exactly.

    A count is proposed when the global batch is a multiple of its cards, or, for profiles that split the model, when
    cards / t / p divides it for some power of two. Work that is not batched (inference, preprocessing) takes any count.
    """
    counts = range(max(1, least), max(1, most) + 1)
    if workload.model is None or hardware.gpu is None or workload.task not in ("pretrain", "finetune"):
        return tuple(counts)
    batch = workload.global_batch
    if batch is None:
        return tuple(counts)
    profile = find_profile(workload.profile)
    splits_model = profile.tensor_parallel or profile.pipeline_parallel
    found = []
    for count in counts:
        cards = count * hardware.gpus_per_node
        if batch % cards == 0 or (splits_model and any(batch % part == 0 for part in _replicas(cards))):
            found.append(count)
    return tuple(found)


@functools.lru_cache(maxsize=1024)
def _replicas(cards: int) -> tuple[int, ...]:
    """Numbers of replicas that leave a power of two of cards to each."""
    return tuple(cards // part for part in divisors(cards) if part & (part - 1) == 0 and part <= 512)


def find_fit(workload: Workload, hardware: Hardware, detailed: bool = True) -> Fit:
    """The best layout of the job on this shape and node count, or a Fit with the first reason against it.

    `detailed` adds alternatives and what would make it fit; without it this is the quick form for many shapes.
    """
    if workload.model is None or hardware.gpu is None:
        return _fit_without_layout(workload, hardware)
    precision, problem = resolve_precision(workload, hardware.gpu)
    if precision is None:
        return _refused(workload, hardware, None, "precision", problem)
    problem = _toolchain_problem(workload, hardware)
    if problem:
        return _refused(workload, hardware, precision, "framework", problem)
    found = search(workload, hardware, precision)
    if found.nearest is None and not found.fitting:
        fit = _refused(workload, hardware, precision, "layout", advice.layout_problem(workload, hardware))
        return _with_advice(fit, workload, found) if detailed else fit
    best = found.fitting[0] if found.fitting else found.nearest
    assert best is not None
    time = estimate_time(workload, hardware, best.layout, precision)
    reason, message = _verdict(workload, hardware, best, time, found)
    fit = Fit(
        hardware=hardware,
        precision=precision,
        layout=best.layout,
        memory=best.memory,
        time=time,
        storage=storage_need(workload, hardware, best.layout, time.step_s, precision),
        fits=reason is None,
        reason=reason,
        message=message,
        assumptions=advice.assumptions(workload, hardware, best.layout, precision, time),
    )
    return _with_advice(fit, workload, found) if detailed else fit


def _with_advice(fit: Fit, workload: Workload, found: Search) -> Fit:
    """The fit with its alternatives, what would make it fit, and how sure we are of this family."""
    from generator.sizing.accuracy import find_accuracy  # noqa: PLC0415 - only those fits that are shown need it

    others = tuple(advice.alternative(workload, fit, choice.layout, choice.memory) for choice in found.fitting[1:3])
    would_fit = (
        () if fit.fits else advice.would_fit(workload, fit, lambda job, shape: find_fit(job, shape, detailed=False))
    )
    return msgspec.structs.replace(fit, alternatives=others, would_fit=would_fit, accuracy=find_accuracy(workload))


def _fit_without_layout(workload: Workload, hardware: Hardware) -> Fit:
    """CPU work and development without a model: nothing to lay out, so it fits."""
    timed = workload.task == "preprocess" or workload.run_hours is not None
    time = estimate_time(workload, hardware, None, None) if timed else None
    message = ""
    if workload.task == "preprocess" and time is not None:
        cores = hardware.vcpus * hardware.nodes
        message = f"{cores} vCPU at {workload.cpu_mb_per_s:g} MB/s each take {time.run_hours:.2f} h"
    return Fit(
        hardware=hardware,
        precision=None,
        layout=None,
        memory=None,
        time=time,
        storage=storage_need(workload, hardware, None, 0.0),
        fits=True,
        reason=None,
        message=message,
        assumptions=advice.assumptions(workload, hardware, None, None, time),
    )


def _refused(workload: Workload, hardware: Hardware, precision: str | None, reason: str, message: str) -> Fit:
    return Fit(
        hardware=hardware,
        precision=precision,
        layout=None,
        memory=None,
        time=None,
        storage=storage_need(workload, hardware, None, 0.0, precision or "bf16"),
        fits=False,
        reason=reason,
        message=message,
    )


def _toolchain_problem(workload: Workload, hardware: Hardware) -> str:
    """Why today's (or the stated) wheels do not run on this card; "" when they do."""
    assert hardware.gpu is not None
    profile = find_profile(workload.profile)
    if workload.toolchain is None:
        if default_toolchain(profile, hardware.gpu) is None:
            return f"no toolchain of profile {profile.name!r} in our table supports {hardware.gpu.name} ({hardware.gpu.arch})"
        return ""
    toolchain = find_toolchain(workload.toolchain)
    if toolchain is None or not supports(toolchain, hardware.gpu):
        return f"{workload.toolchain} has no kernels for {hardware.gpu.name} ({hardware.gpu.arch})"
    return ""


def _verdict(workload: Workload, hardware: Hardware, best: Choice, time: Time, found: Search) -> tuple[str | None, str]:
    """Reason code and sentence for the best or nearest layout."""
    memory = best.memory
    if found.host_short:
        return "ram", (
            f"offloaded state needs {memory.host_ram_gib:.0f} GiB of RAM a node, it has {hardware.ram_gib:.0f} GiB"
        )
    if time.exposed_ratio > REFUSE_EXPOSED and workload.task != "infer":
        return "fabric", (
            f"communication that compute cannot hide is {time.exposed_ratio:.1f} x compute over "
            f"{fabric_gbytes_s(hardware):.1f} GB/s a node; more than 1 is refused"
        )
    if not memory.fits:
        return "memory", (
            f"needs up to {memory.bound:.1f} GiB a card (estimate {memory.total:.1f}), {memory.usable:.1f} GiB are usable"
        )
    if found.too_slow_ms is not None:
        return (
            "latency",
            f"one request takes {found.too_slow_ms:.0f} ms at least, {workload.latency_ms:g} ms are allowed",
        )
    return None, f"bound {memory.bound:.1f} of {memory.usable:.1f} GiB usable, {advice.describe(best.layout)}"


def search(workload: Workload, hardware: Hardware, precision: str, keep: int = 3) -> Search:
    """Branch and bound over the legal layouts: by time with the largest micro-batch, memory asked only of the promising.

    Offload is tried only when nothing fits without it: first the optimizer, then everything.
    """
    work = count_work(workload, precision)
    if workload.task == "infer":
        return _search_serving(workload, work, hardware, precision)
    profile = find_profile(workload.profile)
    nearest: Choice | None = None
    host_short = False
    for offload in ("none", *(name for name in profile.offload if name != "none")):
        splits = training_splits(workload, hardware, offload)
        fitting, closest = _search_splits(workload, work, hardware, precision, profile, splits, keep)
        if fitting:
            roomy = tuple(
                choice for choice in fitting if choice.memory.host_ram_gib <= HOST_RAM_SHARE * hardware.ram_gib
            )
            if roomy:
                return Search(fitting=roomy, nearest=None)
            nearest, host_short = fitting[0], True
        elif (
            closest is not None and not host_short and (nearest is None or closest.memory.bound < nearest.memory.bound)
        ):
            nearest = closest
    return Search(fitting=(), nearest=nearest, host_short=host_short)


def _search_splits(
    workload: Workload,
    work: Work,
    hardware: Hardware,
    precision: str,
    profile: Profile,
    splits: tuple[Layout, ...],
    keep: int,
) -> tuple[tuple[Choice, ...], Choice | None]:
    """The `keep` fastest of these layouts that fit, and the nearest when none does."""
    usable = hardware.usable_gib * GIB
    timed = []
    closest_split: tuple[float, Layout] | None = None
    for split in splits:
        least = _least_bytes(work, split)
        if closest_split is None or least < closest_split[0]:
            closest_split = (least, split)
        if least <= usable:
            timed.append((step_parts(work, hardware, split, precision, profile).total_s, split))
    timed.sort(key=lambda pair: pair[0])
    fitting: list[Choice] = []
    nearest: Choice | None = None
    for optimistic, split in timed:
        if len(fitting) >= keep and optimistic >= fitting[keep - 1].rank_s:
            break
        choice = _largest_micro(workload, hardware, precision, split)
        if choice is None:
            continue
        if choice.memory.fits:
            step = optimistic
            if choice.layout is not split:
                step = step_parts(work, hardware, choice.layout, precision, profile).total_s
            fitting.append(msgspec.structs.replace(choice, rank_s=step))
            fitting.sort(key=lambda found: found.rank_s)
        elif nearest is None or choice.memory.bound < nearest.memory.bound:
            nearest = choice
    if nearest is None and not fitting and closest_split is not None:
        nearest = _largest_micro(workload, hardware, precision, closest_split[1])
    return tuple(fitting[:keep]), nearest


def _least_bytes(work: Work, layout: Layout) -> float:
    """A floor under the memory of one card: stored weights, and two bytes of gradient for each trained one."""
    split = layout.tensor * layout.pipeline
    ranks = layout.data * layout.context
    if layout.expert > 1:
        split *= 1 / (1 - work.expert_share * (1 - 1 / layout.expert))
    weights, states = work.weight_bytes / split, work.optimizer_state_bytes / split
    if layout.sharding in ("zero3", "fsdp"):
        weights, states = weights / ranks, states / ranks
    elif layout.sharding != "none":
        states /= ranks
    if layout.offload == "all":
        return 0.0
    return weights if layout.offload == "optimizer" else weights + states


def _largest_micro(workload: Workload, hardware: Hardware, precision: str, split: Layout) -> Choice | None:
    """This split with the largest micro-batch that fits; with micro-batch 1 when none does.

    Activations and logits grow with the micro-batch at most in proportion, so two estimates find it.
    """
    if split.pipeline > 1:
        memory = estimate_memory(workload, hardware, split, precision)
        return Choice(layout=split, memory=memory, rank_s=0.0)
    per_rank = split.micro_batch * split.accumulation
    sizes = micro_batches(workload, per_rank, split.tensor * split.context)
    smallest = sizes[-1]
    layout = split if smallest == split.micro_batch else _with_micro(split, smallest, per_rank)
    memory = estimate_memory(workload, hardware, layout, precision)
    choice = Choice(layout=layout, memory=memory, rank_s=0.0)
    if len(sizes) == 1 or not memory.fits:
        return choice
    growing = (memory.activations + memory.logits) * memory.bound / memory.total
    room = memory.usable - memory.bound
    most = smallest * (1 + room / growing) if growing > 0 else sizes[0]
    tried = 0
    for size in sizes[:-1]:
        if size > most * 1.1:
            continue
        layout = split if size == split.micro_batch else _with_micro(split, size, per_rank)
        memory = estimate_memory(workload, hardware, layout, precision)
        if memory.fits:
            return Choice(layout=layout, memory=memory, rank_s=0.0)
        tried += 1
        if tried == 4:
            break
    return choice


def _with_micro(split: Layout, size: int, per_rank: int) -> Layout:
    return msgspec.structs.replace(split, micro_batch=size, accumulation=per_rank // size)


def _search_serving(workload: Workload, work: Work, hardware: Hardware, precision: str) -> Search:
    """Replicas of each legal size with the most concurrent requests that fit; most requests a second first."""
    fitting: list[Choice] = []
    nearest: Choice | None = None
    slowest: float | None = None
    done: set[tuple[int, int]] = set()
    for split in serving_splits(workload, hardware):
        if (split.tensor, split.pipeline) in done:
            continue
        if work.weight_bytes / (split.tensor * split.pipeline) > hardware.usable_gib * GIB and nearest is not None:
            continue
        memory = estimate_memory(workload, hardware, split, precision)
        if not memory.fits:
            if nearest is None or memory.bound < nearest.memory.bound:
                nearest = Choice(layout=split, memory=memory, rank_s=0.0)
            continue
        served = serve(work, hardware, split, precision)
        choice = Choice(layout=split, memory=memory, rank_s=1 / served.requests_per_s)
        if workload.latency_ms is not None and served.latency_ms > workload.latency_ms:
            if slowest is None or served.latency_ms < slowest:
                slowest = served.latency_ms
                nearest = choice
            continue
        fitting.append(choice)
        done.add((split.tensor, split.pipeline))
    if fitting:
        return Search(fitting=tuple(sorted(fitting, key=lambda choice: choice.rank_s)[:3]), nearest=None)
    return Search(fitting=(), nearest=nearest, too_slow_ms=slowest)
