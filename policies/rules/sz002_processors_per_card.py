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
ZH = """\
规则：每张加速卡不足 4 个 vCPU（拒绝），或不足 8 个（警告）。
原因：解码和数据增强由 CPU 完成；CPU 太少，加速卡就等输入。
修复：选用同一种卡而 vCPU 更多的规格。
"""
DOUBT = Message(
    en="jobs without images need less: a language model that streams tokens runs well on 4; nnU-Net asks for 16 cores",
    zh="没有图像的任务需要更少：流式读取 token 的语言模型 4 个就够；nnU-Net 要求 16 核",
)
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
