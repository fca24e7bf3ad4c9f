"""The layout search: legal, exact, the fastest that fits, and the right reason when none does."""

import itertools
import math
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.sizing.architecture import Transformer
from generator.sizing.estimate import Hardware, Layout
from generator.sizing.layout import find_fit, node_counts
from generator.sizing.layout_search import search
from generator.sizing.memory import estimate_memory
from generator.sizing.profiles import find_profile, profile_names
from generator.sizing.splits import divisors, micro_batches, training_splits
from generator.workload import Interruptible, Limits, Workload
from tests.sizing.jobs import cpu_nodes, job, machines

MODELS = st.sampled_from(["gpt2", "llama-3.2-1b", "llama-2-7b", "llama-3-70b", "mixtral-8x7b", "qwen2.5-7b"])
CARDS = st.sampled_from(["T4", "A10", "V100-SXM-32", "A100-SXM-80", "A100-PCIE-80", "H100-SXM-80", "L20"])
TRAINED = tuple(name for name in profile_names() if name not in ("vllm", "transformers"))


def cards_of(layout: Layout) -> int:
    return layout.tensor * layout.pipeline * layout.context * layout.data


@settings(max_examples=150)
@given(
    model=MODELS,
    card=CARDS,
    profile=st.sampled_from(TRAINED),
    per_node=st.sampled_from([1, 2, 3, 4, 8]),
    nodes=st.sampled_from([1, 2, 3, 4, 8, 16]),
    batch=st.sampled_from([1, 7, 16, 60, 64, 256, 1000, 1024]),
    method=st.sampled_from(["full", "lora", "qlora"]),
    sequence=st.sampled_from([512, 4096, 32768]),
)
def test_every_answer_is_legal_and_exact(
    model: str, card: str, profile: str, per_node: int, nodes: int, batch: int, method: Any, sequence: int
) -> None:
    """The global batch is what was asked, degrees multiply to the cards and divide what they split, a fit fits."""
    workload = job(model, task="pretrain", profile=profile, global_batch=batch, method=method, sequence_length=sequence)
    hardware = machines(card, per_node, nodes)
    fit = find_fit(workload, hardware, detailed=False)
    if fit.layout is None:
        assert fit.reason in ("precision", "framework", "layout")
        assert fit.message
        return
    layout, shape, frame = fit.layout, workload.model, find_profile(profile)
    assert isinstance(shape, Transformer)
    assert layout.micro_batch * layout.accumulation * layout.data == batch
    assert cards_of(layout) == per_node * nodes
    assert per_node % layout.tensor == 0
    assert shape.heads % layout.tensor == 0
    assert shape.layers % layout.pipeline == 0 or (shape.layers + 2) % layout.pipeline == 0
    assert layout.tensor == 1 or (frame.tensor_parallel and hardware.interconnect == "nvlink")
    assert layout.pipeline == 1 or (frame.pipeline_parallel and layout.accumulation >= layout.pipeline)
    assert layout.context == 1 or (frame.context_parallel and sequence % (2 * layout.context) == 0)
    assert layout.expert == 1 or (shape.experts is not None and shape.experts % layout.expert == 0)
    assert layout.data % layout.expert == 0
    assert layout.sharding in (*frame.shardings, "none")
    assert layout.recompute in frame.recompute
    assert layout.offload in frame.offload
    assert fit.memory is not None
    assert fit.memory.fits or not fit.fits
    assert (fit.reason is None) == fit.fits


@settings(max_examples=40)
@given(
    model=st.sampled_from(["llama-2-7b", "llama-3.2-1b", "qwen2.5-7b"]),
    card=st.sampled_from(["A10", "A100-SXM-80", "V100-SXM-32"]),
    profile=st.sampled_from(["fsdp2", "hf_trainer", "torchtitan", "megatron"]),
    batch=st.sampled_from([16, 48, 64]),
)
def test_the_search_finds_what_trying_everything_finds(model: str, card: str, profile: str, batch: int) -> None:
    """Branch and bound fits exactly when some legal layout fits, and its step is within 5 % of the fastest of them."""
    workload = job(model, task="pretrain", profile=profile, global_batch=batch, sequence_length=1024)
    hardware = machines(card, 8)
    assert hardware.gpu is not None
    precision = "bf16" if hardware.gpu.bf16_tflops else "fp16"
    fit = find_fit(workload, hardware, detailed=False)
    steps = [math.inf]
    for split in training_splits(workload, hardware, "none"):
        per_rank = split.micro_batch * split.accumulation
        sizes = [split.micro_batch] if split.pipeline > 1 else divisors(per_rank)
        for size in sizes:
            layout = msgspec.structs.replace(split, micro_batch=size, accumulation=per_rank // size)
            if estimate_memory(workload, hardware, layout, precision).fits:
                one = msgspec.structs.replace(workload, run_hours=None)
                steps.append(time_of(one, hardware, layout, precision))
    best = min(steps)
    if math.isinf(best):
        assert not fit.fits or (fit.layout is not None and fit.layout.offload != "none")
    else:
        assert fit.layout is not None
        assert time_of(workload, hardware, fit.layout, precision) <= 1.05 * best


def time_of(workload: Workload, hardware: Hardware, layout: Layout, precision: str) -> float:
    from generator.sizing.flops import count_work
    from generator.sizing.step_time import step_parts

    profile = find_profile(workload.profile)
    return step_parts(count_work(workload, precision), hardware, layout, precision, profile).total_s


def test_a_node_count_is_proposed_when_the_batch_splits_over_it() -> None:
    """Of 1 to 64 nodes of 8 cards, data parallelism with a batch of 256 takes the powers of two up to 32."""
    assert node_counts(job("llama-3-8b", global_batch=256), machines("A10", 8), 1, 64) == (1, 2, 4, 8, 16, 32)


@pytest.mark.parametrize("profile", ["hf_trainer", "fsdp2", "megatron", "timm"])
@pytest.mark.parametrize("batch", [48, 256, 1024])
def test_counts_that_are_not_proposed_have_no_layout(profile: str, batch: int) -> None:
    """One not proposed has no legal layout; a proposed one has, if with a pipeline its batch fills the stages."""
    model = "resnet50" if profile == "timm" else "llama-2-7b"
    images = 224 if profile == "timm" else None
    workload = job(model, task="pretrain", profile=profile, global_batch=batch, image_size=images)
    counts = node_counts(workload, machines("A100-SXM-80"), 1, 24)
    for nodes in range(1, 25):
        fit = find_fit(workload, machines("A100-SXM-80", nodes=nodes), detailed=False)
        if nodes not in counts:
            assert fit.reason == "layout", nodes
        else:
            assert fit.reason != "layout" or profile == "megatron", nodes


def test_work_without_a_batch_takes_any_count() -> None:
    """Preprocessing and serving try every count."""
    assert node_counts(job(None, task="preprocess"), machines("A10"), 2, 5) == (2, 3, 4, 5)
    assert node_counts(job("llama-3-8b", task="infer", profile="vllm"), machines("A10"), 1, 3) == (1, 2, 3)


@pytest.mark.parametrize(
    ("card", "precision", "reason"),
    [
        ("T4", "bf16", "precision"),
        ("V100-SXM-32", "bf16", "precision"),
        ("V100-SXM-32", "bf16_pure", "precision"),
        ("V100-SXM-32", "tf32", "precision"),
        ("A100-SXM-80", "fp8", "precision"),
        ("P40", "fp16", "precision"),
        ("A100-SXM-80", "bf16", None),
        ("H100-SXM-80", "fp8", None),
        ("V100-SXM-32", "fp16", None),
    ],
)
def test_a_precision_the_card_lacks_is_refused(card: str, precision: str, reason: str | None) -> None:
    """A stated precision that the card cannot run is refused with what to take instead, never replaced in silence."""
    workload = job("gpt2", profile="fsdp2", precision=precision, sequence_length=512)
    fit = find_fit(workload, machines(card, 1))
    assert fit.reason == reason
    if reason:
        assert precision in fit.message
        assert card in fit.message
        assert "use" in fit.message


@pytest.mark.parametrize(
    ("card", "precision"), [("A10", "bf16"), ("T4", "fp16"), ("V100-SXM-16", "fp16"), ("P40", "fp32")]
)
def test_an_open_precision_is_the_best_the_card_has(card: str, precision: str) -> None:
    """bf16 where the card has it, else fp16, and fp32 where fp16 is slower than that; it is told as assumed."""
    fit = find_fit(job("gpt2", sequence_length=512), machines(card, 1))
    assert fit.precision == precision
    assert any(precision in sentence for sentence in fit.assumptions)


def test_wheels_that_do_not_carry_the_card_are_refused() -> None:
    """PyTorch 2.11 for CUDA 12.8 has no code for a V100, and no wheels of MindSpeed run on NVIDIA at all."""
    stated = find_fit(job("gpt2", toolchain="pytorch-2.11-cu128"), machines("V100-SXM-16", 1))
    foreign = find_fit(job("gpt2", profile="mindspeed"), machines("A10", 1))
    assert (stated.reason, foreign.reason) == ("framework", "framework")
    assert "pytorch-2.11-cu128" in stated.message
    assert find_fit(job("gpt2"), machines("V100-SXM-16", 1)).fits


def test_a_network_that_takes_more_than_the_compute_is_refused() -> None:
    """Pretraining 7B over four nodes with 1 Gb/s between them is refused for its fabric; one node is proposed."""
    workload = job("qwen2.5-7b", task="pretrain", profile="fsdp2", global_batch=64)
    hardware = machines("A100-SXM-80", nodes=4, network_gbps=1.0, rdma=False, rdma_gbps=0.0)
    fit = find_fit(workload, hardware)
    assert fit.reason == "fabric"
    assert fit.time is not None
    assert fit.time.exposed_ratio > 1
    assert any("1 node" in way.change for way in fit.would_fit)


def test_poor_scaling_is_warned_of() -> None:
    """Exposed communication between a fifth and all of the compute is a warning with its figure, not a refusal."""
    workload = job("vit_large_patch16_224", task="pretrain", profile="timm", global_batch=4096, image_size=224)
    fit = find_fit(workload, machines("A10", 8, 8, network_gbps=10.0, rdma=False))
    assert fit.fits
    assert fit.time is not None
    assert 0.2 < fit.time.exposed_ratio < 1
    assert any(sentence.startswith("warning") for sentence in fit.assumptions)


def test_offload_is_the_last_resort_and_needs_the_hosts_memory() -> None:
    """7B in full on one 80 GB card fits only with its optimizer in host RAM, and not in a host of 16 GiB."""
    workload = job("llama-2-7b", sequence_length=1024)
    fit = find_fit(workload, machines("A100-SXM-80", 1))
    assert fit.fits
    assert fit.layout is not None
    assert fit.layout.offload != "none"
    assert fit.memory is not None
    assert 0 < fit.memory.host_ram_gib < machines("A100-SXM-80", 1).ram_gib
    assert find_fit(workload, machines("A100-SXM-80", 1, ram_gib=16.0)).reason == "ram"
    roomy = find_fit(workload, machines("A100-SXM-80", 8))
    assert roomy.layout is not None
    assert roomy.layout.offload == "none"


def test_what_does_not_fit_is_told_what_would() -> None:
    """70B in full on one node is refused for memory, with changes that were tried and do fit."""
    workload = job("llama-3-70b", limits=Limits(max_nodes=16))
    hardware = machines("A100-SXM-80", ram_gib=1000.0, usable_gib=30.0)
    fit = find_fit(workload, hardware)
    assert fit.reason == "memory"
    assert fit.memory is not None
    assert fit.memory.bound > fit.memory.usable
    assert 1 <= len(fit.would_fit) <= 3
    changes = {way.change for way in fit.would_fit}
    assert changes & {"4 nodes instead of 1", "8 nodes instead of 1", "method lora", "method qlora"}


def test_the_next_best_are_shown_slowest_last() -> None:
    """Two alternatives follow, each legal, fitting and not faster, with what it loses."""
    fit = find_fit(job("qwen2.5-7b"), machines("A100-SXM-80"))
    assert len(fit.alternatives) == 2
    assert fit.time is not None
    for other in fit.alternatives:
        assert other.memory.fits
        assert other.note
        assert other.layout != fit.layout
        assert other.time.step_s >= 0.97 * fit.time.step_s


def test_the_quick_form_answers_the_same() -> None:
    """Without details the layout, memory and time are those with details."""
    for card, nodes, model in itertools.product(["A10", "A100-SXM-80"], [1, 2], ["llama-3-8b", "llama-3-70b"]):
        workload, hardware = job(model, method="lora"), machines(card, 8, nodes, ram_gib=200.0)
        quick, full = (find_fit(workload, hardware, detailed=detailed) for detailed in (False, True))
        assert (quick.layout, quick.memory, quick.time) == (full.layout, full.memory, full.time)
        assert quick.alternatives == ()


def test_a_small_model_is_not_sharded_for_nothing() -> None:
    """GPT-2 on one node runs as plain data parallel: no scheme is taken for a gain of one percent."""
    fit = find_fit(
        job("gpt2", task="pretrain", profile="fsdp2", global_batch=480, sequence_length=1024), machines("A100-SXM-40")
    )
    assert fit.layout is not None
    assert (fit.layout.sharding, fit.layout.tensor, fit.layout.recompute) == ("none", 1, "none")


def test_micro_batches_divide_and_stay_sensible() -> None:
    """Micro-batches divide one replica's share, largest first, and no more tokens than help."""
    workload = job("llama-2-7b", sequence_length=4096)
    sizes = micro_batches(workload, 48)
    assert sizes == tuple(sorted(sizes, reverse=True))
    assert all(48 % size == 0 for size in sizes)
    assert max(sizes) * 4096 <= 32768
    assert micro_batches(job("llama-2-7b", sequence_length=131072), 7) == (1,)


@given(number=st.integers(1, 5000))
def test_divisors_are_all_and_only_the_divisors(number: int) -> None:
    """`divisors` agrees with trying every number."""
    assert divisors(number) == tuple(part for part in range(1, number + 1) if number % part == 0)


def test_a_spot_job_says_its_interruption_rate() -> None:
    """The rate of interruptions is an assumption and printed as one."""
    fit = find_fit(job("llama-3-8b", method="lora", interruptible=Interruptible()), machines("A10", 1))
    assert any("taken back" in sentence for sentence in fit.assumptions)


def test_a_slice_is_slower_than_its_card_and_offloads_nothing() -> None:
    """Half a card computes at half the rate, and a slice never counts on the host's memory."""
    workload = job("resnet50", task="pretrain", profile="timm", image_size=224, optimizer="sgd", global_batch=64)
    whole, half = (find_fit(workload, machines("A10", 1, fraction=share, vcpus=64)) for share in (1.0, 0.5))
    assert whole.time is not None
    assert half.time is not None
    assert half.time.compute_s == pytest.approx(2 * whole.time.compute_s, rel=0.1)
    big = find_fit(
        job("llama-2-7b", method="lora", sequence_length=1024), machines("A10", 1, fraction=0.5, usable_gib=11.0)
    )
    assert big.reason == "memory"


def test_low_confidence_is_said() -> None:
    """Figures of an Ascend card are told to be unreliable."""
    workload = job("llama-2-7b", task="pretrain", profile="mindspeed", global_batch=64)
    fit = find_fit(workload, machines("Ascend910B3"))
    assert any("not reliable" in sentence for sentence in fit.assumptions)


def test_the_search_keeps_as_many_as_asked() -> None:
    """`keep` bounds the layouts returned, fastest first."""
    workload, hardware = job("qwen2.5-7b"), machines("A100-SXM-80")
    assert len(search(workload, hardware, "bf16", keep=1).fitting) == 1
    found = search(workload, hardware, "bf16", keep=3).fitting
    assert [choice.rank_s for choice in found] == sorted(choice.rank_s for choice in found)


def test_a_model_is_not_trained_or_served_on_processors() -> None:
    """Nodes without an accelerator are refused for training and serving, and taken for development."""
    for task in ("pretrain", "finetune", "infer"):
        fit = find_fit(job("gpt2", task=task), cpu_nodes(1, 16))
        assert fit.reason == "cpu"
        assert "accelerator" in fit.message
    assert find_fit(job("gpt2", task="develop", run_hours=10.0), cpu_nodes(1, 16)).fits
