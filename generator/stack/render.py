"""All files of one stack, in memory: pages of the cloud, and what every stack has beside them."""

from __future__ import annotations

from typing import Any

import msgspec

from generator.stack.blueprint import Blueprint
from generator.stack.readme_page import readme_page
from generator.stack.selection_page import selection_page
from generator.stack.startup import cloud_init, launch_script
from generator.stack.templating import StackFile, render_text
from generator.stack.view import Setting, View


def render(blueprint: Blueprint, view: View) -> tuple[StackFile, ...]:
    """The files of a stack but its manifest, by name."""
    files = [StackFile(name=page.name, text=render_text(page.template, page.data)) for page in view.pages]
    files += [
        StackFile(name="Pulumi.yaml", text=project_text(blueprint, view)),
        StackFile(name="requirements.txt", text="".join(f"{line}\n" for line in view.requirements)),
        StackFile(name="README.md", text=render_text("shared/README.md.jinja", readme_page(blueprint, view))),
        StackFile(name="SELECTION.md", text=render_text("shared/SELECTION.md.jinja", selection_page(blueprint, view))),
        cloud_init(blueprint, view.startup),
        launch_script(blueprint, view.startup),
    ]
    if blueprint.waivers:
        files.append(StackFile(name="waivers.yaml", text=waivers_text(blueprint)))
    return tuple(sorted(files))


def project_text(blueprint: Blueprint, view: View) -> str:
    """Pulumi.yaml in block style: the project, the provider's settings, and what a person supplies."""
    import yaml  # noqa: PLC0415  (only writing pays for it)

    config: dict[str, Any] = {key: {"value": value} for key, value in view.provider}
    config |= {setting.key: _declaration(setting) for setting in view.settings}
    project = {
        "name": blueprint.name,
        "description": f"{view.title}.",
        "runtime": {"name": "python"},
        "config": config,
    }
    return yaml.safe_dump(project, sort_keys=False, allow_unicode=True, width=10_000)


def waivers_text(blueprint: Blueprint) -> str:
    """waivers.yaml: what the spec decided to live with, as `trainform check` reads it."""
    import yaml  # noqa: PLC0415  (only writing pays for it)

    entries = [msgspec.to_builtins(waiver) for waiver in blueprint.waivers]
    body = yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=10_000)
    return f"# From {blueprint.spec_file}: findings of the guardrails that are decided upon. Edit the spec.\n{body}"


def _declaration(setting: Setting) -> dict[str, Any]:
    declared: dict[str, Any] = {"type": setting.kind}
    if setting.kind == "array":
        declared["items"] = {"type": "string"}
    declared["description"] = setting.why
    if setting.default is not None:
        declared["default"] = list(setting.default) if setting.kind == "array" else setting.default
    return declared
