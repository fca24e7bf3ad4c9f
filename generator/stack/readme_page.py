"""What README.md of a stack says: how to bring it up, what to set, and what stays after a destroy."""

from __future__ import annotations

import json

import msgspec

from generator.stack.blueprint import Blueprint
from generator.stack.startup import directories, starts_job
from generator.stack.templating import render_text
from generator.stack.view import Kept, View


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """A config value: its key, why it is there, an example, and whether it has a default."""

    key: str
    why: str
    example: str
    required: bool


class Readme(msgspec.Struct, frozen=True, kw_only=True):
    """The names of README.md.jinja."""

    name: str
    title: str
    spec_file: str
    extra: str
    values: tuple[Value, ...]
    guide: str
    kept: tuple[Kept, ...]
    grace_seconds: str
    data_dir: str
    checkpoint_dir: str
    starts: bool
    streams: bool
    serves: bool
    image: str | None
    resumes: bool
    note: str | None


def readme_page(blueprint: Blueprint, view: View) -> Readme:
    """The README's facts; the example of Pulumi.dev.yaml comes from the same table as a preview's stand-ins."""
    where = directories(blueprint)
    values = [
        Value(
            key=setting.key,
            why=setting.why,
            example=_example(setting.example, setting.default, setting.key, view.region),
            required=setting.required,
        )
        for setting in view.settings
    ]
    flags = blueprint.launch.flags
    return Readme(
        name=blueprint.name,
        title=view.title,
        spec_file=blueprint.spec_file,
        extra=view.extra,
        values=tuple(values),
        guide=render_text(view.guide.template, view.guide.data).rstrip(),
        kept=view.kept,
        grace_seconds=dict(view.startup.settings)["TRAINFORM_GRACE_SECONDS"],
        data_dir=where.data,
        checkpoint_dir=where.checkpoints,
        starts=starts_job(blueprint),
        serves=blueprint.nodes.role == "infer",
        streams=blueprint.data.place == "bucket",
        image=blueprint.launch.image,
        resumes=blueprint.checkpoints is not None,
        note=flags.note if flags else None,
    )


def _example(example: str | None, default: object, key: str, region: str) -> str:
    """A value for the example, as YAML reads it."""
    if default is not None:
        return json.dumps(list(default) if isinstance(default, tuple) else default)
    if key == "zone":
        return f"{region}-ZONE"
    return json.dumps(example) if example is not None else "..."
