"""NW005: the machines of one job reach one another.

What: the security group of a job over several machines lets its members not talk to one another.
Why: NCCL, the launcher and RDMA (UDP 4791) open ports of their own choosing; the job hangs at its first collective.
Cure: free traffic within the group, or a rule whose source is the group itself, for all ports.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node, SecurityGroup
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, deny, unknown, untagged

ID = "NW005"
SEVERITY = "deny"
TITLE = Message(en="the machines of one job reach one another", zh="同一任务的机器之间可以互通")
WHY = ("ours",)
SOURCE = "NCCL and torchrun choose their ports; RoCE and elastic RDMA use UDP 4791"
ZH = """\
规则：多机任务所在的安全组不允许组内机器互通。
原因：NCCL、启动器和 RDMA（UDP 4791）使用各自选定的端口；任务会卡在第一次集合通信。
修复：放通组内流量，或添加一条以安全组自身为来源、覆盖所有端口的规则。
"""
DOUBT = Message(
    en="rules that name the subnet's address range in place of the group are judged by the range; firewalls on the "
    "machines are not seen",
    zh="以子网网段代替安全组作来源的规则按网段判断；看不到机器内部的防火墙",
)
OPPOSED = Message(
    en="KICS warns of rules for all ports; within one group, and only there, a training job needs them",
    zh="KICS 会对放通全部端口的规则告警；但仅在同一安全组内，训练任务正需要这样的规则",
)
NEEDS = ("SecurityGroup.members_reach", "Node.groups", "Node.role", "Node.job_size")
SUBJECT = Node

CLOSED = Message(
    en="members of this group cannot reach one another, and {nodes} machines of job {job} are in it",
    zh="该安全组成员之间不能互通，而任务 {job} 有 {nodes} 台机器在其中",
)
UNSEEN = Message(
    en="whether the machines of job {job} reach one another is not known", zh="任务 {job} 的机器之间是否互通未知"
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge the groups of jobs over several machines; one open group is enough."""
    groups = {group.resource.urn: group for group in facts.of(SecurityGroup)}
    told: set[str] = set()
    for node in facts.of(Node):
        if node.role is None and node.on_gpus:
            yield untagged(node)
        elif node.role in {"train", "prep"} and (not isinstance(node.job_size, int) or node.job_size > 1):
            yield from _judge(node, groups, told)


def _judge(node: Node, groups: dict[str, SecurityGroup], told: set[str]) -> Iterator[Ruling]:
    own = [groups.get(urn) if isinstance(urn, str) else None for urn in node.groups]
    if any(group is not None and group.members_reach is True for group in own):
        return
    closed = [group for group in own if group is not None]
    if not own or None in own or any(group.members_reach is UNKNOWN for group in closed):
        yield unknown(node, "groups", UNSEEN, "inner", job=node.job or "")
        return
    for group in closed:
        if group.resource.urn not in told:
            told.add(group.resource.urn)
            yield deny(group, "members_reach", CLOSED, "inner", nodes=node.job_size, job=node.job or "")
