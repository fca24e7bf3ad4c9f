"""Layouts in the words of vision and diffusion frameworks: arguments and files of one sized job."""

from __future__ import annotations

from generator.sizing.sharding_files import deepspeed_config
from generator.sizing.sized_job import Files, Job, Words


def timm(job: Job) -> tuple[Words, Files, str]:
    """Arguments of timm's train.py."""
    layout = job.layout
    words = ["--batch-size", str(layout.micro_batch), "--grad-accum-steps", str(layout.accumulation)]
    if job.half:
        words += ["--amp", "--amp-dtype", "bfloat16" if job.half == "bf16" else "float16"]
    if job.workload.image_size:
        words += ["--img-size", str(job.workload.image_size)]
    if layout.recompute == "full":
        words.append("--grad-checkpointing")
    return (*words, "--channels-last"), (), ""


def ultralytics(job: Job) -> tuple[Words, Files, str]:
    """Settings of `yolo train`."""
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


def detectron2(job: Job) -> tuple[Words, Files, str]:
    """Overrides of a detectron2 configuration."""
    words = ("SOLVER.IMS_PER_BATCH", str(job.global_batch), "SOLVER.AMP.ENABLED", str(job.half is not None))
    return words, (), ""


def mmdetection(job: Job) -> tuple[Words, Files, str]:
    """Arguments of OpenMMLab's tools/train.py."""
    layout = job.layout
    words = ["--amp"] if job.half else []
    words += ["--cfg-options", f"train_dataloader.batch_size={layout.micro_batch}"]
    words.append(f"optim_wrapper.accumulative_counts={layout.accumulation}")
    return tuple(words), (), ""


def diffusers(job: Job) -> tuple[Words, Files, str]:
    """Arguments of the Diffusers training scripts."""
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
