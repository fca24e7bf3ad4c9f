"""How long a step and the run take: compute, exposed communication, bubble, data, checkpoints, start-up, mishaps."""

from __future__ import annotations

import math

import msgspec

from generator.sizing.architecture import Transformer
from generator.sizing.estimate import Hardware, Layout, StorageNeed, Time
from generator.sizing.flops import Work, count_work
from generator.sizing.network import (
    Traffic,
    context_s,
    data_parallel,
    expert_s,
    pipeline_s,
    tensor_parallel_s,
)
from generator.sizing.profiles import Profile, find_profile
from generator.sizing.roofline import card_speed, micro_step_s, optimizer_step_s, peak_tflops
from generator.sizing.serving import serve
from generator.sizing.storage_need import sample_bytes, storage_need
from generator.workload import Workload

# Hours before the first step (boot, driver and image pull, process start), and the rate at which data come in.
STARTUP_HOURS = 0.2
STAGE_IN_MBPS = 500.0  # one node from a bucket
# Failures: share of wall time lost, at 64 cards and fewer and at 1,024 and more, linear in the logarithm between
# (BLOOM and OPT chronicles show weeks lost).
FAILURE_SHARE = (0.05, 0.15)
# A spot node is taken back this often an hour (assumed; vendors publish bands), and is back after this many minutes.
INTERRUPTIONS_PER_NODE_HOUR = 0.02
RESTART_MINUTES = 15.0
# Seconds of one vCPU for one image: decoding, and cropping and flipping 224 x 224 pixels; heavy is RandAugment, mosaic.
DECODE_S = 0.008
AUGMENT_S = 0.0005
HEAVY_FACTOR = 2.5
PREPROCESS_ALLOWANCE = 1.08  # stragglers and uneven shards
INFER_HOURS = 720.0
UNMEASURED_ERROR = 0.25  # of throughput, where no row of the framework stands behind it
INTERVAL = 2.5  # mean absolute errors to each side: two standard deviations of a normal error


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds of one optimizer step before data and checkpoints. `traffic_s` is all time on the wire, hidden or not."""

    compute_s: float
    communication_s: float
    bubble_s: float
    traffic_s: float

    @property
    def total_s(self) -> float:
        """Compute, exposed communication and bubble."""
        return self.compute_s + self.communication_s + self.bubble_s

    @property
    def exposed_ratio(self) -> float:
        """Exposed communication over compute: warned above 0.2, refused above 1."""
        return self.communication_s / self.compute_s if self.compute_s else 0.0


def step_parts(work: Work, hardware: Hardware, layout: Layout, precision: str, profile: Profile) -> Parts:
    """Parts of one optimizer step on the slowest card.

    Compute is `accumulation` micro-steps and the update; the bubble is (p-1)/v micro-steps (arXiv 2104.04473).
    """
    assert hardware.gpu is not None
    speed = card_speed(hardware.gpu, precision, hardware.fraction)
    micro = micro_step_s(work, speed, layout, profile)
    update = optimizer_step_s(work, speed[3], layout, hardware.vcpus / hardware.gpus_per_node)
    compute = layout.accumulation * micro + update
    if hardware.gpus_per_node * hardware.nodes == 1:
        return Parts(compute_s=compute, communication_s=0.0, bubble_s=0.0, traffic_s=0.0)
    critical = (
        tensor_parallel_s(work, hardware, layout)
        + pipeline_s(work, hardware, layout)
        + expert_s(work, hardware, layout)
        + context_s(work, hardware, layout)
    )
    replicas: Traffic = data_parallel(work, hardware, layout, micro)
    bubble = 0.0
    if layout.pipeline > 1:
        bubble = (layout.pipeline - 1) / layout.interleave * (micro + critical / layout.accumulation)
    return Parts(
        compute_s=compute,
        communication_s=critical + replicas.exposed_s,
        bubble_s=bubble,
        traffic_s=critical + replicas.total_s,
    )


def cpu_read_s(workload: Workload, hardware: Hardware) -> float:
    """Seconds in which the nodes' vCPUs decode and augment one global batch of images; 0 for tokens."""
    if isinstance(workload.model, Transformer) or workload.model is None:
        return 0.0
    size = workload.image_size or workload.model.image_size or 224
    seconds = DECODE_S + AUGMENT_S * (size / 224) ** 2
    if workload.augmentation == "heavy":
        seconds *= HEAVY_FACTOR
    return (workload.global_batch or 1) * seconds / max(1, hardware.vcpus * hardware.nodes)


def estimate_time(
    workload: Workload,
    hardware: Hardware,
    layout: Layout | None,
    precision: str | None,
    read_mbps: float | None = None,
    spot: bool = False,
) -> Time:
    """Time of one step and of the run. `read_mbps` is what the storage gives all nodes together; None: what is needed.

    Reading and decoding run ahead of the step, so only what exceeds it is counted. Low and high of the run come from
    the framework profile's measured error. Preprocessing and development have no layout.
    """
    if workload.task == "infer":
        return _serving_time(workload, hardware, layout or Layout(), precision or "fp16")
    if workload.model is None or layout is None or hardware.gpu is None:
        return _plain_time(workload, hardware, read_mbps, spot)
    precision = precision or "fp32"
    profile = find_profile(workload.profile)
    work = count_work(workload, precision)
    parts = step_parts(work, hardware, layout, precision, profile)
    batch = workload.global_batch or layout.micro_batch * layout.accumulation * layout.data
    read = batch * sample_bytes(workload) / 1e6 / read_mbps if read_mbps else 0.0
    data = max(0.0, max(read, cpu_read_s(workload, hardware)) - parts.total_s)
    busy = parts.total_s + data
    need = storage_need(workload, hardware, layout, busy, precision)
    checkpoint = _checkpoint_s(workload, need, busy, batch)
    step = busy + checkpoint
    if workload.run_hours is not None:
        steps_hours = workload.run_hours
    else:
        steps_hours = math.ceil((workload.samples_total or 0.0) / batch) * step / 3600
    startup = startup_hours(workload, hardware, need)
    return _run(
        workload, hardware, steps_hours, startup, spot, interval_factor(profile),
        compute_s=parts.compute_s, communication_s=parts.communication_s, bubble_s=parts.bubble_s, data_s=data,
        checkpoint_s=checkpoint, step_s=step, exposed_ratio=parts.exposed_ratio,
    )  # fmt: skip


def _checkpoint_s(workload: Workload, need: StorageNeed, step_s: float, batch: float) -> float:
    """Seconds of checkpoint writing that fall on one step: the write over the steps between two of them."""
    plan = workload.checkpoint
    if plan is None or need.checkpoint_write_s == 0.0:
        return 0.0
    if plan.every_minutes:
        return need.checkpoint_write_s * step_s / (60 * plan.every_minutes)
    epoch = (workload.samples_total or 0.0) / max(1.0, workload.epochs or 1.0)
    return need.checkpoint_write_s * batch / epoch if epoch else 0.0


def startup_hours(workload: Workload, hardware: Hardware, need: StorageNeed) -> float:
    """Hours before the first step: boot and image, base weights, and the data where they lie on a node's own disks."""
    parameters = workload.model.parameters if workload.model else 0.0
    pulled_mb = 2 * parameters / 1e6 if workload.task in ("finetune", "infer") else 0.0
    if workload.data is not None and workload.data.on in ("disk", "local"):
        pulled_mb += need.data_gib * 1073.74
    del hardware
    return STARTUP_HOURS + pulled_mb / STAGE_IN_MBPS / 3600


def failure_share(cards: int) -> float:
    """Share of wall time to allow for failures: 5 % up to 64 cards, 15 % from 1,024."""
    low, high = FAILURE_SHARE
    return low + (high - low) * min(1.0, max(0.0, math.log2(max(cards, 64) / 64) / 4))


def rework_share(workload: Workload, nodes: int) -> float:
    """Share of spot time done again: interruptions an hour x (half a checkpoint interval + restart)."""
    every = workload.checkpoint.every_minutes if workload.checkpoint else None
    lost_hours = ((every or 120.0) / 2 + RESTART_MINUTES) / 60
    return min(1.0, INTERRUPTIONS_PER_NODE_HOUR * nodes * lost_hours)


def interval_factor(profile: Profile | None) -> float:
    """How many times slower or faster than estimated a step may be, 95 times in 100; None: work without a framework."""
    error = profile.time_error if profile is not None else None
    return 1 + INTERVAL * (UNMEASURED_ERROR if error is None else error)


def _run(
    workload: Workload,
    hardware: Hardware,
    steps_hours: float,
    startup: float,
    spot: bool,
    factor: float,
    **step: float,
) -> Time:
    """The run round its steps; its interval is `factor` times slower or faster steps.

    A run of a stated length keeps it: everything then happens within `run_hours`.
    """
    if workload.run_hours is not None:
        return Time(run_hours=steps_hours, low_hours=steps_hours, high_hours=steps_hours, **step)
    cards = max(1, hardware.gpus_per_node) * hardware.nodes
    failure = steps_hours * failure_share(cards) if workload.model is not None else 0.0
    rework = steps_hours * rework_share(workload, hardware.nodes) if spot else 0.0
    hours = steps_hours + failure + rework + startup
    return Time(
        run_hours=hours,
        low_hours=steps_hours / factor + startup,
        high_hours=hours + steps_hours * (factor - 1),
        failure_hours=failure,
        rework_hours=rework,
        startup_hours=startup,
        **step,
    )


def _plain_time(workload: Workload, hardware: Hardware, read_mbps: float | None, spot: bool) -> Time:
    """Preprocessing: megabytes over vCPUs x MB/s, or the storage's rate; development: its hours."""
    hours = workload.run_hours or 0.0
    startup = 0.0
    if workload.task == "preprocess" and workload.run_hours is None:
        megabytes = workload.data.size_gib * 1073.741824 if workload.data else 0.0
        rate = hardware.vcpus * hardware.nodes * workload.cpu_mb_per_s
        if read_mbps:
            rate = min(rate, read_mbps)
        hours = megabytes / rate / 3600 * PREPROCESS_ALLOWANCE
        startup = STARTUP_HOURS / 2  # no driver and no training image
    return _run(
        workload, hardware, hours, startup, spot, interval_factor(None),
        compute_s=0.0, communication_s=0.0, bubble_s=0.0, data_s=0.0, checkpoint_s=0.0, step_s=0.0, exposed_ratio=0.0,
    )  # fmt: skip


def _serving_time(workload: Workload, hardware: Hardware, layout: Layout, precision: str) -> Time:
    """A batch of requests is the step; the service runs its hours, or as long as the stated requests take."""
    work = count_work(workload, precision)
    serving = serve(work, hardware, layout, precision)
    compute = serving.prefill_s + serving.decode_s
    hours = workload.run_hours or INFER_HOURS
    if workload.samples_total and workload.run_hours is None:
        hours = workload.samples_total / serving.requests_per_s / 3600
    return Time(
        compute_s=compute,
        communication_s=serving.communication_s,
        bubble_s=0.0,
        data_s=0.0,
        checkpoint_s=0.0,
        step_s=compute + serving.communication_s,
        run_hours=hours,
        low_hours=hours,
        high_hours=hours,
        exposed_ratio=serving.communication_s / compute if compute else 0.0,
        requests_per_s=serving.requests_per_s,
        latency_ms=serving.latency_ms,
    )


class Throughput(msgspec.Struct, frozen=True, kw_only=True):
    """Steady state as benchmarks report it: no start-up, checkpoints, mishaps. Rates over all cards unless per GPU."""

    step_s: float
    samples_per_s: float
    tokens_per_s: float
    tokens_per_s_per_gpu: float
    mfu: float  # model FLOPs over the 16-bit (else stated) peak, as a share
    hw_tflops_per_gpu: float  # with recomputation


def predict_throughput(workload: Workload, hardware: Hardware, layout: Layout, precision: str) -> Throughput:
    """Samples and tokens a second of training, MFU and hardware TFLOP/s a card; data loading is not counted."""
    assert hardware.gpu is not None
    work = count_work(workload, precision)
    if work.forward_only:
        serving = serve(work, hardware, layout, precision)
        step = serving.prefill_s + serving.decode_s + serving.communication_s
    else:
        step = step_parts(work, hardware, layout, precision, find_profile(workload.profile)).total_s
    samples = layout.micro_batch * layout.accumulation * layout.data / step
    cards = hardware.gpus_per_node * hardware.nodes
    again = (work.matmul_flops + work.attention_flops) if layout.recompute == "full" else 0.0
    peak = (hardware.gpu.bf16_tflops or peak_tflops(hardware.gpu, precision) or 1.0) * 1e12
    tokens = samples * work.tokens
    return Throughput(
        step_s=step,
        samples_per_s=samples,
        tokens_per_s=tokens,
        tokens_per_s_per_gpu=tokens / cards,
        mfu=samples * work.model_flops / cards / peak,
        hw_tflops_per_gpu=samples * (work.model_flops + again) / cards / 1e12,
    )
