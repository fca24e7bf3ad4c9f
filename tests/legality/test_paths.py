"""The legality tables name resources and properties that the vendors' SDKs really have."""

from __future__ import annotations

import csv
import typing
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from generator.catalog import CLOUDS
from generator.clouds import catalogued_clouds, find_cloud
from generator.legality.table_forms import FieldRule, tables
from generator.program.input_types import arguments_class, members, properties

WITH_SDK = [cloud for cloud in catalogued_clouds() if find_cloud(cloud).sdk]


def rule_paths(rule: FieldRule) -> Iterator[str]:
    """The field of a row and the fields that its terms name."""
    yield rule.field
    beside = rule.field.rpartition(".")[0]
    for term in (rule.when or "").split():
        name = term.removeprefix("!").partition("=")[0].removesuffix("!")
        yield name[1:] if name.startswith("/") else f"{beside}.{name}" if beside else name


def named(cloud: str) -> set[tuple[str, str]]:
    """Every (resource, path) that a table of this cloud names."""
    known = tables(cloud)
    paths = {(carrier, path) for rule in known.fields for carrier in rule.carriers for path in rule_paths(rule)}
    for disk in known.disk_carriers:
        block = f"{disk.block}." if disk.block else ""
        fields = (disk.kind, disk.level, disk.size, disk.iops, disk.mbps)
        paths |= {(disk.carrier, block + field) for field in fields if field}
    for row in known.file_system_carriers:
        paths |= {(row.carrier, field) for field in (row.id, row.level, row.size) if field}
    for kind in known.type_carriers.values():
        paths |= {(kind.carrier, path) for path in (*kind.types, *([kind.image] if kind.image else []))}
    with (CLOUDS / cloud / "provider_defaults.csv").open(encoding="utf-8", newline="") as file:
        paths |= {(row["resource"], row["property"]) for row in csv.DictReader(file)}
    return paths


def item(declared: Any) -> Any:
    """The block behind a declared type, out of its list and its optional forms."""
    for option in members(declared):
        inner = typing.get_args(option)
        if inner and getattr(typing.get_origin(option), "__name__", "") in {"Sequence", "list"}:
            return item(inner[0])
        return option
    return declared


def missing(arguments: Any, path: str) -> str | None:
    """The first step of a path that the SDK does not have."""
    for step in path.split("."):
        name = step.removesuffix("[]")
        declared = properties(arguments)
        if name not in declared:
            return name
        arguments = item(declared[name])
    return None


@pytest.mark.parametrize("cloud", WITH_SDK)
def test_tables_name_what_the_sdk_has(cloud: str) -> None:
    """Each resource is a class of the SDK, and each field, term, disk, type, image and default one of its inputs."""
    sdk = find_cloud(cloud).sdk
    assert sdk is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the SDK's own, at import
        pytest.importorskip(sdk)
        sdks = {find_cloud(cloud).token_packages[0]: sdk}
        wrong = []
        for token, path in sorted(named(cloud)):
            arguments = arguments_class(token, sdks)
            if arguments is None or missing(arguments, path) is not None:
                wrong.append(f"{token} {path}")
    assert wrong == []
