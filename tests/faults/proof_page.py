"""The page that says how many planted faults the guardrails catch and how often they cry wolf.

Run as `python -m tests.faults.proof_page` for the figures (and each that went wrong); `--write` renews the page.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from generator.clouds import cloud_ids
from tests.faults.planting import STACKS, Planted, planted, stack_folders
from tests.mutation.noticing import read_table, share

PAGE = STACKS.parent / "docs" / "guardrails-proof.md"

HEAD = """# What the guardrails catch

Written by `python -m tests.faults.proof_page --write`; a test holds it to the code.

Each fault is one change to one golden stack (`tests/faults/changes.csv`), judged from the resources that the stack's
program registers. A fault is caught when its rule says its verdict and had not said it before the change. A right
change, odd as it may look, is a false alarm when anything new is denied, warned of or called unknown. The table was
written by the authors of the rules, from their documents: the figures show that the rules do what they say, and that
nothing broke since; they do not show what they would do to a fault that nobody thought of. Besides, the faults of
`tests/planted` are judged alike on every cloud, and the mistakes of `tests/mistakes` are made in a program.
Not a blind figure either: the first run caught 541 of 587 and gave 1 false alarm in 100; one fault of the planting code
was then mended and some twenty rows were changed that named what their rule does not judge. No rule was changed.
Later rows, for the rules that had none: at first 725 of 736 were caught and 2 of 124 right changes called wrong; each
of these 13 rows named the wrong resource or a figure that no table has, and was mended. Again no rule was. NW002 and
ST009 hang on the zone, which a golden stack leaves to the person: see `tests/planted` and `tests/rules` for theirs.
"""

MUTATION_HEAD = """
## What the tests notice

Every comparison in a rule is negated and moved by one step, every `and` and `or` exchanged and relieved of each side,
every `not` dropped, one at a time (`python -m tests.mutation.noticing --write`). The first run was noticed in 79 % of
748; rows at the bounds (`tests/rules/test_at_the_bounds.py`) were then written. What is left are mostly guards that
nothing but a type checker asks for, and words of a message.
"""


def page(found: Sequence[Planted]) -> str:
    """The page with the figures by cloud and by rule."""
    lines = [
        HEAD,
        "| cloud | golden stacks | faults planted | caught | right changes | false alarms |",
        "|---|---|---|---|---|---|",
    ]
    lines.extend(
        _row(cloud, str(len(stack_folders(cloud))), [one for one in found if one.change.cloud == cloud])
        for cloud in cloud_ids()
    )
    lines.append(_row("all", str(sum(len(stack_folders(cloud)) for cloud in cloud_ids())), found))
    lines += ["", "| rule | verdict | faults planted | caught | changes |", "|---|---|---|---|---|"]
    kinds = sorted({(one.change.rule, one.change.verdict) for one in found if one.change.rule})
    for rule, verdict in kinds:
        same = [one for one in found if (one.change.rule, one.change.verdict) == (rule, verdict)]
        names = ", ".join(sorted({one.change.name for one in same}))
        lines.append(f"| {rule} | {verdict} | {len(same)} | {sum(one.is_right for one in same)} | {names} |")
    return "\n".join([*lines, *_mutation()]) + "\n"


def _mutation() -> list[str]:
    """What the tests notice when a rule is changed by one condition, by the last run that was written down."""
    told = read_table()
    missed = ", ".join(f"{rule} {count - noticed}" for rule, count, noticed in told if noticed < count)
    count = sum(mutants for _, mutants, _ in told)
    return [
        MUTATION_HEAD,
        f"Of {count} changes in {len(told)} rules the tests notice {share(told):.1%}. Not noticed, by rule: {missed}.",
    ]


def _row(cloud: str, stacks: str, found: Sequence[Planted]) -> str:
    faults = [one for one in found if one.change.rule]
    right = [one for one in found if not one.change.rule]
    caught = sum(one.is_right for one in faults)
    alarms = sum(not one.is_right for one in right)
    return f"| {cloud} | {stacks} | {len(faults)} | {caught} | {len(right)} | {alarms} |"


def wrong(found: Sequence[Planted]) -> list[str]:
    """Each fault that was missed and each false alarm, with what was said instead."""
    return [
        f"{one.stack}: {one.change.name} ({one.change.rule or 'nothing'} {one.change.verdict} expected), said: "
        + "; ".join(f"{finding.rule} {finding.verdict} {finding.message}" for finding in one.said)
        for one in found
        if not one.is_right
    ]


def main(arguments: Sequence[str]) -> None:
    """Print the figures, and write the page if asked."""
    found = tuple(planted())
    text = page(found)
    sys.stdout.write("\n".join([*wrong(found), text.removeprefix(HEAD)]))
    if "--write" in arguments:
        Path(PAGE).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
