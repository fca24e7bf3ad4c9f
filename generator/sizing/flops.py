"""What one sample costs in FLOPs and memory traffic, before any layout: the numerators of the roofline."""

from __future__ import annotations

import functools
from typing import Any

import msgspec

from generator.sizing.architecture import Transformer, VisionModel, embedding_parameters, expert_parameters
from generator.sizing.inference_memory import kv_bytes_per_token
from generator.sizing.profiles import Profile, find_profile
from generator.sizing.states import (
    FULL,
    OPTIMIZER_BYTES,
    PURE,
    PURE_OPTIMIZER_BYTES,
    adapter_parameters,
    frozen_bytes,
    prefix_parameters,
)
from generator.sizing.vision_memory import ADAPTER_SHARE, sample_scale, saved_mb
from generator.workload import Workload

# Elementwise traffic of one transformer layer in 16 bits, bytes per token and hidden unit, both passes, and of the loss
# per token and vocabulary entry: fitted on llm-foundry's A100 and H100 rows.
LAYER_TRAFFIC = 290.0
LOGITS_TRAFFIC = 17.0
ATTENTION_BACKWARD = 2.5  # of the forward pass: FlashAttention computes the scores again (arXiv 2205.14135)
# Bytes moved through a card's memory for each byte that is saved for the backward pass, forward and backward.
SAVED_TRAFFIC = 9.3
# Bytes moved in one update besides the optimizer's own state, which is read and written: master weights and gradients.
UPDATE_BYTES = 12.0
# Share of an encoder's positions whose words are predicted in pretraining (arXiv 1810.04805); none in fine-tuning.
MASKED_SHARE = 0.15
# Bytes through memory for one frozen 4- or 8-bit weight and pass: fused kernels read it and write 16 bits (nf4, int8);
# GPTQ's unpack in several elementwise kernels, fitted on Qwen's int4 LoRA rows.
DEQUANTIZE_BYTES = {"nf4": 5.0, "int8": 5.0, "int4": 15.0}
PROMPT_SHARE = 0.75  # of `context`, where the request does not say how much of it is generated
DENOISING_STEPS = 50  # of a diffusion model for one sample


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """Per sample: FLOPs (multiply-adds counted twice) and bytes. Totals over all layers, before any split."""

    transformer: bool
    forward_only: bool
    tokens: int  # of one sample; of a vision model those of its patches, or 1
    hidden: int
    layers: int
    matmul_flops: float  # forward, all weights
    attention_flops: float  # forward, scores and values
    backward: float  # backward matmul cost over forward: 2 full, about 1 with a frozen base
    traffic_bytes: float  # elementwise, forward and backward
    logits_bytes: float
    parameters: float
    trainable: float
    weight_bytes: float  # of the weights as they are gathered between cards
    trained_weight_bytes: float
    gradient_bytes: float  # as they are reduced between cards
    optimizer_traffic: float  # bytes through memory in one optimizer step, whole model
    dequantize_bytes: float  # bytes through memory in one pass over quantised weights
    kv_bytes: float  # per token, all layers
    moe_layers: int = 0
    experts_per_token: int = 0
    expert_share: float = 0.0  # of the parameters
    passes: int = 1  # forward passes of one sample: the denoising steps of a generator

    @property
    def model_flops(self) -> float:
        """FLOPs of one sample that count for MFU: no recomputation, attention's backward pass as twice the forward."""
        if self.forward_only:
            return self.matmul_flops + self.attention_flops
        return self.matmul_flops * (1 + self.backward) + self.attention_flops * 3


@functools.lru_cache(maxsize=64)
def count_work(workload: Workload, precision: str) -> Work:
    """Work of one sample of this job in this precision; the workload has a model."""
    model = workload.model
    assert model is not None
    profile = find_profile(workload.profile)
    if isinstance(model, Transformer):
        return _transformer_work(workload, model, precision, profile)
    return _vision_work(workload, model, precision, profile)


def sample_tokens(workload: Workload, model: Transformer) -> int:
    """Tokens of one sample: the sequence, or the whole context of a request that is served."""
    served = workload.context if workload.task == "infer" else None
    return served or workload.sequence_length or min(model.context, 4096)


def _trainable(workload: Workload, profile: Profile) -> float:
    model = workload.model
    assert model is not None
    if workload.method == "full":
        return model.parameters
    if not isinstance(model, Transformer):
        return ADAPTER_SHARE * workload.lora_rank * model.parameters
    if workload.method == "ptuning":
        return prefix_parameters(model)
    return adapter_parameters(model, workload.lora_rank, profile.lora_targets)


def _recipe(workload: Workload, precision: str, profile: Profile) -> dict[str, Any]:
    """What depends on parameters and recipe only: bytes between cards and through memory."""
    assert workload.model is not None
    parameters = workload.model.parameters
    trainable = _trainable(workload, profile)
    wide = 4.0 if precision in FULL else 2.0
    frozen = workload.method != "full" or workload.task == "infer"
    stored = frozen_bytes(workload, precision, profile) if frozen else wide
    base = parameters - trainable if workload.task != "infer" else parameters
    moments = (PURE_OPTIMIZER_BYTES if precision in PURE else OPTIMIZER_BYTES)[workload.optimizer]
    return {
        "parameters": parameters,
        "trainable": trainable,
        "backward": 2.0 if workload.method == "full" else 1.0 + 2.0 * trainable / parameters,
        "weight_bytes": stored * base + wide * (parameters - base),
        "trained_weight_bytes": wide * trainable,
        "gradient_bytes": wide * trainable,
        "optimizer_traffic": (2 * moments + UPDATE_BYTES) * trainable,
        "dequantize_bytes": _dequantize_bytes(workload) * base if stored < wide else 0.0,
    }


def _dequantize_bytes(workload: Workload) -> float:
    kind = "nf4" if workload.method == "qlora" and workload.quantization == "none" else workload.quantization
    return 0.0 if workload.task == "infer" else DEQUANTIZE_BYTES.get(kind, 0.0)


def _head_share(workload: Workload, model: Transformer) -> float:
    """Share of the tokens for which scores over the vocabulary are computed."""
    if not model.encoder_only:
        return 1.0
    return MASKED_SHARE if workload.task == "pretrain" else 0.0


def _transformer_work(workload: Workload, model: Transformer, precision: str, profile: Profile) -> Work:
    """Forward 2 N + 4 L h s / 2 FLOPs a token (causal; twice that in an encoder), N without the input embedding."""
    tokens = sample_tokens(workload, model)
    tables = embedding_parameters(model) * (1 if model.tied_embeddings else 2)
    head = _head_share(workload, model)
    matmul = model.active_parameters - tables + head * embedding_parameters(model)
    layers = model.layers + model.encoder_layers
    attention = 4.0 * layers * model.heads * model.head_dim * tokens * tokens
    scores = SAVED_TRAFFIC * profile.score_bytes * model.heads * tokens  # of attention that is not fused
    sparse_layers = model.layers - (model.dense_layers or 0) if model.experts else 0
    return Work(
        transformer=True,
        forward_only=workload.task == "infer",
        tokens=tokens,
        hidden=model.hidden,
        layers=layers,
        matmul_flops=2.0 * matmul * tokens,
        attention_flops=attention * (1.0 if model.encoder_only else 0.5),
        traffic_bytes=(LAYER_TRAFFIC * model.hidden + scores) * layers * tokens * (2 if precision in FULL else 1),
        logits_bytes=LOGITS_TRAFFIC * model.vocab * tokens * head,
        kv_bytes=kv_bytes_per_token(model, precision),
        moe_layers=sparse_layers,
        experts_per_token=model.experts_per_token or 0,
        expert_share=sparse_layers * expert_parameters(model) / model.parameters,
        **_recipe(workload, precision, profile),
    )


def _vision_work(workload: Workload, model: VisionModel, precision: str, profile: Profile) -> Work:
    """Forward FLOPs and saved bytes from the table, scaled with pixels; a generator runs once per denoising step."""
    infer = workload.task == "infer"
    passes = DENOISING_STEPS if infer and model.family in ("diffusion", "video") else 1
    scale = sample_scale(model, workload) * passes
    return Work(
        transformer=False,
        forward_only=infer,
        tokens=model.tokens_per_sample or 1,
        hidden=0,
        layers=1,
        matmul_flops=model.forward_gflops * 1e9 * scale,
        attention_flops=0.0,
        traffic_bytes=saved_mb(model, precision) * 1e6 * scale * SAVED_TRAFFIC,
        logits_bytes=0.0,
        kv_bytes=0.0,
        passes=passes,
        **_recipe(workload, precision, profile),
    )
