"""CO003: a month of steady use is priced against a reservation.

What: an on-demand training run of 30 days or more by the stack's output.
Why: from about a month on, a monthly or reserved price is below the hourly one.
Cure: compare the monthly price; the hourly one keeps the freedom to stop.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, info, untagged

ID = "CO003"
SEVERITY = "info"
TITLE = Message(en="a month of steady use is priced against a reservation", zh="长期稳定使用应比较预留价格")
WHY = ("D0-57",)
SOURCE = "general source document"
NEEDS = ("SizedFacts.run_hours", "Node.charge", "Node.role")
SUBJECT = Node

MONTH_HOURS = 720

LONG = Message(en="runs {hours:.0f} hours on demand", zh="按量运行 {hours:.0f} 小时")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge on-demand machines with cards of long runs."""
    hours = facts.sized.run_hours
    for node in facts.of(Node):
        if hours is None or hours < MONTH_HOURS or not node.on_gpus or node.charge != "on_demand":
            continue
        if node.role is None:
            yield untagged(node)
        elif node.role in {"train", "infer"}:
            yield info(node, "charge", LONG, "reserved", hours=hours)
