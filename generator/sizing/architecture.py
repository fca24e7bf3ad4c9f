"""Model architectures: transformers by their config, vision and other models by measured tables."""

from __future__ import annotations

from typing import Literal

import msgspec


class Transformer(msgspec.Struct, frozen=True, kw_only=True, tag="transformer"):
    """A transformer by its shape. Parameter counts in units (not billions); MoE and MLA fields are None for dense models."""

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
    saved_mb_fp32: float | None  # saved for backward, one sample
    saved_mb_amp: float | None
    constant_mb_fp32: float
    constant_mb_amp: float
    tokens_per_sample: int | None = None
    assumed: str | None = None


Model = Transformer | VisionModel
