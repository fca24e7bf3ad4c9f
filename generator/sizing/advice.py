"""What a person is told about a fit: the layout in a line, what was assumed, the next best, what would fit."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from generator.sizing import step_time
from generator.sizing.architecture import Transformer
from generator.sizing.estimate import Alternative, Fit, Hardware, Layout, Memory, Time, WouldFit
from generator.sizing.flops import DENOISING_STEPS, PROMPT_SHARE
from generator.sizing.profiles import find_profile
from generator.workload import Workload

WARN_EXPOSED = 0.2  # exposed communication over compute

FindFit = Callable[[Workload, Hardware], Fit]


def describe(layout: Layout) -> str:
    """The layout in the words that people use: `tensor 2, fsdp over 16, micro-batch 4 x accumulation 2`."""
    degrees = [(name, getattr(layout, name)) for name in ("tensor", "pipeline", "context", "expert")]
    parts = [f"{name} {degree}" for name, degree in degrees if degree > 1]
    parts.append(f"{layout.sharding if layout.sharding != 'none' else 'data parallel'} over {layout.data}")
    parts.append(f"micro-batch {layout.micro_batch} x accumulation {layout.accumulation}")
    if layout.recompute != "none":
        parts.append(f"recompute {layout.recompute}")
    if layout.offload != "none":
        parts.append(f"offload {layout.offload}")
    return ", ".join(parts)


def assumptions(
    workload: Workload, hardware: Hardware, layout: Layout | None, precision: str | None, time: Time | None
) -> tuple[str, ...]:
    """Every guess behind this fit, one sentence each."""
    told = []
    if workload.precision is None and precision is not None and hardware.gpu is not None:
        told.append(f"precision {precision}: the best that {hardware.gpu.name} has, as none was given")
    if workload.task == "preprocess":
        told.append(f"preprocessing runs at {workload.cpu_mb_per_s:g} MB/s a vCPU")
    if layout is None or hardware.gpu is None:
        return tuple(told)
    if hardware.gpu.confidence == "low":
        told.append(f"the figures of {hardware.gpu.name} are not reliable: sources disagree")
    told += (
        _serving_guesses(workload, hardware, layout) if workload.task == "infer" else _run_guesses(workload, hardware)
    )
    if workload.task != "infer" and time is not None and time.exposed_ratio > WARN_EXPOSED:
        told.append(
            f"warning: communication that compute cannot hide is {time.exposed_ratio:.2f} x compute; "
            f"above {WARN_EXPOSED:g} scaling is poor"
        )
    return tuple(told)


def _serving_guesses(workload: Workload, hardware: Hardware, layout: Layout) -> list[str]:
    told = []
    if isinstance(workload.model, Transformer):
        share = 100 * PROMPT_SHARE
        told.append(f"{share:.0f} % of the context is prompt, the rest is generated; {layout.micro_batch} at a time")
    elif workload.model is not None and workload.model.family in ("diffusion", "video"):
        told.append(f"one sample takes {DENOISING_STEPS} denoising steps")
    if layout.tensor > 1 and hardware.interconnect != "nvlink":
        told.append("warning: tensor parallelism over PCIe; NVLink would answer faster")
    return told


def _run_guesses(workload: Workload, hardware: Hardware) -> list[str]:
    told = []
    if workload.run_hours is None:
        share = 100 * step_time.failure_share(hardware.gpus_per_node * hardware.nodes)
        told.append(f"failures and restarts take {share:.0f} % of the steps' time")
    if workload.interruptible is not None:
        told.append(
            f"a spot node is taken back {step_time.INTERRUPTIONS_PER_NODE_HOUR:g} times an hour and is replaced "
            f"within {step_time.RESTART_MINUTES:g} minutes; vendors publish no rate"
        )
    if workload.model is not None and not isinstance(workload.model, Transformer):
        seconds = step_time.cpu_read_s(workload, hardware) * hardware.vcpus * hardware.nodes
        rate = (workload.global_batch or 1) / seconds
        told.append(f"one vCPU decodes and augments {rate:.0f} images a second ({workload.augmentation or 'light'})")
    profile = find_profile(workload.profile)
    told.append(f"throughput as measured for {profile.name} {profile.version}; untuned code is slower")
    return told


def alternative(workload: Workload, fit: Fit, layout: Layout, memory: Memory) -> Alternative:
    """Another layout that fits, and in what it loses to the first."""
    time = step_time.estimate_time(workload, fit.hardware, layout, fit.precision)
    assert fit.time is not None
    assert fit.memory is not None
    slower = 100 * (time.step_s / fit.time.step_s - 1)
    if workload.task == "infer":
        slower = 100 * (fit.time.requests_per_s / time.requests_per_s - 1)
    spare = fit.memory.bound - memory.bound
    note = f"{slower:.0f} % slower" if slower >= 0.5 else "as fast"
    if abs(spare) >= 0.1:
        note += f", {abs(spare):.1f} GiB {'less' if spare > 0 else 'more'} memory"
    return Alternative(layout=layout, memory=memory, time=time, note=note)


def layout_problem(workload: Workload, hardware: Hardware) -> str:
    """Why no legal layout exists on this many cards."""
    cards = hardware.gpus_per_node * hardware.nodes
    batch = workload.global_batch or cards
    profile = find_profile(workload.profile)
    if workload.task == "infer":
        return f"the model cannot be split over the {hardware.gpus_per_node} cards of a node"
    text = f"global batch {batch} cannot be split over {cards} cards exactly"
    if isinstance(workload.model, Transformer) and profile.tensor_parallel:
        model = workload.model
        text += (
            f" ({model.heads} heads, {model.layers} layers, tensor parallelism within {hardware.gpus_per_node} cards)"
        )
    return text


def would_fit(workload: Workload, fit: Fit, find: FindFit) -> tuple[WouldFit, ...]:
    """Changes that make the job fit, each tried on the same hardware or on more nodes; three at most.

    `cost_percent` is the change of GPU hours for the same work against the refused layout; 0 where that has no time.
    """
    found = []
    for change, job, hardware in _changes(workload, fit.hardware, fit.reason):
        other = find(job, hardware)
        if other.fits and other.time is not None:
            found.append(WouldFit(change=change, cost_percent=_cost_percent(fit, workload, other, job)))
        if len(found) == 3:
            break
    return tuple(found)


def _cost_percent(fit: Fit, workload: Workload, other: Fit, job: Workload) -> float:
    if fit.time is None or other.time is None or not fit.time.step_s:
        return 0.0
    before = fit.time.step_s * fit.hardware.nodes / (workload.global_batch or 1)
    after = other.time.step_s * other.hardware.nodes / (job.global_batch or 1)
    return round(100 * (after / before - 1), 1)


def _changes(workload: Workload, hardware: Hardware, reason: str | None) -> list[tuple[str, Workload, Hardware]]:
    """Candidate changes for this reason, in the order a person would try them."""
    replace = msgspec.structs.replace
    if reason == "precision":
        return [("precision left to the card", replace(workload, precision=None), hardware)]
    if reason == "fabric":
        fewer = {nodes for nodes in (hardware.nodes // 2, 1) if 1 <= nodes < hardware.nodes}
        return [_on_nodes(workload, hardware, nodes) for nodes in sorted(fewer, reverse=True)]
    limit = workload.limits.max_nodes
    more = {hardware.nodes + 1, 2 * hardware.nodes, 4 * hardware.nodes, 8 * hardware.nodes}
    changes = [_on_nodes(workload, hardware, nodes) for nodes in sorted(more) if nodes <= limit]
    if reason == "layout" and workload.global_batch:
        cards = hardware.gpus_per_node * hardware.nodes
        batch = max(1, round(workload.global_batch / cards)) * cards
        changes.insert(0, (f"global_batch {batch}", replace(workload, global_batch=batch), hardware))
    return changes + [(text, job, hardware) for text, job in _smaller_jobs(workload)]


def _on_nodes(workload: Workload, hardware: Hardware, nodes: int) -> tuple[str, Workload, Hardware]:
    text = "one more node" if nodes == hardware.nodes + 1 else f"{nodes} nodes instead of {hardware.nodes}"
    return text, workload, msgspec.structs.replace(hardware, nodes=nodes)


def _smaller_jobs(workload: Workload) -> list[tuple[str, Workload]]:
    """The same job with less to keep in memory."""
    replace = msgspec.structs.replace
    if workload.task == "infer":
        return [(f"quantization {kind}", replace(workload, quantization=kind)) for kind in ("int8", "int4")]
    if not isinstance(workload.model, Transformer):
        return []
    jobs = []
    if workload.method == "full" and workload.optimizer == "adamw":
        jobs.append(("optimizer adamw_8bit", replace(workload, optimizer="adamw_8bit")))
    if workload.task == "finetune" and workload.method == "full":
        jobs.append(("method lora", replace(workload, method="lora")))
    if workload.task == "finetune" and workload.method in ("full", "lora"):
        jobs.append(("method qlora", replace(workload, method="qlora")))
    if workload.sequence_length and workload.sequence_length >= 1024:
        half = workload.sequence_length // 2
        jobs.append((f"sequence_length {half}", replace(workload, sequence_length=half)))
    return jobs
