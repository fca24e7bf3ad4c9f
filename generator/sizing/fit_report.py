"""A fit for people and programs: memory table, layout in the framework's words, time split, how sure we are."""

from __future__ import annotations

from typing import Any

import msgspec

from generator.sizing.advice import describe
from generator.sizing.estimate import Accuracy, Fit, Layout, Memory, StorageNeed, Time
from generator.sizing.framework_flags import framework_flags
from generator.workload import Workload

BAR = 32  # characters of a full card
MEMORY_PARTS = ("weights", "gradients", "optimizer", "activations", "logits", "kv_cache", "overhead")
STEP_PARTS = (
    ("compute", "compute_s"),
    ("communication", "communication_s"),
    ("pipeline bubble", "bubble_s"),
    ("data", "data_s"),
    ("checkpoints", "checkpoint_s"),
)


def fit_json(fit: Fit) -> dict[str, Any]:
    """What `size --format json` prints (CONTRACTS section 3): GiB per GPU, seconds a step, hours of the run."""
    hardware = fit.hardware
    return {
        "gpu": hardware.gpu.name if hardware.gpu else None,
        "gpus_per_node": hardware.gpus_per_node,
        "nodes": hardware.nodes,
        "precision": fit.precision,
        "layout": _plain(fit.layout),
        "memory": _plain(fit.memory),
        "time": _plain(fit.time),
        "fits": fit.fits,
        "reason": fit.reason,
        "message": fit.message,
        "alternatives": [
            {
                "layout": _plain(other.layout),
                "memory": _plain(other.memory),
                "time": _plain(other.time),
                "note": other.note,
            }
            for other in fit.alternatives
        ],
        "would_fit": [{"change": way.change, "cost_percent": way.cost_percent} for way in fit.would_fit],
        "storage": _plain(fit.storage),
        "assumptions": list(fit.assumptions),
        "accuracy": _plain(fit.accuracy),
    }


def _plain(value: Layout | Memory | Time | StorageNeed | Accuracy | None) -> dict[str, Any] | None:
    """The fields of a part, figures rounded to what they can claim."""
    if value is None:
        return None
    plain = msgspec.structs.asdict(value)
    return {key: float(f"{item:.6g}") if isinstance(item, float) else item for key, item in plain.items()}


def fit_text(fit: Fit, workload: Workload) -> str:
    """The same for a terminal."""
    blocks = [_headline(fit, workload)]
    if fit.memory is not None and fit.layout is not None:
        blocks.append(_memory_table(fit.memory))
        blocks.append(_layout_lines(fit, workload))
    if fit.time is not None:
        blocks.append(_time_lines(fit.time))
    blocks.append(_storage_lines(fit.storage))
    if fit.alternatives:
        lines = [f"  {describe(other.layout)}: {other.note}" for other in fit.alternatives]
        blocks.append("\n".join(["Next best", *lines]))
    if fit.would_fit:
        ways = [f"  {way.change} ({way.cost_percent:+.0f} % GPU hours)" for way in fit.would_fit]
        blocks.append("\n".join(["It would fit with", *ways]))
    if fit.assumptions:
        blocks.append("\n".join(["Assumed", *(f"  {sentence}" for sentence in fit.assumptions)]))
    if fit.accuracy is not None:
        blocks.append(_accuracy_lines(fit.accuracy))
    return "\n\n".join(block for block in blocks if block)


def _headline(fit: Fit, workload: Workload) -> str:
    hardware = fit.hardware
    what = f"{hardware.gpus_per_node} x {hardware.gpu.name}" if hardware.gpu else f"{hardware.vcpus} vCPU"
    where = f"{hardware.nodes} node{'s' if hardware.nodes > 1 else ''} of {what}"
    verdict = "fits" if fit.fits else f"does not fit ({fit.reason})"
    return f"{workload.name} on {where}: {verdict}\n  {fit.message}"


def _memory_table(memory: Memory) -> str:
    lines = ["Memory of the fullest GPU, GiB"]
    for part in MEMORY_PARTS:
        size = getattr(memory, part)
        if size >= 0.005:
            lines.append(_bar(part.replace("_", " "), size, memory.usable))
    lines.append(_bar("total", memory.total, memory.usable))
    lines.append(_bar("bound", memory.bound, memory.usable) + "  (holds 95 times in 100)")
    lines.append(f"  {'usable':<16}{memory.usable:>8.2f}")
    if memory.host_ram_gib:
        lines.append(f"  {'host RAM':<16}{memory.host_ram_gib:>8.2f}  of the node, for offloaded state")
    return "\n".join(lines)


def _bar(name: str, size: float, usable: float) -> str:
    filled = min(BAR, round(BAR * size / usable)) if usable else 0
    over = "+" if size > usable else ""
    return f"  {name:<16}{size:>8.2f}  {'█' * filled}{over}"


def _layout_lines(fit: Fit, workload: Workload) -> str:
    assert fit.layout is not None
    lines = [f"Layout: {describe(fit.layout)}, {fit.precision}"]
    flags = framework_flags(workload, fit.hardware, fit.layout, fit.precision or "bf16")
    if flags.arguments:
        lines.append(f"  {workload.profile}: {' '.join(flags.arguments)}")
    lines += [f"  writes {name}" for name, _ in flags.files]
    if flags.note:
        lines.append(f"  {workload.profile}: {flags.note}")
    return "\n".join(lines)


def _time_lines(time: Time) -> str:
    lines = []
    if time.requests_per_s:
        lines.append(f"Serves {time.requests_per_s:.3g} requests/s, a whole request takes {time.latency_ms:.0f} ms")
    elif time.step_s:
        lines.append(f"One optimizer step takes {time.step_s:.3g} s")
    lines += [
        f"  {name:<16}{getattr(time, field):>10.4g} s {100 * getattr(time, field) / time.step_s:>5.0f} %"
        for name, field in STEP_PARTS
        if time.step_s and getattr(time, field) > 0
    ]
    run = f"The run takes {time.run_hours:.3g} h"
    if time.high_hours > time.low_hours:
        run += f", between {time.low_hours:.3g} and {time.high_hours:.3g}"
    lines.append(run)
    extras = {"start-up": time.startup_hours, "failures": time.failure_hours, "spot rework": time.rework_hours}
    told = [f"{name} {hours:.2g} h" for name, hours in extras.items() if hours > 0]
    if told:
        lines.append(f"  of it {', '.join(told)}")
    return "\n".join(lines)


def _storage_lines(need: StorageNeed) -> str:
    lines = []
    if need.read_mbps:
        files = f", {need.files_per_s:.3g} files/s" if need.files_per_s else ""
        lines.append(f"Reads {need.read_mbps:.3g} MB/s{files} of {need.data_gib:.4g} GiB")
    if need.checkpoint_gib:
        lines += [
            (
                f"A checkpoint is {need.checkpoint_gib:.4g} GiB ({need.weights_gib:.4g} of weights), "
                f"written in {need.checkpoint_write_s:.3g} s at {need.checkpoint_mbps:.4g} MB/s"
            ),
            f"  those kept take {need.kept_gib:.4g} GiB",
        ]
    return "\n".join(lines)


def _accuracy_lines(accuracy: Accuracy) -> str:
    if not accuracy.rows or accuracy.error is None:
        lines = [f"Memory of {accuracy.family}: not validated, no measured rows stand behind it"]
    else:
        error = 100 * accuracy.error
        lines = [f"Memory of {accuracy.family}: {accuracy.rows} measured rows, mean error {error:.1f} %"]
    if accuracy.time_rows and accuracy.time_error is not None:
        lines.append(f"Throughput: {accuracy.time_rows} measured rows, mean error {100 * accuracy.time_error:.1f} %")
    else:
        lines.append("Throughput: not validated in this framework")
    return "\n".join(lines)
