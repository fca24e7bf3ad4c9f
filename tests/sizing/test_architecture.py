"""The model zoo: parameter counts by the closed form, names, and typical shapes for a bare parameter count."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import InputError
from generator.sizing import architecture
from generator.sizing.activations import layer_bytes
from generator.sizing.architecture import (
    SAMPLE_KINDS,
    SAMPLE_TABLES,
    TRANSFORMER_TABLES,
    Transformer,
    VisionModel,
    count_active_parameters,
    count_parameters,
    find_model,
    model_names,
    suggest_models,
    typical_sample_model,
    typical_transformer,
)
from generator.sizing.profiles import find_profile
from tests.sizing.jobs import job

TABLES = Path(architecture.__file__).parent


def rows(*tables: str) -> list[dict[str, str]]:
    found = []
    for table in tables:
        with (TABLES / table).open(encoding="utf-8", newline="") as file:
            found += list(csv.DictReader(file))
    return found


def test_the_zoo_is_whole() -> None:
    """The 79 language, 72 vision and 18 other models are there, each with its source, no transformer twice."""
    sizes = {"llm_zoo.csv": 79, "vision_zoo.csv": 72, "other_zoo.csv": 18}
    for table, count in sizes.items():
        assert len(rows(table)) == count
    for row in rows(*TRANSFORMER_TABLES, *SAMPLE_TABLES):
        assert row["source"]
    names = [row["name"] for row in rows(*TRANSFORMER_TABLES)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("row", rows(*TRANSFORMER_TABLES), ids=lambda row: row["name"])
def test_parameters_are_within_one_percent_of_what_is_published(row: dict[str, str]) -> None:
    """Table and closed form agree with the published count within 1 %."""
    model = find_model(row["name"])
    assert isinstance(model, Transformer)
    if row["published_b"]:
        published = float(row["published_b"]) * 1e9
        assert model.parameters == pytest.approx(published, rel=0.01)
        assert count_parameters(model) == pytest.approx(published, rel=0.01)
    assert count_parameters(model) == pytest.approx(model.parameters, rel=0.011)
    assert count_active_parameters(model) == pytest.approx(model.active_parameters, rel=0.015)


def test_names_are_found_in_any_case_and_by_alias() -> None:
    """`Llama-3-8B`, `tiny-llama` and `ResNet-50` are the models people mean; unknown names bring neighbours."""
    for name, meant in (
        ("Llama-3-8B", "llama-3-8b"),
        ("tiny-llama", "tinyllama-1.1b"),
        ("ResNet-50", "resnet50"),
        ("YOLOv8x", "yolov8x"),
    ):
        model = find_model(name)
        assert model is not None
        assert model.name == meant
    assert find_model("llama-9-9b") is None
    assert "llama-3-8b" in suggest_models("lama-3-8b")


def test_every_name_and_alias_leads_to_a_model() -> None:
    """Each name of the tables is found; each alias leads to a model and hides none."""
    for name in model_names():
        assert find_model(name) is not None
    own = {name.casefold() for name in model_names()}
    for row in rows("model_aliases.csv"):
        assert find_model(row["alias"]) is not None
        assert row["alias"].casefold() not in own or row["alias"].casefold() == row["model"].casefold()


@given(parameters=st.floats(min_value=1e8, max_value=1e12))
def test_a_bare_count_gets_a_shape_of_that_size(parameters: float) -> None:
    """From 100 million parameters on the typical shape has that many within 8 %, heads divide, and it says so."""
    model = typical_transformer(parameters)
    assert count_parameters(model) == pytest.approx(parameters, rel=0.08)
    assert model.hidden == model.heads * model.head_dim
    assert model.heads % model.kv_heads == 0
    assert model.assumed is not None
    assert f"{model.layers} layers" in model.assumed


def test_what_is_given_of_a_shape_is_kept() -> None:
    """Layers, hidden size and heads of `{parameters: 7B, layers: 32, hidden: 4096}` are taken as they stand."""
    model = typical_transformer(
        7e9, layers=32, hidden=4096, heads=32, kv_heads=8, ffn=14336, vocab=128256, context=8192
    )
    assert (model.layers, model.hidden, model.heads, model.kv_heads) == (32, 4096, 32, 8)
    assert (model.ffn, model.vocab, model.context, model.parameters) == (14336, 128256, 8192, 7e9)


@pytest.mark.parametrize(
    ("parameters", "given_shape", "said"),
    [
        (0.0, {}, "parameters"),
        (7e9, {"layers": -1}, "layers"),
        (7e9, {"layers": 10**12}, "layers"),
        (7e9, {"hidden": 4096, "heads": 33}, "does not divide"),
        (7e9, {"hidden": 4096, "heads": 32, "kv_heads": 5}, "kv_heads"),
    ],
)
def test_an_absurd_shape_is_refused(parameters: float, given_shape: dict[str, int], said: str) -> None:
    """Shapes that no model has are problems that name the field."""
    with pytest.raises(InputError, match=said):
        typical_transformer(parameters, **given_shape)


@pytest.mark.parametrize("kind", SAMPLE_KINDS)
def test_a_diffusion_model_by_count_says_what_it_assumes(kind: str) -> None:
    """A bare diffusion model has FLOPs and saved bytes, more for more tokens or frames, and says they are assumed."""
    small = typical_sample_model(2e9, kind=kind, tokens_per_sample=8)
    large = typical_sample_model(2e9, kind=kind, tokens_per_sample=16)
    assert isinstance(small, VisionModel)
    assert small.assumed
    if kind != "unet2d":
        assert large.forward_gflops == pytest.approx(2 * small.forward_gflops)
    with pytest.raises(InputError, match="unknown kind"):
        typical_sample_model(2e9, kind="poem")


def test_t5_by_shape_agrees_with_its_profiled_table() -> None:
    """T5-large's activations by coefficients are within a factor of 1.6 of its profiled 1,030 MB."""
    model = find_model("t5-large")
    assert isinstance(model, Transformer)
    measured = next(float(row["saved_mb_amp"]) for row in rows("other_zoo.csv") if row["name"] == "t5-large")
    each = layer_bytes(model, job(None), "bf16", find_profile("hf_trainer"), 512)
    ours = each * (512 * model.encoder_layers + 128 * model.layers) / 1e6
    assert measured / 1.6 < ours < measured * 1.6
