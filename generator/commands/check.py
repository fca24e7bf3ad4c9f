"""`trainform check`: the guardrails on stack folders, previews and exports."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from policies.finding import Report
    from policies.ruling import Rule


def _formats(context: click.Context, parameter: click.Parameter, value: str) -> str:
    from policies.reports import formats  # noqa: PLC0415  (a command pays only for what it uses)

    if value not in formats():
        raise click.BadParameter(f"{value!r} is none of {', '.join(formats())}", ctx=context, param=parameter)
    return value


@click.command(name="check")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--format", "form", default="text", callback=_formats, help="text, json ...: see `docs/`.")
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write the report to a file.")
@click.option(
    "--fail-on", type=click.Choice(["deny", "warn", "info", "unknown"]), default="deny", help="Exit 1 from here on."
)
@click.option("--stack", help="For folders: take config values from Pulumi.<stack>.yaml.")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", help="Language of the messages.")
@click.option("--today", metavar="DATE", help="Judge what ends by this date (YYYY-MM-DD) instead of the clock's.")
def command(**options: Any) -> None:
    """Judge stacks by the guardrails.

    PATH: a stack folder, the output of `pulumi preview --json` or `pulumi stack export`, or - for standard input.

    Checking a folder runs its program. Exit 0: clean. 1: a finding at --fail-on or above. 2: the input is wrong, a rule
    failed, or there was nothing to check.
    """
    from policies.finding import exit_code, merged  # noqa: PLC0415
    from policies.reports import render  # noqa: PLC0415
    from policies.rules import our_rules  # noqa: PLC0415

    rules = our_rules()
    reports = [report for path in options["paths"] for report in _judge(path, rules, options)]
    report = merged(tuple(reports))
    text = render(report, options["form"], options["lang"])
    if options["output"] is None:
        click.echo(text, nl=False)
    else:
        options["output"].write_text(text, encoding="utf-8")
    code = exit_code(report, options["fail_on"])
    if any(entry.checked.resources == 0 for entry in reports):
        click.echo("nothing was checked: no resource of a cloud that we know", err=True)
        code = 2
    raise SystemExit(code)


def _judge(path: str, rules: tuple[Rule, ...], options: dict[str, Any]) -> list[Report]:
    from generator.resources import parse_stack, read_stack  # noqa: PLC0415
    from policies.judge import judge  # noqa: PLC0415

    base = ""
    if path == "-":
        states = parse_stack(sys.stdin.buffer.read(), "standard input")
    elif Path(path).is_file():
        states = read_stack(Path(path))
    else:
        from generator.preview import preview  # noqa: PLC0415

        states = (preview(Path(path), stack=options["stack"]),)
        base = path
    return [judge(state, rules, options["lang"], options["today"], base) for state in states]
