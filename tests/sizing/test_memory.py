"""Peak memory: physical sanity as laws, and the published cases that people know the answer of."""

import itertools

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from generator.sizing.architecture import (
    Transformer,
    count_parameters,
    find_model,
    typical_sample_model,
    typical_transformer,
)
from generator.sizing.estimate import Layout, Memory
from generator.sizing.inference_memory import kv_bytes_per_token
from generator.sizing.memory import estimate_memory
from generator.sizing.profiles import profile_names
from generator.sizing.states import share
from generator.workload import Workload
from tests.sizing.jobs import job, machines

SERVING = ("vllm", "transformers")
TRAINING = tuple(name for name in profile_names() if name not in SERVING)
LANGUAGE = (
    "gpt2-124m",
    "bert-large",
    "llama-3.2-1b",
    "llama-2-7b",
    "qwen2.5-14b",
    "mixtral-8x7b",
    "deepseek-v2",
    "t5-large",
)
VISION = ("resnet50", "vit_base_patch16_224", "yolov8m", "maskrcnn_r50_fpn", "sd15-unet", "unet-2d-64ch-512")
PRECISIONS = ("bf16_pure", "fp8", "bf16", "fp32")  # growing
METHODS = ("full", "lora", "qlora", "ptuning")
OPTIMIZERS = ("adamw", "adamw_8bit", "paged_adamw_8bit", "adafactor", "sgd")
SHARDINGS = ("zero1", "zero2", "zero3", "fsdp", "hsdp")
RECOMPUTES = ("none", "selective", "full")
NODE = machines("A100-SXM-80", 8)
PARTS = ("weights", "gradients", "optimizer", "activations", "logits", "overhead", "kv_cache")

profiles = st.sampled_from(TRAINING)
layouts = st.builds(
    Layout,
    tensor=st.sampled_from([1, 2, 4, 8]),
    pipeline=st.sampled_from([1, 2, 4]),
    data=st.sampled_from([1, 2, 8, 64]),
    context=st.sampled_from([1, 2]),
    sequence_parallel=st.booleans(),
    sharding=st.sampled_from(("none", *SHARDINGS)),
    recompute=st.sampled_from(RECOMPUTES),
    offload=st.sampled_from(("none", "optimizer", "all")),
    micro_batch=st.sampled_from([1, 2, 4, 16]),
    accumulation=st.sampled_from([1, 4]),
    interleave=st.sampled_from([1, 2]),
)
jobs = st.builds(
    job,
    st.sampled_from(LANGUAGE),
    method=st.sampled_from(METHODS),
    optimizer=st.sampled_from(OPTIMIZERS),
    profile=profiles,
    sequence_length=st.sampled_from([128, 512, 4096]),
)


def total(workload: Workload, layout: Layout, precision: str = "bf16") -> float:
    return estimate_memory(workload, NODE, layout, precision).total


def states(memory: Memory) -> float:
    return memory.weights + memory.gradients + memory.optimizer


@settings(max_examples=300)
@given(workload=jobs, layout=layouts, precision=st.sampled_from(PRECISIONS))
def test_the_parts_add_up_and_the_bound_is_above(workload: Workload, layout: Layout, precision: str) -> None:
    """No part is negative, the total is their sum, and the bound is never under it."""
    memory = estimate_memory(workload, NODE, layout, precision)
    parts = [getattr(memory, part) for part in PARTS]
    assert min(parts) >= 0
    assert memory.total == pytest.approx(sum(parts))
    assert memory.bound >= memory.total
    assert memory.fits == (memory.bound <= NODE.usable_gib)


@settings(max_examples=300)
@given(workload=jobs, layout=layouts, precision=st.sampled_from(PRECISIONS))
def test_memory_does_not_fall_with_batch_or_sequence(workload: Workload, layout: Layout, precision: str) -> None:
    """A larger micro-batch or a longer sequence never needs less, in the estimate and in the bound."""
    before = estimate_memory(workload, NODE, layout, precision)
    for after in (
        estimate_memory(workload, NODE, msgspec.structs.replace(layout, micro_batch=2 * layout.micro_batch), precision),
        estimate_memory(
            msgspec.structs.replace(workload, sequence_length=2 * (workload.sequence_length or 1)),
            NODE,
            layout,
            precision,
        ),
    ):
        assert after.total >= before.total * (1 - 1e-9)
        assert after.bound >= before.bound * (1 - 1e-9)


@settings(max_examples=200)
@given(
    workload=jobs,
    layout=layouts,
    precision=st.sampled_from(PRECISIONS),
    more=st.sampled_from(["layers", "hidden", "vocab"]),
)
def test_memory_does_not_fall_with_parameters(workload: Workload, layout: Layout, precision: str, more: str) -> None:
    """A deeper, wider or more wordy model never needs less."""
    sizes = {"layers": 32, "hidden": 4096, "vocab": 32000}
    small, large = (
        msgspec.structs.replace(shape, parameters=count_parameters(shape))
        for shape in (
            typical_transformer(7e9, **sizes, heads=32, ffn=11008),
            typical_transformer(7e9, **(sizes | {more: 2 * sizes[more]}), heads=32, ffn=11008),
        )
    )
    before = total(msgspec.structs.replace(workload, model=small), layout, precision)
    assert total(msgspec.structs.replace(workload, model=large), layout, precision) >= before * (1 - 1e-9)


@settings(max_examples=200)
@given(workload=jobs, layout=layouts)
def test_memory_does_not_fall_with_precision(workload: Workload, layout: Layout) -> None:
    """From pure 16 bit over fp8 and mixed to 32 bit, memory never falls."""
    found = [total(workload, layout, precision) for precision in PRECISIONS]
    assert all(lower <= higher * (1 + 1e-9) for lower, higher in itertools.pairwise(found))


@settings(max_examples=300)
@given(workload=jobs, layout=layouts, precision=st.sampled_from(PRECISIONS), sharding=st.sampled_from(SHARDINGS))
def test_more_shards_never_need_more_state(workload: Workload, layout: Layout, precision: str, sharding: str) -> None:
    """Twice the data-parallel ranks never hold more weights, gradients and optimizer a GPU under any sharding."""
    few = msgspec.structs.replace(layout, sharding=sharding)
    many = msgspec.structs.replace(few, data=2 * few.data)
    before = states(estimate_memory(workload, NODE, few, precision))
    assert states(estimate_memory(workload, NODE, many, precision)) <= before * (1 + 1e-9)


@settings(max_examples=100)
@given(workload=jobs, layout=layouts, degree=st.sampled_from(["tensor", "pipeline"]))
def test_splitting_a_model_never_needs_more_state(workload: Workload, layout: Layout, degree: str) -> None:
    """Twice the tensor or pipeline degree never holds more states a GPU."""
    model = workload.model
    assert isinstance(model, Transformer)
    split = msgspec.structs.replace(layout, **{degree: 2 * getattr(layout, degree)})
    # A stage under full sharding keeps its weights gathered; hybrid sharding splits by what is left of the node.
    assume(not (degree == "pipeline" and layout.sharding in ("fsdp", "hsdp", "zero3")))
    assume(layout.sharding != "hsdp")
    before = states(estimate_memory(workload, NODE, layout, "bf16"))
    assert states(estimate_memory(workload, NODE, split, "bf16")) <= before * (1 + 1e-9)


@settings(max_examples=100)
@given(workload=jobs, layout=layouts)
def test_offload_moves_bytes_to_the_host(workload: Workload, layout: Layout) -> None:
    """Offload never needs more on the GPU, and what leaves it is counted as host memory."""
    found = [
        estimate_memory(workload, NODE, msgspec.structs.replace(layout, offload=offload), "bf16")
        for offload in ("none", "optimizer", "all")
    ]
    assert (found[0].host_ram_gib > 0) <= (workload.optimizer == "paged_adamw_8bit")
    assert states(found[0]) >= states(found[1]) >= states(found[2])
    assert found[0].total >= found[1].total >= found[2].total
    assert found[2].host_ram_gib >= found[1].host_ram_gib


@given(
    name=st.sampled_from(VISION),
    batch=st.sampled_from([1, 2, 8, 64]),
    profile=profiles,
    recompute=st.sampled_from(["none", "full"]),
)
def test_vision_memory_follows_its_laws(name: str, batch: int, profile: str, recompute: str) -> None:
    """Images: no less with a larger batch, larger images or more precision; recomputation never needs more."""
    workload = job(name, image_size=224, profile=profile, optimizer="sgd", task="pretrain")
    layout = Layout(micro_batch=batch, recompute=recompute)
    here = total(workload, layout)
    assert total(workload, msgspec.structs.replace(layout, micro_batch=2 * batch)) >= here
    assert total(msgspec.structs.replace(workload, image_size=448), layout) >= here
    assert total(workload, layout, "fp32") >= here
    assert total(workload, msgspec.structs.replace(layout, recompute="full")) <= here
    assert states(
        estimate_memory(workload, NODE, msgspec.structs.replace(layout, sharding="zero2", data=8), "bf16")
    ) <= states(estimate_memory(workload, NODE, msgspec.structs.replace(layout, sharding="zero2", data=2), "bf16"))


@given(
    model=st.sampled_from(("gpt2-124m", "llama-2-7b", "llama-3-70b", "deepseek-v3", "mixtral-8x7b")),
    profile=st.sampled_from(SERVING),
    tensor=st.sampled_from([1, 2, 4, 8]),
    batch=st.sampled_from([1, 8, 64]),
)
def test_serving_memory_follows_its_laws(model: str, profile: str, tensor: int, batch: int) -> None:
    """Answers: no less with more requests, context or bits a weight; no more a GPU with more tensor parallelism."""
    layout = Layout(tensor=tensor, micro_batch=batch)
    workload = job(model, task="infer", profile=profile, sequence_length=512, context=1024)
    here = estimate_memory(workload, NODE, layout, "bf16")
    longer = msgspec.structs.replace(workload, context=4096)
    assert estimate_memory(longer, NODE, layout, "bf16").total > here.total
    assert total(workload, msgspec.structs.replace(layout, micro_batch=2 * batch)) > here.total
    found = [
        total(msgspec.structs.replace(workload, quantization=kind), layout) for kind in ("nf4", "int4", "int8", "none")
    ]
    assert found == sorted(found)
    wider = estimate_memory(workload, NODE, Layout(tensor=2 * tensor, micro_batch=batch), "bf16")
    assert wider.weights < here.weights
    assert (here.gradients, here.optimizer) == (0, 0)
    assert here.kv_cache > 0


@pytest.mark.parametrize(
    ("model", "kilobytes"),
    [("llama-2-7b", 524.288), ("llama-3-8b", 131.072), ("qwen3-8b", 147.456), ("deepseek-v3", 70.272)],
)
def test_the_cache_of_a_token_is_what_the_shape_says(model: str, kilobytes: float) -> None:
    """Key-value bytes a token: all heads (Llama-2), groups (Llama-3, Qwen3), or the latent of MLA (DeepSeek-V3)."""
    shape = find_model(model)
    assert isinstance(shape, Transformer)
    assert kv_bytes_per_token(shape, "bf16") == pytest.approx(kilobytes * 1e3)


def test_states_are_the_textbook_bytes() -> None:
    """Llama-2-7B: 16 B a parameter in mixed precision with AdamW, 8 pure, 18/N plus what is gathered under ZeRO-3."""
    giga = 6.738e9 / 2**30
    one = Layout(recompute="full")
    mixed = estimate_memory(job("llama-2-7b", profile="fsdp2"), NODE, one, "bf16")
    assert states(mixed) == pytest.approx(16 * giga, rel=0.01)
    pure = estimate_memory(job("llama-2-7b", profile="torchtune"), NODE, one, "bf16_pure")
    assert states(pure) == pytest.approx(8 * giga, rel=0.01)
    sharded = estimate_memory(
        job("llama-2-7b", profile="fsdp2"), NODE, Layout(data=8, sharding="fsdp", recompute="full"), "bf16"
    )
    assert 2 * giga < states(sharded) < 4.5 * giga


def test_eight_bit_states_save_six_bytes() -> None:
    """8-bit Adam saves 6 bytes a parameter, paged states leave the GPU, Adafactor needs almost none."""
    giga = 6.738e9 / 2**30
    found = {
        kind: estimate_memory(job("llama-2-7b", optimizer=kind), NODE, Layout(), "bf16").optimizer
        for kind in OPTIMIZERS
    }
    assert found["adamw"] - found["adamw_8bit"] == pytest.approx(6 * giga, rel=0.02)
    assert found["paged_adamw_8bit"] == 0
    assert found["adafactor"] < 0.02 * found["adamw"]
    assert found["sgd"] == pytest.approx(0.5 * found["adamw"])


def test_zero_under_the_trainer_is_deepspeed() -> None:
    """A ZeRO stage asked of the Hugging Face Trainer needs what DeepSpeed needs; FSDP and plain replicas do not."""
    for sharding, same in (("zero2", True), ("zero3", True), ("fsdp", False), ("none", False)):
        layout = Layout(data=8, sharding=sharding, recompute="full")
        found = [total(job("llama-2-7b", profile=name), layout) for name in ("hf_trainer", "deepspeed")]
        assert (found[0] == found[1]) is same


def test_the_first_pipeline_stage_carries_an_embedding() -> None:
    """With four stages the most loaded one holds a quarter of the layers and one of two embedding tables."""
    model = find_model("llama-3-8b")
    assert isinstance(model, Transformer)
    part = share(model, Layout(pipeline=4))
    assert part.layers == 8
    assert part.tables == pytest.approx(128256 * 4096)


def fits(card: str, count: int, workload: Workload, layout: Layout, precision: str) -> bool:
    return estimate_memory(workload, machines(card, count), layout, precision).fits


def test_c010_vicuna_7b_trains_on_four_a100_40() -> None:
    """C010: full fine-tuning of a 7B model is accepted on 4 x A100 40 GB with sharding, and not without."""
    workload = job("llama-2-7b", sequence_length=2048)
    sharded = Layout(data=4, sharding="fsdp", recompute="full", micro_batch=1, accumulation=16)
    assert fits("A100-SXM-40", 4, workload, sharded, "bf16")
    assert not fits("A100-SXM-40", 4, workload, msgspec.structs.replace(sharded, sharding="none"), "bf16")


def test_c010_a_13b_model_in_int8_serves_on_a_t4() -> None:
    """C010: 13B in int8 serves on 16 GB; in 16 bit it does not."""
    workload = job("llama-2-13b", task="infer", profile="vllm", quantization="int8", sequence_length=512, context=1024)
    assert fits("T4", 1, workload, Layout(), "fp16")
    assert not fits("T4", 1, msgspec.structs.replace(workload, quantization="none"), Layout(), "fp16")


def test_c011_a_7b_model_by_qlora_needs_one_small_card() -> None:
    """C011: QLoRA of 7B fits one 16 GB card, LoRA one of 24 GB, pure bf16 60 GB, mixed precision none of 80 GB."""
    layout = Layout(recompute="full", micro_batch=1, accumulation=16)
    workload = job("llama-2-7b", sequence_length=512, method="qlora")
    assert fits("T4", 1, workload, layout, "fp16")
    assert fits("A10", 1, msgspec.structs.replace(workload, method="lora"), layout, "bf16")
    full = msgspec.structs.replace(workload, method="full")
    assert 50 < estimate_memory(full, NODE, layout, "bf16_pure").total < 70
    assert not fits("A100-SXM-80", 1, full, layout, "bf16")


def test_c013_chatglm_6b_p_tunes_in_int4_on_8_gb() -> None:
    """C013: P-tuning on an int4 base fits any card of 8 GB and no slice of half of that."""
    workload = job("chatglm-6b", method="ptuning", quantization="int4", sequence_length=256)
    memory = estimate_memory(workload, machines("P4", 1), Layout(recompute="full", accumulation=16), "fp16")
    assert memory.bound < 7.43
    assert memory.total > 3.72


def test_c014_gpt2_trains_on_eight_a100_40() -> None:
    """C014: nanoGPT's 124M model with 12 sequences of 1,024 a GPU fits plain data parallelism on A100 40 GB."""
    workload = job("gpt2-124m", task="pretrain", profile="fsdp2", sequence_length=1024)
    assert fits("A100-SXM-40", 8, workload, Layout(data=8, micro_batch=12, accumulation=5), "bf16")


def test_c016_bloom_fits_its_384_cards() -> None:
    """C016: BLOOM-176B at TP 4, PP 12, DP 8 with micro-batch 2 fits A100 80 GB, and not without its pipeline."""
    workload = job("bloom-176b", task="pretrain", profile="megatron_2021", sequence_length=2048)
    layout = Layout(tensor=4, pipeline=12, data=8, sharding="zero1", recompute="full", micro_batch=2, accumulation=128)
    hardware = machines("A100-SXM-80", 8, nodes=48)
    assert estimate_memory(workload, hardware, layout, "bf16").fits
    flat = msgspec.structs.replace(layout, pipeline=1, data=96)
    assert not estimate_memory(workload, hardware, flat, "bf16").fits


@pytest.mark.parametrize(
    ("card", "count", "quantization", "answer"),
    [
        ("A100-SXM-40", 8, "none", True),
        ("V100-SXM-32", 8, "int8", True),
        ("V100-SXM-16", 8, "int8", False),
        ("A10", 4, "int4", True),
    ],
)
def test_c017_glm_130b_serves_where_its_authors_serve_it(
    card: str, count: int, quantization: str, answer: bool
) -> None:
    """C017: GLM-130B on 8 A100 40 in 16 bit, 8 V100 32 (not 16) in int8, 4 A10 in int4."""
    workload = job(
        "glm-130b", task="infer", profile="vllm", quantization=quantization, sequence_length=512, context=2048
    )
    assert fits(card, count, workload, Layout(tensor=count), "fp16") is answer


def test_c022_cogvideo_5b_tunes_where_its_authors_tune_it() -> None:
    """C022: LoRA of the 5B video model is the edge of 24 GB; full tuning under ZeRO-2 on 8 cards needs about 42 GB."""
    model = typical_sample_model(5e9, kind="video_dit")
    workload = msgspec.structs.replace(job(None), model=model, profile="diffusers", method="lora")
    layout = Layout(recompute="full")
    lora = estimate_memory(workload, machines("A10", 1), layout, "bf16")
    assert 15 < lora.total <= 24
    full = msgspec.structs.replace(workload, method="full")
    sharded = Layout(data=8, sharding="zero2", recompute="full")
    assert 36 < estimate_memory(full, NODE, sharded, "bf16").total < 50
    assert fits("A100-SXM-80", 8, full, sharded, "bf16")
    assert not fits("A10", 8, full, sharded, "bf16")


def test_c023_wan_1_3b_answers_on_a_small_card_and_14b_on_a_large_one() -> None:
    """C023: Wan 1.3B needs about 8 GB; 14B one card of 80 GB."""
    for billions, card, least, most in ((1.3, "T4", 4, 12), (14, "A100-SXM-80", 40, 76)):
        model = typical_sample_model(billions * 1e9, kind="video_dit", tokens_per_sample=32_760)
        workload = msgspec.structs.replace(job(None), model=model, task="infer", profile="diffusers")
        memory = estimate_memory(workload, machines(card, 1), Layout(), "fp16")
        assert least < memory.total < most
        assert memory.fits


def test_c004_yolov5x_with_16_images_fits_16_gb() -> None:
    """C004: classic YOLOv5x at 640 pixels fits a V100 16 GB in mixed precision with batch 16, with 32 it does not."""
    workload = job("yolov5x-v6", task="pretrain", profile="ultralytics", optimizer="sgd", image_size=640)
    assert fits("V100-SXM-16", 1, workload, Layout(micro_batch=16), "fp16")
    assert not fits("V100-SXM-16", 1, workload, Layout(micro_batch=32), "fp16")


def test_c005_a_vit_l_with_64_images_fits_32_gb() -> None:
    """C005: ViT-L/16 with 64 images a GPU fits V100 32 GB and not T4 16 GB."""
    workload = job("vit_large_patch16_224", task="pretrain", profile="timm", image_size=224)
    assert fits("V100-SXM-32", 8, workload, Layout(data=8, micro_batch=64), "fp16")
    assert not fits("T4", 1, workload, Layout(micro_batch=64), "fp16")


def test_c007_swin_b_with_64_images_is_the_edge_of_16_gb() -> None:
    """C007: Swin-B with 64 images a GPU is within 16 GB by the estimate, and by the bound with checkpointing."""
    workload = job("swin_base_patch4_window7_224", task="pretrain", profile="timm", image_size=224)
    plain = Layout(data=8, micro_batch=64, accumulation=2)
    memory = estimate_memory(workload, machines("V100-SXM-16", 8), plain, "fp16")
    assert memory.total <= memory.usable
    assert fits("V100-SXM-16", 8, workload, msgspec.structs.replace(plain, recompute="full"), "fp16")


def test_the_same_job_differs_by_framework() -> None:
    """A 7B LoRA job without recomputation differs by more than a half between frameworks."""
    found = [
        total(job("llama-2-7b", method="lora", profile=name, sequence_length=4096), Layout(micro_batch=2), "bf16")
        for name in ("hf_trainer", "litgpt", "torchtune+compile", "unsloth")
    ]
    assert max(found) > 1.5 * min(found)


def test_no_model_needs_no_memory() -> None:
    """Preprocessing and development without a model ask nothing of a GPU."""
    memory = estimate_memory(job(None, task="develop"), NODE, Layout(), "bf16")
    assert (memory.total, memory.bound, memory.fits) == (0, 0, True)


def test_an_estimate_reads_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The layout search calls it thousands of times: once its profile is known it opens nothing."""
    workload = job("llama-2-7b")
    estimate_memory(workload, NODE, Layout(), "bf16")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("opened a file")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    assert estimate_memory(workload, NODE, Layout(), "bf16").total > 0
