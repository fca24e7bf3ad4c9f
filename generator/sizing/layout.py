"""The best legal way to run a job on given hardware, or the reason why there is none."""

from __future__ import annotations

import msgspec

from generator.sizing import advice
from generator.sizing.estimate import Fit, Hardware, Time
from generator.sizing.layout_search import Choice, Search, search
from generator.sizing.network import fabric_gbytes_s
from generator.sizing.precision import resolve_precision
from generator.sizing.profiles import default_toolchain, find_profile, find_toolchain, supports
from generator.sizing.splits import splits_exactly
from generator.sizing.step_time import estimate_time
from generator.sizing.storage_need import storage_need
from generator.workload import Workload

REFUSE_EXPOSED = 1.0  # exposed communication over compute


def node_counts(workload: Workload, hardware: Hardware, least: int, most: int) -> tuple[int, ...]:
    """Node counts worth trying, ascending: those over whose cards the model and the global batch can be split exactly.

    Work that is not batched (inference, preprocessing) takes any count.
    """
    counts = range(max(1, least), max(1, most) + 1)
    if workload.model is None or hardware.gpu is None or workload.task not in ("pretrain", "finetune"):
        return tuple(counts)
    nvlink = hardware.interconnect == "nvlink"
    return tuple(count for count in counts if splits_exactly(workload, hardware.gpus_per_node, count, nvlink))


def find_fit(workload: Workload, hardware: Hardware, detailed: bool = True) -> Fit:
    """The best layout of the job on this shape and node count, or a Fit with the first reason against it.

    `detailed` adds alternatives and what would make it fit; without it this is the quick form for many shapes.
    """
    if _needs_no_layout(workload, hardware):
        return _fit_without_layout(workload, hardware)
    precision, fault = _precondition(workload, hardware)
    if fault is not None:
        return _refused(workload, hardware, precision, *fault)
    assert precision is not None
    found = search(workload, hardware, precision, keep=3 if detailed else 1)
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


def _needs_no_layout(workload: Workload, hardware: Hardware) -> bool:
    """True for CPU work, and for development without a model or without an accelerator."""
    if workload.model is None or workload.task == "preprocess":
        return True
    return workload.task == "develop" and hardware.gpu is None


def _precondition(workload: Workload, hardware: Hardware) -> tuple[str | None, tuple[str, str] | None]:
    """The precision to run in, and reason and sentence when card, precision or wheels rule the job out."""
    if hardware.gpu is None:
        return None, ("cpu", f"{workload.task} of a model needs an accelerator")
    precision, problem = resolve_precision(workload, hardware.gpu)
    if precision is None:
        return None, ("precision", problem)
    problem = _toolchain_problem(workload, hardware)
    return precision, ("framework", problem) if problem else None


def _with_advice(fit: Fit, workload: Workload, found: Search) -> Fit:
    """The fit with its alternatives, what would make it fit, and how sure we are of this family."""
    from generator.sizing.accuracy import find_accuracy  # noqa: PLC0415 - only those fits that are shown need it

    others = tuple(advice.alternative(workload, fit, choice.layout, choice.memory) for choice in found.fitting[1:3])
    would_fit = (
        () if fit.fits else advice.would_fit(workload, fit, lambda job, shape: find_fit(job, shape, detailed=False))
    )
    return msgspec.structs.replace(
        fit, alternatives=others, would_fit=would_fit, accuracy=find_accuracy(workload, fit.hardware.gpu)
    )


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
            card = f"{hardware.gpu.name} ({hardware.gpu.arch})"
            return f"no toolchain of profile {profile.name!r} in our table supports {card}"
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
            f"needs up to {memory.bound:.1f} GiB a card (estimate {memory.total:.1f}), "
            f"{memory.usable:.1f} GiB are usable"
        )
    if found.too_slow_ms is not None:
        return (
            "latency",
            f"one request takes {found.too_slow_ms:.0f} ms at least, {workload.latency_ms:g} ms are allowed",
        )
    return None, f"bound {memory.bound:.1f} of {memory.usable:.1f} GiB usable, {advice.describe(best.layout)}"
