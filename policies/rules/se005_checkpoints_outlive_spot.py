"""SE005: checkpoints outlive the spot machine that writes them.

What: a spot machine that saves to a disk which is deleted with it, or has no other disk than its system disk.
Why: the cloud takes the machine and the disk in one, with the checkpoint that was to save the run.
Cure: a disk that is kept, better a bucket or a file system: the next machine cannot always attach the disk.
"""

from collections.abc import Iterator

from generator.facts import Disk, Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, deny, unknown, untagged

ID = "SE005"
SEVERITY = "deny"
TITLE = Message(en="checkpoints outlive the spot machine that writes them", zh="检查点不随抢占式实例删除")
WHY = ("ours",)
SOURCE = "the vendors' pages on released spot machines"
ZH = """\
规则：抢占式实例把检查点存到随实例释放的云盘，或除系统盘外没有其他云盘。
原因：云会把机器和云盘一起收回，连同本应挽救训练的检查点。
修复：使用不随实例释放的云盘，最好用存储桶或文件系统：下一台机器不一定能挂上那块云盘。
"""
DOUBT = Message(
    en="that the disk is deleted is the providers' default for disks within a machine; on clouds whose provider does "
    "not tell it the answer is unknown",
    zh="随实例释放是提供商对机器内云盘的默认行为；提供商未说明时结果为未知",
)
NEEDS = ("Node.charge", "Node.checkpoint_to", "Node.role", "Disk.deleted_with_node", "Disk.node")
SUBJECT = Node

GOES = Message(
    en="the disk that holds checkpoints is deleted with the spot machine", zh="存放检查点的磁盘会随抢占式实例删除"
)
NONE = Message(
    en="checkpoints go to a disk, and a spot machine has only its system disk",
    zh="检查点写入磁盘，而抢占式实例只有系统盘",
)
UNSEEN = Message(
    en="whether the disk outlives the spot machine is not known before `up`",
    zh="磁盘是否随抢占式实例删除在 up 之前未知",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge training on spot that saves to disks."""
    for node in facts.of(Node):
        if node.charge not in {"spot", "mixed"}:
            continue
        if node.role is None and node.on_gpus:
            yield untagged(node)
        elif node.role == "train" and node.checkpoint_to == "disk":
            own = [disk for disk in facts.of(Disk) if disk.node == node.resource.urn and disk.use == "data"]
            yield from _judge(node, own)


def _judge(node: Node, disks: list[Disk]) -> Iterator[Ruling]:
    if any(disk.deleted_with_node is False or (disk.standalone and disk.deleted_with_node is None) for disk in disks):
        return
    perhaps = [disk for disk in disks if disk.deleted_with_node is UNKNOWN]
    if perhaps:
        yield unknown(perhaps[0], "deleted_with_node", UNSEEN, "kept")
    elif disks:
        yield deny(disks[0], "deleted_with_node", GOES, "kept")
    else:
        yield deny(node, "tags", NONE, "durable checkpoint")
