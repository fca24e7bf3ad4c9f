"""The starter specs: each loads as it stands, keeps its comments, and takes a name."""

import pytest

from generator.spec import load_spec
from generator.spec.presets import FOLDER, preset_names, preset_text, preset_title
from generator.workload import derive


@pytest.mark.parametrize("preset", preset_names())
def test_a_preset_is_a_spec_that_explains_itself(preset: str) -> None:
    """It loads and derives; its first line is its name and scenario; it is commented."""
    spec = load_spec(FOLDER / f"{preset}.yaml")
    assert derive(spec).task == spec.workload.task
    assert spec.name == preset.replace("-", "_")
    assert preset_title(preset).startswith(f"{preset}: ")
    assert (FOLDER / f"{preset}.yaml").read_text(encoding="utf-8").count("#") >= 5


def test_the_presets_are_the_scenarios_whose_tasks_generate() -> None:
    """The documents' scenarios."""
    wanted = {"cnn-small", "cnn-mid", "vit-hires", "llm-finetune", "llm-pretrain", "infer", "prep", "dev"}
    assert set(preset_names()) == wanted


def test_a_preset_takes_a_name_and_nothing_else_changes() -> None:
    """Only the name's line differs."""
    for preset in preset_names():
        before = (FOLDER / f"{preset}.yaml").read_text(encoding="utf-8").splitlines()
        after = preset_text(preset, "my_job").splitlines()
        assert [new for old, new in zip(before, after, strict=True) if old != new] == ["name: my_job"]


def test_a_preset_that_is_not_there_is_a_key_error() -> None:
    """A name that is a path is no preset."""
    with pytest.raises(KeyError):
        preset_text("../../pyproject", "job")
