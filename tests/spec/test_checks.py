"""Names that nobody knows and fields that contradict one another: each is refused at its place, with what to do."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.spec.checks import TASKS_OF_FIELD
from tests.spec_files import MINIMAL, load, problems_of

DEV: dict[str, Any] = {"name": "job", "workload": {"task": "develop"}}
VISION: dict[str, Any] = {"name": "job", "workload": {"task": "pretrain", "model": "resnet50"}}
INFER: dict[str, Any] = {"name": "job", "workload": {"task": "infer", "model": "llama-2-13b"}}
PREP: dict[str, Any] = {"name": "job", "workload": {"task": "preprocess"}, "data": {"size": "1TB"}}

CONTRADICTIONS: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    # names
    (DEV, {"where.clouds": ["alicloudd"]}, "unknown cloud 'alicloudd'", "did you mean 'alicloud'?"),
    (DEV, {"where.regions": ["cn-bejing"]}, "unknown region 'cn-bejing'", "'cn-beijing'"),
    (DEV, {"where.zones": ["xx-nowhere-1"]}, "unknown zone 'xx-nowhere-1'", ""),
    (
        DEV,
        {"where.regions": ["cn-hangzhou"], "where.zones": ["cn-beijing-l"]},
        "zone cn-beijing-l lies in cn-beijing",
        "add cn-beijing to where.regions",
    ),
    (DEV, {"hardware.gpus": ["A1000"]}, "unknown GPU 'A1000'", "did you mean"),
    (MINIMAL, {"workload.model": "qwen25-7b"}, "unknown model 'qwen25-7b'", "'qwen2.5-7b'"),
    (MINIMAL, {"workload.framework": "hf_trainr"}, "unknown framework profile 'hf_trainr'", "'hf_trainer'"),
    (MINIMAL, {"workload.framework": "hf_trainer+magic"}, "unknown option of a framework profile 'magic'", ""),
    (MINIMAL, {"workload.toolchain": "pytorch-9.9-cu999"}, "unknown toolchain", ""),
    (MINIMAL, {"data": {"size": "1GiB", "source": "s3://bucket/x"}}, "is not a bucket of the clouds asked", "oss://"),
    (MINIMAL, {"checkpoint.to": "s3://bucket/x"}, "is not a bucket of the clouds asked", "oss://"),
    # planned
    (DEV, {"runtime": "kubernetes"}, "runtime: kubernetes is planned", "today it is instances"),
    (DEV, {"runtime": "serverless"}, "runtime: serverless is planned", ""),
    (DEV, {"network.access": "vpn"}, "network.access: vpn is planned", "today it is none or public"),
    (DEV, {"waivers": [{"rule": "ST001"}]}, "waivers[0] has no 'resource'", ""),
    (DEV, {"waivers": [{"rule": "no"}]}, "'no' is not a rule's id", "ST001"),
    # model
    (MINIMAL, {"workload.model": None}, "workload.model is missing, which finetune needs", "{parameters: 7B}"),
    (MINIMAL, {"workload.model": {"config": "./none.json"}}, "no such file: ./none.json", "relative to"),
    (MINIMAL, {"workload.model": {"config": "../config.json"}}, "is not a path below the spec's folder", ""),
    (MINIMAL, {"workload.model": {"parameters": "5B", "kind": "video_tid"}}, "video_tid", "video_dit"),
    (
        MINIMAL,
        {"workload.model": {"parameters": "5B", "tokens_per_sample": 9}},
        "is for models with a kind",
        "add kind",
    ),
    (
        MINIMAL,
        {"workload": {"task": "pretrain", "model": {"parameters": "5B", "kind": "video_dit", "layers": 9}}},
        "layers has no effect",
        "leave it out",
    ),
    (MINIMAL, {"workload.model": {"parameters": "7B", "hidden": 4095, "heads": 32}}, "does not divide", ""),
    (MINIMAL, {"workload.image_size": 224}, "workload.image_size has no meaning for qwen2.5-7b", "leave it out"),
    (VISION, {"workload.sequence_length": 2048}, "has no meaning for resnet50, a vision model", "leave it out"),
    (VISION, {"workload.tokens": "2B"}, "workload.tokens has no meaning for resnet50", "leave it out"),
    # work
    (MINIMAL, {"workload.tokens": "2B"}, "contradicts workload.tokens", "keep one"),
    (MINIMAL, {"workload.epochs": 3}, "contradicts workload.samples", "keep one"),
    (MINIMAL, {"workload.steps": 100}, "contradicts workload.samples", "keep one"),
    (MINIMAL, {"workload.samples": None, "workload.epochs": 3}, "workload.epochs needs data.samples", ""),
    (PREP, {"data": None}, "data.size is missing, which preprocess needs", "1TB"),
    # method and precision
    (MINIMAL, {"workload.lora_rank": 8}, "lora_rank has no meaning with method full", "method: lora"),
    (MINIMAL, {"workload.method": "qlora", "workload.precision": "fp32"}, "contradicts method qlora", "bf16"),
    (MINIMAL, {"workload.method": "qlora", "workload.quantization": "int8"}, "which means nf4", "leave it out"),
    (MINIMAL, {"workload.quantization": "int8"}, "freezes the weights that method full trains", "method: lora"),
    (MINIMAL, {"workload.precision": "int8"}, "precision int8 is for task infer", "quantization: int8"),
    (
        INFER,
        {"workload.precision": "int8", "workload.quantization": "int4"},
        "quantization int4 contradicts precision int8",
        "keep one",
    ),
    (VISION, {"workload.method": "lora"}, "", ""),
    # pool, goals, hardware
    (
        MINIMAL,
        {"interruptible": {"on_demand_nodes": 4}, "hardware.nodes": "1..4"},
        "leaves no node that may be interrupted",
        "keep fewer",
    ),
    (MINIMAL, {"goal.deadline": "0h"}, "'0h' is out of range", "more than 0"),
    (MINIMAL, {"goal.deadline": "-3h"}, "'-3h' is negative", "72h"),
    (MINIMAL, {"goal.budget": "0 CNY"}, "is out of range", "more than 0"),
    (MINIMAL, {"goal.spot_ratio": 1.5}, "is out of range", "at most 1"),
    (
        MINIMAL,
        {"goal.deadline": "72h", "operate.time_to_live": "1d"},
        "ends the nodes after 24 h",
        "time of the deadline",
    ),
    (
        MINIMAL,
        {"workload.samples": None, "workload.run_hours": 80, "goal.deadline": "72h"},
        "run_hours 80 is longer than the deadline",
        "",
    ),
    (MINIMAL, {"hardware.nodes": "4..1"}, "begins above its end", "1..4"),
    (MINIMAL, {"hardware.nodes": "0..4"}, "is out of range", "at least 1"),
    (MINIMAL, {"workload.global_batch": 0}, "is out of range", "at least 1"),
    (PREP, {"hardware.gpus": ["A10"]}, "hardware.gpus has no meaning for task preprocess", "leave it out"),
    (DEV, {"where.compliance": "xinchuang", "hardware.gpus": ["A10"]}, "forbids every card", "Ascend"),
    # network, operation, tags, files
    (DEV, {"network.ssh_from": ["0.0.0.0/0"]}, "opens SSH to the world", "203.0.113.0/24"),
    (DEV, {"network.ssh_from": ["::/0"]}, "opens SSH to the world", ""),
    (DEV, {"network.ssh_from": ["203.0.113.7/24"]}, "is not the start of a range", "'203.0.113.0/24'"),
    (DEV, {"network.access": "public"}, "needs network.ssh_from", "ssh_from"),
    (DEV, {"network.vswitch": "vsw-2ze0ab12"}, "network.vswitch needs network.vpc", ""),
    (DEV, {"network.vpc": "vpc-2ze0ab12"}, "lies in one region of one cloud", "one entry each"),
    (DEV, {"operate.timezone": "Asia/Peking"}, "is not a time zone", "Asia/Shanghai"),
    (DEV, {"operate.alarms_to": "ops"}, "is not an e-mail address or group:NAME", "ops@example.com"),
    (DEV, {"tags": {"a": "1", "b": "2", "c": "3", "d": "4"}}, "4 tags, but at most 3", ""),
    (DEV, {"tags": {"trainform-job": "x"}}, "begins with trainform", "rename it"),
    (DEV, {"tags": {"aliyun-x": "x"}}, "takes no tag", "rename it"),
    (DEV, {"prices": "./prices.csv"}, "no such file: ./prices.csv", ""),
]


@pytest.mark.parametrize(("base", "values", "message", "hint"), CONTRADICTIONS)
def test_what_cannot_be_is_refused_in_place(
    tmp_path: Path, base: dict[str, Any], values: dict[str, Any], message: str, hint: str
) -> None:
    """The base loads; with the values it does not, and the message and the hint say why and what to do."""
    assert problems_of(tmp_path, {}, base) == ()
    told = problems_of(tmp_path, values, base)
    matching = [p for p in told if message in p.message and hint in (p.hint or "")]
    assert matching, told
    assert all(p.where is not None and p.where.line for p in matching)


ALLOWED: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (MINIMAL, {"interruptible": {"on_demand_nodes": 1}, "hardware.nodes": 1}),
    (MINIMAL, {"interruptible": {"on_demand_nodes": 1}, "hardware.nodes": "1..2"}),
    (MINIMAL, {"workload.method": "lora", "workload.lora_rank": 8, "workload.quantization": "int8"}),
    (MINIMAL, {"workload.method": "qlora", "workload.quantization": "nf4"}),
    (MINIMAL, {"checkpoint": "none", "interruptible": True}),
    (MINIMAL, {"checkpoint": {"to": "oss://bucket/prefix"}}),
    (MINIMAL, {"workload.framework": "torchtune+compile"}),
    (INFER, {"workload.precision": "int8", "workload.requests_per_second": 20, "workload.latency_ms": 500}),
    (VISION, {"workload.method": "full"}),
    (DEV, {"where.zones": ["cn-beijing-l"]}),
    (DEV, {"where": {"clouds": ["alicloud"], "regions": ["cn-beijing"]}, "network.vpc": "vpc-2ze0ab12"}),
    (DEV, {"network": {"access": "public", "ssh_from": ["203.0.113.7/32", "2001:db8::/48"]}}),
    (DEV, {"operate.alarms_to": "group:gpu-oncall"}),
    (MINIMAL, {"operate.hours": "Mon-Fri 09:00-19:00"}),
    (DEV, {"where.compliance": "xinchuang", "hardware.gpus": ["A10", "910B"]}),
    (DEV, {"workload.run_hours": 80, "data": {"size": "200MB"}}),
]


@pytest.mark.parametrize(("base", "values"), ALLOWED)
def test_what_can_be_is_taken(tmp_path: Path, base: dict[str, Any], values: dict[str, Any]) -> None:
    """The other side of each contradiction: what only looks like one."""
    assert problems_of(tmp_path, values, base) == ()


@pytest.mark.parametrize("field", TASKS_OF_FIELD)
def test_a_field_of_another_task_is_refused(tmp_path: Path, field: str) -> None:
    """No field is silently without effect: preprocessing takes none of training's, training none of preprocessing's."""
    samples = {"model": "resnet50", "framework": "timm", "toolchain": "pytorch-2.11-cu128", "optimizer": "sgd"}
    words = {"method": "full", "precision": "bf16", "quantization": "none", "augmentation": "light"}
    value = samples.get(field) or words.get(field) or 4
    base = MINIMAL if field in ("cpu_mb_per_s", "requests_per_second", "latency_ms", "context") else PREP
    told = problems_of(tmp_path, {f"workload.{field}": value}, base)
    assert any(f"workload.{field} has no meaning for task" in problem.message for problem in told)


def test_a_config_file_beside_the_spec_is_read(tmp_path: Path) -> None:
    """The file is checked with the spec, and its own faults come with the others."""
    config = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32}
    config |= {"intermediate_size": 11008, "vocab_size": 32000, "max_position_embeddings": 4096}
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert load(tmp_path, {"workload.model": {"config": "./config.json"}}).workload.task == "finetune"
    (tmp_path / "config.json").write_text(json.dumps(config | {"hidden_size": -1}))
    told = problems_of(tmp_path, {"workload.model": {"config": "config.json"}, "goal.deadline": "0h"})
    assert "goal.deadline" in told[0].message
    assert "hidden_size is -1" in told[1].message
    assert told[1].where is not None
    assert told[1].where.file.endswith("config.json")


def test_a_link_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    """A path is judged by where it ends."""
    folder = tmp_path / "job"
    folder.mkdir()
    (tmp_path / "secret.csv").write_text("x")
    (folder / "prices.csv").symlink_to(tmp_path / "secret.csv")
    assert any("leads out of" in p.message for p in problems_of(folder, {"prices": "./prices.csv"}))


def test_a_fault_does_not_hide_another(tmp_path: Path) -> None:
    """A wrong unit in one place leaves the names and contradictions of the others to be told."""
    values = {
        "goal.deadline": "72",
        "hardware.gpus": ["A1000"],
        "where.regions": ["nowhere"],
        "workload.lora_rank": 4,
        "workload.method": "full",
    }
    assert len(problems_of(tmp_path, values)) == 4
