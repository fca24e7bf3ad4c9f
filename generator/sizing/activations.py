"""Activations and logits of a transformer in training: what is saved for the backward pass on the most loaded GPU."""

from __future__ import annotations

import msgspec

from generator.sizing.architecture import Transformer
from generator.sizing.estimate import Layout
from generator.sizing.profiles import Profile
from generator.sizing.states import FULL, PURE, base_quantization, unpack_bytes
from generator.workload import Workload

# Saved bytes in 32 bit over the same in mixed precision: 66 h against 42 h in BERT-large with fused attention.
FULL_PRECISION_RATIO = 1.6
# The same of attention scores, which 16-bit code too keeps in 32 bit for the softmax: 72 h against 56 h in BERT-large.
SCORE_RATIO = 9 / 7
# Bytes a token keeps for each expert it is routed to, per unit of hidden size: the gathered and the scattered copy.
ROUTING_BYTES = 4.0
# Positions of a masked language model that reach the loss (15 %).
MASKED_SHARE = 0.15


class Activations(msgspec.Struct, frozen=True):
    """Bytes on one GPU: saved activations, and logits with their gradients."""

    saved: float
    logits: float


def layer_bytes(model: Transformer, workload: Workload, precision: str, profile: Profile, tokens: int) -> float:
    """Saved bytes a token and layer: c_h x width + c_f x MLP width, + score bytes x heads x tokens without flash.

    Width is the mean of the hidden size and heads x head dimension; the MLP width of a mixture is that of the experts a
    token passes. Coefficients by framework, method and precision (`profiles.csv`).
    """
    width = 0.5 * (model.hidden + model.heads * model.head_dim)
    ffn, routing = model.ffn, 0.0
    if model.experts:
        ffn = ((model.experts_per_token or 0) + (model.shared_experts or 0)) * (model.expert_ffn or 0)
        routing = ROUTING_BYTES * (model.experts_per_token or 0) * model.hidden
    if workload.method != "full":
        per_h, per_ffn = profile.frozen_h, profile.frozen_ffn
        if not model.gated_mlp:
            per_h, per_ffn = profile.plain_frozen_h, profile.plain_frozen_ffn
        if base_quantization(workload) != "none":
            per_h += profile.quantized_h
    elif not model.gated_mlp or model.encoder_only:
        per_h, per_ffn = profile.plain_h, profile.plain_ffn
    else:
        per_h, per_ffn = (profile.pure_h if precision in PURE else profile.act_h), profile.act_ffn
    scores = profile.score_bytes * model.heads * tokens
    if precision in FULL:
        return FULL_PRECISION_RATIO * (per_h * width + per_ffn * ffn + routing) + SCORE_RATIO * scores
    return per_h * width + per_ffn * ffn + routing + scores


def transformer_activations(
    model: Transformer, workload: Workload, layout: Layout, precision: str, profile: Profile
) -> Activations:
    """Activations and logits of one GPU, bytes (arXiv 2205.05198 sections 4 and 5).

    Tokens a GPU = micro-batch x sequence / context. Tensor parallelism divides the inner activations by t, with
    sequence parallelism all of them. Full recomputation keeps the layers' inputs and, while it runs, one layer; that
    layer and the logits never live at once. A 1F1B pipeline's first stage holds as many micro-batches as there are
    stages, one of v interleaved chunks 1 + (p - 1) / (p v) times that.
    """
    sequence = workload.sequence_length or model.context
    tokens = workload_tokens(sequence, layout)
    inner = layer_bytes(model, workload, precision, profile, -(-sequence // layout.context))
    scale = FULL_PRECISION_RATIO if precision in FULL else 1.0
    outer = 10.0 / 34.0 * inner
    tensor = layout.tensor
    kept = inner / tensor if layout.sequence_parallel else (inner - outer) / tensor + outer
    boundary = profile.boundary_bytes * scale * model.hidden / (tensor if layout.sequence_parallel else 1)
    layers = -(-model.layers // layout.pipeline) + model.encoder_layers
    flight = float(min(layout.pipeline, layout.accumulation))
    if layout.interleave > 1 and layout.pipeline > 1:
        flight = flight * (1 + (layout.pipeline - 1) / (layout.pipeline * layout.interleave))
    logits = logits_bytes(model, workload, layout, profile) * tokens
    unpack = unpack_bytes(model, workload, layout, profile)
    if layout.recompute == "full":
        working = kept * tokens + unpack
        saved = boundary * tokens * layers * flight + max(0.0, working - logits)
    elif layout.recompute == "selective":
        chosen = profile.selective_h * model.hidden + profile.selective_ffn * model.ffn
        slim = min(kept, scale * chosen / tensor)
        saved = slim * tokens * layers * flight + max(0.0, (kept - slim) * tokens + unpack - logits)
    else:
        saved = kept * tokens * layers * flight + max(0.0, unpack - logits)
    return Activations(saved, logits)


def workload_tokens(sequence: int, layout: Layout) -> float:
    """Tokens of one micro-batch on one GPU: micro-batch x sequence / context."""
    return layout.micro_batch * sequence / layout.context


def logits_bytes(model: Transformer, workload: Workload, layout: Layout, profile: Profile) -> float:
    """Bytes a token at the loss: c x V / t, c by framework; encoders only for the words they predict."""
    share = 1.0
    if model.encoder_only:
        share = MASKED_SHARE if workload.task == "pretrain" else 0.0
    return share * profile.logits_train * model.vocab / layout.tensor
