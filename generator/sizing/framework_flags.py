"""A layout in the words of each framework: arguments, environment and files that make it run as it was sized."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from generator.sizing.architecture import Transformer
from generator.sizing.estimate import Hardware, Layout
from generator.sizing.sharding_files import deepspeed_config, fsdp_config
from generator.workload import Workload

CONFIG_FOLDER = "/etc/trainform"  # where a node finds the files; the same on every node
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


class Flags(msgspec.Struct, frozen=True, kw_only=True):
    """What to add to the command, to export, to write into CONFIG_FOLDER; `note` says what is left to the script."""

    arguments: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str], ...]
    note: str


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """The four things that every framework's words are made of."""

    workload: Workload
    hardware: Hardware
    layout: Layout
    precision: str

    @property
    def half(self) -> str | None:
        """bf16 or fp16 where the job runs in 16 bits (fp8 keeps bf16 beside it), else None."""
        kind = self.precision.removesuffix("_pure")
        return {"bf16": "bf16", "fp16": "fp16", "fp8": "bf16"}.get(kind)

    @property
    def global_batch(self) -> int:
        """Samples of one optimizer step over all replicas."""
        return self.layout.micro_batch * self.layout.accumulation * self.layout.data


Words = tuple[str, ...]
Files = tuple[tuple[str, str], ...]


def framework_flags(workload: Workload, hardware: Hardware, layout: Layout, precision: str) -> Flags:
    """The layout for the workload's framework profile.

    Every profile also gets TRAINFORM_* variables with the plain numbers, for scripts that take no arguments.
    """
    job = Job(workload=workload, hardware=hardware, layout=layout, precision=precision)
    name = workload.profile.split("+")[0]
    words, files, note = FRAMEWORKS[name](job)
    return Flags(arguments=words, environment=_environment(job, name), files=files, note=note)


def _environment(job: Job, name: str) -> tuple[tuple[str, str], ...]:
    layout = job.layout
    plain = {
        "TRAINFORM_PRECISION": job.precision,
        "TRAINFORM_MICRO_BATCH": layout.micro_batch,
        "TRAINFORM_ACCUMULATION": layout.accumulation,
        "TRAINFORM_GLOBAL_BATCH": job.global_batch,
        "TRAINFORM_TENSOR_PARALLEL": layout.tensor,
        "TRAINFORM_PIPELINE_PARALLEL": layout.pipeline,
        "TRAINFORM_CONTEXT_PARALLEL": layout.context,
        "TRAINFORM_SHARDING": layout.sharding,
        "TRAINFORM_RECOMPUTE": layout.recompute,
    }
    pairs = [(key, str(value)) for key, value in plain.items()]
    if name == "fsdp2":
        pairs += _accelerate(job)
    if name in ("megatron", "megatron_2021", "nemo", "mindspeed") and layout.tensor * layout.context > 1:
        pairs.append(("CUDA_DEVICE_MAX_CONNECTIONS", "1"))  # Megatron orders its collectives by one queue
    if job.workload.task != "infer" and name not in ("mindspeed", "paddle"):
        pairs.append(("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"))
    return tuple(pairs)


def _accelerate(job: Job) -> list[tuple[str, str]]:
    """Variables by which Accelerate turns FSDP2 on without a configuration file."""
    layout = job.layout
    pairs = [("ACCELERATE_MIXED_PRECISION", job.half or "no")]
    if layout.sharding in ("fsdp", "hsdp"):
        pairs += [
            ("ACCELERATE_USE_FSDP", "true"),
            ("FSDP_VERSION", "2"),
            ("FSDP_AUTO_WRAP_POLICY", "TRANSFORMER_BASED_WRAP"),
            ("FSDP_RESHARD_AFTER_FORWARD", "true"),
            ("FSDP_ACTIVATION_CHECKPOINTING", "true" if layout.recompute == "full" else "false"),
            ("FSDP_OFFLOAD_PARAMS", "true" if layout.offload == "all" else "false"),
        ]
    return pairs


def _hf(job: Job) -> tuple[Words, Files, str]:
    """Hugging Face TrainingArguments; DeepSpeed and FSDP by configuration file."""
    layout, workload = job.layout, job.workload
    words = [
        "--per_device_train_batch_size", str(layout.micro_batch),
        "--gradient_accumulation_steps", str(layout.accumulation),
        "--optim", HF_OPTIMIZERS[workload.optimizer],
        "--gradient_checkpointing", "True" if layout.recompute == "full" else "False",
    ]  # fmt: skip
    if job.half:
        words += [f"--{job.half}", "True"]
    if job.precision == "tf32":
        words += ["--tf32", "True"]
    if layout.sharding == "fsdp":
        words += ["--fsdp", "full_shard auto_wrap" + (" offload" if layout.offload == "all" else "")]
        words += ["--fsdp_config", f"{CONFIG_FOLDER}/fsdp.json"]
        return tuple(words), (("fsdp.json", fsdp_config(layout)),), ""
    if layout.sharding.startswith("zero") or layout.offload != "none":
        words += ["--deepspeed", f"{CONFIG_FOLDER}/deepspeed.json"]
        return tuple(words), (("deepspeed.json", deepspeed_config(layout, job.half)),), ""
    return tuple(words), (), ""


def _megatron(job: Job) -> tuple[Words, Files, str]:
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


def _nemo(job: Job) -> tuple[Words, Files, str]:
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


def _torchtitan(job: Job) -> tuple[Words, Files, str]:
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


def _torchtune(job: Job) -> tuple[Words, Files, str]:
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


def _litgpt(job: Job) -> tuple[Words, Files, str]:
    kind = "true" if job.precision.endswith("_pure") else "mixed"
    words = (
        "--train.micro_batch_size", str(job.layout.micro_batch),
        "--train.global_batch_size", str(job.global_batch),
        "--precision", f"{job.half}-{kind}" if job.half else "32-true",
    )  # fmt: skip
    return words, (), ""


def _timm(job: Job) -> tuple[Words, Files, str]:
    layout = job.layout
    words = ["--batch-size", str(layout.micro_batch), "--grad-accum-steps", str(layout.accumulation)]
    if job.half:
        words += ["--amp", "--amp-dtype", "bfloat16" if job.half == "bf16" else "float16"]
    if job.workload.image_size:
        words += ["--img-size", str(job.workload.image_size)]
    if layout.recompute == "full":
        words.append("--grad-checkpointing")
    return (*words, "--channels-last"), (), ""


def _ultralytics(job: Job) -> tuple[Words, Files, str]:
    layout = job.layout
    words = [
        f"batch={layout.micro_batch * layout.data}",  # of all cards together
        f"nbs={job.global_batch}",  # it accumulates up to this
        f"amp={job.half is not None}",
        f"device={','.join(str(card) for card in range(job.hardware.gpus_per_node))}",
    ]
    if job.workload.image_size:
        words.append(f"imgsz={job.workload.image_size}")
    return tuple(words), (), ""


def _detectron2(job: Job) -> tuple[Words, Files, str]:
    words = ("SOLVER.IMS_PER_BATCH", str(job.global_batch), "SOLVER.AMP.ENABLED", str(job.half is not None))
    return words, (), ""


def _mmdetection(job: Job) -> tuple[Words, Files, str]:
    layout = job.layout
    words = ["--amp"] if job.half else []
    words += ["--cfg-options", f"train_dataloader.batch_size={layout.micro_batch}"]
    words.append(f"optim_wrapper.accumulative_counts={layout.accumulation}")
    return tuple(words), (), ""


def _diffusers(job: Job) -> tuple[Words, Files, str]:
    layout = job.layout
    words = ["--train_batch_size", str(layout.micro_batch), "--gradient_accumulation_steps", str(layout.accumulation)]
    words += ["--mixed_precision", job.half or "no"]
    if layout.recompute == "full":
        words.append("--gradient_checkpointing")
    if job.workload.optimizer.endswith("8bit"):
        words.append("--use_8bit_adam")
    files: Files = ()
    if layout.sharding.startswith("zero"):
        files = (("deepspeed.json", deepspeed_config(layout, job.half)),)
    note = "give deepspeed.json to `accelerate launch --deepspeed_config_file`" if files else ""
    return tuple(words), files, note


def _composer(job: Job) -> tuple[Words, Files, str]:
    layout = job.layout
    words = (
        f"device_train_microbatch_size={layout.micro_batch}",
        f"global_train_batch_size={job.global_batch}",
        f"precision={'amp_' + job.half if job.half else 'fp32'}",
        "fsdp_config.sharding_strategy=FULL_SHARD",
        f"fsdp_config.activation_checkpointing={str(layout.recompute == 'full').lower()}",
    )
    return words, (), ""


def _paddle(job: Job) -> tuple[Words, Files, str]:
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


def _vllm(job: Job) -> tuple[Words, Files, str]:
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


def _by_script(job: Job) -> tuple[Words, Files, str]:
    """Frameworks whose entry point is the user's own script or configuration."""
    del job
    return (), (), "the script reads the TRAINFORM_* variables or layout.json"


FRAMEWORKS: dict[str, Callable[[Job], tuple[Words, Files, str]]] = {
    "hf_trainer": _hf,
    "deepspeed": _hf,
    "llama_factory": _hf,
    "unsloth": _hf,
    "fsdp2": _by_script,
    "torchtitan": _torchtitan,
    "torchtune": _torchtune,
    "litgpt": _litgpt,
    "megatron": _megatron,
    "megatron_2021": _megatron,
    "mindspeed": _megatron,
    "nemo": _nemo,
    "internevo": _by_script,
    "composer": _composer,
    "timm": _timm,
    "dle": _by_script,
    "mlperf": _by_script,
    "detectron2": _detectron2,
    "mmdetection": _mmdetection,
    "ultralytics": _ultralytics,
    "diffusers": _diffusers,
    "paddle": _paddle,
    "vllm": _vllm,
    "transformers": _by_script,
}
