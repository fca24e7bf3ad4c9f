"""`trainform policies`: where the policy pack lies, for `pulumi preview --policy-pack`."""

from __future__ import annotations

import click


@click.command(name="policies")
def command() -> None:
    """Print the folder of the policy pack: `pulumi preview --policy-pack "$(trainform policies)"`."""
    from policies.rules import FOLDER

    click.echo(str(FOLDER.parent))
