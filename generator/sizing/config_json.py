"""Hugging Face `config.json` files: which field of which model family says what, and what a file may not say."""

from __future__ import annotations

import csv
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from generator.errors import InputError, Place, Problem
from generator.sizing.architecture import (
    Model,
    Transformer,
    VisionModel,
    count_active_parameters,
    count_parameters,
)

TABLE = Path(__file__).with_name("config_types.csv")

# What we need, by the names families give it, and the largest value that any model has.
FIELDS: dict[str, tuple[tuple[str, ...], int]] = {
    "hidden": (("hidden_size", "n_embd", "d_model", "dim"), 10**6),
    "layers": (("num_hidden_layers", "n_layer", "num_layers", "n_layers"), 2000),
    "heads": (("num_attention_heads", "n_head", "num_heads", "n_heads"), 10**4),
    "kv_heads": (("num_key_value_heads", "num_kv_heads", "multi_query_group_num", "kv_n_heads"), 10**4),
    "head_dim": (("head_dim", "kv_channels", "d_kv"), 10**4),
    "ffn": (("intermediate_size", "ffn_hidden_size", "n_inner", "d_ff", "ffn_dim", "hidden_dim"), 10**7),
    "vocab": (("vocab_size", "padded_vocab_size"), 10**8),
    "context": (("max_position_embeddings", "n_positions", "seq_length", "n_ctx", "max_seq_len"), 10**9),
    "experts": (("num_local_experts", "num_experts", "n_routed_experts"), 10**5),
    "experts_per_token": (("num_experts_per_tok", "experts_per_token"), 10**4),
    "expert_ffn": (("moe_intermediate_size",), 10**7),
    "shared_experts": (("n_shared_experts",), 10**4),
    "shared_ffn": (("shared_expert_intermediate_size",), 10**7),
    "dense_layers": (("first_k_dense_replace",), 2000),
    "kv_lora_rank": (("kv_lora_rank",), 10**5),
    "q_lora_rank": (("q_lora_rank",), 10**5),
    "rope_head_dim": (("qk_rope_head_dim",), 10**4),
    "nope_head_dim": (("qk_nope_head_dim",), 10**4),
    "decoder_layers": (("num_decoder_layers",), 2000),
    "image_size": (("image_size",), 10**5),
    "patch_size": (("patch_size",), 10**4),
    "embed_dim": (("embed_dim",), 10**5),
    "window_size": (("window_size",), 10**4),
}  # fmt: skip
MAY_BE_ZERO = ("dense_layers", "shared_experts", "shared_ffn")
CLASSES = 1000
# Saved bytes a token and layer, mixed precision: per unit of hidden size, per head and pair of tokens (ViT-B, Swin-B).
VISION_SAVED_BYTES = 34.0
VISION_SCORE_BYTES = 7.0


@functools.cache
def config_types() -> dict[str, dict[str, str]]:
    """Known values of `model_type`: what kind of model, whether its MLP is gated and its embeddings tied."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {row["model_type"]: row for row in csv.DictReader(file)}


class Reader:
    """The fields of one file; collects a Problem with its place for each that is absent or absurd."""

    def __init__(self, config: dict[str, Any], text: str, file: str) -> None:
        self.config, self.text, self.file = config, text, file
        self.problems: list[Problem] = []

    def place(self, key: str | None) -> Place:
        """Where a key stands in the file; the whole file for one that is absent."""
        offset = self.text.find(f'"{key}"') if key else -1
        if offset < 0:
            return Place(file=self.file)
        line = self.text.count("\n", 0, offset)
        start = self.text.rfind("\n", 0, offset) + 1
        shown = self.text[start:].split("\n", 1)[0]
        return Place(file=self.file, line=line + 1, column=offset - start + 1, text=shown[:200])

    def fault(self, key: str | None, message: str, hint: str) -> None:
        """Note one fault."""
        self.problems.append(Problem(message=message, where=self.place(key), hint=hint))

    def number(self, name: str, *, required: bool = False) -> int | None:
        """A whole number under any of the names families use; None when absent or null, 1 after noting a fault."""
        keys, most = FIELDS[name]
        for key in keys:
            value = self.config.get(key)
            if value is None:
                continue
            least = 0 if name in MAY_BE_ZERO else 1
            if isinstance(value, bool) or not isinstance(value, int):
                self.fault(key, f"{key} is {str(value)[:40]!r}, not a whole number", "give the model's own figure")
                return 1
            if not least <= value <= most:
                self.fault(key, f"{key} is {value:,}, which no model has", f"between {least} and {most:,}")
                return 1
            return value
        if required:
            self.fault(None, f"no {keys[0]} in the config", f"add {keys[0]} (or {', '.join(keys[1:4])})")
        return None

    def flag(self, key: str, default: bool) -> bool:
        """A yes or no; anything else is a fault."""
        value = self.config.get(key, default)
        if isinstance(value, bool):
            return value
        self.fault(key, f"{key} is {str(value)[:40]!r}, not true or false", "true or false")
        return default

    def checked(self) -> None:
        """Raise all faults at once."""
        if self.problems:
            raise InputError(*self.problems)


def parse_config(data: bytes, file: str) -> Model:
    """The model that the bytes of a `config.json` describe; InputError with the place of every fault."""
    try:
        config = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(Problem(message=f"not JSON: {error}", where=Place(file=file))) from None
    if not isinstance(config, dict):
        raise InputError(Problem(message="a config is a JSON object", where=Place(file=file)))
    nested = config.get("text_config")
    if str(config.get("model_type")) not in config_types() and isinstance(nested, dict):
        config = nested  # the language part of a model of several kinds of input
    for inner in ("attn_config", "ffn_config"):
        if isinstance(config.get(inner), dict):
            config = config[inner] | config
    reader = Reader(config, data.decode("utf-8", errors="replace"), file)
    kind = config.get("model_type")
    known = config_types().get(kind) if isinstance(kind, str) else None
    if known is None:
        hint = "or write the shape in the spec: {parameters: 7B, layers: 32, hidden: 4096}"
        reader.fault(
            "model_type", f"model_type {str(kind)[:60]!r} is not known", f"one of {', '.join(config_types())}; {hint}"
        )
        reader.checked()
        raise AssertionError
    builders: dict[str, Callable[[Reader, dict[str, str]], Model]] = {"vision": _vision, "windows": _windows}
    return builders.get(known["kind"], _transformer)(reader, known)


def _transformer(reader: Reader, known: dict[str, str]) -> Transformer:
    encoder_decoder = known["kind"] == "encoder_decoder"
    hidden = reader.number("hidden", required=True) or 1
    layers = reader.number("layers", required=True) or 1
    heads = reader.number("heads", required=True) or 1
    vocab = reader.number("vocab", required=True) or 1
    context = reader.number("context") or _no_context(reader, known)
    gated = known["gated"] == "yes" or "gated" in str(reader.config.get("feed_forward_proj", ""))
    kv_heads, head_dim = _heads(reader, known, hidden, heads)
    ffn = _ffn(reader, known, hidden)
    mixture = _mixture(reader, ffn)
    rope = reader.number("rope_head_dim")
    shape = Transformer(
        name=str(reader.config.get("_name_or_path") or known["model_type"])[:80],
        parameters=0.0,
        active_parameters=0.0,
        hidden=hidden,
        layers=(reader.number("decoder_layers") or layers) if encoder_decoder else layers,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        ffn=ffn,
        vocab=vocab,
        tied_embeddings=reader.flag("tie_word_embeddings", known["tied"] == "yes"),
        gated_mlp=gated,
        context=context,
        encoder_only=known["kind"] == "encoder",
        encoder_layers=layers if encoder_decoder else 0,
        kv_lora_rank=reader.number("kv_lora_rank"),
        rope_head_dim=rope,
        q_lora_rank=reader.number("q_lora_rank"),
        **mixture,
    )
    reader.checked()
    return msgspec.structs.replace(
        shape, parameters=count_parameters(shape), active_parameters=count_active_parameters(shape)
    )


def _no_context(reader: Reader, known: dict[str, str]) -> int:
    """Families without positions in their config: T5 trains at 512 tokens, BLOOM and Falcon at 2,048."""
    fallback = {"t5": 512, "mt5": 512, "bloom": 2048, "falcon": 2048}.get(known["model_type"])
    if fallback is None:
        reader.fault(None, "no max_position_embeddings in the config", "add the longest sequence the model takes")
    return fallback or 1


def _heads(reader: Reader, known: dict[str, str], hidden: int, heads: int) -> tuple[int, int]:
    """Key-value heads and head dimension, with the divisions that must come out even."""
    nope, rope = reader.number("nope_head_dim"), reader.number("rope_head_dim")
    head_dim = nope + rope if nope and rope else reader.number("head_dim")
    if head_dim is None:
        if hidden % heads and not reader.problems:
            message = f"hidden size {hidden} does not divide by {heads} attention heads"
            reader.fault("num_attention_heads", message, "heads that divide the hidden size, or a head_dim")
        head_dim = max(1, hidden // heads)
    kv_heads = reader.number("kv_heads")
    if known["model_type"] == "falcon" and not reader.config.get("new_decoder_architecture"):
        kv_heads = 1 if reader.flag("multi_query", default=True) else heads
    if known["model_type"] == "chatglm" and not reader.config.get("multi_query_attention"):
        kv_heads = heads
    kv_heads = kv_heads or heads
    if heads % kv_heads and not reader.problems:
        message = f"{heads} attention heads do not divide by {kv_heads} key-value heads"
        reader.fault("num_key_value_heads", message, "key-value heads that divide the attention heads")
    return kv_heads, head_dim


def _ffn(reader: Reader, known: dict[str, str], hidden: int) -> int:
    """Width of the MLP; GPT-2 and its kin mean four times the hidden size when they say nothing."""
    ffn = reader.number("ffn")
    if known["model_type"] == "qwen" and ffn:
        return ffn // 2  # Qwen-1 states the sum of its two gate halves
    if ffn is not None:
        return ffn
    if known["gated"] == "yes":
        reader.fault(None, "no intermediate_size in the config", "add intermediate_size")
        return 1
    ratio = reader.config.get("expansion_ratio", 4)
    return hidden * (ratio if isinstance(ratio, int) and 1 <= ratio <= 64 else 4)


def _mixture(reader: Reader, ffn: int) -> dict[str, Any]:
    """Fields of a mixture of experts; none for dense models."""
    experts = reader.number("experts")
    if experts is None or experts == 1:
        return {}
    each = reader.number("experts_per_token", required=True) or 1
    if each > experts:
        reader.fault("num_experts_per_tok", f"{each} experts a token of {experts} in all", "at most all experts")
    width = reader.number("expert_ffn") or ffn
    shared = reader.number("shared_experts")
    if shared is None:
        shared = -(-(reader.number("shared_ffn") or 0) // width)
    return {
        "experts": experts,
        "experts_per_token": each,
        "expert_ffn": width,
        "shared_experts": shared,
        "dense_layers": reader.number("dense_layers") or 0,
    }


def _vision(reader: Reader, known: dict[str, str]) -> VisionModel:
    """A plain vision transformer: 12 h^2 a layer; FLOPs and saved bytes over (image / patch)^2 tokens."""
    hidden = reader.number("hidden", required=True) or 1
    layers = reader.number("layers", required=True) or 1
    heads = reader.number("heads", required=True) or 1
    image = reader.number("image_size", required=True) or 1
    patch = reader.number("patch_size", required=True) or 1
    ratio = reader.config.get("mlp_ratio", 4)
    ffn = reader.number("ffn") or int(hidden * (ratio if isinstance(ratio, (int, float)) and 0 < ratio < 64 else 4))
    if patch > image:
        reader.fault("patch_size", f"patches of {patch} pixels in images of {image}", "patches smaller than the image")
    reader.checked()
    tokens = (image // patch) ** 2 + 1
    weights = layers * (4 * hidden * hidden + 2 * hidden * ffn + 9 * hidden + ffn)
    parameters = weights + 3 * patch * patch * hidden + (tokens + CLASSES) * hidden
    flops = 2 * tokens * weights + 4 * layers * tokens * tokens * hidden
    saved = layers * tokens * (VISION_SAVED_BYTES * hidden + VISION_SCORE_BYTES * heads * tokens) / 1e6
    return _sample(reader, known, parameters, image, flops, saved, tokens)


def _windows(reader: Reader, known: dict[str, str]) -> VisionModel:
    """A Swin transformer: each stage has half the resolution and twice the width; attention within windows."""
    width = reader.number("embed_dim", required=True) or 1
    image = reader.number("image_size", required=True) or 1
    patch = reader.number("patch_size", required=True) or 1
    window = reader.number("window_size", required=True) or 1
    depths, heads = (_list(reader, key) for key in ("depths", "num_heads"))
    if len(depths) != len(heads):
        reader.fault("num_heads", f"{len(heads)} num_heads for {len(depths)} depths", "one for each stage")
    reader.checked()
    parameters = flops = saved = 0.0
    area = window * window
    for stage, (depth, count) in enumerate(zip(depths, heads, strict=True)):
        hidden, tokens = width * 2**stage, (image // patch / 2**stage) ** 2
        weights = depth * (12 * hidden * hidden + 13 * hidden)
        parameters += weights + (2 * hidden * hidden if stage else 0)  # merging four neighbours into one
        flops += 2 * tokens * weights + 4 * depth * tokens * area * hidden
        saved += depth * tokens * (VISION_SAVED_BYTES * hidden + VISION_SCORE_BYTES * count * area) / 1e6
    parameters += CLASSES * width * 2 ** (len(depths) - 1)
    return _sample(reader, known, parameters, image, flops, saved, None)


def _list(reader: Reader, key: str) -> list[int]:
    """A list of whole numbers, one for each stage."""
    value = reader.config.get(key)
    if isinstance(value, list) and 1 <= len(value) <= 8 and all(type(one) is int and 1 <= one <= 1000 for one in value):
        return value
    reader.fault(key, f"{key} is {str(value)[:40]!r}, not a list of whole numbers", "as [2, 2, 18, 2]")
    return []


def _sample(
    reader: Reader, known: dict[str, str], parameters: float, image: int, flops: float, saved: float, tokens: int | None
) -> VisionModel:
    return VisionModel(
        name=str(reader.config.get("_name_or_path") or known["model_type"])[:80], family="timm", parameters=parameters,
        image_size=image, forward_gflops=flops / 1e9, saved_mb_fp32=1.4 * saved, saved_mb_amp=saved,
        constant_mb_fp32=0.0, constant_mb_amp=2 * parameters / 1e6, tokens_per_sample=tokens,
        assumed=f"saved bytes of {known['model_type']} by the closed form, {saved:.0f} MB an image in mixed precision",
    )  # fmt: skip
