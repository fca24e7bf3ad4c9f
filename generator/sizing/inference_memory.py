"""Memory of a model that answers: weights, key-value cache, the prompt's working set."""

from __future__ import annotations

import msgspec

from generator.sizing.architecture import Transformer, VisionModel
from generator.sizing.estimate import Layout
from generator.sizing.profiles import Profile
from generator.sizing.states import FULL, base_quantization, frozen_bytes, share, unpack_bytes
from generator.sizing.vision_memory import companion_bytes, sample_scale, saved_mb
from generator.workload import Workload

# Share of the saved bytes of training that a forward pass without gradients holds at once: a stage of a network whose
# first stages are the largest, a few layers of a plain transformer.
FORWARD_SHARE = 0.12
FORWARD_SHARE_TOKENS = 0.06


class Serving(msgspec.Struct, frozen=True):
    """Bytes on one GPU while answering."""

    weights: float
    kv_cache: float
    working: float
    logits: float


def kv_bytes_per_token(model: Transformer, precision: str) -> float:
    """Key-value cache of one token, bytes: 2 L KV d x 2, with MLA L (latent + rope) x 2 (arXiv 2405.04434)."""
    width = 4.0 if precision in FULL else 2.0
    if model.kv_lora_rank is not None:
        return model.layers * (model.kv_lora_rank + (model.rope_head_dim or 0)) * width
    return 2.0 * model.layers * model.kv_heads * model.head_dim * width


def serve_transformer(
    model: Transformer, workload: Workload, layout: Layout, precision: str, profile: Profile
) -> Serving:
    """Weights, cache of `context` tokens x batch, and the prompt's working set b x prompt x max(6 ffn, 8 h), bytes."""
    own = share(model, layout)
    table = 4.0 if precision in FULL else 2.0
    weights = frozen_bytes(workload, precision, profile) * (own.blocks + own.experts) + table * own.tables
    context = workload.context or workload.sequence_length or model.context
    tokens = context * layout.micro_batch
    split = min(layout.tensor, model.kv_heads) if model.kv_lora_rank is None else 1
    cache = kv_bytes_per_token(model, precision) * tokens / split / layout.pipeline
    prompt = (workload.sequence_length or context) * layout.micro_batch
    ffn = model.ffn if not model.experts else (model.experts_per_token or 0) * (model.expert_ffn or 0)
    working = prompt * max(6.0 * ffn, 8.0 * model.hidden) / layout.tensor
    working = max(working, unpack_bytes(model, workload, layout, profile))
    if base_quantization(workload) != "none":
        working = max(working, profile.quantizing_tables * 2.0 * model.vocab * model.hidden)
    logits = profile.logits_prompt * model.vocab * prompt / layout.tensor
    return Serving(weights, cache, working, logits)


def serve_sample_model(
    model: VisionModel, workload: Workload, layout: Layout, precision: str, profile: Profile
) -> Serving:
    """Weights, encoders of a diffusion model, and a forward pass's share of the saved bytes, bytes."""
    split = layout.tensor * (layout.context if layout.sharding == "fsdp" else 1)
    weights = frozen_bytes(workload, precision, profile) * model.parameters / split
    if model.family in ("diffusion", "video"):
        weights += companion_bytes(model) / split
    saved = saved_mb(model, precision) * 1e6 * sample_scale(model, workload)
    part = FORWARD_SHARE if model.tokens_per_sample is None else FORWARD_SHARE_TOKENS
    return Serving(weights, 0.0, part * saved * layout.micro_batch / layout.context, 0.0)
