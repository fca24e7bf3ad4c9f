"""The vocabulary of sizing: hardware in, layout, memory, time and storage need out. GiB = 2**30 B, GB = 1e9 B."""

from __future__ import annotations

from typing import Literal

import msgspec


class Accelerator(msgspec.Struct, frozen=True, kw_only=True):
    """A card as its maker describes it: dense TFLOPS by type (None: the card cannot), GB/s, nominal memory."""

    name: str
    vendor: Literal["nvidia", "ascend", "kunlun"]
    arch: str
    memory_gib: float
    bandwidth_gbytes_s: float
    fp32_tflops: float | None
    tf32_tflops: float | None
    fp16_tflops: float | None
    bf16_tflops: float | None
    fp8_tflops: float | None
    int8_tops: float | None
    nvlink_gbytes_s: float
    compute_capability: str | None
    tdp_w: int | None
    confidence: str
    note: str | None
    source: str = ""


class Hardware(msgspec.Struct, frozen=True, kw_only=True):
    """A distinct shape: `nodes` equal nodes. `fraction` of the card for a vGPU slice. Cards None: CPU nodes."""

    gpu: Accelerator | None
    gpus_per_node: int
    nodes: int
    vcpus: int
    ram_gib: float
    usable_gib: float  # what the driver shows, one card or slice
    interconnect: Literal["nvlink", "pcie", "none"]
    nvlink_gbytes_s: float
    network_gbps: float
    rdma: bool
    rdma_gbps: float
    local_nvme_gib: float = 0.0
    fraction: float = 1.0


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """How the job is spread: tensor x pipeline x data x context is the number of GPUs, expert divides data."""

    tensor: int = 1
    pipeline: int = 1
    data: int = 1
    context: int = 1
    expert: int = 1
    sequence_parallel: bool = False
    sharding: Literal["none", "zero1", "zero2", "zero3", "fsdp", "hsdp"] = "none"
    recompute: Literal["none", "selective", "full"] = "none"
    offload: Literal["none", "optimizer", "all"] = "none"
    micro_batch: int = 1
    accumulation: int = 1
    interleave: int = 1  # model chunks a pipeline stage holds: 1 is plain 1F1B


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """Peak memory of the most loaded GPU by part, GiB: `total` is their sum, `bound` holds 95 times in 100."""

    weights: float
    gradients: float
    optimizer: float
    activations: float
    logits: float
    overhead: float
    kv_cache: float = 0.0
    total: float
    bound: float
    usable: float
    host_ram_gib: float = 0.0  # what offload needs on the node

    @property
    def fits(self) -> bool:
        """True when the bound, not the central estimate, is within what the driver shows."""
        return self.bound <= self.usable


class Time(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds of one optimizer step by part (exposed shares that add up to `step_s`), and hours with their interval."""

    compute_s: float
    communication_s: float
    bubble_s: float
    data_s: float
    checkpoint_s: float
    step_s: float
    run_hours: float
    low_hours: float
    high_hours: float
    exposed_ratio: float  # exposed communication / compute
    failure_hours: float = 0.0  # allowance for failures, shown apart, within run_hours
    rework_hours: float = 0.0  # expected rework on spot, within run_hours
    startup_hours: float = 0.0  # boot, image, data and weights before the first step, within run_hours
    requests_per_s: float = 0.0  # inference: of all nodes
    latency_ms: float = 0.0  # inference: one whole request


class StorageNeed(msgspec.Struct, frozen=True, kw_only=True):
    """What the job asks of storage: reading, and checkpoints written within their interval."""

    read_mbps: float
    files_per_s: float
    data_gib: float
    checkpoint_gib: float  # one checkpoint, with optimizer
    weights_gib: float  # weights alone
    checkpoint_write_s: float  # at `checkpoint_mbps`
    checkpoint_mbps: float
    kept_gib: float  # all checkpoints kept


class Accuracy(msgspec.Struct, frozen=True, kw_only=True):
    """How sure we are for this family: measured rows behind it and mean error; rows 0 means not validated."""

    family: str
    rows: int
    error: float | None
    time_rows: int = 0
    time_error: float | None = None


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """Another legal layout on the same hardware and why it is not the first."""

    layout: Layout
    memory: Memory
    time: Time
    note: str


class WouldFit(msgspec.Struct, frozen=True, kw_only=True):
    """A change that would make the job fit, and what it costs in time."""

    change: str
    cost_percent: float


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """The best layout on one hardware shape, or the nearest one with `reason` when none is legal and fits.

    `reason` is None when it fits, else a code of selection: precision, framework, cpu, ram, fabric, layout, memory.
    """

    hardware: Hardware
    precision: str | None
    layout: Layout | None
    memory: Memory | None
    time: Time | None
    storage: StorageNeed
    fits: bool
    reason: str | None
    message: str
    alternatives: tuple[Alternative, ...] = ()
    would_fit: tuple[WouldFit, ...] = ()
    assumptions: tuple[str, ...] = ()
    accuracy: Accuracy | None = None
