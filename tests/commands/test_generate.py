"""`trainform generate`: writes, previews and checks; refuses with the place; changes nothing when it cannot."""

import shutil
from pathlib import Path

import pytest

from generator.cli import main
from generator.stack.writer import MANIFEST

SPEC = """
name: lora
workload: {task: finetune, model: llama-3-8b, method: lora, sequence_length: 512, samples: 20000}
launch: {image: registry.example.com/team/train:1, command: python train.py}
data: {size: 2GiB, samples: 20000, source: oss://data-sets/text}
where: {clouds: [alicloud], regions: [cn-beijing]}
hardware: {gpus: [A10], nodes: 1, gpus_per_node: 1}
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    file = tmp_path / "job" / "spec.yaml"
    file.parent.mkdir()
    file.write_text(SPEC, encoding="utf-8")
    return file


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    with pytest.raises(SystemExit) as caught:
        main(["generate", *words])
    captured = capsys.readouterr()
    return int(caught.value.code or 0), captured.out, captured.err


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_writes_previews_and_checks(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """A stack folder beside the spec, whose preview and check are told; a second run changes nothing."""
    code, out, _ = run(capsys, str(spec))
    folder = spec.parent / "alicloud"
    assert code == 0
    assert {path.name for path in folder.iterdir()} >= {
        "Pulumi.yaml", "__main__.py", "requirements.txt", "cloud-init.yaml", "launch.sh", "SELECTION.md", "README.md",
        MANIFEST,
    }  # fmt: skip
    assert "created" in out
    assert "previewed: " in out
    before = snapshot(folder)
    code, out, _ = run(capsys, str(spec), "--check")
    assert (code, "as generated" in out) == (0, True)
    assert snapshot(folder) == before


def test_check_shows_the_difference_and_writes_nothing(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """`--check` on a missing or a changed folder: the diff, exit 1, nothing on disk."""
    code, out, _ = run(capsys, str(spec), "--check")
    assert code == 1
    assert "+name: lora\n" in out
    assert not (spec.parent / "alicloud").exists()


def test_a_stack_of_another_cloud_is_not_forgotten(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """`--check` names a folder with a manifest that the spec does not lead to."""
    stale = spec.parent / "alicloud"
    stale.mkdir()
    (stale / MANIFEST).write_text('{"sha256": {}}')
    spec.write_text(SPEC.replace("A10", "H20").replace("gpus_per_node: 1", "gpus_per_node: 3"), encoding="utf-8")
    code, out, err = run(capsys, str(spec), "--check")
    assert code == 1
    assert "no longer generated" in out
    assert "alicloud: nothing fits" in err


def test_nothing_fits_is_exit_2(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """When no offer fits, the nearest candidates are named and nothing is written."""
    spec.write_text(SPEC + "goal: {budget: 1 CNY}\n", encoding="utf-8")
    code, _, err = run(capsys, str(spec))
    assert code == 2
    assert "nothing fits" in err
    assert [path.name for path in spec.parent.iterdir()] == ["spec.yaml"]


def test_an_edited_file_is_exit_2_and_nothing_changes(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """A hand-edited file is named with what to do, and the folder stays as it was."""
    golden = Path(__file__).resolve().parents[2] / "stacks" / "llama3_8b_lora"
    shutil.copytree(golden, spec.parent, dirs_exist_ok=True)
    edited = spec.parent / "alicloud" / "pool.py"
    edited.write_text(edited.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    text = spec.read_text(encoding="utf-8").replace("every: 20min", "every: 25min")
    spec.write_text(text, encoding="utf-8")
    before = snapshot(spec.parent)
    code, _, err = run(capsys, str(spec))
    assert code == 2
    assert f"{edited}: was edited by hand" in err
    assert "hint: " in err
    assert snapshot(spec.parent) == before


def test_out_and_cloud(capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path) -> None:
    """`--out` names the folder of the stacks; `--cloud` takes only clouds that there are, with the nearest named."""
    code, out, _ = run(capsys, str(spec), "--out", str(tmp_path / "elsewhere"), "--cloud", "alicloud", "--check")
    assert code == 1
    assert str(tmp_path / "elsewhere" / "alicloud" / "Pulumi.yaml") in out
    code, _, err = run(capsys, str(spec), "--cloud", "alicould")
    assert code == 2
    assert "did you mean 'alicloud'?" in err


def test_without_the_sdk_it_writes_and_says_so(
    capsys: pytest.CaptureFixture[str], spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine without the provider's SDK still gets its stack, and the line that installs the SDK."""
    from generator.errors import Problem
    from generator.preview import MissingSdkError

    def missing(*_: object, **__: object) -> None:
        raise MissingSdkError(Problem(message="no SDK"), "pip install 'trainform[alicloud]'")

    monkeypatch.setattr("generator.preview.preview", missing)
    code, out, _ = run(capsys, str(spec))
    assert code == 0
    assert "not previewed: pip install 'trainform[alicloud]'" in out
    assert (spec.parent / "alicloud" / "__main__.py").is_file()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name: "x\'; import os"\nworkload: {task: develop}\n', "name"),
        ("name: ../../etc\nworkload: {task: develop}\n", "name"),
        ("name: $(reboot)\nworkload: {task: develop}\n", "name"),
        ('name: job\nworkload: {task: develop}\ntags: {team: "a\'b"}\n', "tag"),
        ("name: job\nworkload: {task: develop}\nlaunch: {command: 'python t.py; reboot'}\n", "command"),
        ("name: job\nworkload: {task: develop}\nlaunch: {image: 'a b'}\n", "image"),
        ("name: job\nworkload: {task: develop}\noperate: {alarms_to: 'x\"@y'}\n", "alarms_to"),
        ("name: [\n", "spec.yaml"),
    ],
)
def test_hostile_specs_are_refused_with_their_place(
    capsys: pytest.CaptureFixture[str], spec: Path, text: str, said: str
) -> None:
    """A value that could become code, a path or a shell word is refused at the door; nothing is written."""
    spec.write_text(text, encoding="utf-8")
    code, _, err = run(capsys, str(spec))
    assert code == 2
    assert said in err
    assert "Traceback" not in err
    assert [path.name for path in spec.parent.iterdir()] == ["spec.yaml"]


def test_over_an_existing_stack_it_says_first_what_would_be_replaced(
    capsys: pytest.CaptureFixture[str], spec: Path
) -> None:
    """Another region makes everything anew: told before a file is written, with what is lost, and denied by ST010."""
    assert run(capsys, str(spec))[0] == 0
    folder = spec.parent / "alicloud"
    before = snapshot(folder)
    spec.write_text(SPEC.replace("cn-beijing", "cn-hangzhou"), encoding="utf-8")
    code, out, _ = run(capsys, str(spec), "--check")
    assert (code, snapshot(folder)) == (1, before)
    assert out.startswith(f"{folder}: if this stack is up, the next `pulumi up`:\n  replaces ")
    code, out, _ = run(capsys, str(spec))
    assert code == 1
    told, _, rest = out.partition(f"\n{folder}: ")
    assert "(Bucket): region; lost: the bucket and all that it holds; protected" in told
    assert "updated" in rest
    assert "ST010" in rest
    assert "ST010" not in told


def test_an_edit_that_replaces_nothing_says_so(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """A longer interval between checkpoints only changes what stands; without a change nothing is said."""
    assert run(capsys, str(spec))[0] == 0
    assert "the next `pulumi up`" not in run(capsys, str(spec))[1]
    spec.write_text(SPEC + "checkpoint: {every: 45min}\n", encoding="utf-8")
    code, out, _ = run(capsys, str(spec))
    assert code == 0
    assert "nothing that exists is replaced or removed" in out


def test_without_the_sdk_it_says_that_nothing_can_be_foretold(
    capsys: pytest.CaptureFixture[str], spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing SDK stops neither the writing nor the word that a replacement was not looked for."""
    assert run(capsys, str(spec))[0] == 0
    program = (spec.parent / "alicloud" / "__main__.py").read_text(encoding="utf-8")
    assert "pulumi" in program
    spec.write_text(SPEC + "checkpoint: {every: 45min}\n", encoding="utf-8")
    hidden = spec.parent / "hidden"
    hidden.mkdir()
    (hidden / "pulumi_alicloud.py").write_text("raise ModuleNotFoundError(name='pulumi_alicloud')\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(hidden))
    code, out, _ = run(capsys, str(spec))
    assert code == 0
    assert "what an update of it would replace is not known: pip install '.[alicloud]'" in out
    assert "not previewed: pip install" in out
