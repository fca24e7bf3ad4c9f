"""The JSON Schema of the spec, from the same field types that read it."""

from __future__ import annotations

from typing import Any

import msgspec

from generator.spec import SpecFields
from generator.spec.field_kinds import Kind
from generator.spec.reader import FieldType, field_types

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def build_schema() -> dict[str, Any]:
    """The whole schema; each field has its description, each section refuses unknown keys."""
    return {"$schema": DIALECT, "title": "trainform spec", **_section(SpecFields)}


def _section(struct: type[msgspec.Struct]) -> dict[str, Any]:
    fields = field_types(struct)
    section: dict[str, Any] = {
        "type": "object",
        "description": (struct.__doc__ or "").strip(),
        "properties": {key: _field(kind) | _default(info) for key, (kind, info) in fields.items()},
        "additionalProperties": False,
    }
    required = [key for key, (_, info) in fields.items() if info.required]
    return section | ({"required": required} if required else {})


def _field(field: FieldType) -> dict[str, Any]:
    ways = _ways(field)
    written = ways[0] if len(ways) == 1 else {"anyOf": ways}
    return written | ({"description": field.description} if field.description else {})


def _ways(field: FieldType) -> list[dict[str, Any]]:
    """One schema for each way in which the field may be written."""
    ways: list[dict[str, Any]] = []
    if field.words:
        ways.append({"enum": list(field.words)})
    if field.truth:
        ways.append({"type": "boolean"})
    if field.kind:
        ways.append(_scalar(field.kind))
    if field.item:
        ways.append({"type": "array", "items": _field(field.item)})
    if field.pair:
        key, value = field.pair
        names = _scalar(key.kind) if key.kind else {}
        ways.append({"type": "object", "propertyNames": names, "additionalProperties": _field(value)})
    ways += [_section(struct) for struct in field.structs]
    return ways


def _scalar(kind: Kind) -> dict[str, Any]:
    written: dict[str, Any] = {
        "type": ["string", "number"] if kind.number else "string",
        "pattern": f"^(?:{kind.pattern})$",
        "examples": list(kind.examples),
    }
    if kind.number and kind.low is not None:
        written["exclusiveMinimum" if kind.above else "minimum"] = kind.low
    if kind.number and kind.high is not None:
        written["maximum"] = kind.high
    return written


def _default(info: msgspec.structs.FieldInfo) -> dict[str, Any]:
    """The default where it is a plain word or number as a user would write it."""
    plain = isinstance(info.default, str | int | float) and not isinstance(info.default, bool)
    return {"default": info.default} if plain else {}
