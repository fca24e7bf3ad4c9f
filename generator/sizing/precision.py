"""Which precision a job runs in on a card, and why a stated one cannot run there."""

from __future__ import annotations

from generator.sizing.estimate import Accelerator
from generator.sizing.roofline import peak_tflops
from generator.workload import Workload

# What to take instead, named in the message.
NEEDS = {
    "bf16": "bf16 needs an Ampere card (compute capability 8.0) or later; use fp16",
    "tf32": "tf32 needs an Ampere card (compute capability 8.0) or later; use fp32 or fp16",
    "fp8": "fp8 needs Ada (compute capability 8.9), Hopper or later; use bf16",
    "fp16": "this card has no Tensor Cores and runs fp16 slower than fp32; use fp32",
    "fp32": "this card's maker states no fp32 rate; use fp16",
}


def resolve_precision(workload: Workload, gpu: Accelerator) -> tuple[str | None, str]:
    """The precision to run in and "", or None and the reason: bf16 where the card has it, else fp16, else fp32.

    fp16 counts only where it is faster than fp32: P4 and P40 run it at 1/64 of the rate.
    """
    wanted = workload.precision
    if wanted is None:
        for precision in ("bf16", "fp16"):
            if _runs(gpu, precision):
                return precision, ""
        return "fp32", ""
    if not _runs(gpu, wanted):
        return (
            None,
            f"precision {wanted!r} cannot run on {gpu.name} ({gpu.arch}): {NEEDS[wanted.removesuffix('_pure')]}",
        )
    quantized = "nf4" if workload.method == "qlora" else workload.quantization
    if quantized in ("nf4", "int4") and gpu.vendor == "nvidia" and float(gpu.compute_capability or 0) < 7.0:
        return None, f"{quantized} weights have no kernels for {gpu.name} ({gpu.arch}): Volta or later is needed"
    return wanted, ""


def _runs(gpu: Accelerator, precision: str) -> bool:
    peak = peak_tflops(gpu, precision)
    if peak is None:
        return False
    return not (precision.startswith("fp16") and peak < (gpu.fp32_tflops or 0.0))
