"""SZ004: the job fits into the memory of the cards.

What: the bound of the memory estimate, which the stack carries in its output `trainform`, is above what the driver
shows of the smallest card among the types of the machine or pool.
Why: a job that does not fit dies in its first step, or, worse, at the first long sequence after hours.
Cure: a type with larger cards, more sharding, or a smaller micro-batch: change the spec and generate again.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, deny, unknown

ID = "SZ004"
SEVERITY = "deny"
TITLE = Message(en="the job fits into the memory of the cards", zh="任务能放入加速卡显存")
WHY = ("D2-04", "D0-16", "D2-06")
SOURCE = "the memory estimate of `trainform size`, with its bound"
ZH = """\
规则：显存估算的上界（见栈的输出 `trainform`）超过该机器或伸缩组各规格中最小的卡由驱动显示的显存。
原因：放不下的任务会在第一步失败，更糟的是几小时后遇到第一条长序列才失败。
修复：选用显存更大的规格、更多切分或更小的微批次：修改 spec 后重新生成。
"""
DOUBT = Message(
    en="the bound is one that 95 of 100 public measurements lie under (ACCURACY.md): a job just above it may still run",
    zh="上界取自 100 个公开测量中有 95 个低于它的值（见 ACCURACY.md）：略超出的任务仍可能跑得起来",
)
NEEDS = ("SizedFacts.gpu_memory_bound_gib", "SizedFacts.gpu_memory_usable_gib", "Node.gpu_usable_gib", "Node.gpus")
SUBJECT = Node

OVER = Message(
    en="the job needs up to {bound:.1f} GiB per card, and the card of {types} shows {usable:.1f} GiB",
    zh="任务每卡最多需要 {bound:.1f} GiB，而 {types} 的卡只有 {usable:.1f} GiB",
)
UNSIZED = Message(
    en="the stack carries no memory estimate (output trainform), so whether the job fits is not known",
    zh="栈没有显存估算（输出 trainform），任务是否放得下未知",
)
NO_CARD = Message(en="how much memory the card of {types} has is not known", zh="{types} 的显存大小未知")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine with cards that trains or serves; the smallest card of a pool decides."""
    bound = facts.sized.gpu_memory_bound_gib
    for node in facts.of(Node):
        if not node.on_gpus or node.role in {"dev", "prep"}:
            continue
        types = ", ".join(str(kind) for kind in node.types)
        usable = node.gpu_usable_gib if node.gpu_usable_gib is not None else facts.sized.gpu_memory_usable_gib
        if bound is None:
            yield unknown(node, "types", UNSIZED, "larger card")
        elif usable is None:
            yield unknown(node, "types", NO_CARD, "larger card", types=types)
        elif bound > usable:
            yield deny(node, "types", OVER, "larger card", bound=bound, usable=usable, types=types)
