"""What one sample costs in floating-point operations and memory traffic, before any layout: the roofline's numerators."""

from __future__ import annotations

import functools

import msgspec

from generator.sizing.architecture import Transformer, VisionModel
from generator.workload import Workload

# Elementwise traffic of one transformer layer, bytes per token and hidden unit, forward and backward, and of the loss
# per token and vocabulary entry: fitted on llm-foundry's A100 and H100 rows.
LAYER_TRAFFIC = 440.0
LOGITS_TRAFFIC = 30.0
ATTENTION_BACKWARD = 2.5  # of the forward pass: FlashAttention computes the scores again (arXiv 2205.14135)
# Bytes moved through a card's memory for each saved byte of a convolution network, forward and backward.
VISION_TRAFFIC = 11.6
# Bytes a parameter of the optimizer's moments.
MOMENT_BYTES = {"adamw": 8.0, "adamw_8bit": 2.0, "paged_adamw_8bit": 2.0, "adafactor": 0.1, "sgd": 4.0}
PROMPT_SHARE = 0.75  # of `context`, where the request does not say how much of it is generated
DENOISING_STEPS = 50  # of a diffusion model for one sample


def moment_bytes(optimizer: str, precision: str) -> float:
    """Bytes a trained parameter of the optimizer's moments; 16-bit training keeps those of AdamW and SGD in 16 bits too."""
    halved = precision.endswith("_pure") and optimizer in ("adamw", "sgd")
    return MOMENT_BYTES[optimizer] * (0.5 if halved else 1.0)


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """Per sample: FLOPs (multiply-adds counted twice) and bytes. Totals over all layers, before any split."""

    transformer: bool
    forward_only: bool
    tokens: int  # of one sample; 1 for vision
    hidden: int
    layers: int
    matmul_flops: float  # forward, all weights
    attention_flops: float  # forward, scores and values
    backward: float  # backward matmul cost over forward: 2 full, 1 with a frozen base
    traffic_bytes: float  # elementwise, forward and backward
    logits_bytes: float
    parameters: float
    trainable: float
    weight_bytes: float  # of the weights as they are gathered between cards
    trained_weight_bytes: float
    gradient_bytes: float  # as they are reduced between cards
    optimizer_state_bytes: float  # the least that stays in the cards' memory
    optimizer_traffic: float  # bytes through memory in one optimizer step, whole model
    dequantize_bytes: float  # bytes through memory in one pass over quantised weights
    kv_bytes: float  # per token, all layers
    moe_layers: int = 0
    experts_per_token: int = 0
    expert_share: float = 0.0  # of the parameters

    @property
    def model_flops(self) -> float:
        """FLOPs of one sample that count for MFU: no recomputation."""
        if self.forward_only:
            return self.matmul_flops + self.attention_flops
        return self.matmul_flops * (1 + self.backward) + self.attention_flops * 3


def adapter_parameters(model: Transformer, rank: int) -> float:
    """Parameters of LoRA adapters on every linear layer: r x sum(in + out) x layers (arXiv 2106.09685)."""
    query, key = model.heads * model.head_dim, model.kv_heads * model.head_dim
    attention = 2 * (model.hidden + query) + 2 * (model.hidden + key)
    mlp = (3 if model.gated_mlp else 2) * (model.hidden + model.ffn)
    return float(rank * (attention + mlp) * (model.layers + model.encoder_layers))


def _expert_parameters(model: Transformer) -> float:
    if not model.experts:
        return 0.0
    matrices = 3 if model.gated_mlp else 2
    layers = model.layers - (model.dense_layers or 0)
    return float(model.experts * matrices * model.hidden * (model.expert_ffn or model.ffn) * layers)


def _trainable(workload: Workload, parameters: float) -> float:
    if workload.method == "full":
        return parameters
    model = workload.model
    if isinstance(model, Transformer):
        if workload.method == "ptuning":
            return float(model.layers * 2 * 128 * model.kv_heads * model.head_dim)  # prefix of 128 tokens
        return adapter_parameters(model, workload.lora_rank)
    return 0.01 * parameters


@functools.lru_cache(maxsize=64)
def count_work(workload: Workload, precision: str) -> Work:
    """Work of one sample of this job in this precision; the workload has a model."""
    model = workload.model
    assert model is not None
    if isinstance(model, Transformer):
        return _transformer_work(workload, model, precision)
    return _vision_work(workload, model, precision)


def _shared(workload: Workload, parameters: float, precision: str) -> dict[str, float]:
    """The part that depends on parameters and recipe only: bytes between cards and through memory."""
    trainable = _trainable(workload, parameters)
    wide = 4.0 if precision in ("fp32", "tf32") else 2.0
    paged = workload.optimizer == "paged_adamw_8bit"
    quantized = workload.method == "qlora" or workload.quantization != "none"
    stored = {"int8": 1.0}.get(workload.quantization, 0.52) if quantized else wide
    states = {"sgd": 12.0, "adafactor": 12.0, "adamw_8bit": 12.0, "paged_adamw_8bit": 12.0}.get(
        workload.optimizer, 28.0
    )
    if precision.endswith("_pure"):
        states *= 0.5
    return {
        "parameters": parameters,
        "trainable": trainable,
        "backward": 2.0 if workload.method == "full" else 1.0 + 2.0 * trainable / parameters,
        "weight_bytes": stored * (parameters - trainable) + wide * trainable,
        "trained_weight_bytes": wide * trainable,
        "gradient_bytes": wide * trainable,
        "optimizer_state_bytes": 0.0 if paged else moment_bytes(workload.optimizer, precision) * trainable,
        "optimizer_traffic": states * trainable,
        "dequantize_bytes": (stored + wide) * (parameters - trainable) if quantized else 0.0,
    }


def _transformer_work(workload: Workload, model: Transformer, precision: str) -> Work:
    """Forward 2 N + 4 L h s / 2 FLOPs a token (causal; twice that in an encoder), N without the input embedding."""
    infer = workload.task == "infer"
    tokens = (workload.context if infer else None) or workload.sequence_length or min(model.context, 4096)
    embedding = 0 if model.tied_embeddings else model.vocab * model.hidden
    matmul = max(model.active_parameters - embedding, 0.05 * model.active_parameters)
    layers = model.layers + model.encoder_layers
    inner = model.heads * model.head_dim
    causal = 1.0 if model.encoder_only else 0.5
    expert = _expert_parameters(model)
    kv = 2.0 * model.kv_heads * model.head_dim * 2 * model.layers
    if model.kv_lora_rank:
        kv = (model.kv_lora_rank + (model.rope_head_dim or 0)) * 2.0 * model.layers
    # An expert layer runs its elementwise part once per chosen expert, which is what `ffn` stands for in a dense one.
    return Work(
        transformer=True,
        forward_only=infer,
        tokens=tokens,
        hidden=model.hidden,
        layers=layers,
        matmul_flops=2.0 * matmul * tokens,
        attention_flops=4.0 * layers * inner * tokens * tokens * causal,
        traffic_bytes=LAYER_TRAFFIC * model.hidden * layers * tokens,
        logits_bytes=LOGITS_TRAFFIC * model.vocab * tokens,
        kv_bytes=kv,
        moe_layers=model.layers - (model.dense_layers or 0) if model.experts else 0,
        experts_per_token=model.experts_per_token or 0,
        expert_share=expert / model.parameters if expert else 0.0,
        **_shared(workload, model.parameters, precision),
    )


def _vision_work(workload: Workload, model: VisionModel, precision: str) -> Work:
    """Forward FLOPs and saved bytes from the table, scaled with pixels; a generator runs once per denoising step."""
    infer = workload.task == "infer"
    scale = ((workload.image_size or model.image_size) / model.image_size) ** 2 if model.image_size else 1.0
    repeats = DENOISING_STEPS if infer and model.family in ("diffusion", "video") else 1
    wide = precision in ("fp32", "tf32")
    saved = model.saved_mb_fp32 if wide else model.saved_mb_amp
    if saved is None:
        other = model.saved_mb_amp if wide else model.saved_mb_fp32
        saved = (2.0 if wide else 0.5) * (other or 0.0)
    traffic = saved * 1e6 * scale * VISION_TRAFFIC * repeats
    return Work(
        transformer=False,
        forward_only=infer,
        tokens=model.tokens_per_sample or 1,
        hidden=0,
        layers=max(20, round(model.parameters / 1e6) if model.parameters < 1e8 else 100),
        matmul_flops=model.forward_gflops * 1e9 * scale * repeats,
        attention_flops=0.0,
        traffic_bytes=traffic,
        logits_bytes=0.0,
        kv_bytes=0.0,
        **_shared(workload, model.parameters, precision),
    )
