"""`trainform init` writes a starter once, in a folder of its own, and nothing else."""

from pathlib import Path

import pytest

from generator.cli import main
from generator.spec import load_spec
from generator.spec.presets import preset_names


def run(*args: str) -> int:
    """Exit code of a command."""
    with pytest.raises(SystemExit) as caught:
        main(list(args))
    return int(caught.value.code or 0)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_is_written_and_loads(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    """NAME/spec.yaml bears the name, keeps the comments and loads; the next command is told."""
    assert run("init", "my_job", "--preset", preset) == 0
    assert load_spec(Path("my_job/spec.yaml")).name == "my_job"
    assert "#" in Path("my_job/spec.yaml").read_text(encoding="utf-8")
    assert "trainform select my_job/spec.yaml" in capsys.readouterr().out


def test_without_a_name_the_preset_gives_one() -> None:
    """`init` alone is enough to begin."""
    assert run("init") == 0
    assert load_spec(Path("llm_finetune/spec.yaml")).name == "llm_finetune"


def test_a_spec_is_never_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    """The second time exits 2 and leaves what a person may have edited."""
    assert run("init", "job") == 0
    Path("job/spec.yaml").write_text("mine", encoding="utf-8")
    assert run("init", "job", "--preset", "dev") == 2
    assert Path("job/spec.yaml").read_text(encoding="utf-8") == "mine"
    assert "already exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["x'; import os", "../job", "a/b", "$(reboot)", "/tmp/x", "Job", "os", "class", "", "a" * 41]
)
def test_a_name_that_is_no_identifier_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2 with a hint; nothing is written."""
    assert run("init", name) == 2
    assert "hint:" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_is_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    """A file that bears the folder's name is left alone."""
    Path("job").write_text("x", encoding="utf-8")
    assert run("init", "job") == 2
    assert "job is a file" in capsys.readouterr().err
    assert Path("job").read_text(encoding="utf-8") == "x"


def test_an_unknown_preset_is_refused_with_those_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    """A name that is no preset leads to the names that are."""
    assert run("init", "job", "--preset", "inference") == 2
    told = capsys.readouterr().err
    assert all(preset in told for preset in preset_names())


def test_the_help_lists_every_preset_with_its_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    """The list is the folder's."""
    assert run("init", "--help") == 0
    told = capsys.readouterr().out
    assert all(f"  {preset}: " in told for preset in preset_names())
