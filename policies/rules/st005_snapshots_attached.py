"""ST005: automatic snapshots are really attached to the disks that must last.

What: a system or data disk of a training or development machine has no automatic snapshot policy attached to it.
Why: a broken upgrade or a deleted file costs the environment or the data set; a policy that nobody attached, or that is
attached to another disk, protects nothing.
Cure: attach the policy to this very disk. Pool members, local and ephemeral disks and caches are not judged.
"""

from collections.abc import Iterator

from generator.facts import Disk, Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, untagged, warn

ID = "ST005"
SEVERITY = "warn"
TITLE = Message(en="snapshots are attached to the disks that must last", zh="需要保留的磁盘已绑定自动快照")
WHY = ("D0-65",)
SOURCE = "general source document"
ZH = """\
规则：训练机或开发机的系统盘、数据盘没有绑定自动快照策略。
原因：一次失败的升级或误删会毁掉环境或数据集；没有绑定、或绑在另一块盘上的策略什么也保护不了。
修复：把快照策略绑定到这块云盘本身。伸缩组成员、本地盘、临时盘和缓存不作判断。
"""
DOUBT = Message(
    en="a policy that another stack attaches to this disk is not seen",
    zh="看不到其他栈绑定到这块盘的策略",
)
OPPOSED = Message(
    en="InfraGuard's snapshot rule passes every disk as soon as one attachment with an unknown disk stands in the "
    "stack; here each disk needs its own",
    zh="InfraGuard 的快照规则只要栈中有一个磁盘未知的绑定就放过所有云盘；这里每块云盘都要有自己的绑定",
)
NEEDS = ("Disk.snapshots", "Disk.can_snapshot", "Node.role")
SUBJECT = Disk

BARE = Message(en="no snapshot policy is attached to this {use} disk", zh="该磁盘（{use}）未绑定自动快照策略")
UNSEEN = Message(
    en="whether a snapshot policy is attached to this {use} disk is not known before `up`",
    zh="该磁盘（{use}）是否绑定快照策略在 up 之前未知",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge the lasting disks of machines for training and development."""
    nodes = {node.resource.urn: node for node in facts.of(Node)}
    asked: set[str] = set()
    for disk in facts.of(Disk):
        node = nodes.get(disk.node or "")
        lasts = disk.persistent and disk.can_snapshot and disk.tags.get("trainform-role") != "cache"
        if node is None or node.pool or not lasts:
            continue
        if node.role is None and node.on_gpus and node.resource.urn not in asked:
            asked.add(node.resource.urn)
            yield untagged(node)
        elif node.role in {"train", "dev"}:
            yield from _judge(disk)


def _judge(disk: Disk) -> Iterator[Ruling]:
    if disk.snapshots is UNKNOWN:
        yield unknown(disk, "snapshots", UNSEEN, "attached", use=disk.use)
    elif not disk.snapshots:
        yield warn(disk, "snapshots", BARE, "attached", use=disk.use)
