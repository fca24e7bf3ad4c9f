"""SZ009: a training pool has cards of one kind.

What: the types of one training pool have different cards.
Why: all wait for the slowest card, the smallest memory decides, and the figures of the estimate hold for one of them.
Cure: types of one card; other sizes of the same card are good alternates.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, warn

ID = "SZ009"
SEVERITY = "warn"
TITLE = Message(en="a training pool has cards of one kind", zh="训练池使用同一种加速卡")
WHY = ("ours",)
SOURCE = "the catalog's card of each type"
NEEDS = ("Node.cards", "Node.role")
SUBJECT = Node

MIXED = Message(en="the types of this pool have different cards: {cards}", zh="该池的规格含不同的加速卡：{cards}")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine or pool that trains, or whose role is not told."""
    for node in facts.of(Node):
        if len(node.cards) > 1 and node.role in {"train", None}:
            yield warn(node, "types", MIXED, "one card", cards=", ".join(node.cards))
