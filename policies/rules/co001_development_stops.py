"""CO001: a development machine stops out of hours, and is not billed then.

What: a machine for development has no timetable that stops it, or the stop leaves its price running.
Why: a machine used 50 hours a week and billed 168 costs three times what it is worth; and a machine that is merely
stopped is billed on all four clouds unless the stop says otherwise.
Cure: a timer that stops it and says so; disks and addresses are billed all the same. A pool that is set to zero has no
machines to bill.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, untagged, warn

ID = "CO001"
SEVERITY = "warn"
TITLE = Message(en="a development machine stops out of hours, unbilled", zh="开发机在下班后停机且不计费")
WHY = ("D0-58", "D2-64")
SOURCE = "both source documents; the vendors' default is to keep charging"
ZH = """\
规则：开发机没有定时停机，或停机后仍按原价计费。
原因：每周只用 50 小时却按 168 小时计费，费用是应付的三倍多；四家云上，仅仅停机而不声明停机不收费，实例照样计费。
修复：定时停机，并写明停机不收费（节省停机模式）；云盘和公网地址仍会计费。缩容为零的伸缩组没有可计费的机器。
"""
DOUBT = Message(
    en="capacity may be gone when the machine is to start again, and types with local disks mostly cannot stop "
    "unbilled: who needs the machine every morning may rightly waive it",
    zh="再次开机时可能没有库存，带本地盘的规格大多不支持停机不收费：每天早上必须能开机的机器，可以有理由地豁免",
)
NEEDS = ("Node.role", "Node.stops_by_schedule", "Node.stop_without_charge")
SUBJECT = Node
CAPABILITY = "schedules"

RUNS_ON = Message(en="a development machine that no timetable stops", zh="开发机没有定时停机")
BILLED = Message(
    en="a development machine that is stopped by a timetable and still billed", zh="开发机定时停机但仍在计费"
)
UNSEEN = Message(
    en="whether a timetable stops this development machine unbilled is not known", zh="是否有定时停机且不计费未知"
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine for development."""
    for node in facts.of(Node):
        if node.role is None and node.on_gpus:
            yield untagged(node)
        elif node.role == "dev":
            yield from _judge(node)


def _judge(node: Node) -> Iterator[Ruling]:
    if node.stops_by_schedule is UNKNOWN or (node.stops_by_schedule and node.stop_without_charge is UNKNOWN):
        yield unknown(node, "stops", UNSEEN, "timetable")
    elif not node.stops_by_schedule:
        yield warn(node, "stops", RUNS_ON, "timetable")
    elif not node.stop_without_charge:
        yield warn(node, "stops", BILLED, "unbilled")
