"""How fast a card works: its peak in each precision, the share real kernels reach, the time of one micro-step."""

from __future__ import annotations

import functools
import math
from pathlib import Path

import msgspec

from generator.sizing.estimate import Accelerator, Layout
from generator.sizing.flops import ATTENTION_BACKWARD, Work
from generator.sizing.profiles import Profile
from generator.sizing.states import FULL

HOST_GBYTES_S = 20.0  # a card's share of the link to host memory, PCIe generation 4 x16
CPU_ADAM_BYTES_PER_S = 6e9  # one vCPU's share in an optimizer step on the host (DeepSpeed CPU Adam)
# Memory bandwidth, bytes/s, of which short kernels reach half: ResNet-50 gains 1.7 x, not 2.3 x, from V100 to A100.
POWER_EXPONENT = 0.5  # of speed over power in matrix products
HALF_BANDWIDTH = 3.1e12
MOST_SHARE = 0.92  # of its peak that no card exceeds in matrix products
SELECTIVE_RECOMPUTE = 0.04  # of the forward pass: 2 to 5 % (arXiv 2205.05198)


class Efficiency(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of the datasheet peak that kernels reach; each of the peak of its own precision."""

    matmul: float
    attention: float
    fp8: float
    tf32: float
    fp32: float
    convolution: float
    watts_per_tflop: float  # of the card these shares were measured on


@functools.cache
def _efficiencies() -> dict[str, Efficiency]:
    lines = (Path(__file__).parent / "roofline.csv").read_text("utf-8").splitlines()
    table = {}
    for line in lines[1:]:
        arch, *shares = line.split(",")[:8]
        matmul, attention, fp8, tf32, fp32, convolution, watts = (float(share or 0) for share in shares)
        table[arch] = Efficiency(
            matmul=matmul,
            attention=attention,
            fp8=fp8,
            tf32=tf32,
            fp32=fp32,
            convolution=convolution,
            watts_per_tflop=watts,
        )
    return table


def find_efficiency(gpu: Accelerator) -> Efficiency:
    """The shares of this card's architecture (`Blackwell Ultra` and `XPU-P` by their first word)."""
    table = _efficiencies()
    return table[gpu.arch.split()[0].split("-")[0]]


def peak_tflops(gpu: Accelerator, precision: str) -> float | None:
    """Dense peak of the card for matrix products in this precision, TFLOPS; None where the card has none."""
    kind = precision.removesuffix("_pure")
    return {
        "fp32": gpu.fp32_tflops,
        "tf32": gpu.tf32_tflops,
        "fp16": gpu.fp16_tflops,
        "bf16": gpu.bf16_tflops,
        "fp8": gpu.fp8_tflops,
    }.get(kind)


def power_share(gpu: Accelerator, watts_per_tflop: float) -> float:
    """What a card with fewer watts for each TFLOP than its architecture's reference keeps of the reference's share.

    Fitted on the 500 W H100 of torchtitan against the 700 W one of llm-foundry, and on A30 and A5000 of MLPerf v2.1.
    """
    peak = gpu.fp16_tflops or gpu.bf16_tflops
    if not gpu.tdp_w or not peak or not watts_per_tflop:
        return 1.0
    return math.pow(gpu.tdp_w / peak / watts_per_tflop, POWER_EXPONENT)


@functools.lru_cache(maxsize=512)
def card_speed(gpu: Accelerator, precision: str, fraction: float) -> tuple[float, float, float, float]:
    """FLOP/s reached in matrix products, attention and convolutions, and bytes/s of memory, of `fraction` of a card."""
    share = find_efficiency(gpu)
    power = power_share(gpu, share.watts_per_tflop)
    matmul, convolution = min(MOST_SHARE, share.matmul * power), min(MOST_SHARE, share.convolution * power)
    peak = (peak_tflops(gpu, precision) or gpu.fp32_tflops or 1.0) * 1e12 * fraction
    half = ((gpu.bf16_tflops or gpu.fp16_tflops or 0.0) * 1e12 * fraction) or peak
    bandwidth = gpu.bandwidth_gbytes_s * 1e9
    bandwidth *= fraction / (1 + bandwidth / HALF_BANDWIDTH)
    if precision in FULL:
        wide = peak * (share.fp32 if precision == "fp32" else share.tf32)
        return wide, wide, wide, bandwidth
    if precision == "fp8":
        return peak * min(MOST_SHARE, share.fp8 * power), half * share.attention, half * convolution, bandwidth
    return peak * matmul, half * share.attention, peak * convolution, bandwidth


def micro_step_s(work: Work, speed: tuple[float, float, float, float], layout: Layout, profile: Profile) -> float:
    """Compute seconds of one micro-batch on one card, forward and backward.

    Sum over layers of FLOPs / reached FLOP/s and elementwise bytes / bandwidth, or the time in which the host launches
    the kernels, `launch_us` a layer and pass (roofline: Williams et al. 2009; terms: docstrings of `Work`).
    """
    matmul_rate, attention_rate, convolution_rate, bandwidth = speed
    share = layout.micro_batch / (layout.tensor * layout.pipeline * layout.context)
    if work.forward_only:
        backward, attention_backward, traffic, again = 0.0, 0.0, 1 / 3, 0.0
    else:
        backward, attention_backward, traffic = work.backward, ATTENTION_BACKWARD, 1.0
        again = {"none": 0.0, "selective": SELECTIVE_RECOMPUTE, "full": 1.0}[layout.recompute]
    rate = matmul_rate if work.transformer else convolution_rate
    seconds = work.matmul_flops * share * (1 + backward + again) / rate
    seconds += (
        work.attention_flops * share * (1 + attention_backward + again) / (attention_rate * profile.attention_speed)
    )
    seconds += work.traffic_bytes * share * (traffic + again / 3) / bandwidth
    seconds += work.logits_bytes * share * traffic / bandwidth
    passes = 1 if work.forward_only else 2 + (layout.recompute == "full")
    split = layout.tensor * layout.pipeline
    seconds += work.dequantize_bytes * passes / split / bandwidth
    if layout.offload == "all":
        seconds += passes * work.weight_bytes / split / (HOST_GBYTES_S * 1e9)
    seconds /= profile.time_factor
    host = profile.launch_us * 1e-6 * work.layers / layout.pipeline * passes
    # The host launches ahead while the card works, so the slower of the two counts; near each other both do a little.
    return (seconds**4 + host**4) ** 0.25 if host else seconds


def optimizer_step_s(work: Work, bandwidth: float, layout: Layout, vcpus_per_gpu: float) -> float:
    """Seconds of the update: all states through memory once; offloaded ones through the host's cores and link."""
    if work.forward_only:
        return 0.0
    split = layout.tensor * layout.pipeline / (1 - work.expert_share * (1 - 1 / layout.expert))
    if layout.sharding != "none":
        split *= layout.data * layout.context
    if layout.offload == "none":
        return work.optimizer_traffic / split / bandwidth
    link = 2 * work.gradient_bytes / split / (HOST_GBYTES_S * 1e9)
    return link + work.optimizer_traffic / split / (CPU_ADAM_BYTES_PER_S * max(1.0, vcpus_per_gpu))
