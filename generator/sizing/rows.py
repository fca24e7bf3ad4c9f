"""A measured row turned into a job: workload, hardware, layout and precision, or the reason why it cannot be one."""

from __future__ import annotations

import csv
import functools
import math
from pathlib import Path
from typing import Any, Literal

import msgspec

from generator.sizing.accelerators import find_accelerator
from generator.sizing.architecture import Model, Transformer, VisionModel, count_parameters, find_model
from generator.sizing.estimate import Accelerator, Hardware, Layout
from generator.sizing.profiles import find_profile
from generator.sizing.usable_memory import LOWEST_SHARE, usable_gib
from generator.workload import Method, Optimizer, Quantization, Task, Workload

TABLES = Path(__file__).parent

# Host of a published benchmark: sized so that it never limits, as its authors chose it.
VCPUS_PER_GPU = 16
RAM_GIB_PER_GPU = 128.0
# Network of a node whose row names none, by whether it carries NVLink cards.
DEFAULT_NETWORK_GBPS = {True: 1600.0, False: 100.0}

TASKS: dict[str, Task] = {"pretrain": "pretrain", "finetune": "finetune", "train": "pretrain", "inference": "infer"}
# Words of the rows for precision: ours, and the quantisation they bring along.
PRECISIONS: dict[str, tuple[str, Quantization]] = {
    "bf16": ("bf16", "none"), "amp_bf16": ("bf16", "none"), "bf16-true": ("bf16_pure", "none"),
    "fp16": ("fp16", "none"), "amp_fp16": ("fp16", "none"), "fp32": ("fp32", "none"), "tf32": ("tf32", "none"),
    "fp8": ("fp8", "none"), "fp16+gptq_int4": ("fp16", "int4"), "int8": ("bf16", "int8"), "int4": ("bf16", "int4"),
    "bnb.nf4": ("bf16", "nf4"), "bnb.nf4-dq": ("bf16", "nf4"),
}  # fmt: skip
OPTIMIZERS: dict[str, Optimizer] = {
    "adam": "adamw", "adamw": "adamw", "lamb": "adamw", "sgd": "sgd", "sgd_momentum": "sgd", "rmsprop": "sgd",
    "adamw_or_sgd": "sgd", "paged_adamw8bit": "paged_adamw_8bit", "adamw8bit": "adamw_8bit",
}  # fmt: skip
METHODS: dict[str, Method] = {
    "full": "full", "full_amp": "full", "full_pure_bf16": "full", "lora": "lora", "lora_16": "lora", "lora+gc": "lora",
    "qlora": "qlora", "qlora_4": "qlora", "qlora_8": "qlora", "p-tuning v2": "ptuning",
}  # fmt: skip


Reading = Literal["driver", "reserved", "allocated", "resident"]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the shared format; `value` is absent in rows held back, `kind` marks what is no measurement."""

    id: str
    task: str
    metric: str
    unit: str
    workload: dict[str, Any]
    hardware: dict[str, Any]
    source: str
    value: float | None = None
    holdout: bool = False
    bracket: dict[str, int | None] | None = None
    saturated: bool = False
    kind: str | None = None


class RowSource(msgspec.Struct, frozen=True, kw_only=True):
    """What a source measured with: its work (sources of one work stay together), profile, and how it read memory.

    `reading`: driver (all that the driver shows), reserved (without context), allocated (without the allocator's cache),
    resident (weights and cache alone, after the peak).
    """

    source: str
    work: str
    part: Literal["tuned", "held"]
    profile: str
    reading: Reading
    serving_reading: Reading  # of its rows on inference
    optimizer: Optimizer | None = None  # what its notes prove against its rows' word


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What sizing is asked for one row."""

    workload: Workload
    hardware: Hardware
    layout: Layout
    precision: str


def _read(table: str) -> list[dict[str, str]]:
    with (TABLES / table).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@functools.cache
def row_sources() -> dict[str, RowSource]:
    """Every source of rows by its id: the one table from sources to profiles, and the split."""
    rows = ({key: value for key, value in row.items() if value} for row in _read("row_sources.csv"))
    return {row["source"]: msgspec.convert(row, RowSource) for row in rows}


@functools.cache
def _cards() -> dict[str, Accelerator]:
    cards = {}
    for row in _read("row_cards.csv"):
        changes = {key: float(row[key]) for key in tuple(row)[2:-1] if row[key]}
        card = find_accelerator(row["canonical"])
        if card is None:
            raise LookupError(row["canonical"])
        cards[row["gpu"]] = msgspec.structs.replace(card, **changes)
    return cards


@functools.cache
def _fabrics() -> dict[str, tuple[float, bool]]:
    return {row["interconnect"]: (float(row["network_gbps"]), row["rdma"] == "yes") for row in _read("row_fabrics.csv")}


@functools.cache
def _models() -> dict[str, tuple[str, int | None]]:
    rows = _read("row_models.csv")
    return {row["row_model"]: (row["model"], int(row["sequence_length"] or 0) or None) for row in rows}


class Unfit(Exception):
    """The row says too little, or what no spec can say; the text is the reason."""


def row_job(row: Row) -> Job | str:
    """The job that a row measured, or the reason why it cannot be predicted."""
    try:
        return _job(row)
    except Unfit as reason:
        return str(reason)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        return f"cannot read its fields: {error}"


def _job(row: Row) -> Job:
    if row.task not in TASKS:
        raise Unfit(f"measures {row.task!r}, which is no job")
    source = row_sources().get(row.source)
    if source is None:
        raise Unfit(f"source {row.source!r} has no profile in row_sources.csv")
    said = row.workload
    task = TASKS[row.task]
    card = row_card(row.hardware["gpu"])
    model, sequence = row_model(said)
    if isinstance(model, Transformer) and model.encoder_only and row.task == "train":
        task = "finetune"  # benchmarks of encoders fine-tune them on SQuAD unless they say pretraining
    layout = row_layout(row, task, source)
    if task == "infer" and "total" not in row.metric and 2 * model.parameters < card.memory_gib * 2**30:
        layout = msgspec.structs.replace(layout, tensor=1)  # layers are placed on the first card until it is full
    precision, quantization = row_precision(row, card)
    if isinstance(model, Transformer) and sequence is None and task != "infer":
        raise Unfit("its source states no sequence length")
    batch = said.get("global_batch")
    if batch is None:
        batch = layout.micro_batch * layout.data * layout.accumulation
    workload = Workload(
        name=row.id.replace("-", "_"),
        task=task,
        model=model,
        profile=row_profile(source.profile, said, layout, task),
        toolchain=None,
        method=row_method(said),
        lora_rank=said.get("lora_rank", 8),
        precision=None,
        quantization=quantization,
        optimizer=source.optimizer or row_optimizer(said, task),
        sequence_length=int(sequence) if sequence else None,
        image_size=row_image_size(said, model),
        global_batch=int(batch),
        samples_total=row_samples(said),
        context=int(said["context"]) if "context" in said else None if sequence else 1,
    )
    return Job(workload=workload, hardware=row_hardware(row, card), layout=layout, precision=precision)


def row_card(name: str) -> Accelerator:
    """The card a row names; forms the canonical table lacks stand in `row_cards.csv`."""
    card = _cards().get(name) or find_accelerator(name)
    if card is None:
        raise Unfit(f"card {name!r} is not in the table")
    return card


def row_hardware(row: Row, card: Accelerator) -> Hardware:
    """The machines of a row; what it does not say of them does not limit."""
    nodes = int(row.hardware.get("nodes", 1))
    each = max(1, math.ceil(int(row.hardware["count"]) / nodes))
    nvlink = card.nvlink_gbytes_s if each > 1 else 0.0
    network, rdma = _fabrics().get(str(row.hardware.get("interconnect")), (DEFAULT_NETWORK_GBPS[nvlink > 0], True))
    shown = usable_gib(card.name) if row.hardware["gpu"] == card.name else None
    return Hardware(
        gpu=card,
        gpus_per_node=each,
        nodes=nodes,
        vcpus=VCPUS_PER_GPU * each,
        ram_gib=RAM_GIB_PER_GPU * each,
        usable_gib=shown if shown is not None else card.memory_gib * LOWEST_SHARE,
        interconnect="nvlink" if nvlink > 0 else "pcie" if each > 1 else "none",
        nvlink_gbytes_s=nvlink,
        network_gbps=network,
        rdma=rdma and nodes > 1,
        rdma_gbps=network if rdma else 0.0,
    )


def row_model(said: dict[str, Any]) -> tuple[Model, int | None]:
    """The model of a row and the tokens of a sample: by name, or a plain GPT of the stated layers, hidden size and heads."""
    name = str(said["model"]).removeprefix("timm/")
    if "layers" in said and "hidden" in said:
        hidden, heads = int(said["hidden"]), int(said.get("heads", max(1, said["hidden"] // 128)))
        shape = Transformer(
            name=name, parameters=0.0, active_parameters=0.0, hidden=hidden, layers=int(said["layers"]), heads=heads,
            kv_heads=heads, head_dim=hidden // heads, ffn=4 * hidden, vocab=int(said.get("vocab", 51200)),
            tied_embeddings=True, gated_mlp=False, context=int(said.get("seq_len", 2048)),
        )  # fmt: skip
        count = count_parameters(shape)
        return msgspec.structs.replace(shape, parameters=count, active_parameters=count), said.get("seq_len")
    known, usual = _models().get(name, (name, None))
    model = find_model(known)
    if model is None:
        raise Unfit(f"model {name!r} is not in the zoo")
    return model, said.get("seq_len") or said.get("prompt") or usual


def row_method(said: dict[str, Any]) -> Method:
    """How the row trains; what no spec can say is refused."""
    method = str(said.get("method", "full"))
    if method not in METHODS:
        raise Unfit(
            "trains the embeddings beside the adapters, which no spec can say" if method == "lora_emb" else method
        )
    return METHODS[method]


def row_optimizer(said: dict[str, Any], task: Task) -> Optimizer:
    """The optimizer a row names, by its first word; images are trained with SGD where a row names none."""
    words = str(said.get("optimizer") or ("sgd" if "img" in said and task != "finetune" else "adamw"))
    return OPTIMIZERS.get(words.replace("/", "(").split("(")[0].strip(), "adamw")


def row_precision(row: Row, card: Accelerator) -> tuple[str, Quantization]:
    """Precision and quantisation in our words; a submitter's tuned mix counts as FP8 where the card has it."""
    said = row.workload.get("precision")
    quantized: Quantization = "nf4" if str(row.workload.get("quant", "")).startswith("bnb.nf4") else "none"
    if said is None:
        said = "bf16" if card.bf16_tflops else "fp16"
    if str(said).startswith("amp/fp8"):
        language = "llama" in row.workload["model"] or "gpt" in row.workload["model"]
        return ("fp8" if card.fp8_tflops and language else "fp16"), "none"
    if str(said) not in PRECISIONS:
        raise Unfit(f"its source is unsure of the precision: {said!r}")
    precision, quantization = PRECISIONS[str(said)]
    if row.workload.get("method") == "qlora" and quantization == "none":
        return precision, "nf4"
    return precision, quantized if quantized != "none" else quantization


def row_image_size(said: dict[str, Any], model: Model) -> int | None:
    """Pixels a side; sizes given in words are those of the model's table."""
    if isinstance(model, Transformer):
        return None
    size = said.get("img")
    return int(size) if isinstance(size, int) else model.image_size or None


def row_profile(name: str, said: dict[str, Any], layout: Layout, task: Task) -> str:
    """Profile of a row: that of its source, DeepSpeed where ZeRO shards, and the options that the row's words name."""
    if said.get("attention") == "unsloth":
        return "unsloth"
    if name.split("+")[0] in ("hf_trainer", "llama_factory") and layout.sharding.startswith("zero"):
        name = "+".join(("deepspeed", *name.split("+")[1:]))
    name, *stated = name.split("+")
    if task == "infer" and name == "hf_trainer":
        name = "transformers"
    options = []
    if said.get("compile"):
        options.append("compile")
    if said.get("chunked_ce"):
        options.append("chunked_ce")
    elif said.get("packed"):  # torchtune's page on memory starts without its usual loss in chunks
        options.append("whole_ce_compiled" if said.get("compile") else "whole_ce")
    if "optimizer_in_bwd" in str(said.get("optimizer")):
        options.append("optimizer_in_backward")
    if said.get("recompute") == "full+offload":
        options.append("activation_offload")
    if said.get("attention") == "eager":
        options.append("eager_attention")
    if "bnb.nf4" in (said.get("quant"), said.get("precision")):
        options.append("single_quantization")
    return "+".join((name, *options, *stated))


def row_samples(said: dict[str, Any]) -> float | None:
    """Samples of the whole run: tokens over sequence, or billions of samples; None where the row says neither."""
    if "tokens_t" in said and said.get("seq_len"):
        return float(said["tokens_t"]) * 1e12 / float(said["seq_len"])
    return float(said["samples_b"]) * 1e9 if "samples_b" in said else None


def row_layout(row: Row, task: Task, source: RowSource) -> Layout:
    """Degrees, sharding and batch of a row; what is left of its cards is data parallel."""
    said = row.workload
    split = said.get("parallelism") or {}
    count = int(row.hardware["count"])
    tensor, pipeline = int(split.get("tp", 1)), int(split.get("pp", 1))
    context, expert = int(split.get("cp", 1)), int(split.get("ep", 1))
    if task == "infer":
        return Layout(tensor=count, micro_batch=int(said.get("micro_batch", 1)))
    if row.metric.startswith("peak_mem") and "?" in str(said.get("recompute")):
        raise Unfit(f"its source is unsure of the recomputation: {said['recompute']!r}")
    data = max(1, count // (tensor * pipeline * context))
    sharding = row_sharding(split)
    micro = said.get("micro_batch") or said.get("batch_per_dp")
    total = said.get("global_batch") or tokens_batch(said)
    if micro is None and total is None:
        if row.metric.startswith("peak_mem"):
            raise Unfit("its source states no batch")
        total = max(data, find_profile(source.profile).global_batch)  # the usual recipe of its framework
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


def family(model: Model | None, task: Task, method: Method, card: Accelerator | None) -> str:
    """The family that accuracy is stated for: by the card's maker, then by model, task and method."""
    if card is not None and card.vendor != "nvidia":
        return card.vendor
    if model is None:
        return "no model"
    if isinstance(model, VisionModel):
        kinds = {"timm": "image classification", "yolo": "detection", "detection": "detection"}
        return kinds.get(model.family, model.family)
    if model.encoder_only:
        return "encoder"
    if task == "infer":
        return "llm inference"
    if task == "pretrain":
        return "llm pretraining"
    return {"full": "llm full fine-tuning", "qlora": "llm qlora"}.get(method, "llm lora")
