"""A measured row turned into a job: workload, hardware, layout and precision, or the reason why it cannot be one."""

from __future__ import annotations

import functools
from typing import Any

import msgspec

from generator.sizing.architecture import Model, Transformer, count_parameters, find_model
from generator.sizing.estimate import Accelerator, Hardware, Layout
from generator.sizing.layout_search import fill_card
from generator.sizing.row_format import Row, UnusableRowError, read_table, row_source
from generator.sizing.row_hardware import row_card, row_hardware
from generator.sizing.row_layout import batch_unsaid, layout_unsaid, row_layout, usual_layout
from generator.workload import Method, Optimizer, Quantization, Task, Workload

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


class MeasuredJob(msgspec.Struct, frozen=True, kw_only=True):
    """What sizing is asked for one row."""

    workload: Workload
    hardware: Hardware
    layout: Layout
    precision: str


def logged_per_card(row: Row) -> bool:
    """True for rows whose log counts samples of one card although they ran on several."""
    name = str(row.workload.get("model"))
    return any(line["row_model"] == name and line["rate_per_card"] == "yes" for line in read_table("row_models.csv"))


@functools.cache
def _models() -> dict[str, tuple[str, int | None]]:
    rows = read_table("row_models.csv")
    return {row["row_model"]: (row["model"], int(row["sequence_length"] or 0) or None) for row in rows}


def row_job(row: Row) -> MeasuredJob | str:
    """The job that a row measured, or the reason why it cannot be predicted."""
    try:
        return _job(row)
    except UnusableRowError as reason:
        return str(reason)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        return f"cannot read its fields: {error}"


def _job(row: Row) -> MeasuredJob:
    if row.task not in TASKS:
        raise UnusableRowError(f"measures {row.task!r}, which is no job")
    source = row_source(row)
    said = row.workload
    task = TASKS[row.task]
    card = row_card(str(row.hardware["gpu"]), int(row.hardware["count"]))
    model, sequence = row_model(said)
    if isinstance(model, Transformer) and model.encoder_only and row.task == "train":
        task = "finetune"  # benchmarks of encoders fine-tune them on SQuAD unless they say pretraining
    layout = row_layout(row, task, source, model)
    if task == "infer" and "total" not in row.metric and 2 * model.parameters < card.memory_gib * 2**30:
        layout = msgspec.structs.replace(layout, tensor=1)  # layers are placed on the first card until it is full
    precision, quantization = row_precision(row, card)
    if isinstance(model, Transformer) and sequence is None and task != "infer":
        raise UnusableRowError("its source states no sequence length")
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
    hardware = row_hardware(row, card)
    if isinstance(model, Transformer) and task == "pretrain" and layout_unsaid(said):
        workload, layout = usual_layout(workload, hardware, precision)
    elif task != "infer" and isinstance(model, Transformer) and batch_unsaid(row):
        layout = fill_card(workload, hardware, precision, layout)
    return MeasuredJob(workload=workload, hardware=hardware, layout=layout, precision=precision)


def row_model(said: dict[str, Any]) -> tuple[Model, int | None]:
    """The model of a row and the tokens of a sample: by name, or a plain GPT of the stated layers and hidden size."""
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
        raise UnusableRowError(f"model {name!r} is not in the zoo")
    return model, said.get("seq_len") or said.get("prompt") or usual


def row_method(said: dict[str, Any]) -> Method:
    """How the row trains; what no spec can say is refused."""
    method = str(said.get("method", "full"))
    if method not in METHODS:
        raise UnusableRowError(
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
        raise UnusableRowError(f"its source is unsure of the precision: {said!r}")
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
    if name.split("+", maxsplit=1)[0] in ("hf_trainer", "llama_factory") and layout.sharding.startswith("zero"):
        name = "+".join(("deepspeed", *name.split("+")[1:]))
    name, *stated = name.split("+")
    if task == "infer" and name == "hf_trainer":
        name = "transformers"
    loss = "chunked_ce" if said.get("chunked_ce") else None
    if said.get("packed") and loss is None:  # torchtune's page on memory starts without its usual loss in chunks
        loss = "whole_ce_compiled" if said.get("compile") else "whole_ce"
    eager = said.get("attention") == "eager" or (name == "dle" and task == "finetune")  # SQuAD scripts of NVIDIA
    spoken = {
        "compile": said.get("compile"),
        loss: loss,
        "optimizer_in_backward": "optimizer_in_bwd" in str(said.get("optimizer")),
        "activation_offload": said.get("recompute") == "full+offload",
        "eager_attention": eager,
        "single_quantization": "bnb.nf4" in (said.get("quant"), said.get("precision")),
    }
    options = [option for option, given in spoken.items() if option and given]
    return "+".join((name, *options, *stated))


def row_samples(said: dict[str, Any]) -> float | None:
    """Samples of the whole run: tokens over sequence, or billions of samples; None where the row says neither."""
    if "tokens_t" in said and said.get("seq_len"):
        return float(said["tokens_t"]) * 1e12 / float(said["seq_len"])
    return float(said["samples_b"]) * 1e9 if "samples_b" in said else None
