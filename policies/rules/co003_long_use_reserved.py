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
ZH = """\
规则：按栈的输出，按量付费的训练将运行 30 天以上。
原因：大约从一个月起，包年包月或预留价格低于按量价格。
修复：比较包月价格；按量付费的好处是随时可以停。
"""
DOUBT = Message(
    en="where the break-even lies depends on type and region, and few monthly prices are public: 720 hours is the "
    "figure of the source document's month",
    zh="盈亏平衡点因规格和地域而异，公开的包月价很少：720 小时取自源文档所说的一个月",
)
OPPOSED = Message(
    en="Alibaba Cloud Config's `ecs-instance-chargetype-check` wants every instance pay-as-you-go",
    zh="阿里云配置审计的 `ecs-instance-chargetype-check` 要求所有实例按量付费",
)
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
