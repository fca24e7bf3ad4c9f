"""Specs for tests: a small one that loads, and edits of it by dotted path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from generator.errors import InputError, Problem
from generator.spec import Spec, load_spec

MINIMAL: dict[str, Any] = {
    "name": "job",
    "workload": {"task": "finetune", "model": "qwen2.5-7b", "samples": "50000"},
}


def with_values(values: dict[str, Any], base: dict[str, Any] | None = None) -> dict[str, Any]:
    """A copy of a spec with values set at dotted paths; None takes the key out."""
    spec: dict[str, Any] = yaml.safe_load(yaml.safe_dump(MINIMAL if base is None else base))
    for path, value in values.items():
        *parents, last = path.split(".")
        section = spec
        for parent in parents:
            if not isinstance(section.get(parent), dict):
                section[parent] = {}
            section = section[parent]
        if value is None:
            section.pop(last, None)
        else:
            section[last] = value
    return spec


def load(tmp_path: Path, values: dict[str, Any], base: dict[str, Any] | None = None) -> Spec:
    """The minimal spec with values set, as it loads."""
    file = tmp_path / "spec.yaml"
    file.write_text(yaml.safe_dump(with_values(values, base), sort_keys=False, allow_unicode=True), encoding="utf-8")
    return load_spec(file)


def problems_of(tmp_path: Path, values: dict[str, Any], base: dict[str, Any] | None = None) -> tuple[Problem, ...]:
    """The problems of the minimal spec with values set; () when it loads."""
    try:
        load(tmp_path, values, base)
    except InputError as error:
        return error.problems
    return ()
