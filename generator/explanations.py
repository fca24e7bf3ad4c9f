"""What a field of the spec and a card are, in words: for `trainform explain`."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import msgspec

from generator.sizing.accelerators import accelerator_names, expand_alias, find_accelerator
from generator.spec import schema


def explain_field(path: str) -> str | None:
    """Kind, default and examples of a field such as `goal.deadline`; None when the spec has no such field."""
    entry = _fields().get(path)
    if entry is None:
        return None
    lines = [f"{path}: {entry.get('description', 'no more is said of it')}"]
    lines += [f"  {line}" for line in dict.fromkeys(_ways(entry))]
    if "default" in entry:
        lines.append(f"  default: {_shown(entry['default'])}")
    inside = [name for name in _fields() if name.startswith(f"{path}.") and "." not in name[len(path) + 1 :]]
    if inside:
        lines.append(f"  holds: {', '.join(inside)}")
    return "\n".join([*lines, "  source: the spec's JSON Schema (trainform schema)"]) + "\n"


def explain_gpu(name: str) -> str | None:
    """The figures of a card, or of each card that an alias means, with their source; None for no card."""
    members = [name] if find_accelerator(name) else list(expand_alias(name))
    cards = [card for card in map(find_accelerator, members) if card is not None]
    if not cards:
        return None
    parts = (
        [f"{name} means {', '.join(card.name for card in cards)}\n"] if cards[0].name.lower() != name.lower() else []
    )
    for card in cards:
        told = {key: value for key, value in msgspec.to_builtins(card).items() if value not in (None, "")}
        parts.append("".join(f"{key}: {_shown(value)}\n" for key, value in told.items()))
    return "\n".join(parts)


def field_names() -> tuple[str, ...]:
    """Dotted paths of all fields of the spec."""
    return tuple(_fields())


def gpu_names() -> tuple[str, ...]:
    """Names of all cards."""
    return accelerator_names()


@functools.cache
def _fields() -> dict[str, dict[str, Any]]:
    return dict(_walk(schema(), ""))


def _walk(entry: dict[str, Any], prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every field below an object of the schema, whichever way of writing it holds it."""
    for way in (entry, *entry.get("anyOf", ()), *([entry["items"]] if isinstance(entry.get("items"), dict) else ())):
        for name, field in way.get("properties", {}).items():
            yield prefix + name, field
            yield from _walk(field, f"{prefix}{name}.")


def _ways(entry: dict[str, Any]) -> Iterator[str]:
    """How a field may be written, one line a way."""
    if "anyOf" in entry:
        for way in entry["anyOf"]:
            yield from _ways(way)
        return
    if "enum" in entry:
        yield f"one of: {', '.join(_shown(value) for value in entry['enum'])}"
    elif "type" in entry:
        examples = entry.get("examples", ())
        like = f", such as {', '.join(_shown(value) for value in examples)}" if examples else ""
        yield f"{entry['type']}{like}"


def _shown(value: Any) -> str:
    return msgspec.json.encode(value).decode() if isinstance(value, dict | list | tuple | bool) else str(value)
