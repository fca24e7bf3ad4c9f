"""`trainform explain`: what a rule says, why, and how its finding is cured."""

from __future__ import annotations

import click


@click.command(name="explain")
@click.argument("rule")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", help="Language of the title.")
def command(rule: str, lang: str) -> None:
    """Explain RULE, such as ST001: what it finds, why that matters, the cure, the sources, and how to waive it."""
    from generator.errors import InputError, Problem
    from generator.spelling import did_you_mean
    from policies.rules import our_rules

    known = {entry.id: entry for entry in our_rules()}
    found = known.get(rule.upper())
    if found is None:
        listed = ", ".join(sorted(known))
        raise InputError(
            Problem(message=f"there is no rule {rule!r}", hint=did_you_mean(rule.upper(), known) or listed)
        )
    title = found.title.zh if lang == "zh" else found.title.en
    waiver = f'# trainform: waive {found.id} reason="..." owner=... expires=2027-01-31'
    click.echo(f"{found.id}: {title} ({found.severity})\n")
    click.echo(found.doc.partition("\n\n")[2].strip())
    click.echo(f"Source: {found.source} [{' '.join(found.why)}]")
    click.echo(f"Needs: {', '.join(found.needs)}")
    click.echo(f"Waive: in waivers.yaml, or right above the resource: {waiver}")
