"""SZ010: the type is still sold and recommended.

What: a type whose family the vendor has retired, or no longer recommends.
Why: stock of it is not refilled, new zones lack it, and its card falls out of the frameworks next.
Cure: the family that follows it; the catalog lists what is sold today.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, warn

ID = "SZ010"
SEVERITY = "warn"
TITLE = Message(en="the type is still sold and recommended", zh="规格仍在销售且被推荐")
WHY = ("ours",)
SOURCE = "the vendors' pages of types, by date in the catalog"
NEEDS = ("Node.ended_types",)
SUBJECT = Node

ENDED = Message(en="the vendor has retired {types}, or no longer recommends it", zh="厂商已下线或不再推荐 {types}")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine or pool by its types' status."""
    for node in facts.of(Node):
        if node.ended_types:
            yield warn(node, "types", ENDED, "current", types=", ".join(node.ended_types))
