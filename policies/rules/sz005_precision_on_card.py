"""SZ005: the card computes in the precision that the job uses.

What: bf16 or tf32 on a card before Ampere, or fp8 on a card before Ada and Hopper.
Why: such a card emulates the type many times slower, or the framework stops.
Cure: fp16 with loss scaling on older cards, or a newer card.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, deny

ID = "SZ005"
SEVERITY = "deny"
TITLE = Message(en="the card computes in the precision of the job", zh="加速卡支持任务所用精度")
WHY = ("D0-17", "D2-54")
SOURCE = "compute capabilities by NVIDIA: bf16 and tf32 from 8.0, fp8 from 8.9"
ZH = """\
规则：在 Ampere 之前的卡上使用 bf16 或 tf32，或在 Ada、Hopper 之前的卡上使用 fp8。
原因：这样的卡以慢许多倍的方式模拟该精度，或框架直接停止。
修复：旧卡使用带损失缩放的 fp16，或换用新卡。
"""
DOUBT = Message(
    en="frameworks do run bf16 on older cards by emulation: slow, but not wrong. Cards of other makers than NVIDIA "
    "are not judged",
    zh="框架确实能在旧卡上模拟 bf16：慢，但结果不错。NVIDIA 以外的卡不作判断",
)
NEEDS = ("Node.compute_capability", "Node.gpu", "SizedFacts.precision")
SUBJECT = Node

LEAST = {"bf16": 8.0, "bf16_pure": 8.0, "tf32": 8.0, "fp8": 8.9}

CANNOT = Message(
    en="{gpu} (compute capability {have:g}) has no {precision}", zh="{gpu}（计算能力 {have:g}）不支持 {precision}"
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge the first card of every machine that trains or serves, where the stack tells the precision."""
    precision = facts.sized.precision
    least = LEAST.get(precision or "")
    for node in facts.of(Node):
        have = node.compute_capability
        if least is not None and have is not None and have < least and node.role not in {"dev", "prep"}:
            yield deny(node, "types", CANNOT, "newer card", gpu=node.gpu, have=have, precision=precision)
