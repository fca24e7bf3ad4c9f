"""SP002: spot has a bid cap or a fallback.

What: a spot machine or pool with neither a highest bid nor on-demand machines when there is no spot.
Why: without a cap the price is the market's; without a fallback the run stands still when the market is empty.
Cure: a cap at the on-demand price, or a pool that falls back to on-demand.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, warn

ID = "SP002"
SEVERITY = "warn"
TITLE = Message(en="spot has a bid cap or a fallback", zh="抢占式实例有出价上限或回退方案")
WHY = ("D0-37", "D2-66")
SOURCE = "both source documents"
ZH = """\
规则：抢占式实例或伸缩组既没有最高出价，也没有在缺货时改用按量实例的回退方案。
原因：没有上限，价格就随市场；没有回退，市场缺货时任务就停住。
修复：出价上限设为按量价格，或让伸缩组回退到按量实例。
"""
DOUBT = Message(
    en="what spot saves floats by zone and type: the documents' 70 % and 70 to 90 % contradict one another, and no "
    "saving is claimed here",
    zh="抢占式实例能省多少随可用区和规格浮动：文档的 70 % 与 70～90 % 相互矛盾，此处不作承诺",
)
NEEDS = ("Node.charge", "Node.bids", "Node.spot_fallback")
SUBJECT = Node

OPEN = Message(en="spot without a highest bid and without a fallback", zh="抢占式实例既无出价上限也无回退方案")
UNSEEN = Message(
    en="whether this spot machine has a cap or a fallback is not known before `up`",
    zh="抢占式实例是否有上限或回退在 up 之前未知",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every spot machine and pool, whatever it is for."""
    for node in facts.of(Node):
        if node.charge not in {"spot", "mixed"}:
            continue
        if node.spot_fallback is True or (node.bids and node.bids is not UNKNOWN):
            continue
        if UNKNOWN in (node.bids, node.spot_fallback):
            yield unknown(node, "bids", UNSEEN, "cap")
        else:
            yield warn(node, "bids", OPEN, "cap")
