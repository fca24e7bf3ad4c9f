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
ZH = """\
规则：规格所属的规格族已被厂商下线，或不再推荐。
原因：库存不再补充，新可用区没有它，它的卡接下来会被框架放弃。
修复：换用后继规格族；目录列出当前在售的规格。
"""
DOUBT = Message(
    en="a vendor's page tells what it no longer recommends, and seldom when it ends; dates are those of the catalog",
    zh="厂商页面会说明不再推荐什么，却很少说明何时终止；日期以目录为准",
)
OPPOSED = Message(
    en="Alibaba Cloud Config's `ecs-instance-type-family-not-deprecated` knows five old families only (t1, s1, m1, "
    "c1, n1)",
    zh="阿里云配置审计的 `ecs-instance-type-family-not-deprecated` 只认识五个老规格族（t1、s1、m1、c1、n1）",
)
NEEDS = ("Node.ended_types",)
SUBJECT = Node

ENDED = Message(en="the vendor has retired {types}, or no longer recommends it", zh="厂商已下线或不再推荐 {types}")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine or pool by its types' status."""
    for node in facts.of(Node):
        if node.ended_types:
            yield warn(node, "types", ENDED, "current", types=", ".join(node.ended_types))
