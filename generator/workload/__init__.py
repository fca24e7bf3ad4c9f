"""What has to run, derived from the spec: every default resolved, every unit plain, every guess listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from generator.sizing.architecture import Model

if TYPE_CHECKING:
    from generator.spec import Spec

Task = Literal["pretrain", "finetune", "infer", "preprocess", "develop"]
Method = Literal["full", "lora", "qlora", "ptuning"]
Precision = Literal["fp32", "tf32", "fp16", "bf16", "fp16_pure", "bf16_pure", "fp8"]
Quantization = Literal["none", "int8", "int4", "nf4"]
Optimizer = Literal["adamw", "adamw_8bit", "paged_adamw_8bit", "adafactor", "sgd"]
DataPlace = Literal["auto", "disk", "file_system", "nas", "local", "bucket"]
CheckpointPlace = Literal["bucket", "file_system", "disk", "local"]
SnapshotPlan = Literal["daily", "weekly", "none"]

# Default checkpoint intervals (CONTRACTS section 1): on spot, and on several nodes or in a long run; else each epoch.
SPOT_MINUTES = 20.0
LONG_RUN_MINUTES = 60.0
LONG_RUN_HOURS = 24.0


class Data(msgspec.Struct, frozen=True, kw_only=True):
    """The data set: how big, how many files and samples, where it comes from and where it shall lie."""

    size_gib: float
    files: int | None = None
    samples: int | None = None
    source: str | None = None
    on: DataPlace = "auto"


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """How often the job saves (None: at each epoch's end), where to, and how many are kept."""

    every_minutes: float | None
    to: CheckpointPlace
    keep: int
    existing: str | None = None  # oss://name/prefix that the user already has
    assumed: bool = False  # the interval is our default: `settle_checkpoint` fits it to the chosen nodes and hours


class Interruptible(msgspec.Struct, frozen=True, kw_only=True):
    """The job may be interrupted: nodes that stay on demand, and the most alternate types to list."""

    on_demand_nodes: int = 0
    alternates: int = 2


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What the user allows of the hardware; empty tuples and None mean no limit."""

    gpus: tuple[str, ...] = ()  # canonical accelerator names, aliases expanded
    min_nodes: int = 1
    max_nodes: int = 64
    min_gpus_per_node: int = 1
    max_gpus_per_node: int | None = None
    min_gpu_memory_gib: float | None = None
    max_gpu_memory_gib: float | None = None
    min_vcpus: int | None = None
    min_ram_gib: float | None = None
    spare_nodes: int = 0
    allow: tuple[str, ...] = ()  # instance types that are not orderable but may be used


class Workload(msgspec.Struct, frozen=True, kw_only=True):
    """What has to run. `samples_total` counts sequences (LLM) or images (vision); None when `run_hours` is given."""

    name: str
    task: Task
    model: Model | None  # None: preprocessing and development
    profile: str  # a framework profile of sizing/profiles.py
    toolchain: str | None  # the wheels that run, `pytorch-2.11-cu128`; None: the newest that supports the card
    method: Method = "full"
    lora_rank: int = 16
    precision: Precision | None = None  # None: bf16 where the card has it, else fp16
    quantization: Quantization = "none"
    optimizer: Optimizer = "adamw"
    sequence_length: int | None = None
    image_size: int | None = None
    global_batch: int | None = None
    samples_total: float | None = None
    epochs: float | None = None
    run_hours: float | None = None
    augmentation: Literal["light", "heavy"] | None = None
    cpu_mb_per_s: float = 0.5
    requests_per_second: float | None = None
    latency_ms: float | None = None
    context: int | None = None
    data: Data | None = None
    checkpoint: Checkpoint | None = None
    interruptible: Interruptible | None = None
    limits: Limits = Limits()
    snapshots: SnapshotPlan = "none"
    assumptions: tuple[str, ...] = ()


def derive(spec: Spec) -> Workload:
    """What a spec asks to be run; what it leaves open takes its default, and `assumptions` says which and why."""
    from generator.workload.derivation import derive_workload  # noqa: PLC0415 - sizing needs the types of this module only

    return derive_workload(spec)


def settle_checkpoint(workload: Workload, nodes: int, run_hours: float) -> Workload:
    """The workload with the default checkpoint interval of this many nodes and hours; one that the user gave stays."""
    plan = workload.checkpoint
    if (
        plan is None
        or not plan.assumed
        or plan.every_minutes is not None
        or (nodes <= 1 and run_hours <= LONG_RUN_HOURS)
    ):
        return workload
    return msgspec.structs.replace(workload, checkpoint=msgspec.structs.replace(plan, every_minutes=LONG_RUN_MINUTES))
