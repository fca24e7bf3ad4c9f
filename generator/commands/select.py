"""`trainform select`: the choice with its reasons, the next best, and why everything else is out; writes nothing."""

from __future__ import annotations

from pathlib import Path

import click

from generator.commands._today import today_option


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--all", "everything", is_flag=True, help="Show every runner-up and every rejection (text).")
@today_option("Tell by this date instead of the clock's how old lists are.")
@click.pass_context
def command(ctx: click.Context, spec: Path, form: str, everything: bool, today: str) -> None:
    """Choose instance type, count, layout, storage and region for SPEC, offline.

    Exit 2 when nothing fits; what would have to change is printed then.
    """
    from generator.catalog.asked import load_asked
    from generator.selection import select
    from generator.spec import load_spec
    from generator.workload import derive

    asked = load_spec(spec)
    selection = select(asked, derive(asked), load_asked(asked))
    if form == "json":
        import msgspec

        from generator.selection.as_json import selection_json

        click.echo(msgspec.json.format(msgspec.json.encode(selection_json(selection, today)), indent=2).decode())
    else:
        from generator.selection.as_text import selection_text

        click.echo(selection_text(selection, asked.name, today, everything=everything))
    if selection.chosen is None:
        ctx.exit(2)
