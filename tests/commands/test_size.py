"""`trainform size`: the answer for people and for programs, and what is wrong with the question."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.catalog import load_types
from generator.cli import main
from tests.spec_files import with_values

ROOT = Path(__file__).resolve().parent.parent.parent
SPECS = sorted((ROOT / "stacks").glob("*/spec.yaml"))


def size(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command."""
    try:
        main(["size", *args])
    except SystemExit as done:
        code = int(done.code or 0)
    read = capsys.readouterr()
    return code, read.out, read.err


def spec_file(tmp_path: Path, values: dict[str, Any]) -> str:
    file = tmp_path / "spec.yaml"
    file.write_text(yaml.safe_dump(with_values(values), sort_keys=False), encoding="utf-8")
    return str(file)


def answer(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    """The JSON of an answer that exits 0."""
    code, out, err = size(capsys, *args, "--format", "json")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.parent.name)
def test_every_example_is_sized_in_both_forms(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each committed spec has an answer on eight cards it may run on, and text and JSON agree on the verdict."""
    card = "910B" if "xinchuang" in spec.read_text(encoding="utf-8") else "A100-80GB"
    found = answer(capsys, str(spec), "--gpu", card, "--gpus-per-node", "8")
    code, text, _ = size(capsys, str(spec), "--gpu", card, "--gpus-per-node", "8")
    assert code == 0
    assert (": fits" in text.splitlines()[0]) == found["fits"]


def test_the_json_has_the_promised_shape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The fields of the contract, with memory and time that add up."""
    spec = spec_file(tmp_path, {"workload.global_batch": 128})
    found = answer(capsys, spec, "--gpu", "A100-80GB", "--gpus-per-node", "8", "--nodes", "2")
    assert {"gpu", "gpus_per_node", "nodes", "layout", "memory", "time", "fits", "alternatives", "would_fit"} <= set(
        found
    )
    assert {"storage", "assumptions", "accuracy"} <= set(found)
    assert (found["gpu"], found["gpus_per_node"], found["nodes"]) == ("A100-SXM-80", 8, 2)
    layout, memory, time = found["layout"], found["memory"], found["time"]
    assert layout["micro_batch"] * layout["accumulation"] * layout["data"] == 128
    parts = ("weights", "gradients", "optimizer", "activations", "logits", "kv_cache", "overhead")
    assert sum(memory[part] for part in parts) == pytest.approx(memory["total"], rel=1e-3)
    assert memory["total"] <= memory["bound"] <= memory["usable"]
    steps = ("compute_s", "communication_s", "bubble_s", "data_s", "checkpoint_s")
    assert sum(time[part] for part in steps) == pytest.approx(time["step_s"], rel=1e-3)
    assert time["low_hours"] <= time["run_hours"] <= time["high_hours"]
    assert {"read_mbps", "files_per_s", "checkpoint_gib", "checkpoint_write_s"} <= set(found["storage"])
    assert {"family", "rows", "error"} <= set(found["accuracy"])
    assert {"layout", "memory", "time", "note"} == set(found["alternatives"][0])
    assert any("A100-PCIE-80" in sentence for sentence in found["assumptions"])


def test_the_page_shows_parts_words_and_certainty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bars of memory, the layout in the framework's words, the time split, storage, assumptions, how sure we are."""
    _, text, _ = size(capsys, spec_file(tmp_path, {}), "--gpu", "A100-80GB", "--gpus-per-node", "8")
    for part in ("weights", "█", "bound", "usable", "Layout:", "--per_device_train_batch_size", "One optimizer step"):
        assert part in text
    for part in ("compute", "The run takes", "between", "A checkpoint is", "Next best", "Assumed", "measured rows"):
        assert part in text


def test_a_refusal_for_memory_is_an_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Full fine-tuning of 7B on one A10 does not fit: exit 0, with what would."""
    spec = spec_file(tmp_path, {"workload.method": "full"})
    found = answer(capsys, spec, "--gpu", "A10")
    assert not found["fits"]
    assert found["reason"] in ("memory", "ram")
    assert found["would_fit"]
    _, text, _ = size(capsys, spec, "--gpu", "A10")
    assert "does not fit" in text
    assert "It would fit with" in text


@pytest.mark.parametrize(
    ("values", "gpu", "place", "says"),
    [
        ({"workload.precision": "bf16"}, "T4", "precision", "'bf16' cannot run on T4"),
        ({"workload.precision": "bf16"}, "V100", "precision", "use fp16"),
        ({"workload.precision": "fp8"}, "A100-80GB", "precision", "use bf16"),
        ({"workload.toolchain": "pytorch-2.11-cu128"}, "V100", "", "has no kernels"),
        ({"workload.global_batch": 7}, "A10", "global_batch", "global batch 7"),
    ],
)
def test_what_cannot_run_there_is_a_fault_with_its_place(
    values: dict[str, Any], gpu: str, place: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Precision, wheels or batch that cannot be: exit 2, the line of the spec, and a cure; never a traceback."""
    spec = spec_file(tmp_path, values)
    code, out, err = size(capsys, spec, "--gpu", gpu, "--gpus-per-node", "4", "--format", "json")
    assert code == 2
    assert not json.loads(out)["fits"]
    assert says in err
    assert f"{spec}:" in err
    assert place in err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ((), "either --gpu or --instance"),
        (("--gpu", "A10", "--instance", "ecs.gn7i-c8g1.2xlarge"), "either --gpu or --instance"),
        (("--gpu", "A1000"), "unknown GPU 'A1000'"),
        (("--gpu", "A10", "--interconnect", "nvlink", "--gpus-per-node", "2"), "has no NVLink"),
        (("--instance", "ecs.gn7i-c8g1.2xlarg"), "did you mean ecs.gn7i-c8g1.2xlarge"),
        (("--gpu", "A10", "--nodes", "0"), "--nodes"),
        (("--gpu", "A10", "--network-gbps", "-1"), "--network-gbps"),
        (("--gpu", "A10", "--gpus-per-node", "x"), "--gpus-per-node"),
    ],
)
def test_a_wrong_question_is_told_what_is_wrong(
    args: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither or both of card and type, unknown names, links and numbers that cannot be: exit 2 with the cure."""
    code, out, err = size(capsys, spec_file(tmp_path, {}), *args)
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


def test_a_spec_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file is a message, not a traceback."""
    code, _, err = size(capsys, "no/such/spec.yaml", "--gpu", "A10")
    assert code == 2
    assert "no/such/spec.yaml" in err


def test_an_instance_type_is_its_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--instance takes card, count, vCPU and usable memory of the catalog's row."""
    spec = spec_file(tmp_path, {"workload.method": "qlora", "workload.sequence_length": 512})
    name = "ecs.gn7i-c8g1.2xlarge"
    found = answer(capsys, spec, "--instance", name)
    row = load_types("alicloud")[name]
    assert (found["gpu"], found["gpus_per_node"]) == (row.gpu, row.gpus)
    assert found["memory"]["usable"] == pytest.approx(row.gpu_usable_gib, rel=1e-4)


def test_the_network_given_is_the_network_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A slow link without RDMA is slower than what is assumed, and what is given is no longer assumed."""
    spec = spec_file(tmp_path, {"workload.method": "full", "workload.global_batch": 128})
    base = ("--gpu", "A100-80GB", "--gpus-per-node", "8", "--nodes", "4")
    assumed = answer(capsys, spec, *base)
    slow = answer(capsys, spec, *base, "--network-gbps", "10", "--no-rdma")
    assert slow["time"]["communication_s"] > assumed["time"]["communication_s"]
    assert any("Gb/s" in sentence for sentence in assumed["assumptions"])
    assert not any("the network gives" in sentence for sentence in slow["assumptions"])
    pcie = answer(capsys, spec, "--gpu", "A100-80GB", "--gpus-per-node", "8", "--interconnect", "pcie")
    assert pcie["gpu"] == "A100-PCIE-80"


def test_work_without_a_model_has_no_layout(capsys: pytest.CaptureFixture[str]) -> None:
    """Preprocessing has hours and no memory of a card."""
    spec = ROOT / "stacks" / "text_prep" / "spec.yaml"
    name = next(row.id for row in load_types("alicloud").values() if row.gpus == 0 and row.vcpus >= 32)
    found = answer(capsys, str(spec), "--instance", name, "--nodes", "4")
    assert found["layout"] is None
    assert found["memory"] is None
    assert found["time"]["run_hours"] > 0


def test_the_same_question_has_the_same_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Byte for byte."""
    args = (spec_file(tmp_path, {}), "--gpu", "A100-80GB", "--gpus-per-node", "8", "--format", "json")
    assert size(capsys, *args) == size(capsys, *args)
