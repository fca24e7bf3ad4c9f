"""Changes one thing in a golden stack and asks what the guardrails then say that they did not say before.

`changes.csv` has a row a change: the cloud, a pattern of stack folders, the resource's type without its package (and
`#name`, where not the first of its type is meant), a property and its new value as JSON, and the rule and verdict that
must answer; no rule means that the change is right and nothing may be said. Properties: a dotted path (`gone` takes it
away), `+` (a resource more; "@type" is a reference to one of that type), `-` (all resources of the type away), `@op`,
`@protect`, `$name` (what the stack's output `trainform` says; the type is `*`); several joined by ` & ` need as many
values, in a JSON list.
"""

from __future__ import annotations

import copy
import csv
import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from generator.clouds import cloud_ids, find_cloud
from generator.preview import preview
from generator.program.values import UNKNOWN
from generator.resources import Resource, StackState
from policies.finding import Finding
from policies.judge import judge

HERE = Path(__file__).parent
STACKS = HERE.parents[1] / "stacks"
TODAY = "2026-11-30"
GONE = "gone"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A row of changes.csv."""

    name: str
    cloud: str
    stacks: str
    type: str
    property: str
    value: str
    rule: str = ""
    verdict: str = ""

    def edits(self) -> tuple[tuple[str, Any], ...]:
        """Each property that changes with its new value."""
        names = self.property.split(" & ")
        value = json.loads(self.value) if self.value and self.value != GONE else self.value
        return tuple(zip(names, value, strict=True)) if len(names) > 1 else ((self.property, value),)


class Planted(msgspec.Struct, frozen=True, kw_only=True):
    """A change in one stack, and what is said of it: findings that were not there before."""

    change: Change
    stack: str
    said: tuple[Finding, ...]

    @property
    def is_right(self) -> bool:
        """A fault is told by its rule; of a right change nothing is told that a person must act upon."""
        if not self.change.rule:
            return not any(finding.verdict in {"deny", "warn", "unknown", "error"} for finding in self.said)
        return any((finding.rule, finding.verdict) == (self.change.rule, self.change.verdict) for finding in self.said)


def changes() -> tuple[Change, ...]:
    """All rows."""
    with (HERE / "changes.csv").open(encoding="utf-8", newline="") as file:
        return tuple(Change(**row) for row in csv.DictReader(file))


def stack_folders(cloud: str) -> tuple[Path, ...]:
    """The golden stacks of a cloud."""
    return tuple(sorted(path.parent for path in STACKS.glob(f"*/{cloud}/__main__.py")))


@functools.cache
def recorded(folder: Path) -> StackState:
    """The resources that the program of a golden stack registers."""
    return preview(folder)


@functools.cache
def said_before(folder: Path) -> frozenset[tuple[str, str, str, str]]:
    """What the guardrails say of the golden stack as it is."""
    return frozenset(map(_told, judge(recorded(folder), today=TODAY).findings))


def _told(finding: Finding) -> tuple[str, str, str, str]:
    return finding.rule, finding.verdict, finding.resource, finding.message


def planted() -> Iterator[Planted]:
    """Every change in every stack that has what it changes."""
    rows = changes()
    for cloud in cloud_ids():
        for folder in stack_folders(cloud):
            for change in rows:
                if change.cloud == cloud and re.fullmatch(change.stacks, folder.parent.name):
                    found = plant(change, folder)
                    if found is not None:
                        yield found


def plant(change: Change, folder: Path) -> Planted | None:
    """The change in one golden stack; None when the stack has no such resource or property."""
    state = recorded(folder)
    if change.property.startswith("$"):
        changed = _sized(state, change)
    else:
        resources = _changed(state, f"{find_cloud(change.cloud).token_packages[0]}:{change.type}", change)
        changed = None if resources is None else msgspec.structs.replace(state, resources=resources)
    if changed is None:
        return None
    told = judge(changed, today=TODAY).findings
    new = tuple(finding for finding in told if _told(finding) not in said_before(folder))
    return Planted(change=change, stack=f"{folder.parent.name}/{folder.name}", said=new)


def _sized(state: StackState, change: Change) -> StackState | None:
    """The stack with another figure in its output; None where it does not say that figure."""
    told = state.outputs.get("trainform")
    if not isinstance(told, dict):
        return None
    outputs = {**state.outputs, "trainform": told | {change.property[1:]: json.loads(change.value)}}
    return msgspec.structs.replace(state, outputs=outputs)


def _changed(state: StackState, kind: str, change: Change) -> tuple[Resource, ...] | None:
    if change.property == "+":
        added = _added(state, kind, json.loads(change.value))
        return None if added is None else (*state.resources, added)
    if change.property == "-":
        left = tuple(resource for resource in state.resources if resource.type != kind)
        return left if len(left) < len(state.resources) else None
    kind, _, name = kind.partition("#")
    for index, resource in enumerate(state.resources):
        if resource.type == kind and name in ("", resource.name) and (edited := _edited(resource, change)) is not None:
            return (*state.resources[:index], edited, *state.resources[index + 1 :])
    return None


def _added(state: StackState, kind: str, inputs: dict[str, Any]) -> Resource | None:
    package = kind.partition(":")[0]
    depends: dict[str, tuple[str, ...]] = {}
    for key, value in inputs.items():
        if isinstance(value, str) and value.startswith("@"):
            urns = [entry.urn for entry in state.resources if entry.type == f"{package}:{value[1:]}"]
            if not urns:
                return None
            depends[key] = (urns[0],)
    return Resource(
        urn=f"urn:pulumi:dev::{state.project}::{kind}::planted",
        type=kind,
        name="planted",
        inputs={key: UNKNOWN if key in depends else value for key, value in inputs.items()},
        property_dependencies=depends,
        file="__main__.py",
        line=1,
    )


def _edited(resource: Resource, change: Change) -> Resource | None:
    inputs: dict[str, Any] = copy.deepcopy(resource.inputs)
    fields: dict[str, Any] = {}
    for name, value in change.edits():
        if name.startswith("@"):
            fields[name[1:]] = value
        elif not _set(inputs, name.split("."), value):
            return None
    written = {name.partition(".")[0] for name, _ in change.edits()}
    depends = {key: urns for key, urns in resource.property_dependencies.items() if key not in written}
    return msgspec.structs.replace(resource, inputs=inputs, property_dependencies=depends, **fields)


def _set(holder: Any, path: list[str], value: Any) -> bool:
    """Write a value at a path; False where its holder is not there, or nothing is there to take away."""
    for part in path[:-1]:
        key = int(part) if part.isdigit() else part
        if isinstance(holder, list) and (not isinstance(key, int) or key >= len(holder)):
            return False
        if isinstance(holder, dict) and key not in holder:
            return False
        if not isinstance(holder, list | dict):
            return False
        holder = holder[key]
    if not isinstance(holder, dict):
        return False
    if value == GONE:
        return holder.pop(path[-1], None) is not None
    holder[path[-1]] = value
    return True
