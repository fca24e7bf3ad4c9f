"""The resources of a stack as people and programs read them: text with equal ones folded, and JSON."""

from __future__ import annotations

import json
from typing import Any

from generator.program.values import SECRET, UNKNOWN, wire
from generator.resources import STACK_TYPE, Resource, StackState

WIDEST = 100  # of a value on one line


def resources_json(state: StackState) -> str:
    """`{resources: [...]}` (CONTRACTS section 3); unknown and secret values as the engine prints them."""
    resources = [
        {
            "urn": resource.urn,
            "type": resource.type,
            "name": resource.name,
            "inputs": wire(resource.inputs),
            "dependencies": resource.dependencies,
            "property_dependencies": resource.property_dependencies,
            "protect": resource.protect,
            "file": resource.file,
            "line": resource.line,
        }
        for resource in state.resources
    ]
    return json.dumps({"resources": resources}, indent=2, ensure_ascii=False)


def resources_text(state: StackState) -> str:
    """A list by type, with the inputs; resources of one type that differ only in their names are one entry."""
    groups: dict[str, list[Resource]] = {}
    for resource in state.resources:
        if resource.type != STACK_TYPE:
            groups.setdefault(_likeness(resource), []).append(resource)
    lines = []
    for members in groups.values():
        first = members[0]
        names = first.name if len(members) == 1 else f"{len(members)} x {', '.join(member.name for member in members)}"
        place = f"  {first.file}:{first.line}" if first.file else ""
        lines.append(f"{first.type}  {names}{place}{'  protected' if first.protect else ''}")
        lines += [f"    {key}: {_shown(value)}" for key, value in sorted(first.inputs.items())]
    count = sum(len(members) for members in groups.values())
    return "\n".join([*lines, "", f"{count} resources; <unknown> is known only after `pulumi up`"])


def _likeness(resource: Resource) -> str:
    """The same text for resources whose inputs differ only by their own names and references."""
    digits = str.maketrans("", "", "0123456789")
    inputs = json.dumps(_readable(resource.inputs), sort_keys=True)
    return f"{resource.type} {resource.name.translate(digits)} {inputs.translate(digits)} {resource.line}"


def _shown(value: Any) -> str:
    shown = _readable(value)
    text = shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)
    text = text.replace("\n", "\\n").replace('"<unknown>"', "<unknown>").replace('"<secret>"', "<secret>")
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 3]}..."


def _readable(value: Any) -> Any:
    if value is UNKNOWN:
        return "<unknown>"
    if value is SECRET:
        return "<secret>"
    if isinstance(value, dict):
        return {key: _readable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_readable(item) for item in value]
    return value
