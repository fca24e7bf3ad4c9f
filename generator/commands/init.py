"""`trainform init`: a commented starter spec in a folder of its own."""

from __future__ import annotations

import click

from generator.spec.presets import preset_names, preset_title

DEFAULT_PRESET = "llm-finetune"
PRESETS = "\b\nPresets:\n" + "\n".join(f"  {preset_title(preset)}" for preset in preset_names())


@click.command(epilog=PRESETS)
@click.argument("name", required=False)
@click.option("--preset", type=click.Choice(preset_names()), default=DEFAULT_PRESET, show_default=True)
def command(name: str | None, preset: str) -> None:
    """Write a commented starter spec to NAME/spec.yaml.

    NAME names the job and its folder: letters a-z, digits and _; without it the preset's own name. A spec that exists
    is never overwritten.
    """
    from pathlib import Path

    from generator.errors import InputError, Problem
    from generator.spec.field_kinds import read_identifier
    from generator.spec.presets import preset_text
    from generator.spec.quantities import QuantityError

    try:
        job = read_identifier(preset.replace("-", "_") if name is None else name)
    except QuantityError as error:
        raise InputError(Problem(message=f"NAME: {error}", hint=error.hint)) from None
    file = Path(job) / "spec.yaml"
    try:
        file.parent.mkdir(exist_ok=True)
        with file.open("x", encoding="utf-8") as spec:
            spec.write(preset_text(preset, job))
    except FileExistsError:
        message = f"{file} already exists" if file.exists() else f"cannot write {file}: {job} is a file"
        raise InputError(Problem(message=message, hint="choose another NAME, or remove it first")) from None
    except OSError as error:
        raise InputError(Problem(message=f"cannot write {file}: {(error.strerror or 'error').lower()}")) from None
    click.echo(f"wrote {file}\nnext: trainform select {file}")
