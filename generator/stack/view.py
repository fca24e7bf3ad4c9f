"""What a cloud hands to the renderer: pages of its templates, config that a person supplies, the start of a node."""

from __future__ import annotations

from typing import Any

import msgspec

from generator.stack.startup import Startup


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a person sets without a new design.

    `default` None: it must be given. `example` None: nobody can guess one that is valid in form.
    """

    key: str  # in Pulumi.yaml
    constant: str  # in settings.py
    why: str
    kind: str = "string"
    default: Any = None
    example: str | None = None

    @property
    def required(self) -> bool:
        """True when the program cannot run without it."""
        return self.default is None


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """One file that a template writes from `data`."""

    name: str
    template: str
    data: msgspec.Struct


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Something that outlives `pulumi destroy`, and the Pulumi resource name by which it is unprotected."""

    what: str
    resource: str
    type: str


class View(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is written of one stack but what `selection_page` and `guide` say in words."""

    title: str
    cloud_title: str
    extra: str
    region: str
    pages: tuple[Page, ...]
    provider: tuple[tuple[str, str], ...]  # project values of Pulumi.yaml, `CLOUD:region`
    settings: tuple[Setting, ...]
    requirements: tuple[str, ...]
    startup: Startup
    kept: tuple[Kept, ...]
    guide: Page  # the part of README.md that only this cloud can write


# Modules of a stack that hold no resource: they read the same on every cloud.
SHARED_MODULES = frozenset({"__main__", "settings", "user_data"})


def template(cloud_id: str, module: str) -> str:
    """The template, by its path under templates/, that writes a module of a stack."""
    return f"{'shared' if module in SHARED_MODULES else cloud_id}/{module}.py.jinja"
