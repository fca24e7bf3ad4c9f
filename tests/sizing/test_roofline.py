"""How fast a card works, and what a sample costs."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.sizing.accelerators import accelerator_names, find_accelerator
from generator.sizing.architecture import Transformer, find_model, model_names
from generator.sizing.estimate import Accelerator
from generator.sizing.flops import count_work
from generator.sizing.precision import resolve_precision
from generator.sizing.roofline import MOST_SHARE, card_speed, find_efficiency, peak_tflops
from tests.sizing.jobs import job

TABLE = Path("generator/sizing/roofline.csv")


def card(name: str) -> Accelerator:
    found = find_accelerator(name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", accelerator_names())
def test_every_card_has_its_shares(name: str) -> None:
    """No card of the table is without an efficiency, and none reaches more than its peak in any precision it has."""
    gpu = card(name)
    assert 0 < find_efficiency(gpu).matmul <= 1
    for precision in ("fp32", "tf32", "fp16", "bf16", "fp8"):
        peak = peak_tflops(gpu, precision)
        if peak is None or (precision.startswith("fp16") and peak < (gpu.fp32_tflops or 0)):
            continue
        matmul, attention, convolution, bandwidth = card_speed(gpu, precision, 1.0)
        assert 0 < matmul <= MOST_SHARE * peak * 1e12
        assert 0 < convolution <= MOST_SHARE * peak * 1e12
        assert attention > 0
        assert 0 < bandwidth <= gpu.bandwidth_gbytes_s * 1e9


def test_every_share_has_its_source() -> None:
    """Each row of the table says where its shares come from."""
    with (Path(__file__).resolve().parent.parent.parent / TABLE).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({row["arch"] for row in rows}) == len(rows)
    assert all(row["source"] for row in rows)


@pytest.mark.parametrize(
    ("strong", "weak"),
    [("A100-SXM-80", "A100-PCIE-80"), ("H100-SXM-80", "H100-PCIE-80"), ("RTX3090", "A10"), ("RTX4090", "L4")],
)
def test_less_power_reaches_less_of_the_peak(strong: str, weak: str) -> None:
    """Of two cards of one architecture the one with fewer watts a TFLOP reaches a smaller share in matrix products."""
    shares = [card_speed(card(name), "fp16", 1.0)[0] / (card(name).fp16_tflops or 1) for name in (strong, weak)]
    assert shares[0] > shares[1]


def test_short_kernels_use_less_of_a_fast_memory() -> None:
    """H100 has 3.7 times the bandwidth of a V100 and moves at most 2.5 times the bytes of short kernels."""
    fast, slow = (card_speed(card(name), "fp16", 1.0)[3] for name in ("H100-SXM-80", "V100-SXM-16"))
    assert 1.5 < fast / slow < 2.5


def test_a_slice_has_its_fraction() -> None:
    """Half a card has half of everything."""
    whole, half = (card_speed(card("A10"), "bf16", share) for share in (1.0, 0.5))
    assert half == pytest.approx(tuple(rate / 2 for rate in whole))


@pytest.mark.parametrize("name", accelerator_names())
def test_an_open_precision_runs_on_every_card(name: str) -> None:
    """Whatever the card, the precision taken is one that it has a rate for."""
    precision, problem = resolve_precision(job("gpt2"), card(name))
    assert problem == ""
    assert precision is not None
    assert peak_tflops(card(name), precision) or precision == "fp32"


@pytest.mark.parametrize("name", model_names())
def test_every_model_has_its_work(name: str) -> None:
    """Training FLOPs of every model of the zoo are positive, and of a dense decoder about 6 N a token."""
    model = find_model(name)
    images = None if isinstance(model, Transformer) else 224
    work = count_work(job(name, image_size=images, sequence_length=128), "bf16")
    assert work.model_flops > 0
    assert work.traffic_bytes > 0
    if isinstance(model, Transformer) and not model.experts and not model.encoder_only and model.parameters > 1e9:
        assert work.model_flops / work.tokens == pytest.approx(6 * model.parameters, rel=0.25)


@given(
    short=st.sampled_from([128, 1024, 4096]),
    model=st.sampled_from(["llama-2-7b", "bert-large", "deepseek-v3"]),
)
def test_attention_grows_with_the_square_of_the_sequence(short: int, model: str) -> None:
    """Twice the tokens are twice the matrix products and four times the attention."""
    one, two = (count_work(job(model, sequence_length=tokens), "bf16") for tokens in (short, 2 * short))
    assert two.matmul_flops == pytest.approx(2 * one.matmul_flops)
    assert two.attention_flops == pytest.approx(4 * one.attention_flops)


def test_an_encoder_scores_only_masked_words() -> None:
    """BERT's head costs 15 % in pretraining and nothing in fine-tuning."""
    pretrained, tuned = (count_work(job("bert-large", task=task), "bf16") for task in ("pretrain", "finetune"))
    assert pretrained.logits_bytes > 0
    assert tuned.logits_bytes == 0
    assert pretrained.matmul_flops > tuned.matmul_flops


def test_pixels_scale_an_image() -> None:
    """Twice the side is four times the FLOPs and the traffic; a diffusion model repeats its steps to generate."""
    small, big = (count_work(job("resnet50", image_size=side), "bf16") for side in (224, 448))
    assert big.matmul_flops == pytest.approx(4 * small.matmul_flops)
    assert big.traffic_bytes == pytest.approx(4 * small.traffic_bytes)
    trained, drawn = (count_work(job("sd15-unet", task=task, image_size=512), "bf16") for task in ("pretrain", "infer"))
    assert drawn.matmul_flops == pytest.approx(50 * trained.matmul_flops)
