"""Paths into a resource's inputs, such as `dataDisks[0].size`, and their patterns, such as `dataDisks[].size`."""

import re
from collections.abc import Iterator
from typing import Any

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"  # what Pulumi's protocol writes for a value that `up` will tell


def pattern_of(path: str) -> str:
    """The path without its list positions: `dataDisks[0].size` is `dataDisks[].size`."""
    return re.sub(r"\[\d+\]", "[]", path)


def children(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The members of an object or list, each with its path."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield (f"{path}.{key}" if path else key), member
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield f"{path}[{number}]", member


def find(inputs: dict[str, Any], pattern: str) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Every place that a pattern names: its path, the object that holds it, and the value there (None when absent)."""
    head, _, last = pattern.rpartition(".")
    holders: list[tuple[str, Any]] = [("", inputs)]
    for step in head.split(".") if head else []:
        name, many = step.removesuffix("[]"), step.endswith("[]")
        found = [(f"{path}.{name}" if path else name, holder.get(name)) for path, holder in holders]
        holders = [member for path, value in found for member in (children(value, path) if many else [(path, value)])]
        holders = [(path, value) for path, value in holders if isinstance(value, dict)]
    name, many = last.removesuffix("[]"), last.endswith("[]")
    for path, holder in holders:
        place = f"{path}.{name}" if path else name
        if not many:
            yield place, holder, holder.get(name)
        elif isinstance(holder.get(name), list):
            for member_path, member in children(holder[name], place):
                yield member_path, holder, member


def changes(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Where two values differ: (path, add | delete | update), as deep as both are objects or lists."""
    if old == new:
        return
    if type(old) is type(new) and isinstance(new, dict | list):
        before, after = dict(children(old, path)), dict(children(new, path))
        for place in sorted({*before, *after}):
            yield from changes(before.get(place), after.get(place), place)
    else:
        yield path, "add" if old is None else "delete" if new is None else "update"
