"""The door for people: finds the commands, shows problems with their place, and sets the exit code (0, 1 or 2)."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import click

from generator.errors import InputError, Problem

COMMANDS = Path(__file__).parent / "commands"


class Commands(click.Group):
    """The commands of `generator/commands/`, each imported only when it is called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, by their files."""
        del ctx
        return sorted(path.stem for path in COMMANDS.glob("[a-z]*.py"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, or None, upon which click names the nearest."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"generator.commands.{cmd_name}").command
        return command


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="trainform", message="%(prog)s %(version)s")
def trainform() -> None:
    """From one YAML file about a deep-learning job to chosen machines, a Pulumi program and checked guardrails."""


def describe(problem: Problem) -> str:
    """One problem for a terminal: place and message, the source line with a caret, the hint."""
    where = problem.where
    if where is None:
        lines = [f"error: {problem.message}"]
    else:
        spot = ":".join(str(part) for part in (where.file, where.line, where.column) if part is not None)
        lines = [f"{spot}: {problem.message}"]
        if where.text is not None:
            lines.append(f"    {where.text}")
            if where.column is not None:
                lines.append("    " + " " * (where.column - 1) + "^")
    if problem.hint:
        lines.append(f"  hint: {problem.hint}")
    return "\n".join(lines)


def main(args: list[str] | None = None, **extra: Any) -> None:
    """Run the command line; InputError becomes messages on standard error and exit code 2."""
    try:
        trainform.main(args=args, prog_name="trainform", **extra)
    except InputError as error:
        for problem in error.problems:
            click.echo(describe(problem), err=True)
        raise SystemExit(2) from None
