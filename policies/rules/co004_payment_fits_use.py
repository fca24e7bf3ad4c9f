"""CO004: the way of paying fits the use.

What: a machine with cards that is paid by the month, and that neither serves nor runs for a month.
Why: a month is paid whether it is used or not, and a prepaid machine cannot be given back.
Cure: by the hour for experiments, development and training; by the month for what stands day and night.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, info

ID = "CO004"
SEVERITY = "info"
TITLE = Message(en="the way of paying fits the use", zh="付费方式符合用途")
WHY = ("D0-09", "D0-62")
SOURCE = "general source document"
NEEDS = ("Node.charge", "Node.role", "SizedFacts.run_hours", "Node.gpus")
SUBJECT = Node

MONTH_HOURS = 720

PREPAID = Message(en="is paid by the month", zh="按包年包月付费")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge prepaid machines with cards, or for development and preparing data."""
    long = (facts.sized.run_hours or 0) >= MONTH_HOURS
    for node in facts.of(Node):
        judged = node.on_gpus or node.role in {"dev", "prep"}
        if judged and node.charge == "prepaid" and node.role != "infer" and not long:
            yield info(node, "payment", PREPAID, "postpaid")
