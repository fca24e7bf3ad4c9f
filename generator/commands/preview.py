"""`trainform preview`: the resources of a stack folder, by the embedded preview."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(name="preview")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--stack", help="Take config values from Pulumi.<stack>.yaml instead of defaults and examples.")
@click.option(
    "--engine",
    type=click.Choice(["embedded", "pulumi"]),
    default="embedded",
    help="embedded: offline, nothing else needed. pulumi: the installed engine, with your plugins and keys.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print.")
def command(folder: Path, stack: str | None, engine: str, form: str) -> None:
    """Run the program of a stack folder offline and print the resources it makes.

    The program runs as it is: look at a stranger's stack before you preview it.
    """
    from generator.program.resource_list import resources_json, resources_text

    if engine == "pulumi":
        from generator.program.engine import preview as preview_by_pulumi

        state = preview_by_pulumi(folder, stack)
    else:
        from generator.preview import preview

        state = preview(folder, stack=stack)
    click.echo(resources_json(state) if form == "json" else resources_text(state))
