"""Inference: how long a batch of requests takes on one replica, and how many requests a second that makes."""

from __future__ import annotations

import msgspec

from generator.sizing.estimate import Hardware, Layout
from generator.sizing.flops import PROMPT_SHARE, Work
from generator.sizing.network import all_gather_s, group_gbytes_s
from generator.sizing.roofline import card_speed

DECODE_BANDWIDTH = 0.7  # share of the memory bandwidth that reading weights and cache reaches while decoding
DECODE_LAYER_S = 40e-6  # host and kernel time of one layer for one token


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """One batch of `micro_batch` requests on each of `data` replicas. Rates are of all replicas."""

    prefill_s: float
    decode_s: float
    communication_s: float
    latency_ms: float
    requests_per_s: float
    tokens_per_s: float


def serve(work: Work, hardware: Hardware, layout: Layout, precision: str) -> Serving:
    """Latency and rate of a replica of tensor x pipeline cards.

    Prefill is bound by FLOPs (2 N a token), decoding by bytes: all weights once and the keys and values of every
    request once a token (Pope et al., arXiv 2211.05102). A model known by the sample runs its
    forward passes; split over cards, it gathers its sharded weights in each, behind the compute as far as that lasts.
    """
    assert hardware.gpu is not None
    matmul, attention, convolution, bandwidth = card_speed(hardware.gpu, precision, hardware.fraction)
    split = layout.tensor  # stages of a pipeline take their turns: they add memory, not speed
    batch = layout.micro_batch
    if not work.transformer:
        flops = batch * work.matmul_flops / layout.context / convolution
        once = flops + (batch * work.traffic_bytes / 3 / layout.context + work.weight_bytes) / bandwidth
        speed = group_gbytes_s(hardware, layout.context, 1)
        gathers = work.passes * all_gather_s(work.weight_bytes, layout.context, speed)
        return _serving(once, 0.0, max(0.0, gathers - once), layout, 0.0)
    prompt = max(1.0, work.tokens * PROMPT_SHARE)
    generated = max(1.0, work.tokens - prompt)
    part = prompt / work.tokens
    prefill = batch * (work.matmul_flops * part / matmul + work.attention_flops * part * part / attention) / split
    prefill += (batch * work.traffic_bytes * part / 3 + work.dequantize_bytes) / split / bandwidth
    cache = batch * work.kv_bytes * (prompt + generated / 2)
    weights = work.weight_bytes
    if work.moe_layers and work.expert_share:
        active = min(1.0, batch * work.matmul_flops / (2 * work.tokens) / work.parameters)
        weights *= max(active, 1 - work.expert_share)
    stream = DECODE_BANDWIDTH * hardware.gpu.bandwidth_gbytes_s * 1e9 * hardware.fraction
    token = (weights + cache) / split / stream
    token = max(token, batch * work.matmul_flops / work.tokens / split / matmul) + DECODE_LAYER_S * work.layers
    communication = 0.0
    if layout.tensor > 1:
        speed = group_gbytes_s(hardware, layout.tensor, 1)
        fill = 2 * all_gather_s(2.0 * prompt * batch * work.hidden, layout.tensor, speed)
        step = 2 * all_gather_s(2.0 * batch * work.hidden, layout.tensor, speed)
        communication = 2 * work.layers * (fill + step * generated)
    return _serving(prefill, token * generated, communication, layout, generated * batch)


def _serving(prefill: float, decode: float, communication: float, layout: Layout, generated: float) -> Serving:
    seconds = prefill + decode + communication
    return Serving(
        prefill_s=prefill,
        decode_s=decode,
        communication_s=communication,
        latency_ms=1000 * seconds,
        requests_per_s=layout.micro_batch * layout.data / seconds,
        tokens_per_s=generated * layout.data / seconds,
    )
