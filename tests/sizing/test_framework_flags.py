"""A layout in the words of each framework."""

import json

import pytest

from generator.sizing.estimate import Layout
from generator.sizing.framework_flags import FRAMEWORKS, framework_flags
from generator.sizing.profiles import profile_names
from generator.sizing.sized_job import CONFIG_FOLDER
from tests.sizing.jobs import job, machines

SPLIT = Layout(
    tensor=4,
    pipeline=2,
    data=4,
    sequence_parallel=True,
    sharding="zero1",
    recompute="full",
    micro_batch=2,
    accumulation=8,
)


def words(profile: str, layout: Layout = SPLIT, precision: str = "bf16", **fields: object) -> str:
    workload = job("llama-2-7b", profile=profile, global_batch=64, **fields)
    return " ".join(framework_flags(workload, machines("A100-SXM-80", nodes=4), layout, precision).arguments)


@pytest.mark.parametrize("profile", profile_names())
def test_every_profile_has_words(profile: str) -> None:
    """Each profile of the table has its words, and each gives the plain numbers as variables."""
    assert profile in FRAMEWORKS
    flags = framework_flags(job("llama-2-7b", profile=profile), machines("A100-SXM-80", nodes=4), SPLIT, "bf16")
    variables = dict(flags.environment)
    assert variables["TRAINFORM_MICRO_BATCH"] == "2"
    assert variables["TRAINFORM_ACCUMULATION"] == "8"
    assert variables["TRAINFORM_GLOBAL_BATCH"] == "64"
    assert flags.arguments or flags.note


@pytest.mark.parametrize("profile", profile_names())
def test_files_are_named_where_the_node_finds_them(profile: str) -> None:
    """Every path in the arguments is a file that is written, and every JSON file parses."""
    for sharding in ("none", "zero2", "zero3", "fsdp"):
        layout = Layout(data=8, sharding=sharding, micro_batch=2)  # type: ignore[arg-type]
        flags = framework_flags(job("llama-2-7b", profile=profile), machines("A100-SXM-80"), layout, "bf16")
        named = {word for word in flags.arguments if word.startswith(CONFIG_FOLDER)}
        assert named <= {f"{CONFIG_FOLDER}/{name}" for name, _ in flags.files}
        for _, text in flags.files:
            assert json.loads(text)


def test_megatron_is_told_every_degree() -> None:
    """Tensor, pipeline, sequence parallelism, distributed optimizer, recomputation, batches and precision."""
    said = words("megatron")
    for part in (
        "--tensor-model-parallel-size 4", "--pipeline-model-parallel-size 2", "--sequence-parallel",
        "--micro-batch-size 2", "--global-batch-size 64", "--use-distributed-optimizer",
        "--recompute-granularity full", "--bf16",
    ):  # fmt: skip
        assert part in said
    assert "--account-for" not in said
    uneven = words("megatron", Layout(pipeline=17, data=1, micro_batch=1, accumulation=64))
    assert "--account-for-embedding-in-pipeline-split" in uneven
    assert "--num-layers-per-virtual-pipeline-stage 4" in words(
        "megatron", Layout(pipeline=2, data=16, accumulation=4, interleave=4)
    )


def test_the_trainer_gets_deepspeed_or_fsdp_as_sized() -> None:
    """ZeRO stage, offload and batches in deepspeed.json; FSDP by its own file; precision as a flag."""
    layout = Layout(data=8, sharding="zero3", offload="all", recompute="full", micro_batch=4, accumulation=2)
    flags = framework_flags(job("llama-2-7b"), machines("A100-SXM-80"), layout, "fp16")
    config = json.loads(dict(flags.files)["deepspeed.json"])
    assert config["zero_optimization"]["stage"] == 3
    assert config["zero_optimization"]["offload_param"]["device"] == "cpu"
    assert config["fp16"]["enabled"]
    assert not config["bf16"]["enabled"]
    assert config["train_micro_batch_size_per_gpu"] == 4
    said = " ".join(flags.arguments)
    assert "--per_device_train_batch_size 4 --gradient_accumulation_steps 2" in said
    assert "--gradient_checkpointing True" in said
    assert "--fp16 True" in said
    assert "--fsdp full_shard auto_wrap" in words("hf_trainer", Layout(data=8, sharding="fsdp"))
    assert "--deepspeed" not in words("hf_trainer", Layout(data=8))
    pure = framework_flags(job("llama-2-7b"), machines("A100-SXM-80"), Layout(data=8), "bf16_pure")
    assert "--bf16" not in pure.arguments
    assert "bf16" in pure.note


@pytest.mark.parametrize(
    ("profile", "part"),
    [
        ("torchtitan", "--parallelism.tensor_parallel_degree=4"),
        ("torchtune", "enable_activation_checkpointing=True"),
        ("litgpt", "--train.global_batch_size 64"),
        ("nemo", "trainer.strategy.pipeline_model_parallel_size=2"),
        ("composer", "global_train_batch_size=64"),
        ("paddle", "--sharding stage1"),
        ("timm", "--grad-accum-steps 8"),
        ("detectron2", "SOLVER.IMS_PER_BATCH 64"),
        ("mmdetection", "train_dataloader.batch_size=2"),
        ("diffusers", "--mixed_precision bf16"),
        ("ultralytics", "nbs=64"),
    ],
)
def test_other_frameworks_speak_their_own_words(profile: str, part: str) -> None:
    """The word by which each entry point takes the same layout."""
    assert part in words(profile)


def test_serving_words() -> None:
    """vLLM is told its tensor degree, concurrency, context and quantisation."""
    workload = job("llama-2-13b", task="infer", profile="vllm", context=4096, quantization="int4")
    said = " ".join(framework_flags(workload, machines("A10", 4), Layout(tensor=4, micro_batch=8), "fp16").arguments)
    assert said == "--tensor-parallel-size 4 --max-num-seqs 8 --dtype float16 --max-model-len 4096 --quantization awq"


def test_fsdp2_is_switched_on_by_variables() -> None:
    """Accelerate's variables carry FSDP2, recomputation and precision."""
    layout = Layout(data=8, sharding="fsdp", recompute="full")
    flags = framework_flags(job("llama-2-7b", profile="fsdp2"), machines("A100-SXM-80"), layout, "bf16")
    variables = dict(flags.environment)
    assert variables["FSDP_VERSION"] == "2"
    assert variables["FSDP_ACTIVATION_CHECKPOINTING"] == "true"
    assert variables["ACCELERATE_MIXED_PRECISION"] == "bf16"
