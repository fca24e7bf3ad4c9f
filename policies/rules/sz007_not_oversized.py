"""SZ007: the cards are not far larger than the job.

What: even the bound of the memory estimate uses less than 40 % of the card.
Why: memory is most of a card's price; a smaller card, or a larger batch, does the same for less.
Cure: a smaller card, or a larger micro-batch; where time decides and the large card is faster, keep it.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, untagged, warn

ID = "SZ007"
SEVERITY = "warn"
TITLE = Message(en="the cards are not far larger than the job", zh="加速卡没有远超任务所需")
WHY = ("D2-69",)
SOURCE = "CNN source document; the memory estimate of `trainform size`"
ZH = """\
规则：即使显存估算的上界也只用到卡的 40 % 以下。
原因：显存占卡价的大头；更小的卡或更大的批次以更低的费用完成同样的工作。
修复：换更小的卡，或加大微批次；若时间优先且大卡更快，可以保留。
"""
DOUBT = Message(
    en="40 % is our figure; larger cards are faster too, and a deadline may need them",
    zh="40 % 为我们自定；大卡也更快，截止时间可能需要它",
)
NEEDS = ("SizedFacts.gpu_memory_bound_gib", "Node.gpu_usable_gib", "Node.role", "Node.gpus")
SUBJECT = Node

LEAST_USED = 0.4

ROOM = Message(
    en="the job needs at most {bound:.1f} of {usable:.1f} GiB, {share:.0%} of the card",
    zh="任务最多需要 {usable:.1f} GiB 中的 {bound:.1f} GiB，占 {share:.0%}",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge training on whole machines where the stack carries an estimate."""
    bound = facts.sized.gpu_memory_bound_gib
    for node in facts.of(Node):
        if not node.gpus or node.gpu_usable_gib is None or bound is None:
            continue
        if node.role is None:
            yield untagged(node)
        elif node.role == "train" and (share := bound / node.gpu_usable_gib) < LEAST_USED:
            yield warn(node, "types", ROOM, "smaller card", bound=bound, usable=node.gpu_usable_gib, share=share)
