"""Framework profiles and toolchains: every line whole, dated, and true to the cards."""

import csv
import re
from pathlib import Path

import pytest

from generator.sizing import profiles
from generator.sizing.accelerators import accelerator_names, find_accelerator
from generator.sizing.estimate import Accelerator
from generator.sizing.profiles import (
    Profile,
    default_toolchain,
    find_profile,
    find_toolchain,
    option_names,
    profile_names,
    supports,
    toolchain_names,
)

ASKED = (
    "hf_trainer", "deepspeed", "fsdp2", "torchtitan", "torchtune", "litgpt", "megatron", "nemo", "unsloth",
    "llama_factory", "timm", "mmdetection", "ultralytics", "diffusers", "mindspeed", "paddle",
)  # fmt: skip


def card(name: str) -> Accelerator:
    found = find_accelerator(name)
    assert found is not None
    return found


def test_every_framework_that_was_promised_has_a_profile() -> None:
    """The sixteen frameworks and a serving engine are there."""
    assert set(ASKED) <= set(profile_names())
    assert "vllm" in profile_names()


@pytest.mark.parametrize("name", profile_names())
def test_a_profile_is_dated_and_sourced(name: str) -> None:
    """Each profile names versions, the months it is valid in, a source, what it can do, and margins above one."""
    profile = find_profile(name)
    assert profile.version
    assert profile.source
    assert re.fullmatch(r"20\d\d-\d\d", profile.valid_from)
    assert re.fullmatch(r"20\d\d-\d\d", profile.valid_until)
    assert profile.valid_from < profile.valid_until
    assert set(profile.shardings) <= {"none", "zero1", "zero2", "zero3", "fsdp", "hsdp"}
    assert set(profile.recompute) <= {"none", "selective", "full"}
    assert set(profile.offload) <= {"none", "optimizer", "all"}
    assert profile.recompute
    assert profile.offload
    assert profile.global_batch >= 1
    assert profile.pure_h <= profile.act_h  # 16-bit weights keep no more than mixed precision
    assert profile.frozen_h <= profile.act_h
    assert min(profile.bound_weights, profile.bound_trained, profile.bound_dynamic) > 1
    assert any(default_toolchain(profile, card(each)) for each in accelerator_names())


def test_every_column_of_the_table_is_a_field_in_use() -> None:
    """The table's columns are the fields of Profile, and each stands somewhere in sizing."""
    folder = Path(profiles.__file__).parent
    with (folder / "profiles.csv").open(encoding="utf-8", newline="") as file:
        columns = set(next(csv.reader(file)))
    assert columns == set(Profile.__struct_fields__)
    code = "".join(
        path.read_text(encoding="utf-8") for path in folder.parent.rglob("*.py") if path.name != "profiles.py"
    )
    told = {"name", "title", "version", "valid_from", "valid_until", "source", "libraries", "zero_profile"}
    assert {column for column in columns - told if f".{column}" not in code} == set()


@pytest.mark.parametrize("option", option_names())
def test_an_option_changes_a_profile(option: str) -> None:
    """`name+option` is another profile than `name`, for at least one profile, and keeps its own name."""
    changed = [name for name in profile_names() if find_profile(f"{name}+{option}") != rename(name, f"{name}+{option}")]
    assert changed
    assert find_profile(f"{changed[0]}+{option}").name == f"{changed[0]}+{option}"


def rename(name: str, to: str) -> Profile:
    import msgspec

    return msgspec.structs.replace(find_profile(name), name=to)


@pytest.mark.parametrize("name", ["nothing", "hf_trainer+nothing"])
def test_an_unknown_profile_or_option_is_a_key_error(name: str) -> None:
    """What nobody knows raises KeyError, which the spec turns into a problem."""
    with pytest.raises(KeyError, match="nothing"):
        find_profile(name)


@pytest.mark.parametrize(
    ("gpu", "toolchain", "answer"),
    [
        ("V100-SXM-32", "pytorch-2.11-cu128", False),
        ("V100-SXM-32", "pytorch-2.11-cu126", True),
        ("V100-SXM-32", "pytorch-2.11-cu130", False),
        ("V100-SXM-32", "pytorch-2.9-cu128", True),
        ("T4", "pytorch-2.11-cu128", True),
        ("P40", "pytorch-2.11-cu128", False),
        ("B200", "pytorch-2.11-cu126", False),
        ("B200", "pytorch-2.11-cu128", True),
        ("Ascend910B1", "pytorch-2.11-cu128", False),
        ("Ascend910B1", "mindspore-2.4-cann8", True),
        ("Ascend910B1", "paddle-3.0-cu126", False),
        ("A100-SXM-80", "mindspore-2.4-cann8", False),
        ("KunlunP800", "paddle-3.0-xpu", True),
    ],
)
def test_wheels_carry_code_for_some_cards_only(gpu: str, toolchain: str, answer: bool) -> None:
    """PyTorch 2.11 dropped Volta from CUDA 12.8 wheels and keeps it in 12.6; CANN is Ascend's alone (D0-53, D2-49)."""
    chain = find_toolchain(toolchain)
    assert chain is not None
    assert supports(chain, card(gpu)) is answer


@pytest.mark.parametrize(
    ("profile", "gpu", "toolchain"),
    [
        ("hf_trainer", "A100-SXM-80", "pytorch-2.11-cu128"),
        ("hf_trainer", "V100-SXM-16", "pytorch-2.11-cu126"),
        ("hf_trainer", "Ascend910B3", "torch_npu-2.6-cann8"),
        ("mindspeed", "A100-SXM-80", None),
        ("megatron", "Ascend910B3", None),
        ("paddle", "KunlunP800", "paddle-3.0-xpu"),
        ("hf_trainer", "KunlunP800", None),
    ],
)
def test_the_default_is_the_newest_that_supports_the_card(profile: str, gpu: str, toolchain: str | None) -> None:
    """Without a wish the newest wheels of the framework's libraries that carry code for the card; None when none do."""
    found = default_toolchain(find_profile(profile), card(gpu))
    assert (found.name if found else None) == toolchain


def test_every_toolchain_is_of_some_use() -> None:
    """Each toolchain has a source and supports at least one card of its vendor; an unknown one is None."""
    for name in toolchain_names():
        chain = find_toolchain(name)
        assert chain is not None
        assert chain.source
        assert any(supports(chain, card(each)) for each in accelerator_names())
    assert find_toolchain("pytorch-9") is None
