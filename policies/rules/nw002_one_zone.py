"""NW002: the machines of one job share region, zone and VPC.

What: machines of one training job stand in several zones, regions or VPCs, or their pool may spread over several zones
(deny; warn for preparing data).
Why: between zones every message takes about a millisecond instead of some ten microseconds, bandwidth is shared and
billed, and RDMA does not cross.
Cure: one subnet for the whole job.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN, Unknown
from policies.ruling import Message, Ruling, deny, unknown, untagged, warn

ID = "NW002"
SEVERITY = "deny"
TITLE = Message(en="the machines of one job share region, zone and VPC", zh="同一任务的机器在同一地域、可用区和 VPC")
WHY = ("D0-43", "D0-40")
SOURCE = "general source document"
ZH = """\
规则：同一训练任务的机器分布在多个可用区、地域或 VPC，或其伸缩组可能跨可用区（拒绝；数据预处理为警告）。
原因：跨可用区的每条消息约需一毫秒而不是几十微秒，带宽共享且可能计费，RDMA 也无法跨越可用区。
修复：整个任务使用同一个子网（交换机）。
"""
DOUBT = Message(
    en="one of the source documents asks for several zones for availability: a job is durable through its "
    "checkpoints in storage of the region, not through its machines",
    zh="其中一份源文档为高可用要求多可用区：任务的可靠性来自地域级存储中的检查点，而不是分散的机器",
)
OPPOSED = Message(
    en="InfraGuard and Alibaba Cloud Config ask for several zones: `ess-scaling-group-attach-multi-switch`, "
    "`ack-cluster-node-multi-zone`, `pai-eas-instances-multi-zone`. They are right for services and wrong for the "
    "pool of one training job",
    zh="InfraGuard 与阿里云配置审计要求多可用区：`ess-scaling-group-attach-multi-switch`、"
    "`ack-cluster-node-multi-zone`、`pai-eas-instances-multi-zone`。对在线服务是对的，对一个训练任务的伸缩组是错的",
)
NEEDS = ("Node.zones", "Node.subnets", "Node.vpc", "Node.region", "Node.role", "Node.job_size")
SUBJECT = Node

APART = Message(en="job {job} stands in several {what}: {places}", zh="任务 {job} 分布在多个{what}：{places}")
UNSEEN = Message(
    en="whether the machines of job {job} share one {what} is not known before `up`",
    zh="任务 {job} 的机器是否在同一{what}在 up 之前未知",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge each job by all its machines; findings stand on the first of them."""
    jobs: dict[str, list[Node]] = {}
    for node in facts.of(Node):
        if node.role is None and node.on_gpus:
            yield untagged(node)
        elif node.role in {"train", "prep"}:
            jobs.setdefault(f"{node.job}/{node.role}", []).append(node)
    for nodes in jobs.values():
        sizes = [node.job_size for node in nodes]
        if len(nodes) > 1 or any(not isinstance(size, int) or size > 1 for size in sizes):
            yield from _judge(nodes)


def _judge(nodes: list[Node]) -> Iterator[Ruling]:
    first = nodes[0]
    say = deny if first.role == "train" else warn
    # One subnet lies in one zone of one VPC, whatever its zone is called.
    if len({subnet for node in nodes for subnet in node.subnets}) == 1 and all(_told(node) for node in nodes):
        return
    places: dict[str, set[str | Unknown | None]] = {
        "region": {node.region for node in nodes},
        "VPC": {node.vpc for node in nodes if node.vpc is not None},
        "zone": {zone for node in nodes for zone in node.zones},
    }
    for what, found in places.items():
        known = sorted(place for place in found if isinstance(place, str))
        if len(known) > 1:
            names = ", ".join(name.rsplit("::", 1)[-1] for name in known)
            yield say(first, "zones", APART, "one", job=first.job or "", what=what, places=names)
        elif UNKNOWN in found:
            yield unknown(first, "zones", UNSEEN, "one", job=first.job or "", what=what)


def _told(node: Node) -> bool:
    return bool(node.subnets) and not any(isinstance(subnet, Unknown) for subnet in node.subnets)
