"""The workload derived from a spec: each default of the contract, and the sentence that says it was used."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.sizing.architecture import Transformer, VisionModel
from generator.workload import Checkpoint, Interruptible, Workload, derive, settle_checkpoint
from tests.spec_files import MINIMAL, load

FINETUNE: dict[str, Any] = {"name": "job", "workload": {"task": "finetune", "model": "qwen2.5-7b"}}
PRETRAIN: dict[str, Any] = {"name": "job", "workload": {"task": "pretrain", "model": "llama-2-7b"}}
VISION: dict[str, Any] = {"name": "job", "workload": {"task": "pretrain", "model": "resnet50"}}
YOLO: dict[str, Any] = {"name": "job", "workload": {"task": "pretrain", "model": "yolov8x"}}
VIDEO: dict[str, Any] = {
    "name": "job",
    "workload": {"task": "finetune", "model": {"parameters": "5B", "kind": "video_dit", "tokens_per_sample": 17550}},
}
INFER: dict[str, Any] = {"name": "job", "workload": {"task": "infer", "model": "llama-2-13b"}}
DEVELOP: dict[str, Any] = {"name": "job", "workload": {"task": "develop"}}
PREPROCESS: dict[str, Any] = {"name": "job", "workload": {"task": "preprocess"}, "data": {"size": "1TB"}}
BASES = (FINETUNE, PRETRAIN, VISION, YOLO, VIDEO, INFER, DEVELOP, PREPROCESS)


def derived(tmp_path: Path, base: dict[str, Any], values: dict[str, Any] | None = None) -> Workload:
    return derive(load(tmp_path, values or {}, base))


def said(workload: Workload) -> dict[str, str]:
    """Assumptions by field."""
    return dict(sentence.split(": ", 1) for sentence in workload.assumptions)


DEFAULTS: list[tuple[dict[str, Any], dict[str, Any], str, Any, str]] = [
    (FINETUNE, {}, "method", "full", "workload.method"),
    (FINETUNE, {}, "optimizer", "adamw", "workload.optimizer"),
    (VISION, {}, "optimizer", "sgd", "workload.optimizer"),
    (VIDEO, {}, "optimizer", "adamw", "workload.optimizer"),
    (FINETUNE, {}, "sequence_length", 4096, "workload.sequence_length"),
    (FINETUNE, {"workload.model": "gpt2-124m"}, "sequence_length", 1024, "workload.sequence_length"),
    (VISION, {}, "image_size", 224, "workload.image_size"),
    (YOLO, {}, "image_size", 640, "workload.image_size"),
    (FINETUNE, {}, "precision", None, "workload.precision"),
    (FINETUNE, {}, "profile", "hf_trainer", "workload.framework"),
    (PRETRAIN, {}, "profile", "fsdp2", "workload.framework"),
    (PRETRAIN, {"workload.model": "llama-2-70b"}, "profile", "megatron", "workload.framework"),
    (VISION, {}, "profile", "timm", "workload.framework"),
    (YOLO, {}, "profile", "ultralytics", "workload.framework"),
    (VIDEO, {}, "profile", "diffusers", "workload.framework"),
    (INFER, {}, "profile", "vllm", "workload.framework"),
    (FINETUNE, {"where.compliance": "xinchuang"}, "profile", "mindspeed", "workload.framework"),
    (FINETUNE, {"workload.method": "lora"}, "lora_rank", 16, "workload.lora_rank"),
    (INFER, {}, "context", 4096, "workload.context"),
    (INFER, {}, "run_hours", 720.0, "workload.run_hours"),
    (DEVELOP, {"operate.hours": "Mon-Fri 09:00-16:00"}, "run_hours", 150.0, "workload.run_hours"),
    (DEVELOP, {}, "run_hours", 720.0, "workload.run_hours"),
    (DEVELOP, {"operate.time_to_live": "7d"}, "run_hours", 168.0, "workload.run_hours"),
    (DEVELOP, {}, "snapshots", "daily", "operate.snapshots"),
    (FINETUNE, {}, "snapshots", "daily", "operate.snapshots"),
    (PREPROCESS, {}, "snapshots", "none", "operate.snapshots"),
    (PREPROCESS, {}, "cpu_mb_per_s", 0.5, "workload.cpu_mb_per_s"),
    (FINETUNE, {}, "interruptible", None, "interruptible"),
    (FINETUNE, {"interruptible": True}, "interruptible", Interruptible(), "interruptible.alternates"),
    (FINETUNE, {"data": {"samples": 1000}}, "epochs", 3.0, "workload.epochs"),
    (VISION, {"data": {"samples": 1000}}, "epochs", 90.0, "workload.epochs"),
    (VISION, {"data": {"files": 1000}}, "samples_total", 90_000.0, "data.samples"),
    (PRETRAIN, {}, "samples_total", pytest.approx(20 * 6.74e9 / 4096, rel=0.01), "workload.tokens"),
]


@pytest.mark.parametrize(("base", "values", "field", "value", "sentence"), DEFAULTS)
def test_a_default_is_used_and_said(
    tmp_path: Path, base: dict[str, Any], values: dict[str, Any], field: str, value: Any, sentence: str
) -> None:
    """What the user leaves open takes the contract's default, and the assumptions name the field."""
    workload = derived(tmp_path, base, values)
    assert getattr(workload, field) == value
    assert sentence in said(workload)


GIVEN: list[tuple[dict[str, Any], str, Any]] = [
    (FINETUNE, "workload.method", "full"),
    (FINETUNE, "workload.optimizer", "adafactor"),
    (FINETUNE, "workload.sequence_length", 2048),
    (FINETUNE, "workload.precision", "bf16"),
    (FINETUNE, "workload.framework", "deepspeed"),
    (FINETUNE, "workload.global_batch", 32),
    (VISION, "workload.image_size", 320),
    (VISION, "workload.augmentation", "heavy"),
    (INFER, "workload.context", 2048),
    (PREPROCESS, "workload.cpu_mb_per_s", 1.5),
    (FINETUNE, "checkpoint.every", "30min"),
    (FINETUNE, "checkpoint.to", "disk"),
    (FINETUNE, "checkpoint.keep", 5),
    (FINETUNE, "operate.snapshots", "weekly"),
    (FINETUNE, "hardware.nodes", "1..2"),
    (FINETUNE, "where.clouds", ["alicloud"]),
    (FINETUNE, "where.regions", ["cn-beijing"]),
    (FINETUNE, "goal.prefer", "cost"),
    (FINETUNE, "network.egress", "nat"),
    (FINETUNE, "network.access", "none"),
    (FINETUNE, "interruptible", False),
    (PREPROCESS, "data.on", "auto"),
]


@pytest.mark.parametrize(("base", "path", "value"), GIVEN)
def test_what_is_given_is_no_assumption(tmp_path: Path, base: dict[str, Any], path: str, value: Any) -> None:
    """The same field is assumed without the key, and not with it, even where both have the same value."""
    assert path in said(derived(tmp_path, base))
    assert path not in said(derived(tmp_path, base, {path: value}))


@pytest.mark.parametrize("base", BASES, ids=lambda base: f"{base['workload']['task']}-{base['workload'].get('model')}")
def test_every_default_of_a_task_is_listed(tmp_path: Path, base: dict[str, Any]) -> None:
    """A spec that says nothing but what it must has a sentence for each default of the contract that its task uses."""
    told = set(said(derived(tmp_path, base)))
    task = base["workload"]["task"]
    wanted = {"where.clouds", "where.regions", "goal.prefer", "hardware.nodes", "operate.snapshots", "interruptible"}
    wanted |= {"network.egress", "network.access"}
    if task in ("pretrain", "finetune"):
        wanted |= {"checkpoint.every", "checkpoint.to", "checkpoint.keep", "workload.framework"}
        wanted |= {"workload.global_batch", "workload.optimizer", "workload.precision"}
    if task == "finetune":
        wanted.add("workload.method")
    assert wanted <= told


INTERVALS: list[tuple[dict[str, Any], Checkpoint | None]] = [
    ({}, Checkpoint(every_minutes=None, to="bucket", keep=3, assumed=True)),
    ({"interruptible": True}, Checkpoint(every_minutes=20.0, to="bucket", keep=3, assumed=True)),
    ({"hardware.nodes": "2..4"}, Checkpoint(every_minutes=60.0, to="bucket", keep=3, assumed=True)),
    (
        {"workload.run_hours": 80, "workload.samples": None},
        Checkpoint(every_minutes=60.0, to="bucket", keep=3, assumed=True),
    ),
    ({"checkpoint": "none"}, None),
    ({"checkpoint": {"every": "5min", "to": "local", "keep": 1}}, Checkpoint(every_minutes=5.0, to="local", keep=1)),
    (
        {"checkpoint": {"every": "1h", "to": "oss://bucket/run"}},
        Checkpoint(every_minutes=60.0, to="bucket", keep=3, existing="oss://bucket/run"),
    ),
]


@pytest.mark.parametrize(("values", "checkpoint"), INTERVALS)
def test_the_checkpoint_interval_follows_the_risk(
    tmp_path: Path, values: dict[str, Any], checkpoint: Checkpoint | None
) -> None:
    """Twenty minutes on spot, an hour on several nodes or in a long run, else each epoch; what is given stays."""
    assert derived(tmp_path, MINIMAL, values).checkpoint == checkpoint


def test_the_interval_settles_with_the_choice(tmp_path: Path) -> None:
    """Each epoch becomes each hour when the chosen run is long or on several nodes; a given interval never moves."""
    open_plan = derived(tmp_path, MINIMAL)
    assert settle_checkpoint(open_plan, nodes=1, run_hours=3) is open_plan
    for nodes, hours in ((2, 3.0), (1, 25.0)):
        settled = settle_checkpoint(open_plan, nodes=nodes, run_hours=hours).checkpoint
        assert settled is not None
        assert settled.every_minutes == 60
    fixed = derived(tmp_path, MINIMAL, {"checkpoint.every": "5min"})
    assert settle_checkpoint(fixed, nodes=8, run_hours=100) is fixed
    none = derived(tmp_path, MINIMAL, {"checkpoint": "none"})
    assert settle_checkpoint(none, nodes=8, run_hours=100) is none


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(length=st.integers(128, 8192), batch=st.integers(1, 512), steps=st.integers(1, 10**5))
def test_ways_to_count_the_work_agree(tmp_path: Path, length: int, batch: int, steps: int) -> None:
    """Steps, samples, tokens and epochs of the same work make the same number of sequences."""
    samples = steps * batch
    ways: list[dict[str, Any]] = [
        {"workload.steps": steps},
        {"workload.samples": samples},
        {"workload.tokens": samples * length},
        {"workload.epochs": 2, "data": {"samples": samples}},
    ]
    base = {"workload.sequence_length": length, "workload.global_batch": batch}
    totals = [derived(tmp_path, FINETUNE, base | way).samples_total for way in ways]
    assert totals == [pytest.approx(total) for total in (samples, samples, samples, 2 * samples)]


def test_epochs_are_known_where_an_epoch_is(tmp_path: Path) -> None:
    """Two billion tokens over a data set of known samples are so many passes."""
    values = {"workload.tokens": "2B", "workload.sequence_length": 2000, "data": {"samples": 500_000}}
    assert derived(tmp_path, FINETUNE, values).epochs == 2
    assert derived(tmp_path, FINETUNE, {"workload.tokens": "2B"}).epochs is None


def test_the_forms_of_a_model_become_architectures(tmp_path: Path) -> None:
    """A name, a size and a kind; what is guessed of a shape is said."""
    named = derived(tmp_path, FINETUNE)
    assert isinstance(named.model, Transformer)
    assert named.model.name == "qwen2.5-7b"
    sized = derived(tmp_path, FINETUNE, {"workload.model": {"parameters": "7B"}})
    assert isinstance(sized.model, Transformer)
    assert sized.model.parameters == 7e9
    assert "assumed shape" in said(sized)["workload.model"]
    video = derived(tmp_path, VIDEO)
    assert isinstance(video.model, VisionModel)
    assert video.model.family == "video"
    assert derived(tmp_path, DEVELOP).model is None


def test_short_forms_of_quantization_mean_the_long_ones(tmp_path: Path) -> None:
    """qlora is nf4; int8 with infer is quantization of the served weights."""
    assert derived(tmp_path, FINETUNE, {"workload.method": "qlora"}).quantization == "nf4"
    served = derived(tmp_path, INFER, {"workload.precision": "int8"})
    assert (served.precision, served.quantization) == (None, "int8")
    assert "workload.precision" not in said(served)


def test_limits_are_plain_and_aliases_are_their_members(tmp_path: Path) -> None:
    """Ranges become ends; a group's name becomes the cards in it, each once."""
    values = {
        "hardware": {
            "gpus": ["A100-80GB", "A100-SXM-80", "A10"],
            "nodes": ">=2",
            "gpus_per_node": "1..8",
            "gpu_memory": ">=24GiB",
            "vcpus": ">=8",
            "ram": ">=64GiB",
            "spare_nodes": 1,
        }
    }
    limits = derived(tmp_path, FINETUNE, values).limits
    assert limits.gpus == ("A100-SXM-80", "A100-PCIE-80", "A10")
    assert (limits.min_nodes, limits.max_nodes) == (2, 64)
    assert (limits.min_gpus_per_node, limits.max_gpus_per_node) == (1, 8)
    assert (limits.min_gpu_memory_gib, limits.max_gpu_memory_gib) == (24, None)
    assert (limits.min_vcpus, limits.min_ram_gib, limits.spare_nodes) == (8, 64, 1)


def test_a_size_that_is_not_given_follows_from_the_samples(tmp_path: Path) -> None:
    """Never a silent nothing: the guess is a figure, and it is said."""
    workload = derived(tmp_path, VISION, {"data": {"samples": 1_281_167}})
    assert workload.data is not None
    assert workload.data.size_gib == pytest.approx(137, rel=0.01)
    assert "data.size" in said(workload)
    assert "data" in said(derived(tmp_path, VISION))


def test_hours_stop_a_development_machine_only(tmp_path: Path) -> None:
    """A job that has to end is not stopped at night; that the hours have no effect is said, not hidden."""
    hours = {"operate.hours": "Mon-Fri 09:00-19:00"}
    for base in (FINETUNE, INFER, PREPROCESS):
        assert said(derived(tmp_path, base, hours))["operate.hours"].startswith("no effect")
        assert derived(tmp_path, base, hours).run_hours == derived(tmp_path, base).run_hours
    assert "operate.hours" not in said(derived(tmp_path, DEVELOP, hours))


def test_the_same_spec_gives_the_same_workload(tmp_path: Path) -> None:
    """Derivation is pure."""
    assert all(derived(tmp_path, base) == derived(tmp_path, base) for base in BASES)
