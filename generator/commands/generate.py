"""`trainform generate`: chooses, writes a stack for each cloud that can serve, previews and checks it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.commands._today import today_option

if TYPE_CHECKING:
    from generator.replacement.stack_folder import Foretold
    from generator.stack.generation import Stack


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the stacks (default: the spec's)."
)
@click.option("--cloud", "clouds", multiple=True, metavar="C", help="Only this cloud; may be repeated.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 with a diff when a file differs.")
@today_option("Judge what ends by this date instead of the clock's; no file depends on it.")
def command(spec: Path, out: Path | None, clouds: tuple[str, ...], only_check: bool, today: str) -> None:
    """Write a Pulumi stack for SPEC, one folder a cloud, then preview it and judge it by the guardrails.

    With `where.clouds` (or --cloud) one stack for each cloud that can serve, and the refusals of the others; without,
    the best cloud only. Exit 0: done. 1: a guardrail denies, or with --check a file differs. 2: the input is wrong,
    nothing fits, or a file was edited by hand.
    """
    from generator.spec import load_spec
    from generator.stack.generation import generate, stale_folders

    asked = load_spec(spec)
    folder = out or spec.parent
    outcome = generate(asked, spec.name, folder, clouds)
    for refusal in outcome.refusals:
        click.echo(f"{refusal.cloud}: {refusal.message}", err=True)
    if only_check:
        stale = stale_folders(folder, outcome) if not clouds else ()
        for path in stale:
            click.echo(f"{path}: no longer generated from {spec.name}: the spec does not lead to this cloud")
        different = [differs(stack) for stack in outcome.stacks]
        raise SystemExit(1 if any(different) or stale else 0 if outcome.stacks else 2)
    if not outcome.stacks:
        raise SystemExit(2)
    codes = [write_and_check(stack, today) for stack in outcome.stacks]
    raise SystemExit(max(codes))


def differs(stack: Stack) -> bool:
    """Print what a stack that is up would lose, and the diff of one stack, or that there is none."""
    from generator.replacement.stack_folder import foretell
    from generator.stack.writer import differences

    diff = differences(stack.files, stack.folder)
    tell(stack, foretell(stack.files, stack.folder) if diff else None)
    click.echo(diff or f"{stack.folder}: as generated", nl=not diff)
    return bool(diff)


def tell(stack: Stack, foretold: Foretold | None) -> None:
    """Say which resources of a stack that is up the next `pulumi up` would make anew, and what is lost with them."""
    from generator.replacement.telling import told_steps

    if foretold is None:
        return
    if foretold.existing is None:
        click.echo(f"{stack.folder}: what an update of it would replace is not known: {foretold.untold}")
        return
    heading = f"{stack.folder}: if this stack is up, the next `pulumi up`"
    click.echo(told_steps(foretold.steps, foretold.existing, heading), nl=False)


def write_and_check(stack: Stack, today: str) -> int:
    """Say what would be replaced, write one stack and say what was done; the exit code of its own check."""
    from generator.preview import MissingSdkError, preview
    from generator.replacement.stack_folder import foretell
    from generator.replacement.steps import with_steps
    from generator.stack.writer import write
    from policies.finding import exit_code
    from policies.judge import judge
    from policies.reports import render
    from policies.rules import our_rules
    from policies.waivers import apply_waivers, waivers_of

    foretold = foretell(stack.files, stack.folder)
    tell(stack, foretold)
    changes = write(stack.files, stack.folder)
    done = [
        f"{len(names)} {word}"
        for word, names in (("created", changes.created), ("updated", changes.updated), ("removed", changes.removed))
        if names
    ]
    click.echo(f"{stack.folder}: {', '.join(done) or 'nothing to change'} ({stack.title})")
    try:
        state = preview(stack.folder)
    except MissingSdkError as missing:
        click.echo(f"not previewed: {missing.install}")
        return 0
    state = with_steps(state, foretold.steps) if foretold is not None else state
    waivers = waivers_of(state, stack.folder, frozenset(rule.id for rule in our_rules()))
    report = apply_waivers(judge(state, today=today, base=str(stack.folder)), waivers, today)
    click.echo(f"previewed: {sum(resource.custom for resource in state.resources)} resources; checked:")
    click.echo(render(report, "text", "en"), nl=False)
    return exit_code(report, "deny")
