"""The JSON Schema says what the reader takes."""

from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
import yaml

from generator.spec import SpecFields, schema
from generator.spec.reader import field_types
from tests.spec_files import MINIMAL, problems_of, with_values

ROOT = Path(__file__).resolve().parents[2]
SPECS = sorted([*ROOT.glob("stacks/*/spec.yaml"), *ROOT.glob("generator/spec/presets/*.yaml")])


def properties(node: dict[str, Any], prefix: str = "") -> dict[str, dict[str, Any]]:
    """Every property of the schema by dotted path."""
    found = {}
    for way in node.get("anyOf", [node]):
        for key, value in way.get("properties", {}).items():
            found[prefix + key] = value
            found |= properties(value, f"{prefix}{key}.")
    return found


def valid(value: object) -> bool:
    """True when the schema takes a spec."""
    return bool(jsonschema.Draft202012Validator(schema()).is_valid(value))


def test_the_schema_is_a_schema() -> None:
    """It is valid draft 2020-12."""
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("file", SPECS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_example_and_preset_is_valid(file: Path) -> None:
    """What the reader takes, the schema takes."""
    spec = yaml.safe_load(file.read_text(encoding="utf-8"))
    jsonschema.validate(spec, schema(), cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize(("path", "node"), properties(schema()).items(), ids=lambda value: str(value)[:40])
def test_every_field_is_described(path: str, node: dict[str, Any]) -> None:
    """A description in lower case without a full stop, and for every scalar its words or its form with an example."""
    assert node["description"][0].islower() or node["description"].startswith(("CSV", "GPU", "CNY", "vCPU"))
    assert not node["description"].endswith(".")
    for way in node.get("anyOf", [node]):
        assert (
            way.keys() & {"enum", "examples", "properties", "items", "additionalProperties"} or way["type"] == "boolean"
        )
        for example in way.get("examples", ()):
            jsonschema.validate(example, way)
    assert path


def test_examples_of_the_schema_are_read(tmp_path: Path) -> None:
    """Each example of each field of a section of its own passes the reader."""
    apart = {"workload", "model", "clouds", "prices", "hours", "vpc", "vswitch", "source", "name"}
    for path, node in properties(schema()).items():
        if path.count(".") != 1 or set(path.split(".")) & apart:
            continue
        for way in node.get("anyOf", [node]):
            for example in way.get("examples", ()):
                told = problems_of(tmp_path, {path: example})
                assert not [
                    problem for problem in told if path in problem.message and "no meaning" not in problem.message
                ]


@pytest.mark.parametrize(
    "values",
    [
        {"nmae": "x"},
        {"name": "x'; import os"},
        {"workload.task": "train"},
        {"workload.tokens": "2billion"},
        {"data": {"size": "180"}},
        {"goal.deadline": "72"},
        {"goal.budget": "5000"},
        {"hardware.nodes": "1-4"},
        {"hardware.gpus": "A10"},
        {"where.zone": ["a"]},
        {"runtime": "kubernetes"},
        {"waivers": [{"rule": "ST001"}]},
        {"tags": {"a b": "x"}},
        {"network.ssh_from": ["everywhere"]},
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(tmp_path: Path, values: dict[str, Any]) -> None:
    """Unknown keys, wrong units and words are caught in the editor already."""
    assert valid(MINIMAL)
    assert not valid(with_values(values))
    assert problems_of(tmp_path, values)


def test_the_schema_knows_every_field_of_the_reader() -> None:
    """Both come from the same types; the spec's place is no field."""

    def names(struct: type[msgspec.Struct], prefix: str = "") -> set[str]:
        found = set()
        for key, (field, _) in field_types(struct).items():
            found.add(prefix + key)
            for section in field.structs:
                found |= names(section, f"{prefix}{key}.")
        return found

    assert names(SpecFields) == set(properties(schema()))
    assert "source" not in names(SpecFields)
