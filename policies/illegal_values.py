"""What the cloud's tables of legal values refuse, as rulings: one judge for the rules that differ by subject only."""

from __future__ import annotations

from collections.abc import Iterator

from generator.facts import Breach, Facts
from policies.ruling import Message, Ruling, deny, warn

SAID = Message(en="{said}", zh="不合法的取值：{said}")


def judge_breaches(facts: Facts, *subjects: str) -> Iterator[Ruling]:
    """Every illegal value of these subjects: deny, or warn where the tables only advise against it."""
    for breach in facts.of(Breach):
        if breach.subject in subjects:
            say = deny if breach.grave else warn
            yield say(
                breach, "value", SAID, "legal" if breach.legal else "absent", said=breach.said, legal=breach.legal
            )
