"""`trainform check`: the guardrails on stack folders, previews and exports."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.commands._today import today_option

if TYPE_CHECKING:
    from generator.resources import StackState
    from policies.finding import Report
    from policies.ruling import Rule

FILE = click.Path(path_type=Path, dir_okay=False)
LEVELS = click.Choice(["deny", "warn", "info", "unknown"])


def _formats(context: click.Context, parameter: click.Parameter, value: str) -> str:
    from policies.reports import formats

    if value not in formats():
        raise click.BadParameter(f"{value!r} is none of {', '.join(formats())}", ctx=context, param=parameter)
    return value


@click.command(name="check")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--format", "form", default="text", callback=_formats, help="text, json, sarif, junit or markdown.")
@click.option("--output", type=FILE, help="Write the report to a file.")
@click.option("--fail-on", type=LEVELS, default="deny", help="Exit 1 from this verdict on.")
@click.option("--waivers", type=FILE, help="Waivers to use instead of the waivers.yaml beside PATH.")
@click.option("--no-waivers", is_flag=True, help="For auditors: no waiver counts, in no file and no comment.")
@click.option("--baseline", type=FILE, help="Findings of this file are known: only new ones fail.")
@click.option("--write-baseline", type=FILE, help="Write today's findings as a baseline.")
@click.option(
    "--rules", type=click.Path(path_type=Path, file_okay=False), help="A folder of rules of your own, used besides."
)
@click.option("--stack", help="For folders: take config values from Pulumi.<stack>.yaml.")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", help="Language of the messages.")
@today_option("Judge what ends by this date instead of the clock's.")
def command(**options: Any) -> None:
    """Judge stacks by the guardrails.

    PATH: a stack folder, the output of `pulumi preview --json` or `pulumi stack export`, or - for standard input.

    Checking a folder runs its program. Exit 0: clean. 1: a finding at --fail-on or above. 2: the input is wrong, a rule
    failed, or there was nothing to check.
    """
    from policies.finding import exit_code, merged
    from policies.reports import render
    from policies.rules import chosen_rules

    rules = chosen_rules(options["rules"])
    with _uncollected():
        reports = [report for path in options["paths"] for report in _judge(path, rules, options)]
    report = _without_known(merged(tuple(reports)), options)
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


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage is collected meanwhile: facts are kept to the end anyway, and looking for garbage costs a tenth."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _judge(path: str, rules: tuple[Rule, ...], options: dict[str, Any]) -> list[Report]:
    """The reports on the stacks of one path, their waivers applied."""
    from generator.resources import parse_stack, read_stack
    from policies.judge import judge
    from policies.waivers import apply_waivers, read_waivers, waivers_of

    base = ""
    if path == "-":
        states = parse_stack(sys.stdin.buffer.read(), "standard input")
    elif Path(path).is_file():
        states = read_stack(Path(path))
    else:
        from generator.preview import preview

        states = (preview(Path(path), stack=options["stack"]),)
        base = path
    for state in states:
        _tell(state, options)
    reports = [judge(state, rules, options["lang"], options["today"], base) for state in states]
    if options["no_waivers"]:
        return reports
    known = frozenset(rule.id for rule in rules)
    given = read_waivers(options["waivers"], known) if options["waivers"] is not None else None
    found = []
    for state, report in zip(states, reports, strict=True):
        beside = () if path == "-" else waivers_of(state, Path(path) if base else Path(path).parent, known)
        waivers = beside if given is None else given
        found.append(apply_waivers(report, waivers, options["today"]))
    return found


def _tell(state: StackState, options: dict[str, Any]) -> None:
    """Before anything else: what the previewed update makes anew; beside the report where a machine reads that."""
    if not state.removed and all(resource.op in {None, "create"} for resource in state.resources):
        return
    from generator.replacement.steps import engine_steps
    from generator.replacement.telling import told_steps

    heading = {"en": "this update", "zh": "此次更新"}[options["lang"]]
    told = told_steps(engine_steps(state), state, f"{state.source}: {heading}", options["lang"])
    click.echo(told, nl=False, err=options["form"] != "text" and options["output"] is None)


def _without_known(report: Report, options: dict[str, Any]) -> Report:
    """The report against the baseline; and today's findings written as one."""
    if options["baseline"] is None and options["write_baseline"] is None:
        return report
    from policies.baseline import apply_baseline, read_baseline, write_baseline

    if options["write_baseline"] is not None:
        options["write_baseline"].write_bytes(write_baseline(report, options["today"]))
    if options["baseline"] is None:
        return report
    report, gone = apply_baseline(report, read_baseline(options["baseline"]))
    if gone:
        click.echo(f"{len(gone)} entries of {options['baseline']} match nothing any more: write it anew", err=True)
    return report
