"""`trainform why`: why one instance type was, or was not, chosen, and what would have to change."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.argument("instance_type")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(spec: Path, instance_type: str, form: str) -> None:
    """Say for each region why INSTANCE_TYPE is chosen, a runner-up or rejected for SPEC, and what it would need."""
    from generator.catalog.asked import load_asked
    from generator.selection import select
    from generator.selection.verdicts import explain_type
    from generator.spec import load_spec
    from generator.workload import derive

    asked = load_spec(spec)
    workload, catalogs = derive(asked), load_asked(asked)
    verdicts = explain_type(select(asked, workload, catalogs), workload, catalogs, instance_type)
    if form == "json":
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(verdicts), indent=2).decode())
        return
    for verdict in verdicts:
        regions = f" in {', '.join(verdict.regions)}" if verdict.regions else ""
        reason = f" ({verdict.reason})" if verdict.reason else ""
        click.echo(f"{verdict.instance_type}{regions}: {verdict.verdict.replace('_', ' ')}{reason}: {verdict.message}")
        if verdict.would_need:
            click.echo(f"  it would need: {verdict.would_need}")
