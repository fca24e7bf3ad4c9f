"""How the job of a measured row was spread, and the batch it took."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from generator.sizing.architecture import Model, Transformer
from generator.sizing.estimate import Hardware, Layout
from generator.sizing.profiles import find_profile
from generator.sizing.row_format import Row, RowSource, UnusableRowError
from generator.workload import Task, Workload

# Micro-batch of images, and tokens of a step, where a published run states neither batch nor layout.
IMAGES_PER_GPU = 64
TOKENS_PER_STEP = 4e6


def row_layout(row: Row, task: Task, source: RowSource, model: Model) -> Layout:
    """Degrees, sharding and batch of a row; what is left of its cards is data parallel."""
    said = row.workload
    split = said.get("parallelism") or {}
    count = int(row.hardware["count"])
    tensor, pipeline = int(split.get("tp", 1)), int(split.get("pp", 1))
    context, expert = int(split.get("cp", 1)), int(split.get("ep", 1))
    if task == "infer":
        return Layout(tensor=count, micro_batch=int(said.get("micro_batch", 1)))
    if row.metric.startswith("peak_mem") and "?" in str(said.get("recompute")):
        raise UnusableRowError(f"its source is unsure of the recomputation: {said['recompute']!r}")
    data = max(1, count // (tensor * pipeline * context))
    sharding = row_sharding(split)
    micro = said.get("micro_batch") or said.get("batch_per_dp")
    total = said.get("global_batch") or tokens_batch(said)
    if micro is None and total is None:
        if row.metric.startswith("peak_mem"):
            raise UnusableRowError("its source states no batch")
        if model.encoder_only if isinstance(model, Transformer) else True:
            micro = IMAGES_PER_GPU
        total = max(data * (micro or 1), find_profile(source.profile).global_batch)  # its framework's usual recipe
    micro = int(micro) if micro is not None else 1
    accumulation = int(said.get("grad_accum") or 0) or max(1, round(total / (micro * data)) if total else 1)
    if pipeline > 1 and total is None and accumulation == 1:
        micro, accumulation = pipeline_batches(micro, pipeline)
    return Layout(
        tensor=tensor,
        pipeline=pipeline,
        data=data,
        context=context,
        expert=expert,
        sequence_parallel=bool(split.get("sp", tensor > 1)),
        sharding=sharding,
        recompute=row_recompute(said),
        micro_batch=micro,
        accumulation=accumulation,
        interleave=2 if split.get("schedule") == "interleaved" else 1,
    )


def pipeline_batches(local_batch: int, stages: int) -> tuple[int, int]:
    """A stated local batch under a pipeline, cut into micro-batches of which there is one for each stage."""
    pieces = min(local_batch, stages)
    return max(1, local_batch // pieces), pieces


def tokens_batch(said: dict[str, Any]) -> float | None:
    """Sequences of an optimizer step where a row states its tokens."""
    if "tokens_per_iter" in said and said.get("seq_len"):
        return float(said["tokens_per_iter"]) / float(said["seq_len"])
    return None


def row_sharding(split: dict[str, Any]) -> Literal["none", "zero1", "zero2", "zero3", "fsdp", "hsdp"]:
    """Sharding in our words: FSDP degrees above one (or a strategy's name), else the ZeRO stage."""
    fsdp = split.get("fsdp")
    if fsdp == "shard_grad_op":
        return "zero2"
    if isinstance(fsdp, str) or (fsdp is not None and int(fsdp) > 1):
        return "fsdp"
    stage = int(split.get("zero", 0))
    kinds: tuple[Literal["none", "zero1", "zero2", "zero3"], ...] = ("none", "zero1", "zero2", "zero3")
    return kinds[stage]


def row_recompute(said: dict[str, Any]) -> Literal["none", "selective", "full"]:
    """Recomputation in our words; none where a row says nothing."""
    word = str(said.get("recompute") or "none")
    if word.startswith("full") or str(said.get("method")) == "lora+gc":
        return "full"
    return "selective" if word.startswith("selective") else "none"


def layout_unsaid(said: dict[str, Any]) -> bool:
    """True for published runs that state neither how they were spread nor any batch."""
    return not any(
        said.get(key) for key in ("parallelism", "micro_batch", "batch_per_dp", "global_batch", "tokens_per_iter")
    )


def batch_unsaid(row: Row) -> bool:
    """True for speeds of runs that state their split but no micro-batch: authors take the largest that fits."""
    return not row.metric.startswith("peak_mem") and not any(
        row.workload.get(key) for key in ("micro_batch", "batch_per_dp", "grad_accum")
    )


def usual_layout(workload: Workload, hardware: Hardware, precision: str) -> tuple[Workload, Layout]:
    """The layout that our own search takes for a run of 4 million tokens a step on these cards."""
    from generator.sizing.layout_search import search  # noqa: PLC0415 (few rows need it)

    cards = hardware.gpus_per_node * hardware.nodes
    sequences = TOKENS_PER_STEP / (workload.sequence_length or 1)
    asked = msgspec.structs.replace(workload, global_batch=cards * max(1, round(sequences / cards)))
    found = search(asked, hardware, precision)
    choice = found.fitting[0] if found.fitting else found.nearest
    if choice is None:
        raise UnusableRowError("states no layout, and none is legal on its cards")
    return asked, choice.layout
