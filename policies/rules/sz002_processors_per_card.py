"""SZ002: enough processors for each card.

What: fewer than 4 vCPU for each card (deny), or fewer than 8 (warn).
Why: decoding and augmenting run on processors; with too few the cards wait for their input.
Cure: a type of the same card with more vCPU.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, deny, warn

ID = "SZ002"
SEVERITY = "deny"
TITLE = Message(en="enough processors for each card", zh="每张卡配有足够的 vCPU")
WHY = ("D2-11", "D2-21", "D2-28", "D2-35")
SOURCE = "CNN source document; nnU-Net asks for more, entry types have 4"
NEEDS = ("Node.vcpus", "Node.gpus")
SUBJECT = Node

LEAST, ENOUGH = 4, 8

FEW = Message(en="{ratio:g} vCPU for each card; {wanted} are wanted", zh="每张卡 {ratio:g} 个 vCPU；应有 {wanted} 个")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine whose type is known and has cards."""
    for node in facts.of(Node):
        if node.vcpus is None or not node.gpus:
            continue
        ratio = node.vcpus / node.gpus
        if ratio < LEAST:
            yield deny(node, "types", FEW, "more processors", ratio=ratio, wanted=ENOUGH)
        elif ratio < ENOUGH:
            yield warn(node, "types", FEW, "more processors", ratio=ratio, wanted=ENOUGH)
