"""`trainform explain`: a rule, a field of the spec, an instance type or a card, with sources and dates."""

from __future__ import annotations

import os

import click


@click.command(name="explain")
@click.argument("what", metavar="WHAT")
@click.option("--lang", type=click.Choice(["en", "zh"]), help="Language of a rule's page; default: the locale's.")
@click.pass_context
def command(context: click.Context, what: str, lang: str | None) -> None:
    """Explain WHAT: a rule (ST001), a field of the spec (goal.deadline), an instance type, or a GPU (A10)."""
    from policies.rule_pages import page
    from policies.rules import our_rules

    rules = {rule.id: rule for rule in our_rules()}
    if what.upper() in rules:
        click.echo(page(rules[what.upper()], lang or _locale()), nl=False)
        return
    from generator.explanations import explain_field, explain_gpu

    text = explain_field(what) or explain_gpu(what)
    if text is not None:
        click.echo(text, nl=False)
    elif what in _types():
        from generator.commands.catalog import show

        context.invoke(show, instance_type=what, form="text")
    else:
        _refuse(what, tuple(rules))


def _types() -> tuple[str, ...]:
    """Every instance type of every cloud."""
    from generator.catalog import load_types
    from generator.clouds import cloud_ids

    return tuple(name for cloud_id in cloud_ids() for name in load_types(cloud_id))


def _refuse(what: str, rules: tuple[str, ...]) -> None:
    from generator.errors import InputError, Problem
    from generator.explanations import field_names, gpu_names
    from generator.spelling import did_you_mean

    hint = did_you_mean(what, (*rules, *field_names(), *gpu_names(), *_types()))
    message = f"there is no rule, spec field, instance type or GPU {what!r}"
    raise InputError(Problem(message=message, hint=hint or f"rules are {', '.join(rules)}"))


def _locale() -> str:
    """The language that the environment asks for: zh for Chinese, else en."""
    told = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return "zh" if told.lower().startswith("zh") else "en"
