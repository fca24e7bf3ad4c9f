"""A layout in the words of its framework: arguments, environment and files that make it run as it was sized."""

from __future__ import annotations

from collections.abc import Callable

from generator.sizing.estimate import Hardware, Layout
from generator.sizing.language_flags import (
    composer,
    hf,
    litgpt,
    megatron,
    nemo,
    paddle,
    torchtitan,
    torchtune,
    vllm,
)
from generator.sizing.sized_job import Files, Flags, Job, Words
from generator.sizing.vision_flags import detectron2, diffusers, mmdetection, timm, ultralytics
from generator.workload import Workload


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


def _by_script(job: Job) -> tuple[Words, Files, str]:
    """Frameworks whose entry point is the user's own script or configuration."""
    del job
    return (), (), "the script reads the TRAINFORM_* variables or layout.json"


FRAMEWORKS: dict[str, Callable[[Job], tuple[Words, Files, str]]] = {
    "hf_trainer": hf,
    "deepspeed": hf,
    "llama_factory": hf,
    "unsloth": hf,
    "fsdp2": _by_script,
    "torchtitan": torchtitan,
    "torchtune": torchtune,
    "litgpt": litgpt,
    "megatron": megatron,
    "megatron_2021": megatron,
    "mindspeed": megatron,
    "nemo": nemo,
    "internevo": _by_script,
    "composer": composer,
    "timm": timm,
    "dle": _by_script,
    "mlperf": _by_script,
    "detectron2": detectron2,
    "mmdetection": mmdetection,
    "ultralytics": ultralytics,
    "diffusers": diffusers,
    "paddle": paddle,
    "vllm": vllm,
    "transformers": _by_script,
}
