"""What sizing says of a measured row, in the row's own metric and unit, with its interval and bound."""

from __future__ import annotations

import msgspec

from generator.sizing.accuracy import family
from generator.sizing.architecture import Transformer
from generator.sizing.memory import GIB, Parts, bound_bytes, peak_parts
from generator.sizing.profiles import Profile, find_profile, memory_profile
from generator.sizing.row_format import Row, row_source
from generator.sizing.rows import MeasuredJob, logged_per_card, row_job
from generator.sizing.step_time import interval_factor, predict_throughput

BYTES = {"GB": 1e9, "GiB": GIB, "MiB": 2.0**20}
# Largest batch a bracket search tries.
LARGEST_BATCH = 1 << 16


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """One row's answer; `predicted` None comes with a `reason`. `bound` is for memory alone."""

    id: str
    family: str
    metric: str
    unit: str
    predicted: float | None = None
    low: float | None = None
    high: float | None = None
    bound: float | None = None
    reason: str | None = None


def predict(row: Row) -> Prediction:
    """The prediction for one row, or the reason why there is none."""
    job = row_job(row)
    if isinstance(job, str):
        return Prediction(id=row.id, family="none", metric=row.metric, unit=row.unit, reason=job)
    group = family(job.workload, job.hardware.gpu)
    answer = _figures(row, job)
    if isinstance(answer, str):
        return Prediction(id=row.id, family=group, metric=row.metric, unit=row.unit, reason=answer)
    predicted, low, high, bound = answer
    return Prediction(
        id=row.id, family=group, metric=row.metric, unit=row.unit, predicted=predicted, low=low, high=high, bound=bound
    )


Figures = tuple[float, float, float, float | None]


def _figures(row: Row, job: MeasuredJob) -> Figures | str:
    if row.metric.startswith("peak_mem"):
        return _memory(row, job)
    if row.metric == "max_batch_bracket":
        return _bracket(job)
    return _rate(row, job)


def read_as(parts: Parts, bound: float, reading: str) -> tuple[float, float]:
    """Estimate and bound, bytes, of what a source's reading shows (`rows.RowSource`)."""
    hidden = {
        "driver": 0.0,
        "reserved": parts.driver,
        "allocated": parts.driver + parts.cache,
        "resident": parts.total - parts.weights - parts.kv_cache,
    }[reading]
    total = parts.total
    return total - hidden, (total - hidden) * bound / total


def _memory(row: Row, job: MeasuredJob) -> Figures | str:
    unit = BYTES.get(row.unit.split()[0].split("/")[0])
    if unit is None:
        return f"unit {row.unit!r} is not known"
    profile = memory_profile(job.workload.profile, job.layout.sharding)
    parts = peak_parts(job.workload, job.hardware, job.layout, job.precision, profile)
    source = row_source(row)
    reading = source.serving_reading if job.workload.task == "infer" else source.reading
    predicted, bound = read_as(parts, bound_bytes(parts, profile), reading)
    if row.metric.endswith("_total"):
        cards = job.hardware.gpus_per_node * job.hardware.nodes
        predicted, bound = predicted * cards, bound * cards
    if row.saturated:
        predicted = min(predicted, job.hardware.usable_gib * GIB)
    spread = bound - predicted
    return predicted / unit, max(0.0, predicted - spread) / unit, bound / unit, bound / unit


def largest_batch(job: MeasuredJob, profile: Profile, *, bound: bool) -> int:
    """The largest micro-batch whose estimate (or bound) is within the card's usable memory; 0 when none is."""

    def fits(batch: int) -> bool:
        layout = msgspec.structs.replace(job.layout, micro_batch=batch)
        parts = peak_parts(job.workload, job.hardware, layout, job.precision, profile)
        need = bound_bytes(parts, profile) if bound else parts.total
        return need <= job.hardware.usable_gib * GIB

    low, high = 0, LARGEST_BATCH
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _bracket(job: MeasuredJob) -> Figures | str:
    profile = memory_profile(job.workload.profile, job.layout.sharding)
    central = float(largest_batch(job, profile, bound=False))
    sure = float(largest_batch(job, profile, bound=True))
    return central, sure, 2 * central - sure, sure


def _rate(row: Row, job: MeasuredJob) -> Figures | str:
    if job.hardware.gpu is None or job.workload.model is None:
        return "no card or no model"
    speed = predict_throughput(job.workload, job.hardware, job.layout, job.precision)
    cards = job.hardware.gpus_per_node * job.hardware.nodes
    simple = {
        "tokens_per_s": speed.tokens_per_s,
        "tokens_per_s_per_gpu": speed.tokens_per_s_per_gpu,
        "samples_per_s": speed.samples_per_s / (cards if logged_per_card(row) else 1),
        "s_per_iter": speed.step_s,
        "mfu_pct": 100 * speed.mfu,
        "hw_tflops_per_gpu": speed.hw_tflops_per_gpu,
    }
    spread = interval_factor(find_profile(job.workload.profile))
    if row.metric in simple:
        value = simple[row.metric]
        return value, value / spread, value * spread, None
    scale = {"minutes_to_target": 60.0, "hours": 3600.0, "gpu_hours": 3600.0 / cards, "days": 86400.0}.get(row.metric)
    if scale is None:
        return f"metric {row.metric!r} is not one that sizing predicts"
    samples = run_samples(row, job)
    if samples is None:
        return "its source does not say how much work the run was"
    value = samples / speed.samples_per_s / scale
    return value, value / spread, value * spread, None


def run_samples(row: Row, job: MeasuredJob) -> float | None:
    """Samples of the run that a row timed: stated, or epochs of a data set whose size is known."""
    if job.workload.samples_total is not None:
        return job.workload.samples_total
    said = row.workload
    sizes = {"ImageNet-1k": 1_281_167, "ImageNet-22k": 14_197_122, "COCO": 118_287, "COCO train2017 118k": 118_287}
    images = sizes.get(str(said.get("dataset")))
    if images is None or "epochs" not in said or isinstance(job.workload.model, Transformer):
        return None
    return float(images) * float(said["epochs"])
