"""ST003: the data disks give what the job reads.

What: the data disks of a training machine give fewer MB/s than the job needs by the stack's output `trainform`; or its
data lie on the system disk, since it has no other.
Why: a disk below the need lets the cards wait at every step, for the whole run.
Cure: a higher level, a larger disk, or local NVMe; the need stands in the stack's output.
"""

from collections.abc import Iterator

from generator.facts import Disk, Facts, FileSystem, Node
from generator.program.values import UNKNOWN
from policies.ruling import LOOSE_DISK, Message, Ruling, info, unknown, warn

ID = "ST003"
SEVERITY = "warn"
TITLE = Message(en="the data disks give what the job reads", zh="数据盘吞吐满足任务读取需求")
WHY = ("D0-47", "D2-30", "D2-23")
SOURCE = "both source documents; speeds by the cloud's own table of disk kinds"
ZH = """\
规则：训练机器的数据盘提供的 MB/s 低于任务所需（见栈的输出 `trainform`）；或没有数据盘，数据放在系统盘上。
原因：低于需要的云盘让加速卡每一步都等待，贯穿整个训练。
修复：提高性能级别、扩大云盘，或使用本地 NVMe；所需值见栈的输出。
"""
DOUBT = Message(
    en="speeds are the vendors' formulas by kind, level and size; the machine's own limit to its disks is not in "
    "every catalog",
    zh="吞吐按厂商的类型、级别、容量公式计算；并非每个目录都有机器自身的云盘带宽上限",
)
NEEDS = ("Disk.mbps", "Disk.node", "Node.local_nvme_gib", "SizedFacts.read_mbps", "FileSystem.kind")
SUBJECT = Node

SLOW = Message(
    en="the data disks give {have:.0f} MB/s, and the job reads {need:.0f} MB/s",
    zh="数据盘提供 {have:.0f} MB/s，任务读取 {need:.0f} MB/s",
)
UNSEEN = Message(
    en="what the data disks give is not known, and the job reads {need:.0f} MB/s",
    zh="数据盘吞吐未知，任务读取 {need:.0f} MB/s",
)
ON_SYSTEM = Message(en="no data disk, so that data lie on the system disk", zh="没有数据盘，数据位于系统盘")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge the data disks of machines that train or develop on cards."""
    disks: dict[str, list[Disk]] = {}
    for disk in facts.of(Disk):
        if disk.use == "data" and disk.node is not None:
            disks.setdefault(disk.node, []).append(disk)
    elsewhere = bool(facts.of(FileSystem))
    loose = any(disk.use == "data" and disk.node is None for disk in facts.of(Disk))
    for node in facts.of(Node):
        if node.role not in {"train", "dev"} or not node.on_gpus or node.local_nvme_gib > 0:
            continue
        own = disks.get(node.resource.urn, [])
        if own:
            yield from _judge(node, own, facts.sized.read_mbps, elsewhere=elsewhere)
        elif loose and not elsewhere:
            yield unknown(node, "data", LOOSE_DISK, "data disk")
        elif not elsewhere:
            yield info(node, "data", ON_SYSTEM, "data disk")


def _judge(node: Node, disks: list[Disk], need: float | None, *, elsewhere: bool) -> Iterator[Ruling]:
    if need is None or elsewhere or node.role != "train":
        return
    speeds = [disk.mbps for disk in disks]
    have = sum(speed for speed in speeds if isinstance(speed, int | float))
    if have >= need:
        return
    if None in speeds or UNKNOWN in speeds:
        yield unknown(disks[0], "level", UNSEEN, "faster", need=need)
    else:
        yield warn(disks[0], "level", SLOW, "faster", have=have, need=need)
