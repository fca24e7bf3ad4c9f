"""MO001: the monitoring agent is on.

What: the agent is switched off explicitly (deny), or nothing installs it (warn).
Why: GPU metrics come from the agent; without it an alarm on them never fires.
Cure: the switch, or a step of the user data that installs the agent.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, deny, unknown, warn

ID = "MO001"
SEVERITY = "deny"
TITLE = Message(en="the monitoring agent is on", zh="监控代理已开启")
WHY = ("D0-54",)
SOURCE = "general source document; the vendors' agents report GPU metrics"
ZH = """\
规则：明确关闭了监控代理（拒绝），或没有任何步骤安装它（警告）。
原因：GPU 指标由监控代理上报；没有它，基于这些指标的告警永远不会触发。
修复：打开开关，或在用户数据中加入安装监控代理的步骤。
"""
DOUBT = Message(
    en="an agent that a private image brings along is not to be seen, and is warned of",
    zh="私有镜像自带的监控代理看不到，会给出警告",
)
NEEDS = ("Node.monitoring", "Node.monitoring_applies", "Node.gpus")
SUBJECT = Node

OFF = Message(en="the monitoring agent is switched off", zh="监控代理被关闭")
ABSENT = Message(en="nothing installs the monitoring agent", zh="没有安装监控代理")
UNSEEN = Message(en="whether the monitoring agent is installed cannot be seen", zh="是否安装监控代理无法看到")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine with cards on which there is such an agent."""
    for node in facts.of(Node):
        if not node.on_gpus or not node.monitoring_applies:
            continue
        if node.monitoring is UNKNOWN:
            yield unknown(node, "monitoring", UNSEEN, "on")
        elif node.monitoring is None:
            yield warn(node, "monitoring", ABSENT, "on")
        elif not node.monitoring:
            yield deny(node, "monitoring", OFF, "on")
