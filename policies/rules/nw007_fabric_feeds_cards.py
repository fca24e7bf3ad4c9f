"""NW007: the network between machines is wide enough for the cards.

What: by the stack's output communication takes more than 0.2 of the computing time (warn) or more than all of it
(deny); without that figure, fewer RDMA interfaces than the type has cards for, or fewer Gbit/s than its class needs.
Why: each network card carries its share only when it has an interface of its own; one of four used is a quarter.
Cure: an interface on every network card, or a type with a wider fabric.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, deny, unknown, untagged, warn

ID = "NW007"
SEVERITY = "deny"
TITLE = Message(en="the network between machines is wide enough for the cards", zh="机器间网络带宽满足加速卡需求")
WHY = ("ours",)
SOURCE = "NVIDIA/nccl #766: 100 Gbit/s for PCIe cards' machines, 4 to 8 times 200 Gbit/s for NVLink machines"
ZH = """\
规则：按栈的输出，通信时间超过计算时间的 0.2（警告）或超过全部计算时间（拒绝）；没有该数据时，RDMA 接口数少于规格的网
卡数，或带宽低于该类机器的需要。
原因：每块网卡只有配上自己的接口才能承担它那一份流量；四块网卡只用一块，就只有四分之一的带宽。
修复：每块网卡配一个接口，或选用带宽更高的规格。
"""
DOUBT = Message(
    en="the source document calls 10 Gbit/s enough; NCCL's maintainers ask for 100 to 1600. The thresholds 0.2 and 1 "
    "are ours",
    zh="源文档认为 10 Gbit/s 足够；NCCL 维护者建议 100 到 1600。阈值 0.2 和 1 为我们自定",
)
NEEDS = (
    "SizedFacts.exposed_ratio",
    "Node.rdma_interfaces",
    "Node.rdma_nics",
    "Node.network_gbps",
    "Node.nvlink",
    "Node.gpus",
    "Node.role",
    "Node.job_size",
)
SUBJECT = Node

WAITS = Message(
    en="communication that no computing hides takes {ratio:.0%} of the computing time",
    zh="未被计算掩盖的通信占计算时间的 {ratio:.0%}",
)
FEW = Message(
    en="{have} RDMA interfaces, and the type has {nics} network cards for it",
    zh="有 {have} 个 RDMA 接口，而规格有 {nics} 块网卡",
)
THIN = Message(
    en="{gbps:.0f} Gbit/s between machines of {gpus} cards each; such machines want {want}",
    zh="每台 {gpus} 卡的机器之间 {gbps:.0f} Gbit/s，应有 {want}",
)
UNSEEN = Message(en="how wide the network between the machines is, is not known", zh="机器间网络带宽未知")

SLOW, TOO_SLOW = 0.2, 1.0
PCIE_GBPS, NVLINK_GBPS = 100.0, 800.0


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge machines with cards whose job spans several."""
    for node in facts.of(Node):
        if not node.on_gpus or node.gpus is None:
            continue
        if node.role is None:
            yield untagged(node)
        elif node.role == "train" and isinstance(node.job_size, int) and node.job_size > 1:
            yield from _judge(node, facts.sized.exposed_ratio)


def _judge(node: Node, ratio: float | None) -> Iterator[Ruling]:
    have = node.rdma_interfaces
    if isinstance(have, int) and node.rdma_nics is not None and 0 < have < node.rdma_nics:
        yield warn(node, "rdma", FEW, "every card", have=have, nics=node.rdma_nics)
    if ratio is not None:
        if ratio > TOO_SLOW:
            yield deny(node, "types", WAITS, "wider", ratio=ratio)
        elif ratio > SLOW:
            yield warn(node, "types", WAITS, "wider", ratio=ratio)
    elif node.network_gbps is None or have is UNKNOWN:
        yield unknown(node, "types", UNSEEN, "wider")
    else:
        want = NVLINK_GBPS if node.nvlink else PCIE_GBPS
        if node.network_gbps < want:
            values = {"gbps": node.network_gbps, "gpus": node.gpus, "want": f"{want:.0f} Gbit/s"}
            yield warn(node, "types", THIN, "wider", **values)
