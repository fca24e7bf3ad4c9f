"""Model architectures: transformers by their config, vision and other models by measured tables."""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from generator.errors import InputError, Problem

TABLES = Path(__file__).parent
TRANSFORMER_TABLES = ("llm_zoo.csv", "more_llms.csv")
SAMPLE_TABLES = ("vision_zoo.csv", "other_zoo.csv", "more_samples.csv")


class Transformer(msgspec.Struct, frozen=True, kw_only=True, tag="transformer"):
    """A transformer by its shape. Parameter counts in units; MoE and MLA fields are None for dense models."""

    name: str
    parameters: float
    active_parameters: float  # = parameters for dense models
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    tied_embeddings: bool
    gated_mlp: bool
    context: int
    encoder_only: bool = False
    encoder_layers: int = 0  # encoder-decoder models: layers counts the decoder's
    experts: int | None = None
    experts_per_token: int | None = None
    expert_ffn: int | None = None
    shared_experts: int | None = None
    dense_layers: int | None = None  # leading layers without experts
    kv_lora_rank: int | None = None  # MLA
    rope_head_dim: int | None = None
    q_lora_rank: int | None = None
    assumed: str | None = None  # what was guessed, for `{parameters: 7B}`


class VisionModel(msgspec.Struct, frozen=True, kw_only=True, tag="vision"):
    """A CNN, ViT, detector, U-Net or DiT by saved bytes and FLOPs a sample at `image_size` (pixels, both sides)."""

    name: str
    family: str  # timm | yolo | detection | segmentation | vit | diffusion | video | other
    parameters: float
    image_size: int
    forward_gflops: float  # one sample, multiply-adds counted twice
    saved_mb_fp32: float | None = None  # saved for backward, one sample
    saved_mb_amp: float | None = None
    constant_mb_fp32: float
    constant_mb_amp: float
    tokens_per_sample: int | None = None
    assigner: Literal["none", "batch", "image"] = "none"  # how a detector assigns its targets
    assumed: str | None = None


Model = Transformer | VisionModel
AnyModel = TypeVar("AnyModel", Transformer, VisionModel)

SAMPLE_KINDS = ("video_dit", "image_dit", "unet2d", "unet3d")


def model_names() -> tuple[str, ...]:
    """Names of every model of the zoo, transformers first, as the tables order them."""
    return tuple(row["name"] for table in (*TRANSFORMER_TABLES, *SAMPLE_TABLES) for row in _rows(table))


def suggest_models(name: str) -> tuple[str, ...]:
    """Up to three names of the zoo near to an unknown one, nearest first."""
    import difflib  # noqa: PLC0415 (only for a message)

    known = {_key(known): known for known in model_names()}
    return tuple(known[key] for key in difflib.get_close_matches(_key(name), known, n=3, cutoff=0.5))


@functools.cache
def find_model(name: str) -> Model | None:
    """The model of this name or alias (case does not matter), or None; reads no further than its row."""
    wanted = _aliases().get(_key(name), _key(name))
    for table in TRANSFORMER_TABLES:
        for row in _rows(table):
            if _key(row["name"]) == wanted:
                return _model(row, Transformer)
    for table in SAMPLE_TABLES:
        for row in _rows(table):
            if _key(row["name"]) == wanted:
                return _model(row, VisionModel)
    return None


def _key(name: str) -> str:
    return name.strip().casefold()


def _rows(table: str) -> Iterator[dict[str, str]]:
    with (TABLES / table).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


@functools.cache
def _aliases() -> dict[str, str]:
    return {_key(row["alias"]): _key(row["model"]) for row in _rows("model_aliases.csv")}


def _model(row: dict[str, str], kind: type[AnyModel]) -> AnyModel:
    values: dict[str, Any] = {
        key: {"yes": True, "no": False}.get(value, value) for key, value in row.items() if value != ""
    }
    return msgspec.convert(values, kind, strict=False)


def attention_parameters(shape: Transformer) -> float:
    """Weights of one layer's attention: h H d + 2 h KV d + H d h; MLA by its low-rank projections (arXiv 2405.04434).

    h hidden, H heads, KV key-value heads, d head dimension; MLA: d = nope + rope, values have d - rope.
    """
    hidden, width = shape.hidden, shape.heads * shape.head_dim
    if shape.kv_lora_rank is None:
        return 2 * hidden * width + 2 * hidden * shape.kv_heads * shape.head_dim
    rope = shape.rope_head_dim or 0
    value = shape.heads * (shape.head_dim - rope)
    rank = shape.q_lora_rank
    query = hidden * width if rank is None else hidden * rank + rank * width
    latent = hidden * (shape.kv_lora_rank + rope) + shape.kv_lora_rank * 2 * value
    return query + latent + value * hidden


def mlp_parameters(shape: Transformer, ffn: int) -> float:
    """Weights of one feed-forward block of width `ffn`: three matrices when gated, else two."""
    return (3 if shape.gated_mlp else 2) * shape.hidden * ffn


def expert_parameters(shape: Transformer) -> float:
    """Weights of all routed experts of one layer; 0 for dense models."""
    return (shape.experts or 0) * mlp_parameters(shape, shape.expert_ffn or 0)


def embedding_parameters(shape: Transformer) -> float:
    """Weights of one embedding matrix, V h; models with an untied head hold two."""
    return shape.vocab * shape.hidden


def count_parameters(shape: Transformer) -> float:
    """All parameters by the closed form: layers, embeddings, head, norms; within 1 % of what makers publish.

    Biases and learned positions (under 0.7 %) are counted for models whose MLP is not gated.
    """
    dense = attention_parameters(shape) + mlp_parameters(shape, shape.ffn) + 2 * shape.hidden
    if not shape.gated_mlp:
        dense += 6 * shape.hidden + shape.ffn
    layers = shape.layers * dense
    if shape.experts:
        first = shape.dense_layers or 0
        sparse = attention_parameters(shape) + expert_parameters(shape) + shape.experts * shape.hidden
        sparse += mlp_parameters(shape, (shape.shared_experts or 0) * (shape.expert_ffn or 0)) + 2 * shape.hidden
        layers = first * dense + (shape.layers - first) * sparse
    encoder = shape.encoder_layers * dense
    cross = shape.layers * attention_parameters(shape) if shape.encoder_layers else 0.0
    positions = (shape.context + shape.hidden) * shape.hidden if shape.encoder_only else 0  # and the pooler
    tables = 1 if shape.tied_embeddings else 2
    return layers + encoder + cross + tables * embedding_parameters(shape) + positions + shape.hidden


def count_active_parameters(shape: Transformer) -> float:
    """Parameters that one token passes: all of a dense model, of a mixture only the routed share of the experts."""
    if not shape.experts:
        return count_parameters(shape)
    idle = 1 - (shape.experts_per_token or 0) / shape.experts
    return count_parameters(shape) - idle * (shape.layers - (shape.dense_layers or 0)) * expert_parameters(shape)


def read_config(path: Path) -> Model:
    """The model that a Hugging Face `config.json` describes; InputError names each missing or absurd field."""
    from generator.sizing.config_json import parse_config  # noqa: PLC0415 (only specs that give a file pay for it)

    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(Problem(message=f"cannot read {str(path)!r}: {error.strerror}")) from None
    return parse_config(data, str(path))


def typical_transformer(
    parameters: float,
    *,
    layers: int | None = None,
    hidden: int | None = None,
    heads: int | None = None,
    kv_heads: int | None = None,
    ffn: int | None = None,
    vocab: int | None = None,
    context: int | None = None,
) -> Transformer:
    """A decoder of this many parameters in the shape that published ones have; `assumed` says what was not given.

    Hidden size is 128 x layers (7B: 4096 x 32, 65B: 8192 x 80), head dimension 128, gated MLP of 8/3 h, 32,000 tokens.
    """
    faults = [
        Problem(message=f"{name} is {value}, which no model has", hint=f"give {name} between 1 and {most:,}")
        for name, value, most in (
            ("parameters", parameters, 10**14), ("layers", layers, 2000), ("hidden", hidden, 10**6),
            ("heads", heads, 10**4), ("kv_heads", kv_heads, 10**4), ("ffn", ffn, 10**7), ("vocab", vocab, 10**8),
            ("context", context, 10**8),
        )
        if value is not None and not 1 <= value <= most
    ]  # fmt: skip
    if faults:
        raise InputError(*faults)
    if hidden is None:
        ideal = (parameters / (12 * layers)) ** 0.5 if layers else (parameters * 128 / 12) ** (1 / 3)
        step = heads or (1024 if ideal > 6000 else 512 if ideal > 1500 else 128)  # heads then divide by 8, 4 or 1
        hidden = max(step, round(ideal / step) * step)
    heads = heads or max(1, hidden // 128)
    if hidden % heads:
        raise InputError(
            Problem(message=f"hidden {hidden} does not divide by heads {heads}", hint="give heads that divide hidden")
        )
    if kv_heads is not None and heads % kv_heads:
        raise InputError(
            Problem(
                message=f"heads {heads} does not divide by kv_heads {kv_heads}", hint="give kv_heads that divide heads"
            )
        )
    vocab = vocab or 32000
    if ffn is None:
        ffn = max(1, round(hidden * 8 / 3 / 256)) * 256
    shape = Transformer(
        name=f"{parameters / 1e9:g}B transformer", parameters=parameters, active_parameters=parameters, hidden=hidden,
        layers=layers or 1, heads=heads, kv_heads=kv_heads or heads, head_dim=hidden // heads, ffn=ffn, vocab=vocab,
        tied_embeddings=2 * vocab * hidden > 0.4 * parameters, gated_mlp=True, context=context or 4096,
    )  # fmt: skip
    if layers is None:
        rest = parameters - (1 if shape.tied_embeddings else 2) * embedding_parameters(shape)
        one = attention_parameters(shape) + mlp_parameters(shape, ffn)
        layers = max(1, round(rest / one))
    said = f"assumed shape for {parameters / 1e9:g}B parameters: {layers} layers, hidden {hidden}, {heads} heads, "
    said += f"{kv_heads or heads} key-value heads, MLP {ffn}, vocabulary {vocab}"
    return msgspec.structs.replace(shape, layers=layers, assumed=said)


def typical_sample_model(
    parameters: float, *, kind: str, tokens_per_sample: int | None = None, image_size: int | None = None
) -> VisionModel:
    """A diffusion model of this many parameters, by its kind: FLOPs and saved bytes a sample, said to be assumed.

    `*_dit`: 2 P FLOPs a token, and 34 h bytes a token and layer (arXiv 2205.05198), layers = h / 96. `unet*`: FLOPs and
    saved bytes a parameter as the Stable Diffusion 1.5 U-Net has (0.79 GFLOP and 1.45 MB a million), times the frames.
    """
    if kind not in SAMPLE_KINDS:
        raise InputError(Problem(message=f"unknown kind {kind!r}", hint=f"one of {', '.join(SAMPLE_KINDS)}"))
    if not 1 <= parameters <= 10**14:
        raise InputError(Problem(message=f"parameters is {parameters}, which no model has"))
    if tokens_per_sample is not None and not 1 <= tokens_per_sample <= 10**9:
        raise InputError(Problem(message=f"tokens_per_sample is {tokens_per_sample}, which no sample has"))
    tokens = tokens_per_sample or {"video_dit": 17_550, "unet3d": 16}.get(kind, 4096)
    if kind.endswith("dit"):
        hidden = (parameters * 96 / 12) ** (1 / 3)
        gflops = 2 * parameters * tokens / 1e9
        saved_mb = tokens * 34 * hidden * hidden / 96 / 1e6
    else:
        frames = tokens if kind == "unet3d" else 1
        gflops = 0.788e-6 * parameters * frames
        saved_mb = 1.449e-6 * parameters * frames
    what = "tokens" if kind.endswith("dit") else "frames"
    return VisionModel(
        name=f"{parameters / 1e9:g}B {kind}", family="video" if kind in ("video_dit", "unet3d") else "diffusion",
        parameters=parameters, image_size=image_size or 0, forward_gflops=gflops, saved_mb_fp32=2 * saved_mb,
        saved_mb_amp=saved_mb, constant_mb_fp32=0.0, constant_mb_amp=2 * parameters / 1e6, tokens_per_sample=tokens,
        assumed=f"assumed shape for a {kind} of {parameters / 1e9:g}B parameters: {tokens} {what} a sample, "
        f"{saved_mb:.0f} MB saved a sample",
    )  # fmt: skip
