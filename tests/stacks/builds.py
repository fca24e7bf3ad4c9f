"""Stacks for tests: a spec by its values, drawn and rendered in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generator.catalog import load_catalog
from generator.clouds.alicloud.view import view
from generator.selection import select
from generator.stack.blueprint import Blueprint, draw
from generator.stack.render import render
from generator.workload import derive
from tests.markets import spec_of

# Each base is a job of one kind; tests set what they are about.
LORA: dict[str, Any] = {
    "name": "lora",
    "workload": {"task": "finetune", "model": "llama-3-8b", "method": "lora", "sequence_length": 512, "samples": 50000},
    "launch": {"image": "registry.example.com/team/train:1", "command": "python train.py"},
    "data": {"size": "20GiB", "samples": 50000, "source": "oss://data-sets/text"},
    "where": {"clouds": ["alicloud"], "regions": ["cn-beijing"]},
    "hardware": {"gpus": ["A10"], "nodes": 1, "gpus_per_node": 1},
}
PRETRAIN: dict[str, Any] = {
    "name": "pretrain",
    "workload": {
        "task": "pretrain",
        "model": "llama-2-7b",
        "sequence_length": 4096,
        "global_batch": 1024,
        "tokens": "100B",
    },
    "launch": {"command": "python train.py"},
    "data": {"size": "400GiB", "files": 4000, "source": "oss://data-sets/tokens", "on": "file_system"},
    "checkpoint": {"every": "30min", "to": "bucket", "keep": 3},
    "where": {"clouds": ["alicloud"]},
    "hardware": {"nodes": "2..8", "gpus_per_node": 8},
}
DEVELOP: dict[str, Any] = {
    "name": "desk",
    "workload": {"task": "develop"},
    "data": {"size": "100GiB", "on": "disk"},
    "where": {"clouds": ["alicloud"], "regions": ["cn-beijing"]},
    "hardware": {"gpus": ["A10"], "gpus_per_node": 1},
    "operate": {"hours": "Mon-Fri 09:00-19:00"},
}
PREPARE: dict[str, Any] = {
    "name": "prep",
    "workload": {"task": "preprocess"},
    "launch": {"command": "python prep.py"},
    "data": {"size": "1TB", "files": 20000, "source": "oss://data-sets/raw"},
    "goal": {"deadline": "2h"},
    "where": {"clouds": ["alicloud"], "regions": ["cn-beijing"]},
    "hardware": {"nodes": "1..16"},
}
SERVE: dict[str, Any] = {
    "name": "serve",
    "workload": {
        "task": "infer",
        "model": "llama-2-7b",
        "precision": "fp16",
        "requests_per_second": 2,
        "context": 2048,
    },
    "launch": {"command": "python serve.py --model $TRAINFORM_DATA_DIR"},
    "data": {"size": "14GiB", "source": "oss://models/llama"},
    "where": {"clouds": ["alicloud"], "regions": ["cn-beijing"]},
    "hardware": {"nodes": "2..8"},
}


def drawn(tmp_path: Path, values: dict[str, Any], base: dict[str, Any]) -> Blueprint:
    """The blueprint of a base with values set at dotted paths."""
    spec = spec_of(tmp_path, values, base)
    workload = derive(spec)
    selection = select(spec, workload, (load_catalog("alicloud"),))
    assert selection.chosen is not None, [(row.instance_type, row.reason, row.message) for row in selection.rejected]
    return draw(spec, workload, selection, "spec.yaml")


def files_of(blueprint: Blueprint) -> dict[str, str]:
    """The texts of its stack, by file name."""
    return {file.name: file.text for file in render(blueprint, view(blueprint))}


def laid_out(files: dict[str, str], folder: Path) -> Path:
    """The files, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
