"""NW002: the machines of one job share region, zone and VPC.

What: machines of one training job stand in several zones, regions or VPCs, or their pool may spread over several zones
(deny; warn for preparing data).
Why: between zones every message takes about a millisecond instead of some ten microseconds, bandwidth is shared and
billed, and RDMA does not cross.
Cure: one subnet for the whole job. Vendors' general advice to spread over zones, and scanners that ask for it
(`ess-scaling-group-attach-multi-switch`, `ack-cluster-node-multi-zone`), are right for services and wrong here.
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
