"""`trainform schema`: the JSON Schema of the spec, for editors."""

from __future__ import annotations

import click


@click.command()
def command() -> None:
    r"""Print the JSON Schema of the spec (draft 2020-12), for editors and other tools.

    \b
    trainform schema > spec.schema.json
    Then begin a spec with: # yaml-language-server: $schema=./spec.schema.json
    """
    import json

    from generator.spec import schema

    click.echo(json.dumps(schema(), indent=2, ensure_ascii=False))
