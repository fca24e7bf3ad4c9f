"""CO005: what a stopped machine still costs is known.

What: a machine that a timetable stops keeps its disks, which are billed all the time.
Why: a terabyte of fast disk costs as much in a month as many hours of the machine; people forget it because the machine
is off.
Cure: nothing need be done; smaller disks, or a snapshot and a new disk, where it is long.
"""

from collections.abc import Iterator

from generator.facts import Disk, Facts, Node
from policies.ruling import Message, Ruling, info

ID = "CO005"
SEVERITY = "info"
TITLE = Message(en="what a stopped machine still costs is known", zh="停机后仍计费的部分已知")
WHY = ("ours",)
SOURCE = "the vendors' billing pages: disks, addresses and images are billed while a machine is stopped"
ZH = """\
规则：定时停机的机器保留着云盘，而云盘始终计费。
原因：1 TB 高速云盘一个月的费用抵得上机器运行许多小时；因为机器是关着的，人们容易忘记。
修复：无需处理；若长期停机，可缩小云盘，或做快照后重建云盘。
"""
DOUBT = Message(
    en="the amount is not told in money: few prices of disks are public for all four clouds",
    zh="不给出金额：四家云的云盘价格很少全部公开",
)
NEEDS = ("Node.stops_by_schedule", "Node.pool", "Disk.size_gib", "Disk.node")
SUBJECT = Node

STILL = Message(en="{gib:g} GiB of disks are billed while it is stopped", zh="停机期间仍对 {gib:g} GiB 磁盘计费")


def check(facts: Facts) -> Iterator[Ruling]:
    """Tell the disks of machines that a timetable stops; the members of a pool go with theirs."""
    for node in facts.of(Node):
        if node.stops_by_schedule is True and not node.pool:
            sizes = [disk.size_gib for disk in facts.of(Disk) if disk.node == node.resource.urn and disk.persistent]
            gib = sum(size for size in sizes if isinstance(size, int | float))
            if gib:
                yield info(node, "stops", STILL, "known", gib=gib)
