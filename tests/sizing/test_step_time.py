"""How long a step and a run take."""

import functools
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.sizing.estimate import Layout, Time
from generator.sizing.flops import count_work
from generator.sizing.predict import predict
from generator.sizing.profiles import find_profile, profile_names
from generator.sizing.roofline import MOST_SHARE, peak_tflops
from generator.sizing.rows import Row
from generator.sizing.step_time import (
    estimate_time,
    failure_share,
    predict_throughput,
    rework_share,
    step_parts,
)
from generator.workload import Checkpoint, Data, Interruptible
from tests.sizing.jobs import cpu_nodes, job, machines

CARDS = (
    "T4",
    "V100-SXM-32",
    "A10",
    "A100-PCIE-80",
    "A100-SXM-80",
    "H100-SXM-80",
    "H20-96",
    "RTX4090",
    "L20",
    "Ascend910B2",
)
LANGUAGE = ("gpt2", "llama-2-7b", "llama-3-8b", "qwen2.5-7b", "mixtral-8x7b", "bert-large", "deepseek-v3")
VISION = ("resnet50", "vit_large_patch16_224", "swin_base_patch4_window7_224", "yolov8x", "efficientnet_b0")
RECOMPUTE = st.sampled_from(["none", "selective", "full"])
IMAGES = Data(size_gib=150, files=1_281_167, samples=1_281_167)


def parts_of(time: Time) -> float:
    return time.compute_s + time.communication_s + time.bubble_s + time.data_s + time.checkpoint_s


@given(
    model=st.sampled_from(LANGUAGE + VISION),
    card=st.sampled_from(CARDS),
    profile=st.sampled_from(profile_names()),
    micro=st.sampled_from([1, 4, 32]),
    steps=st.integers(1, 8),
    data=st.sampled_from([1, 8]),
    recompute=RECOMPUTE,
    precision=st.sampled_from(["fp32", "fp16"]),
)
def test_time_never_beats_the_roofline(
    model: str, card: str, profile: str, micro: int, steps: int, data: int, recompute: Any, precision: str
) -> None:
    """No step is shorter than its FLOPs at 92 % of peak, times what a framework may exceed our reference by."""
    images = 224 if model in VISION else None
    workload = job(model, profile=profile, image_size=images, precision=precision)
    hardware = machines(card, data)
    layout = Layout(data=data, micro_batch=micro, accumulation=steps, recompute=recompute)
    work, frame = count_work(workload, precision), find_profile(profile)
    parts = step_parts(work, hardware, layout, precision, frame)
    assert hardware.gpu is not None
    peak = (peak_tflops(hardware.gpu, precision) or 0.0) * 1e12
    assume(peak > 0)
    flops = micro * steps * work.matmul_flops * (1 + work.backward)
    assert parts.compute_s >= flops / peak / MOST_SHARE / max(1.0, frame.time_factor) * 0.999
    assert predict_throughput(workload, hardware, layout, precision).mfu <= max(1.0, frame.time_factor)


@given(
    model=st.sampled_from(LANGUAGE),
    nodes=st.sampled_from([1, 2, 4]),
    sharding=st.sampled_from(["none", "zero1", "zero2", "zero3", "fsdp"]),
    recompute=RECOMPUTE,
    every=st.sampled_from([None, 5.0, 60.0]),
    spot=st.booleans(),
    read=st.sampled_from([None, 0.1, 1000.0]),
)
def test_the_parts_add_up(
    model: str, nodes: int, sharding: Any, recompute: Any, every: float | None, spot: bool, read: float | None
) -> None:
    """Seconds of the parts are the step, and hours of the steps, start-up, failures and rework are the run."""
    workload = job(
        model,
        data=Data(size_gib=50),
        checkpoint=Checkpoint(every_minutes=every, to="bucket", keep=2),
        epochs=2.0,
        interruptible=Interruptible() if spot else None,
    )
    layout = Layout(data=8 * nodes, sharding=sharding, recompute=recompute, micro_batch=1, accumulation=8 // nodes)
    hardware = machines("A100-SXM-80", nodes=nodes)
    time = estimate_time(workload, hardware, layout, "bf16", read_mbps=read, spot=spot)
    assert parts_of(time) == pytest.approx(time.step_s)
    assert workload.samples_total is not None
    steps = -(-workload.samples_total // 64) * time.step_s / 3600
    rest = time.startup_hours + time.failure_hours + time.rework_hours
    assert time.run_hours == pytest.approx(steps + rest)
    assert time.low_hours <= time.run_hours <= time.high_hours
    assert (time.rework_hours > 0) == spot
    assert time.failure_hours > 0


@given(model=st.sampled_from(LANGUAGE + VISION), card=st.sampled_from(CARDS), recompute=RECOMPUTE)
def test_more_cards_never_compute_slower(model: str, card: str, recompute: Any) -> None:
    """Twice the replicas halve the compute of the same global batch: never more of it."""
    workload = job(model, image_size=224 if model in VISION else None, profile="fsdp2")
    work, profile = count_work(workload, "fp16"), find_profile("fsdp2")
    seconds = [
        step_parts(
            work,
            machines(card, 8, nodes),
            Layout(data=8 * nodes, accumulation=64 // (8 * nodes), sharding="fsdp", recompute=recompute),
            "fp16",
            profile,
        ).compute_s
        for nodes in (1, 2, 4, 8)
    ]
    assert seconds == sorted(seconds, reverse=True)


@given(
    model=st.sampled_from(LANGUAGE),
    short=st.sampled_from([256, 512, 1024]),
    more=st.sampled_from([2, 4]),
    precision=st.sampled_from(["bf16", "fp32"]),
)
def test_more_work_never_takes_less_time(model: str, short: int, more: int, precision: str) -> None:
    """Longer sequences, larger batches and recomputation never shorten a step."""
    hardware, profile = machines("A100-SXM-80", 1), find_profile("hf_trainer")

    def seconds(sequence: int, batch: int, recompute: Any) -> float:
        work = count_work(job(model, sequence_length=sequence), precision)
        return step_parts(work, hardware, Layout(micro_batch=batch, recompute=recompute), precision, profile).total_s

    base = seconds(short, 1, "none")
    assert seconds(short * more, 1, "none") > base
    assert seconds(short, more, "none") >= base
    assert base <= seconds(short, 1, "selective") <= seconds(short, 1, "full")


def test_lora_skips_the_weight_gradients() -> None:
    """With a frozen base a step costs about two thirds of full training: 4 N D FLOPs against 6 N D."""
    full, lora = (count_work(job("llama-2-7b", method=method), "bf16") for method in ("full", "lora"))
    assert lora.model_flops / full.model_flops == pytest.approx(0.68, abs=0.03)


def test_qlora_pays_for_unpacking() -> None:
    """QLoRA reads and unpacks every weight in each pass, which LoRA does not."""
    hardware, layout, profile = machines("A100-SXM-80", 1), Layout(), find_profile("hf_trainer")
    lora, qlora = (
        count_work(job("llama-2-7b", method=method, sequence_length=256), "bf16") for method in ("lora", "qlora")
    )
    assert lora.dequantize_bytes == 0
    slow, fast = (step_parts(work, hardware, layout, "bf16", profile).compute_s for work in (qlora, lora))
    assert slow > fast


def test_a_mixture_computes_its_active_parameters_only() -> None:
    """DeepSeek-V3 computes 37 of its 671 billion parameters for a token."""
    work = count_work(job("deepseek-v3"), "bf16")
    assert work.parameters > 6.5e11
    assert work.matmul_flops / work.tokens == pytest.approx(2 * 37e9, rel=0.05)


def test_a_pipeline_has_its_bubble_and_interleaving_shrinks_it() -> None:
    """The bubble is (p-1)/(m v) of the compute: 7/32 with 8 stages and 32 micro-batches, a quarter in four chunks."""
    work = count_work(job("llama-2-7b", task="pretrain", profile="megatron", global_batch=32), "bf16")
    hardware, profile = machines("A100-SXM-80"), find_profile("megatron")
    plain, chunked = (
        step_parts(work, hardware, Layout(pipeline=8, accumulation=32, interleave=v), "bf16", profile) for v in (1, 4)
    )
    assert plain.bubble_s / plain.compute_s == pytest.approx(7 / 32, rel=0.15)
    assert chunked.bubble_s / plain.bubble_s == pytest.approx(0.25, rel=0.1)


def test_images_wait_for_the_processors() -> None:
    """Four vCPUs a card cannot feed eight A100s with ResNet-50; sixteen times as many can."""
    workload = job("resnet50", task="pretrain", profile="timm", image_size=224, global_batch=2048, data=IMAGES)
    layout = Layout(data=8, micro_batch=256)
    starved = estimate_time(workload, machines("A100-SXM-80", vcpus=32), layout, "bf16")
    fed = estimate_time(workload, machines("A100-SXM-80", vcpus=512), layout, "bf16")
    assert starved.data_s > 2 * starved.compute_s
    assert fed.data_s == 0.0


def test_slow_storage_is_waited_for() -> None:
    """100 MB/s hold up ResNet-50 on eight A100s, 3,000 do not; heavy augmentation waits too."""
    workload = job("resnet50", task="pretrain", profile="timm", image_size=224, global_batch=2048, data=IMAGES)
    layout, hardware = Layout(data=8, micro_batch=256), machines("A100-SXM-80", vcpus=512)
    slow, fast = (estimate_time(workload, hardware, layout, "bf16", read_mbps=mbps) for mbps in (100.0, 3000.0))
    assert slow.step_s == pytest.approx(2048 * 150 * 2**30 / 1_281_167 / 100e6, rel=0.05)
    assert fast.data_s == 0.0
    heavy = msgspec.structs.replace(workload, augmentation="heavy")
    assert estimate_time(heavy, machines("A100-SXM-80", vcpus=96), layout, "bf16").data_s > 0


def test_failures_and_spot_are_counted_apart() -> None:
    """Failures take 5 % up to 64 cards and 15 % from 1,024; rework grows with the interval and the nodes."""
    assert failure_share(8) == failure_share(64) == 0.05
    assert failure_share(1024) == failure_share(10_000) == pytest.approx(0.15)
    often, seldom = (
        job("llama-3-8b", checkpoint=Checkpoint(every_minutes=minutes, to="bucket", keep=3))
        for minutes in (20.0, 120.0)
    )
    assert rework_share(often, 1) < rework_share(seldom, 1)
    assert rework_share(often, 1) < rework_share(often, 4) <= 1.0


def test_a_run_of_stated_length_keeps_it() -> None:
    """With run_hours the run is that long, whatever a step takes."""
    workload = job("llama-3-8b", samples_total=None, run_hours=80.0)
    time = estimate_time(workload, machines("A100-SXM-80"), Layout(data=8, micro_batch=8), "bf16")
    assert time.run_hours == time.low_hours == time.high_hours == 80.0
    assert time.step_s > 0


def test_development_has_its_hours_and_no_step() -> None:
    """A development machine runs its hours and computes nothing that is known."""
    time = estimate_time(job(None, task="develop", run_hours=220.0), machines("A10", 1), None, None)
    assert time.run_hours == 220.0
    assert time.step_s == 0.0


@pytest.mark.parametrize(("nodes", "gib", "measured_minutes"), [(4, 931, 51), (8, 931, 30), (8, 4657, 168)])
def test_preprocessing_takes_what_data_juicer_measured(nodes: int, gib: float, measured_minutes: float) -> None:
    """Text deduplication on nodes of 160 cores (C001): the default rate is within 30 % of it, start-up aside."""
    workload = job(None, task="preprocess", data=Data(size_gib=gib), samples_total=None)
    time = estimate_time(workload, cpu_nodes(nodes, 160), None, None)
    assert 60 * (time.run_hours - time.startup_hours) == pytest.approx(measured_minutes, rel=0.3)


@functools.cache
def rows() -> dict[str, Row]:
    path = Path(__file__).parent.parent / "data" / "measurements.yaml"
    data = yaml.load(path.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    found = {}
    for values in data["rows"]:
        known = {key: value for key, value in values.items() if key in Row.__struct_fields__}
        found[values["id"]] = msgspec.convert(known, Row, strict=False)
    return found


PUBLISHED = (
    "mpt-7b-s2048-a10080-n8-mb6-amp_",
    "mpt-30b-s2048-h10080-n128-mb8-amp_",
    "mpt-70b-s2048-h10080-n512-mb8-amp_",
    "mpt-1b-s2048-h10080-n8-mb14-amp_",
    "mpt-125m-s2048-a10040-n128-mb26-bf16",
    "qwen1-7B-lora-s4096-time",
    "qwen1-14B-qlora-s2048-time",
    "nemo2412-llama-3-8b-n8",
    "timm-resnet50-3090-nhwc",
    "dle-resnet50-V100-SXM-16-n8-amp_fp16",
    "megatron21-76.1b",
)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_throughputs_are_met(name: str) -> None:
    """Well-known published figures, of CNNs, pretraining and fine-tuning, are predicted within 20 %."""
    row = rows()[name]
    found = predict(row)
    assert found.reason is None
    assert found.predicted == pytest.approx(row.value, rel=0.2)
