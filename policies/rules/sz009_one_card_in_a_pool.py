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
ZH = """\
规则：同一训练伸缩组的规格含有不同的加速卡。
原因：全体等最慢的卡，由最小的显存决定，估算的数字只对其中一种成立。
修复：使用同一种卡的规格；同一种卡的其他大小是很好的备选。
"""
DOUBT = Message(
    en="a pool of one machine that may be of either card is called mixed too",
    zh="只有一台机器、但可能是任一种卡的伸缩组也算混用",
)
OPPOSED = Message(
    en="vendors advise many types in a spot pool for availability: right for services, and for training only among "
    "types of one card",
    zh="厂商建议抢占式伸缩组使用多种规格以提高可用性：对服务是对的，对训练只限同一种卡的规格",
)
NEEDS = ("Node.cards", "Node.role")
SUBJECT = Node

MIXED = Message(en="the types of this pool have different cards: {cards}", zh="该池的规格含不同的加速卡：{cards}")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine or pool that trains, or whose role is not told."""
    for node in facts.of(Node):
        if len(node.cards) > 1 and node.role in {"train", None}:
            yield warn(node, "types", MIXED, "one card", cards=", ".join(node.cards))
