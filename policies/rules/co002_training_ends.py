"""CO002: training machines have an end.

What: a machine that trains, or one with cards whose role is not told, is paid by the hour and has no release time, no
timetable to zero and no tag that tells its time to live.
Why: a job that ends on a Friday is billed until somebody looks on Monday.
Cure: a release time, a scheduled size of zero, or the tag trainform-ttl for what enforces it.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, warn

ID = "CO002"
SEVERITY = "warn"
TITLE = Message(en="training machines have an end", zh="训练机器有释放时间")
WHY = ("D2-62",)
SOURCE = "CNN source document"
NEEDS = ("Node.ends", "Node.charge", "Node.role", "Node.gpus")
SUBJECT = Node

ENDLESS = Message(en="is paid by the hour and has no end", zh="按量付费且没有释放时间")
UNSEEN = Message(en="whether it has an end is not known before `up`", zh="是否有释放时间在 up 之前未知")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge postpaid machines of role train or, untagged, with cards."""
    for node in facts.of(Node):
        judged = node.role == "train" or (node.role is None and bool(node.gpus))
        if not judged or node.charge == "prepaid":
            continue
        if node.ends is UNKNOWN:
            yield unknown(node, "ends", UNSEEN, "end")
        elif not node.ends:
            yield warn(node, "ends", ENDLESS, "end")
