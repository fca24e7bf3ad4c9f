"""How a cloud's facts read a stack: values with the provider's defaults, references, tables of carriers."""

from __future__ import annotations

import csv
import functools
import re
from collections.abc import Iterator
from typing import Any

from generator.clouds import CLOUDS, Cloud
from generator.program.values import SECRET, UNKNOWN, Unknown
from generator.resources import Resource, StackState

Value = Any  # a plain value, UNKNOWN, SECRET, or None for absent


@functools.cache
def provider_defaults(cloud_id: str) -> dict[tuple[str, str], Any]:
    """(kind of resource, property path with `[]` for lists) to the value the provider fills in."""
    found: dict[tuple[str, str], Any] = {}
    with (CLOUDS / cloud_id / "provider_defaults.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            text = row["default"]
            value: Any = {"true": True, "false": False}.get(text, text)
            found[row["resource"].partition(":")[2], row["property"]] = value
    return found


@functools.cache
def block_defaults(cloud_id: str, kind: str, name: str) -> dict[str, Any]:
    """Field to the value that the provider fills in, for the blocks of a list (`dataDisks`) of a kind of resource."""
    prefix = f"{name}[]."
    found = provider_defaults(cloud_id).items()
    return {path.removeprefix(prefix): value for (of, path), value in found if of == kind and path.startswith(prefix)}


@functools.cache
def carriers(cloud_id: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Kind of resource to field to the properties that carry it, the one to write first (`carriers.csv`)."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    with (CLOUDS / cloud_id / "carriers.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for kind, cell in row.items():
                if kind != "field" and cell:
                    found.setdefault(kind, {})[row["field"]] = tuple(cell.split())
    return found


def kind_of(resource: Resource) -> str:
    """The resource's type without the package, so that a bridged package counts as the cloud's own."""
    return resource.type.partition(":")[2]


class StackReader:
    """One cloud's resources of a stack, by kind and URN."""

    def __init__(self, state: StackState, cloud: Cloud) -> None:
        self.state = state
        self.cloud = cloud
        self.resources = tuple(
            resource for resource in state.resources if resource.type.partition(":")[0] in cloud.token_packages
        )
        self.by_urn = {resource.urn: resource for resource in self.resources}
        self._by_kind: dict[str, list[Resource]] = {}
        for resource in self.resources:
            self._by_kind.setdefault(kind_of(resource), []).append(resource)
        self._regions: dict[str | None, str | Unknown | None] = {}
        self._referrers: dict[tuple[str, tuple[str, ...]], dict[str | Unknown, list[Resource]]] = {}

    def of(self, *kinds: str) -> tuple[Resource, ...]:
        """Resources of these kinds (`ecs/instance:Instance`)."""
        return tuple(resource for kind in kinds for resource in self._by_kind.get(kind, ()))

    def value(self, resource: Resource, path: str) -> Value:
        """The value at a path (`systemDisk.category`), the provider's default when absent; SECRET counts as UNKNOWN."""
        value = self.explicit(resource, path)
        return self.default(resource, path) if value is None else value

    def explicit(self, resource: Resource, path: str) -> Value:
        """As `value`, without defaults: what the program itself says."""
        value: Any = resource.inputs
        for step in path.split("."):
            if isinstance(value, Unknown):
                return UNKNOWN
            value = value.get(step) if isinstance(value, dict) else None
        return UNKNOWN if value is SECRET else value

    def default(self, resource: Resource, path: str) -> Value:
        """What the provider or the cloud fills in at a path; None where it fills in nothing."""
        return provider_defaults(self.cloud.id).get((kind_of(resource), path))

    def field(self, resource: Resource, name: str) -> tuple[str, Value]:
        """Path and value of a field by the table of carriers; the path is empty when this kind cannot carry it."""
        paths = carriers(self.cloud.id).get(kind_of(resource), {}).get(name, ())
        for read in (self.explicit, self.default):
            for path in paths:
                value = read(resource, path)
                if value is not None:
                    return path, value
        return (paths[0], None) if paths else ("", None)

    def blocks(self, resource: Resource, name: str) -> Iterator[tuple[str, dict[str, Value] | Unknown]]:
        """The blocks of a list, each with its path (`dataDisks[0]`) and the provider's defaults filled in."""
        value = self.value(resource, name)
        if value is UNKNOWN:
            yield name, UNKNOWN
            return
        defaults = block_defaults(self.cloud.id, kind_of(resource), name)
        for number, block in enumerate(value if isinstance(value, list) else ()):
            if isinstance(block, dict):
                filled = {key: UNKNOWN if item is SECRET else item for key, item in block.items() if item is not None}
                yield f"{name}[{number}]", defaults | filled
            else:
                yield f"{name}[{number}]", UNKNOWN

    def targets(self, resource: Resource, name: str, *kinds: str) -> tuple[str | Unknown, ...]:
        """What an input refers to: URNs in this stack, literal ids of what lies outside, UNKNOWN where nobody can tell.

        An input computed from several resources of the kinds gives all of them; none is () .
        """
        value = self.value(resource, name)
        if value is None:
            return ()
        urns = [
            urn
            for urn in resource.property_dependencies.get(name.partition(".")[0], ())
            if urn in self.by_urn and (not kinds or kind_of(self.by_urn[urn]) in kinds)
        ]
        if urns:
            return tuple(urns)
        items = value if isinstance(value, list) else [value]
        return tuple(item if isinstance(item, str) else UNKNOWN for item in items)

    def target(self, resource: Resource, name: str, *kinds: str) -> str | Unknown | None:
        """The one thing an input refers to; UNKNOWN when it might be one of several, None when the input is absent."""
        found = self.targets(resource, name, *kinds)
        if not found:
            return None
        return found[0] if len(found) == 1 else UNKNOWN

    def referrers(self, target: str | Unknown, name: str, *kinds: str) -> list[Resource]:
        """Resources of these kinds whose input `name` refers to `target`; UNKNOWN: to nobody knows what."""
        index = self._referrers.get((name, kinds))
        if index is None:
            index = self._referrers[name, kinds] = {}
            for resource in self.of(*kinds):
                for found in self.targets(resource, name):
                    index.setdefault(found, []).append(resource)
        return index.get(target, [])

    def region(self, resource: Resource) -> str | Unknown | None:
        """The region of the resource's provider, else of the config, else None."""
        if resource.provider not in self._regions:
            self._regions[resource.provider] = self._provider_region(resource)
        return self._regions[resource.provider]

    def _provider_region(self, resource: Resource) -> str | Unknown | None:
        urn = (resource.provider or "").rpartition("::")[0]
        provider = next((entry for entry in self.state.resources if entry.urn == urn), None)
        found = provider.inputs.get("region") if provider is not None else None
        package = resource.type.partition(":")[0]
        if found is None:
            found = self.state.config.get(f"{package}:region")
        return found if isinstance(found, str | Unknown) else None


def number(value: Value) -> float | Unknown | None:
    """A number, also when the provider takes it as text; UNKNOWN stays."""
    if value is UNKNOWN or value is None or isinstance(value, bool):
        return UNKNOWN if value is UNKNOWN else None
    if isinstance(value, int | float):
        return float(value)
    return float(value) if isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value) else None


def truth(value: Value) -> bool | Unknown | None:
    """True or false, also when the provider takes it as text; UNKNOWN stays."""
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.lower())
    return value if isinstance(value, bool | Unknown) else None


def tags_of(value: Value) -> dict[str, str]:
    """Tags as text by key; what is unknown is left out, so that it satisfies nothing."""
    if not isinstance(value, dict):
        return {}
    return {key: str(item) for key, item in value.items() if isinstance(item, str | int | float)}


def first_number(text: str | None, unit: str) -> float | None:
    """The figure of a tag such as `20min` or `336h`; None when it has another form."""
    match = re.fullmatch(rf"(\d+(?:\.\d+)?){unit}", text or "")
    return float(match[1]) if match else None
