"""A resource of a Pulumi program, whatever told of it: embedded preview, `pulumi preview --json`, `pulumi stack export`."""

from __future__ import annotations

from typing import Any

import msgspec


class Unknown:
    """A value that is known only after `up`; there is one, `UNKNOWN`, and it equals only itself."""

    def __repr__(self) -> str:
        return "UNKNOWN"


class Secret:
    """A value that must not be shown; there is one, `SECRET`: the value itself is never kept."""

    def __repr__(self) -> str:
        return "SECRET"


UNKNOWN = Unknown()
SECRET = Secret()


class Resource(msgspec.Struct, frozen=True, kw_only=True):
    """One registered resource. `inputs` has camelCase keys, plain values, UNKNOWN and SECRET.

    `property_dependencies` maps an input's name to the URNs it was computed from. `op` is None where the source has no steps.
    """

    urn: str
    type: str
    name: str
    inputs: dict[str, Any]
    dependencies: tuple[str, ...] = ()
    property_dependencies: dict[str, tuple[str, ...]] = {}
    parent: str | None = None
    provider: str | None = None
    custom: bool = True
    protect: bool = False
    retain_on_delete: bool = False
    ignore_changes: tuple[str, ...] = ()
    op: str | None = None
    replace_keys: tuple[str, ...] = ()  # inputs whose change forces the replacement, where the source says so
    outputs: dict[str, Any] = {}
    file: str | None = None
    line: int | None = None


class StackState(msgspec.Struct, frozen=True, kw_only=True):
    """All resources of one stack, its config and its outputs."""

    project: str
    stack: str
    source: str  # what was read, as the user named it
    resources: tuple[Resource, ...]
    config: dict[str, Any] = {}
    outputs: dict[str, Any] = {}
