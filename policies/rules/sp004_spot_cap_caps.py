"""SP004: a spot bid is below the on-demand price.

What: the highest bid is above the on-demand list price of the type in this region, or so high that it is no cap.
Why: above the on-demand price the same machine is cheaper and cannot be taken away.
Cure: a cap at the on-demand price or below it.
"""

from collections.abc import Iterator

from generator.facts import Bid, Facts, Node
from generator.program.values import Unknown
from policies.ruling import Message, Ruling, unknown, warn

ID = "SP004"
SEVERITY = "warn"
TITLE = Message(en="a spot bid is below the on-demand price", zh="竞价出价低于按量价格")
WHY = ("ours",)
SOURCE = "list prices of the catalog, each with its date"
ZH = """\
规则：最高出价高于该规格在该地域的按量目录价，或高到等于没有上限。
原因：高于按量价格时，同样的机器按量买更便宜，而且不会被收回。
修复：出价上限不超过按量价格。
"""
DOUBT = Message(
    en="on-demand prices are list prices with their dates; without one only a bid that no machine costs (over 999 an "
    "hour) is called no cap",
    zh="按量价格为带日期的目录价；没有价格时，只有任何机器都达不到的出价（每小时超过 999）才视为没有上限",
)
NEEDS = ("Node.charge", "Node.bids")
SUBJECT = Node

# No machine of any list costs as much an hour: a cap beyond is none, whatever the type costs.
NO_CAP = 999.0

ABOVE = Message(
    en="the bid of {bid:g} an hour for {type} is above its on-demand price of {price:g}",
    zh="{type} 每小时出价 {bid:g} 高于按量价格 {price:g}",
)
NONE = Message(en="a bid of {bid:g} an hour for {type} caps nothing", zh="{type} 每小时出价 {bid:g} 等于没有上限")
UNPRICED = Message(
    en="whether the bid of {bid:g} for {type} is below its on-demand price is not known: no list has it",
    zh="{type} 的出价 {bid:g} 是否低于按量价格未知：列表没有价格",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every bid that is known."""
    for node in facts.of(Node):
        if node.charge in {"spot", "mixed"} and not isinstance(node.bids, Unknown):
            for bid in node.bids:
                yield from _judge(node, bid)


def _judge(node: Node, bid: Bid) -> Iterator[Ruling]:
    if not isinstance(bid.amount, int | float):
        return
    values = {"bid": bid.amount, "type": bid.type}
    if bid.on_demand is not None:
        if bid.amount > bid.on_demand:
            yield warn(node, "bids", ABOVE, "below", price=bid.on_demand, **values)
    elif bid.amount > NO_CAP:
        yield warn(node, "bids", NONE, "below", **values)
    else:
        yield unknown(node, "bids", UNPRICED, "below", **values)
