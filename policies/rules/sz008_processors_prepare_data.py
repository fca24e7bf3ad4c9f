"""SZ008: preparing data runs on processors.

What: a machine for preparing data has accelerator cards.
Why: cleaning, tokenizing and packing use processors and disks; the cards idle at ten times the price.
Cure: a general-purpose type with the vCPU that the work needs. Decoding video on cards is the exception.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, warn

ID = "SZ008"
SEVERITY = "warn"
TITLE = Message(en="preparing data runs on processors", zh="数据预处理使用 CPU")
WHY = ("D0-03", "D0-06")
SOURCE = "general source document"
ZH = """\
规则：用于数据预处理的机器带有加速卡。
原因：清洗、分词和打包用的是 CPU 和磁盘；加速卡以十倍的价格空转。
修复：选用 vCPU 满足需要的通用型规格。用加速卡解码视频是例外。
"""
DOUBT = Message(
    en="decoding of video, and models that filter or label data, do use cards: waive with that reason",
    zh="视频解码，以及用模型过滤或标注数据，确实要用加速卡：以此为由豁免",
)
NEEDS = ("Node.role", "Node.gpus")
SUBJECT = Node

IDLE = Message(en="prepares data on a machine with {gpus} cards", zh="在带 {gpus} 张卡的机器上预处理数据")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine whose role is preparing data; without a role nothing says so."""
    for node in facts.of(Node):
        if node.role == "prep" and node.gpus:
            yield warn(node, "types", IDLE, "processors", gpus=node.gpus)
