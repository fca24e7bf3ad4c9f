"""Hugging Face `config.json`: families read right, and every fault named with its place and cure."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import InputError
from generator.sizing.architecture import Transformer, VisionModel, find_model, read_config
from generator.sizing.config_json import FIELDS, config_types, parse_config

LLAMA = {
    "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 8192,
}  # fmt: skip
DEEPSEEK = {
    "model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 128,
    "num_key_value_heads": 128, "intermediate_size": 18432, "moe_intermediate_size": 2048, "n_routed_experts": 256,
    "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3, "kv_lora_rank": 512,
    "q_lora_rank": 1536, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "vocab_size": 129280,
    "max_position_embeddings": 163840,
}  # fmt: skip
# Config in the words of each family, and the count its maker publishes (billions).
PUBLISHED: list[tuple[dict[str, Any], float]] = [
    (LLAMA, 8.03),
    (LLAMA | {"model_type": "mistral", "vocab_size": 32000, "max_position_embeddings": 32768}, 7.24),
    (LLAMA | {"model_type": "mixtral", "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2}, 46.7),
    (DEEPSEEK, 671.0),
    (
        {"model_type": "deepseek_v2", "hidden_size": 2048, "num_hidden_layers": 27, "num_attention_heads": 16,
         "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 64, "n_shared_experts": 2,
         "num_experts_per_tok": 6, "first_k_dense_replace": 1, "kv_lora_rank": 512, "q_lora_rank": None,
         "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "vocab_size": 102400, "max_position_embeddings": 4096},
        15.7,
    ),
    (
        {"model_type": "qwen2", "hidden_size": 3584, "num_hidden_layers": 28, "num_attention_heads": 28,
         "num_key_value_heads": 4, "intermediate_size": 18944, "vocab_size": 152064, "max_position_embeddings": 32768},
        7.62,
    ),
    (
        {"model_type": "qwen3", "hidden_size": 4096, "num_hidden_layers": 36, "num_attention_heads": 32,
         "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 12288, "vocab_size": 151936,
         "max_position_embeddings": 40960},
        8.19,
    ),
    (
        {"model_type": "qwen2_moe", "hidden_size": 3584, "num_hidden_layers": 28, "num_attention_heads": 28,
         "num_key_value_heads": 4, "intermediate_size": 18944, "moe_intermediate_size": 2560, "num_experts": 64,
         "num_experts_per_tok": 8, "shared_expert_intermediate_size": 20480, "vocab_size": 151936,
         "max_position_embeddings": 131072},
        57.4,
    ),
    (
        {"model_type": "gemma", "hidden_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 16,
         "num_key_value_heads": 16, "head_dim": 256, "intermediate_size": 24576, "vocab_size": 256000,
         "max_position_embeddings": 8192},
        8.54,
    ),
    (
        {"model_type": "phi", "hidden_size": 2560, "num_hidden_layers": 32, "num_attention_heads": 32,
         "intermediate_size": 10240, "vocab_size": 51200, "max_position_embeddings": 2048},
        2.78,
    ),
    (
        {"model_type": "chatglm", "hidden_size": 4096, "num_layers": 28, "num_attention_heads": 32, "kv_channels": 128,
         "multi_query_attention": True, "multi_query_group_num": 2, "ffn_hidden_size": 13696,
         "padded_vocab_size": 65024, "seq_length": 8192},
        6.24,
    ),
    (
        {"model_type": "baichuan", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
         "intermediate_size": 11008, "vocab_size": 125696, "max_position_embeddings": 4096},
        7.51,
    ),
    (
        {"model_type": "internlm", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
         "intermediate_size": 11008, "vocab_size": 103168, "max_position_embeddings": 2048},
        7.32,
    ),
    (
        {"model_type": "qwen", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
         "intermediate_size": 22016, "vocab_size": 151936, "seq_length": 8192},
        7.72,
    ),
    (
        {"model_type": "gpt2", "n_embd": 1600, "n_layer": 48, "n_head": 25, "vocab_size": 50257, "n_positions": 1024},
        1.558,
    ),
    (
        {"model_type": "gpt_neox", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 8,
         "intermediate_size": 8192, "vocab_size": 50304, "max_position_embeddings": 2048},
        1.01,
    ),
    (
        {"model_type": "bert", "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
         "intermediate_size": 4096, "vocab_size": 30522, "max_position_embeddings": 512},
        0.336,
    ),
    (
        {"model_type": "t5", "d_model": 768, "num_layers": 12, "num_heads": 12, "d_kv": 64, "d_ff": 3072,
         "vocab_size": 32128},
        0.223,
    ),
    (
        {"model_type": "vit", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
         "intermediate_size": 3072, "image_size": 224, "patch_size": 16},
        0.0866,
    ),
    (
        {"model_type": "swin", "embed_dim": 128, "depths": [2, 2, 18, 2], "num_heads": [4, 8, 16, 32],
         "window_size": 7, "image_size": 224, "patch_size": 4},
        0.0878,
    ),
]  # fmt: skip


def faults(config: Any) -> dict[str, tuple[str, int | None]]:
    with pytest.raises(InputError) as raised:
        parse_config(json.dumps(config, indent=1).encode(), "c/config.json")
    return {
        problem.message: (problem.hint or "", problem.where.line if problem.where else None)
        for problem in raised.value.problems
    }


@pytest.mark.parametrize(
    ("config", "billions"), PUBLISHED, ids=lambda value: str(getattr(value, "get", str)("model_type"))
)
def test_a_family_is_read_with_the_count_its_maker_publishes(config: dict[str, Any], billions: float) -> None:
    """Each supported family gives its published parameter count within 1 %."""
    model = parse_config(json.dumps(config).encode(), "config.json")
    assert model.parameters == pytest.approx(billions * 1e9, rel=0.01)


def test_a_config_gives_the_shape_of_the_zoo(tmp_path: Path) -> None:
    """Llama-3-8B and DeepSeek-V3 read from their configs have the shape that the zoo has."""
    for config, name in ((LLAMA, "llama-3-8b"), (DEEPSEEK, "deepseek-v3")):
        path = tmp_path / "config.json"
        path.write_text(json.dumps(config))
        model, known = read_config(path), find_model(name)
        assert isinstance(model, Transformer)
        assert isinstance(known, Transformer)
        for field in (
            "hidden",
            "layers",
            "heads",
            "kv_heads",
            "head_dim",
            "ffn",
            "experts",
            "kv_lora_rank",
            "dense_layers",
        ):
            assert getattr(model, field) == getattr(known, field), field
        assert model.active_parameters == pytest.approx(known.active_parameters, rel=0.01)


def test_a_vision_transformer_is_near_its_profiled_table() -> None:
    """ViT-B/16 and Swin-B by config have FLOPs within 3 % and saved bytes within 15 % of what was profiled."""
    names = {"vit": "vit_base_patch16_224", "swin": "swin_base_patch4_window7_224"}
    for config, _ in PUBLISHED:
        if config["model_type"] in names:
            model, known = parse_config(json.dumps(config).encode(), "c"), find_model(names[config["model_type"]])
            assert isinstance(model, VisionModel)
            assert isinstance(known, VisionModel)
            assert model.forward_gflops == pytest.approx(known.forward_gflops, rel=0.03)
            assert model.saved_mb_amp == pytest.approx(known.saved_mb_amp, rel=0.15)


def test_all_faults_of_a_config_are_told_at_once_with_their_lines() -> None:
    """Negative, gigantic, text and boolean values are each named with the line, the value and the cure."""
    found = faults(
        LLAMA | {"hidden_size": -5, "num_hidden_layers": 10**12, "vocab_size": "many", "intermediate_size": True}
    )
    assert len(found) == 4
    for message, line in (("hidden_size is -5", 3), ("num_hidden_layers is 1,000,000,000,000", 4), ("'many'", 8)):
        hit = [place for text, (_, place) in found.items() if message in text]
        assert hit == [line]


@pytest.mark.parametrize(
    "field", ["hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size"]
)
def test_a_missing_field_is_never_guessed(field: str) -> None:
    """Without one of the fields that decide the size there is a problem that names it, not a default."""
    found = faults({key: value for key, value in LLAMA.items() if key != field})
    assert any(field in message for message in found)
    assert all(hint for hint, _ in found.values())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"num_attention_heads": 33}, "does not divide"),
        ({"num_key_value_heads": 5}, "do not divide"),
        ({"model_type": "brandnew"}, "'brandnew' is not known"),
        ({"model_type": None}, "is not known"),
        ({"num_local_experts": 4, "num_experts_per_tok": 9}, "9 experts a token"),
        ({"tie_word_embeddings": "yes"}, "not true or false"),
        ({"hidden_size": 4096.5}, "not a whole number"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, Any], said: str) -> None:
    """Heads that do not divide, unknown families, impossible mixtures and wrong types are problems."""
    assert any(said in message for message in faults(LLAMA | change))


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"a": ' * 5000, b'{"model_type": ["x"]}'])
def test_what_is_no_config_is_refused(data: bytes) -> None:
    """Empty, cut, nested beyond reason or foreign files are one problem with the file's name."""
    with pytest.raises(InputError) as raised:
        parse_config(data, "config.json")
    assert raised.value.problems[0].where is not None


def test_a_file_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    """A path without a file is told as such."""
    with pytest.raises(InputError, match="cannot read"):
        read_config(tmp_path / "none.json")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = sorted(
    {key for keys, _ in FIELDS.values() for key in keys} | {"depths", "mlp_ratio", "multi_query", "attn_config"}
)


@given(kind=st.sampled_from(sorted(config_types())), values=st.dictionaries(st.sampled_from(KEYS), JSON, max_size=12))
def test_any_config_is_a_model_or_problems(kind: str, values: dict[str, Any]) -> None:
    """Whatever stands in the fields, the answer is a model with parameters or problems, never a traceback."""
    try:
        model = parse_config(json.dumps(values | {"model_type": kind}).encode(), "config.json")
    except InputError:
        return
    assert model.parameters > 0
