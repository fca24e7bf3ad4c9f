"""Model states: bytes of weights, gradients and optimizer on the most loaded GPU, by precision, method and sharding."""

from __future__ import annotations

import msgspec

from generator.sizing.architecture import Transformer, embedding_parameters, expert_parameters
from generator.sizing.estimate import Hardware, Layout
from generator.sizing.profiles import Profile
from generator.workload import Workload

# Bytes a parameter of frozen weights: int8 with one 32-bit scale a row, int4 in groups of 128 with scale and zero (AWQ,
# GPTQ), nf4 with double quantisation (QLoRA, arXiv 2305.14314). Embeddings and head stay 16 bit.
QUANTIZED_BYTES = {"int8": 1.005, "int4": 0.52}
# Bytes of optimizer state a trainable parameter, over the same with AdamW in 32 bit (8).
OPTIMIZER_BYTES = {"adamw": 8.0, "adamw_8bit": 2.03, "paged_adamw_8bit": 0.0, "adafactor": 0.05, "sgd": 4.0}
PURE_OPTIMIZER_BYTES = {"adamw": 4.0, "adamw_8bit": 2.03, "paged_adamw_8bit": 0.0, "adafactor": 0.05, "sgd": 2.0}
# Host bytes a parameter of paged 8-bit states that were evicted.
PAGED_HOST_BYTES = 2.03
PURE = ("fp16_pure", "bf16_pure")
FULL = ("fp32", "tf32")
PREFIX_TOKENS = 128  # of prefix tuning (P-tuning v2), arXiv 2110.07602
# Layers whose weights an FSDP or ZeRO-3 rank holds unsharded at once: the one that runs and the one fetched ahead.
GATHERED_LAYERS = 2


class Share(msgspec.Struct, frozen=True):
    """Parameters on one GPU before any data-parallel sharding, in units."""

    blocks: float  # attention, dense MLPs, norms of its stage
    experts: float
    tables: float  # embedding and head of the most loaded stage; full sharding keeps them gathered
    layers: int  # of its stage
    layer: float  # blocks and experts of one layer

    @property
    def total(self) -> float:
        """All parameters on the GPU."""
        return self.blocks + self.experts + self.tables


def share(model: Transformer, layout: Layout) -> Share:
    """What one GPU of the most loaded stage holds: blocks / (t p), experts / (t p e), one table / t when p > 1."""
    tensor, stages = layout.tensor, layout.pipeline
    layers = -(-model.layers // stages)
    fraction = layers / model.layers
    count = 1 if model.tied_embeddings else 2
    table = embedding_parameters(model) / tensor
    experts = 0.0
    if model.experts:
        sparse = model.layers - (model.dense_layers or 0)
        experts = sparse * expert_parameters(model)
    dense = model.parameters - experts - count * embedding_parameters(model)
    held = table * (1 if stages > 1 else count)
    blocks = dense * fraction / tensor
    routed = experts * fraction / (tensor * layout.expert)
    return Share(
        blocks=blocks,
        experts=routed,
        tables=held,
        layers=layers,
        layer=(blocks + routed) / layers,
    )


def adapter_parameters(model: Transformer, rank: int, targets: str) -> float:
    """Trainable weights of LoRA, r x sum(in + out) x layers (arXiv 2106.09685); `qv` adapts query and value only."""
    query, key = model.heads * model.head_dim, model.kv_heads * model.head_dim
    if targets == "qv":
        each = (model.hidden + query) + (model.hidden + key)
    else:
        matrices = 3 if model.gated_mlp else 2
        ffn = model.ffn
        if model.experts:
            matrices, ffn = matrices * model.experts, model.expert_ffn or 0
        each = 2 * (model.hidden + query) + 2 * (model.hidden + key) + matrices * (model.hidden + ffn)
    return float(rank * each * (model.layers + model.encoder_layers))


def prefix_parameters(model: Transformer) -> float:
    """Trainable weights of prefix tuning: keys and values of 128 tokens in every layer."""
    return float(PREFIX_TOKENS * 2 * model.layers * model.kv_heads * model.head_dim)


class StateBytes(msgspec.Struct, frozen=True):
    """Bytes a parameter in one precision under one framework."""

    weights: float
    gradients: float
    optimizer: float


def state_bytes(workload: Workload, precision: str, profile: Profile) -> StateBytes:
    """Bytes a trainable parameter: 4 / 4 / 8 fp32 AdamW, 2 / 2 / 4 pure 16 bit, mixed as the framework keeps it.

    32-bit training is never counted below mixed precision, whose copies a framework may keep then too.

    Sources: Hugging Face model_memory_anatomy, DeepSpeed memory.rst, Megatron-LM theoretical_memory_usage.py.
    """
    if precision in PURE:
        return StateBytes(2.0, 2.0, PURE_OPTIMIZER_BYTES[workload.optimizer])
    weights, gradients = profile.mixed_weights, profile.mixed_gradients
    optimizer = profile.mixed_optimizer - OPTIMIZER_BYTES["adamw"] + OPTIMIZER_BYTES[workload.optimizer]
    if precision in FULL:
        return StateBytes(4.0, 4.0, max(OPTIMIZER_BYTES[workload.optimizer], weights + gradients + optimizer - 8.0))
    return StateBytes(weights, gradients, optimizer)


def bucket_copies(layout: Layout, profile: Profile) -> int:
    """Copies of the gradients: plain data parallelism holds them in its buckets too, where these are not the same."""
    plain = layout.sharding == "none" and layout.data > 1
    return 2 if plain and not profile.gradients_stay else 1


def base_quantization(workload: Workload) -> str:
    """How frozen weights are held: QLoRA means nf4 unless the workload says otherwise."""
    return "nf4" if workload.method == "qlora" and workload.quantization == "none" else workload.quantization


def frozen_bytes(workload: Workload, precision: str, profile: Profile) -> float:
    """Bytes a frozen weight of the linear layers, by quantisation or precision."""
    kind = base_quantization(workload)
    if kind == "nf4":
        return profile.nf4_bytes
    if kind in QUANTIZED_BYTES:
        return QUANTIZED_BYTES[kind]
    return 4.0 if precision in FULL else 1.0 if precision == "fp8" and workload.task == "infer" else 2.0


def unpack_bytes(model: Transformer, workload: Workload, layout: Layout, profile: Profile) -> float:
    """Bytes that a quantised layer takes besides while it runs: its largest matrix, unpacked."""
    if base_quantization(workload) == "none":
        return 0.0
    return profile.unpack_bytes * model.hidden * model.ffn / layout.tensor


def shards(hardware: Hardware, layout: Layout) -> int:
    """Ranks that split what is sharded: data x context, within the node for hybrid sharding."""
    ranks = layout.data * layout.context
    if layout.sharding == "hsdp":
        return max(1, min(ranks, hardware.gpus_per_node // (layout.tensor * layout.pipeline) or 1))
    return ranks


class States(msgspec.Struct, frozen=True):
    """Bytes on one GPU, and the bytes that offload moves to the host for this GPU."""

    weights: float
    gradients: float
    optimizer: float
    host: float = 0.0
    step: float = 0.0  # needed besides while the optimizer steps


def transformer_states(
    model: Transformer, workload: Workload, hardware: Hardware, layout: Layout, precision: str, profile: Profile
) -> States:
    """Weights, gradients and optimizer of a transformer in training on one GPU, bytes.

    ZeRO-1 divides the optimizer by the data-parallel ranks, ZeRO-2 the gradients too, ZeRO-3 and FSDP the weights too,
    and then hold two layers and the embeddings gathered (arXiv 1910.02054; PyTorch FSDP notes). Experts are sharded
    over the ranks that replicate them, data / expert.
    """
    own = share(model, layout)
    if workload.method != "full":
        return frozen_states(model, workload, own, hardware, layout, precision, profile)
    each = state_bytes(workload, precision, profile)
    ranks = shards(hardware, layout)
    dense, routed = own.total - own.experts, own.experts
    spread = dense / ranks + routed / max(1, ranks // layout.expert)
    whole = own.total
    sharded = layout.sharding
    full_shard = sharded in ("zero3", "fsdp", "hsdp")
    weights = each.weights * (spread if full_shard else whole)
    gradients = each.gradients * (spread if full_shard or sharded == "zero2" else whole) * profile.gradient_share
    gradients *= bucket_copies(layout, profile)
    optimizer = each.optimizer * (whole if sharded == "none" else spread)
    casts = 0.0 if precision in PURE else profile.cast_bytes
    if full_shard and ranks > 1:
        compute = 4.0 if precision in FULL else 2.0
        gathered = min(own.layers, GATHERED_LAYERS) * own.layer + own.tables
        if layout.pipeline > 1:
            gathered = whole  # a stage keeps its weights and gradients gathered across micro-batches
        weights = min(weights + compute * gathered, (each.weights + casts) * whole)
        gradients = min(gradients + each.gradients * gathered * profile.gradient_share, each.gradients * whole)
    else:
        weights += casts * own.total
    held = whole if sharded == "none" else spread
    host = PAGED_HOST_BYTES * held if workload.optimizer.startswith("paged") else 0.0
    if layout.offload in ("optimizer", "all"):
        host, optimizer = host + optimizer, 0.0
    if layout.offload == "all":  # weights come, and gradients go, layer by layer
        at_once = min(own.layers, GATHERED_LAYERS) * own.layer + own.tables
        working = min(weights, (4.0 if precision in FULL else 2.0) * at_once)
        leaving = min(gradients, each.gradients * at_once)
        host += weights - working + gradients - leaving
        weights, gradients = working, leaving
    step = 0.0 if precision in PURE else profile.step_bytes * (whole if sharded == "none" else spread)
    return States(weights, gradients, optimizer, host, 0.0 if layout.offload != "none" else step)


def frozen_states(
    model: Transformer,
    workload: Workload,
    own: Share,
    hardware: Hardware,
    layout: Layout,
    precision: str,
    profile: Profile,
) -> States:
    """States with a frozen base (LoRA, QLoRA, prefix tuning), bytes: only the adapters have gradients and optimizer."""
    linear = frozen_bytes(workload, precision, profile)
    table = 4.0 if precision in FULL else 2.0
    base = linear * (own.blocks + own.experts) + table * own.tables
    if workload.method == "ptuning":
        trained = prefix_parameters(model)
    else:
        trained = adapter_parameters(model, workload.lora_rank, profile.lora_targets)
    trained /= layout.tensor * layout.pipeline
    each = profile.adapter_bytes if precision not in PURE else 2.0
    ranks = shards(hardware, layout)
    optimizer = each / 4.0 * OPTIMIZER_BYTES[workload.optimizer]
    full_shard = layout.sharding in ("zero3", "fsdp", "hsdp")
    spread = ranks if full_shard else 1
    weights = base / spread + each * trained / spread
    if full_shard and ranks > 1:
        gathered = linear * (min(own.layers, GATHERED_LAYERS) * own.layer) + table * own.tables
        weights = min(weights + gathered, base + each * trained)
    gradients = each * trained / (ranks if full_shard or layout.sharding == "zero2" else 1)
    state = optimizer * trained / (1 if layout.sharding == "none" else ranks)
    host = 0.0
    if layout.offload in ("optimizer", "all"):
        host, state = state, 0.0
    if layout.offload == "all":
        working = 2.0 * min(own.layers, GATHERED_LAYERS) * own.layer + table * own.tables
        host += max(0.0, weights - working)
        weights = min(weights, working)
    return States(weights, gradients, state, host)
