"""SE003: a compute machine has no public address.

What: a machine with cards, or one that the tags call a compute machine, has a public address, also through an elastic
one that is associated with it.
Why: whatever it serves by mistake is reachable from everywhere; what it must fetch comes through a NAT gateway.
Cure: no bandwidth of its own, a NAT gateway for the way out, a bastion or the vendor's remote shell for the way in.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, warn

ID = "SE003"
SEVERITY = "warn"
TITLE = Message(en="a compute machine has no public address", zh="计算机器没有公网地址")
WHY = ("ours",)
SOURCE = "practice of every scanner"
NEEDS = ("Node.public_address", "Node.role", "Node.gpus")
SUBJECT = Node

PUBLIC = Message(en="has a public address", zh="有公网地址")
UNSEEN = Message(en="whether it has a public address is not known before `up`", zh="是否有公网地址在 up 之前未知")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge machines with cards or a role."""
    for node in facts.of(Node):
        if not node.on_gpus and node.role is None:
            continue
        if node.public_address is UNKNOWN:
            yield unknown(node, "public_address", UNSEEN, "private")
        elif node.public_address:
            yield warn(node, "public_address", PUBLIC, "private")
