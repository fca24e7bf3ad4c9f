"""Inference: latency and requests a second."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.sizing.estimate import Layout
from generator.sizing.flops import count_work
from generator.sizing.layout import find_fit
from generator.sizing.serving import serve
from tests.sizing.jobs import job, machines


def serving(model: str, card: str = "A100-SXM-80", tensor: int = 1, batch: int = 1, **fields: object):
    workload = job(model, task="infer", profile="vllm", global_batch=None, samples_total=None, **fields)
    layout = Layout(tensor=tensor, micro_batch=batch)
    return serve(count_work(workload, "fp16"), machines(card, max(1, tensor)), layout, "fp16")


def test_decoding_is_bound_by_memory() -> None:
    """Llama-2-7B decodes 60 to 140 tokens a second alone on an A100 80 GB: its 13.5 GB of weights once a token."""
    served = serving("llama-2-7b", context=1024)
    assert 60 <= 256 / served.decode_s <= 140


def test_half_the_bytes_decode_faster() -> None:
    """int8 weights decode more than half as fast again as 16-bit ones, int4 faster still."""
    plain, int8, int4 = (serving("llama-2-13b", context=1024, quantization=kind) for kind in ("none", "int8", "int4"))
    assert plain.decode_s > 1.4 * int8.decode_s > 1.4 * int4.decode_s


@given(
    model=st.sampled_from(["llama-2-7b", "llama-3-70b", "qwen3-30b-a3b", "deepseek-v3"]),
    batch=st.sampled_from([1, 2, 8, 32]),
    context=st.sampled_from([512, 4096, 32768]),
)
def test_a_batch_never_answers_sooner_nor_fewer(model: str, batch: int, context: int) -> None:
    """More requests at a time wait longer each, and together come out faster."""
    one, many = (serving(model, context=context, batch=size) for size in (batch, 2 * batch))
    assert many.latency_ms >= one.latency_ms
    assert many.requests_per_s >= one.requests_per_s * 0.999
    assert one.latency_ms == pytest.approx(1000 * (one.prefill_s + one.decode_s + one.communication_s))


def test_tensor_parallelism_answers_sooner_over_nvlink_than_over_pcie() -> None:
    """Four cards answer sooner than one, and NVLink loses less on the way than PCIe."""
    one = serving("llama-3-70b", "A100-SXM-80", 1, context=2048)
    nvlink = serving("llama-3-70b", "A100-SXM-80", 4, context=2048)
    pcie = serving("llama-3-70b", "A100-PCIE-80", 4, context=2048)
    assert nvlink.latency_ms < one.latency_ms
    assert nvlink.communication_s < pcie.communication_s


def test_a_limit_on_latency_chooses_the_layout() -> None:
    """Under a tight limit fewer requests run together; under an impossible one the reason is latency."""
    fields = {"task": "infer", "profile": "vllm", "global_batch": None, "samples_total": None, "context": 1024}
    hardware = machines("A100-SXM-80", 1)
    free = find_fit(job("llama-2-7b", **fields), hardware)
    tight = find_fit(job("llama-2-7b", latency_ms=5000.0, **fields), hardware)
    never = find_fit(job("llama-2-7b", latency_ms=50.0, **fields), hardware)
    assert free.layout is not None
    assert tight.layout is not None
    assert tight.time is not None
    assert tight.fits
    assert tight.time.latency_ms <= 5000
    assert tight.layout.micro_batch <= free.layout.micro_batch
    assert never.reason == "latency"
    assert "50" in never.message


def test_nodes_add_replicas() -> None:
    """Twice the nodes serve twice the requests at the same latency; the service runs its month."""
    workload = job("llama-3-8b", task="infer", profile="vllm", global_batch=None, samples_total=None, context=2048)
    one, two = (find_fit(workload, machines("A10", 2, nodes)).time for nodes in (1, 2))
    assert one is not None
    assert two is not None
    assert two.requests_per_s == pytest.approx(2 * one.requests_per_s)
    assert two.latency_ms == one.latency_ms
    assert one.run_hours == 720


def test_a_framework_without_tensor_parallelism_stacks_layers() -> None:
    """transformers stacks layers on several cards (`device_map`): more memory, no more speed."""
    workload = job(
        "llama-2-13b", task="infer", profile="transformers", global_batch=None, samples_total=None, context=2048
    )
    fit = find_fit(workload, machines("A10", 4))
    assert fit.fits
    assert fit.layout is not None
    assert fit.layout.tensor == 1
    assert fit.layout.pipeline > 1


def test_images_are_classified_by_the_thousand() -> None:
    """ResNet-50 on a T4 answers 400 to 3,000 images a second (DeepLearningExamples: 1,190 in fp16)."""
    workload = job("resnet50", task="infer", profile="dle", image_size=224, global_batch=None, samples_total=None)
    fit = find_fit(workload, machines("T4", 1))
    assert fit.time is not None
    assert 400 <= fit.time.requests_per_s <= 3000
