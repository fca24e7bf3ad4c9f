"""TM001: every machine says which team pays for it.

What: a machine or pool without the tag `team`.
Why: the bill of a shared account is split by it.
Cure: the tag `team`.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, warn

ID = "TM001"
SEVERITY = "warn"
TITLE = Message(en="every machine says which team pays", zh="每台机器标明付费团队")
WHY = ("ours",)
SOURCE = "our finance team"
NEEDS = ("Node.tags",)
SUBJECT = Node

NOBODY = Message(en="no tag `team`", zh="没有标签 team")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine."""
    for node in facts.of(Node):
        if "team" not in node.tags:
            yield warn(node, "tags", NOBODY, "team = who pays")
