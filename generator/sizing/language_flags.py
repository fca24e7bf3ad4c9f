"""Layouts in the words of language-model frameworks: arguments and files of one sized job."""

from __future__ import annotations

from generator.sizing.architecture import Transformer
from generator.sizing.sharding_files import deepspeed_config, fsdp_config
from generator.sizing.sized_job import CONFIG_FOLDER, Files, Job, Words
from generator.sizing.states import PURE

HF_OPTIMIZERS = {
    "adamw": "adamw_torch",
    "adamw_8bit": "adamw_bnb_8bit",
    "paged_adamw_8bit": "paged_adamw_8bit",
    "adafactor": "adafactor",
    "sgd": "sgd",
}
MEGATRON_RECOMPUTE = {
    "none": [],
    "selective": ["--recompute-activations"],
    "full": ["--recompute-granularity", "full", "--recompute-method", "uniform", "--recompute-num-layers", "1"],
}


def hf(job: Job) -> tuple[Words, Files, str]:
    """Hugging Face TrainingArguments; DeepSpeed and FSDP by configuration file."""
    layout, workload = job.layout, job.workload
    words = [
        "--per_device_train_batch_size", str(layout.micro_batch),
        "--gradient_accumulation_steps", str(layout.accumulation),
        "--optim", HF_OPTIMIZERS[workload.optimizer],
        "--gradient_checkpointing", "True" if layout.recompute == "full" else "False",
    ]  # fmt: skip
    note = ""
    if job.precision in PURE:
        note = f"load the model itself in {job.half}: autocast would keep a 32-bit copy"
    elif job.half:
        words += [f"--{job.half}", "True"]
    if job.precision == "tf32":
        words += ["--tf32", "True"]
    if layout.sharding == "fsdp":
        words += ["--fsdp", "full_shard auto_wrap" + (" offload" if layout.offload == "all" else "")]
        words += ["--fsdp_config", f"{CONFIG_FOLDER}/fsdp.json"]
        return tuple(words), (("fsdp.json", fsdp_config(layout)),), note
    if layout.sharding.startswith("zero") or layout.offload != "none":
        words += ["--deepspeed", f"{CONFIG_FOLDER}/deepspeed.json"]
        return tuple(words), (("deepspeed.json", deepspeed_config(layout, job.half)),), note
    return tuple(words), (), note


def megatron(job: Job) -> tuple[Words, Files, str]:
    """Megatron-LM's arguments; MindSpeed-LLM takes the same."""
    layout = job.layout
    words = [
        "--tensor-model-parallel-size", str(layout.tensor),
        "--pipeline-model-parallel-size", str(layout.pipeline),
        "--micro-batch-size", str(layout.micro_batch),
        "--global-batch-size", str(job.global_batch),
    ]  # fmt: skip
    if layout.context > 1:
        words += ["--context-parallel-size", str(layout.context)]
    if layout.expert > 1:
        words += ["--expert-model-parallel-size", str(layout.expert)]
    if layout.sequence_parallel:
        words.append("--sequence-parallel")
    if layout.sharding == "zero1":
        words += ["--use-distributed-optimizer", "--overlap-grad-reduce", "--overlap-param-gather"]
    words += _megatron_stages(job) + MEGATRON_RECOMPUTE[layout.recompute]
    if job.half:
        words.append(f"--{job.half}")
    if job.precision == "fp8":
        words += ["--fp8-format", "hybrid"]
    return tuple(words), (), ""


def _megatron_stages(job: Job) -> list[str]:
    """Which layers a pipeline stage holds, where it is not simply an equal share."""
    layout, model = job.layout, job.workload.model
    if not isinstance(model, Transformer):
        return []
    if model.layers % layout.pipeline:
        return ["--account-for-embedding-in-pipeline-split", "--account-for-loss-in-pipeline-split"]
    if layout.interleave > 1:
        chunk = model.layers // layout.pipeline // layout.interleave
        return ["--num-layers-per-virtual-pipeline-stage", str(chunk)]
    return []


def nemo(job: Job) -> tuple[Words, Files, str]:
    """Overrides of a NeMo 2 recipe."""
    layout = job.layout
    strategy = {
        "tensor_model_parallel_size": layout.tensor,
        "pipeline_model_parallel_size": layout.pipeline,
        "context_parallel_size": layout.context,
        "expert_model_parallel_size": layout.expert,
        "sequence_parallel": layout.sequence_parallel,
    }
    words = [f"trainer.strategy.{key}={value}" for key, value in strategy.items()]
    words += [f"data.micro_batch_size={layout.micro_batch}", f"data.global_batch_size={job.global_batch}"]
    return tuple(words), (), "recomputation and precision plugin stand in the NeMo recipe"


def torchtitan(job: Job) -> tuple[Words, Files, str]:
    """Configuration keys of torchtitan as arguments."""
    layout = job.layout
    replicas = job.hardware.nodes if layout.sharding == "hsdp" else 1
    words = [
        f"--training.local_batch_size={layout.micro_batch}",
        f"--training.global_batch_size={job.global_batch}",
        f"--parallelism.data_parallel_replicate_degree={replicas}",
        f"--parallelism.data_parallel_shard_degree={layout.data // replicas}",
        f"--parallelism.tensor_parallel_degree={layout.tensor}",
        f"--parallelism.pipeline_parallel_degree={layout.pipeline}",
        f"--parallelism.context_parallel_degree={layout.context}",
        f"--parallelism.expert_parallel_degree={layout.expert}",
        f"--activation_checkpoint.mode={layout.recompute}",
    ]
    return tuple(words), (), ""


def torchtune(job: Job) -> tuple[Words, Files, str]:
    """Overrides of a torchtune recipe."""
    layout = job.layout
    words = [
        f"batch_size={layout.micro_batch}",
        f"gradient_accumulation_steps={layout.accumulation}",
        f"enable_activation_checkpointing={layout.recompute == 'full'}",
        f"dtype={job.half or 'fp32'}",
    ]
    if layout.offload == "all":
        words.append("fsdp_cpu_offload=True")
    return tuple(words), (), ""


def litgpt(job: Job) -> tuple[Words, Files, str]:
    """LitGPT's arguments."""
    kind = "true" if job.precision.endswith("_pure") else "mixed"
    words = (
        "--train.micro_batch_size", str(job.layout.micro_batch),
        "--train.global_batch_size", str(job.global_batch),
        "--precision", f"{job.half}-{kind}" if job.half else "32-true",
    )  # fmt: skip
    return words, (), ""


def composer(job: Job) -> tuple[Words, Files, str]:
    """Overrides of an llm-foundry YAML."""
    layout = job.layout
    words = (
        f"device_train_microbatch_size={layout.micro_batch}",
        f"global_train_batch_size={job.global_batch}",
        f"precision={'amp_' + job.half if job.half else 'fp32'}",
        "fsdp_config.sharding_strategy=FULL_SHARD",
        f"fsdp_config.activation_checkpointing={str(layout.recompute == 'full').lower()}",
    )
    return words, (), ""


def paddle(job: Job) -> tuple[Words, Files, str]:
    """PaddleNLP's TrainingArguments."""
    layout = job.layout
    words = [
        "--per_device_train_batch_size", str(layout.micro_batch),
        "--gradient_accumulation_steps", str(layout.accumulation),
        "--tensor_parallel_degree", str(layout.tensor),
        "--pipeline_parallel_degree", str(layout.pipeline),
        "--recompute", "1" if layout.recompute == "full" else "0",
    ]  # fmt: skip
    if layout.sharding.startswith("zero"):
        words += ["--sharding", f"stage{layout.sharding[-1]}"]
    if job.half:
        words += [f"--{job.half}", "True", "--fp16_opt_level", "O2"]
    return tuple(words), (), ""


def vllm(job: Job) -> tuple[Words, Files, str]:
    """`vllm serve` arguments."""
    layout, workload = job.layout, job.workload
    kind = {"bf16": "bfloat16", "fp16": "float16"}.get(job.half or "", "float32")
    words = ["--tensor-parallel-size", str(layout.tensor), "--max-num-seqs", str(layout.micro_batch), "--dtype", kind]
    if workload.context:
        words += ["--max-model-len", str(workload.context)]
    if workload.quantization == "nf4":
        words += ["--quantization", "bitsandbytes"]
    elif workload.quantization == "int4":
        words += ["--quantization", "awq"]
    return tuple(words), (), ""
