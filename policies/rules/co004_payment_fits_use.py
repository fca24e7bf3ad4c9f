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
ZH = """\
规则：带加速卡的机器按包年包月付费，却既不提供服务，也不会运行满一个月。
原因：无论用不用，整月都要付费；包年包月的机器也不能随时退还。
修复：实验、开发和训练按量付费；日夜常驻的服务包年包月。
"""
DOUBT = Message(
    en="how long the run is comes from the stack's output; on a stack without it a month's use cannot be told from a "
    "day's, so this is only information",
    zh="运行时长来自栈的输出；没有该输出时无法区分用一天还是一个月，因此只作提示",
)
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
