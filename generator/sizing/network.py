"""What a byte costs between cards: bandwidth of every fabric, and the exposed time of each parallel scheme."""

from __future__ import annotations

import msgspec

from generator.sizing.estimate import Hardware, Layout
from generator.sizing.flops import Work

# Share of the maker's bidirectional NVLink figure that an all-reduce sees as bus bandwidth.
# A100: 230 of 600 GB/s, H100: 370 of 900 GB/s (nccl-tests figures collected in ml-engineering).
NVLINK_SHARE = 0.4
# GB/s of bus bandwidth between cards of a node that have only PCIe: generation 3 and 4 x16 through the host bridge.
PCIE_GBYTES_S = {"Pascal": 8.0, "Volta": 8.0, "Turing": 8.0, "Ampere": 14.0, "Ada": 14.0}
PCIE_DEFAULT_GBYTES_S = 20.0  # generation 5
# Share of line rate between nodes: fitted on llm-foundry's 8 to 512 GPU runs; NVIDIA states 12 GB/s per 100 Gb/s card.
RDMA_SHARE = 0.79
# Plain TCP reaches this share of a slow line, and at most this many GB/s a node (NCCL issue 450: 4 to 6 at 100 Gb/s).
TCP_SHARE = 0.8
TCP_LIMIT_GBYTES_S = 5.0
# Seconds that one step of a ring costs besides its bytes.
LATENCY_S = {"node": 3e-6, "rdma": 8e-6, "tcp": 40e-6}
# Share of the compute of one micro-step behind which gradient and parameter traffic can hide.
DDP_OVERLAP = 0.6  # the backward pass is two thirds of the step, its first bucket waits
SHARDED_OVERLAP = 0.1  # fitted on llm-foundry: prefetching a layer ahead hides little
# Collectives in which one pass moves a layer's weights: FSDP flattens them into one, ZeRO-3 gathers each tensor.
LAYER_COLLECTIVES = {"zero3": 10.0}


class Traffic(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds on the wire in one optimizer step, and what of it the compute cannot hide."""

    total_s: float
    exposed_s: float


def node_gbytes_s(hardware: Hardware) -> float:
    """Bus bandwidth between cards of one node, GB/s a card."""
    if hardware.interconnect == "nvlink" and hardware.nvlink_gbytes_s > 0:
        return NVLINK_SHARE * hardware.nvlink_gbytes_s
    arch = hardware.gpu.arch if hardware.gpu else ""
    return PCIE_GBYTES_S.get(arch, PCIE_DEFAULT_GBYTES_S)


def fabric_gbytes_s(hardware: Hardware) -> float:
    """Bandwidth out of one node, GB/s over all its network cards: RDMA or, without it, plain TCP."""
    if hardware.rdma and hardware.rdma_gbps > 0:
        return RDMA_SHARE * hardware.rdma_gbps / 8
    return max(0.01, min(TCP_SHARE * hardware.network_gbps / 8, TCP_LIMIT_GBYTES_S))


def group_gbytes_s(hardware: Hardware, ranks: int, stride: int) -> tuple[float, float]:
    """Bandwidth (GB/s a rank) and ring step latency (s) of a group of `ranks` cards that lie `stride` apart.

    A ring through several nodes stripes over all network cards of a node; groups that run side by side share them.
    """
    inside = node_gbytes_s(hardware)
    if ranks * stride <= hardware.gpus_per_node:
        return inside, LATENCY_S["node"]
    per_node = max(1, hardware.gpus_per_node // stride)
    outside = fabric_gbytes_s(hardware) * per_node / hardware.gpus_per_node
    return min(inside, outside), LATENCY_S["rdma" if hardware.rdma else "tcp"]


def all_gather_s(size_bytes: float, ranks: int, speed: tuple[float, float], collectives: float = 1.0) -> float:
    """Seconds to gather, reduce-scatter or exchange all to all `size_bytes` over a ring: S (n-1)/n / B + latency."""
    if ranks == 1:
        return 0.0
    bandwidth, latency = speed
    return size_bytes * (ranks - 1) / ranks / (bandwidth * 1e9) + latency * (ranks - 1) * collectives


def data_parallel(work: Work, hardware: Hardware, layout: Layout, micro_s: float) -> Traffic:
    """Gradients and parameters between replicas in one optimizer step; `micro_s` is the compute of one micro-step.

    Volumes: DDP 2 S once; ZeRO-1 the same in two halves, of which the gather after the step hides nothing; ZeRO-2
    reduces each micro-step; ZeRO-3 and FSDP gather twice and reduce once a micro-step; HSDP does so inside the node
    and reduces the shards across (ZeRO, arXiv 1910.02054; FSDP, arXiv 2304.11277).
    """
    ranks = layout.data * layout.context
    if ranks == 1:
        return Traffic(total_s=0.0, exposed_s=0.0)
    stride = layout.tensor
    speed = group_gbytes_s(hardware, ranks, stride)
    split = layout.tensor * layout.pipeline
    weights = work.weight_bytes / split
    gradients = work.gradient_bytes / split
    if work.expert_share and layout.expert > 1:
        # Experts that live on one rank of the expert group are reduced over the rest of the replicas only.
        keep = 1.0 - work.expert_share * (1.0 - 1.0 / layout.expert)
        weights, gradients = weights * keep, gradients * keep
    steps = layout.accumulation
    if layout.sharding in ("zero3", "fsdp", "hsdp"):
        inner = ranks
        across = 0.0
        if layout.sharding == "hsdp":
            inner = max(1, min(ranks, hardware.gpus_per_node // stride))
            replicas = ranks // inner
            across = 2 * all_gather_s(gradients / inner, replicas, group_gbytes_s(hardware, replicas, stride * inner))
            speed = group_gbytes_s(hardware, inner, stride)
        pieces = LAYER_COLLECTIVES.get(layout.sharding, 1.0) * work.layers / layout.pipeline
        micro = 2 * all_gather_s(weights, inner, speed, pieces) + all_gather_s(gradients, inner, speed, pieces)
        exposed = steps * max(0.0, micro - SHARDED_OVERLAP * micro_s) + max(0.0, across - DDP_OVERLAP * micro_s)
        return Traffic(total_s=steps * micro + across, exposed_s=exposed)
    once = all_gather_s(gradients, ranks, speed)
    if layout.sharding == "none":
        return Traffic(total_s=2 * once, exposed_s=max(0.0, 2 * once - DDP_OVERLAP * micro_s))
    gather = all_gather_s(work.trained_weight_bytes / split, ranks, speed)
    reduces = steps if layout.sharding == "zero2" else 1
    exposed = reduces * max(0.0, once - DDP_OVERLAP * micro_s) + gather
    return Traffic(total_s=reduces * once + gather, exposed_s=exposed)


def tensor_parallel_s(work: Work, hardware: Hardware, layout: Layout) -> float:
    """Four all-reduces of 2 s b h bytes a layer and micro-step, two of them backward, nothing hidden.

    Sequence parallelism moves the same bytes as gathers and scatters; full recomputation repeats the forward ones
    (Megatron-LM, arXiv 1909.08053).
    """
    if layout.tensor == 1:
        return 0.0
    speed = group_gbytes_s(hardware, layout.tensor, 1)
    size = 2.0 * work.tokens * layout.micro_batch / layout.context * work.hidden
    passes = 6 if layout.recompute == "full" else 4
    if work.forward_only:
        passes = 2
    one = 2 * all_gather_s(size, layout.tensor, speed)
    return passes * one * work.layers / layout.pipeline * layout.accumulation


def pipeline_s(work: Work, hardware: Hardware, layout: Layout) -> float:
    """Sends of 2 s b h bytes at each stage boundary, forward and backward (arXiv 2104.04473); half of it hides."""
    if layout.pipeline == 1:
        return 0.0
    stride = layout.tensor * layout.context * layout.data
    bandwidth, latency = group_gbytes_s(hardware, layout.pipeline, stride)
    size = 2.0 * work.tokens * layout.micro_batch / layout.context * work.hidden / layout.tensor
    return 0.5 * 2 * layout.interleave * layout.accumulation * (size / (bandwidth * 1e9) + latency)


def expert_s(work: Work, hardware: Hardware, layout: Layout) -> float:
    """Two all-to-alls each way in every MoE layer: tokens x experts per token x hidden x 2 bytes.

    Source: GShard, arXiv 2006.16668.
    """
    if layout.expert == 1 or not work.moe_layers:
        return 0.0
    speed = group_gbytes_s(hardware, layout.expert, layout.tensor)
    size = (
        2.0 * work.tokens * layout.micro_batch / layout.context * work.hidden * work.experts_per_token / layout.tensor
    )
    passes = 2 if work.forward_only else 6 if layout.recompute == "full" else 4
    return passes * all_gather_s(size, layout.expert, speed) * work.moe_layers / layout.pipeline * layout.accumulation


def context_s(work: Work, hardware: Hardware, layout: Layout) -> float:
    """Keys and values passed round the ring, once forward and twice backward; half of it hides.

    Source: Ring Attention, arXiv 2310.01889.
    """
    if layout.context == 1:
        return 0.0
    speed = group_gbytes_s(hardware, layout.context, layout.tensor)
    size = work.kv_bytes * work.tokens * layout.micro_batch / layout.tensor / layout.pipeline
    return 0.5 * 3 * all_gather_s(size, layout.context, speed) * layout.accumulation
