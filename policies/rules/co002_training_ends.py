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
ZH = """\
规则：训练机器，或用途未说明但带加速卡的机器，按量付费，却没有自动释放时间、没有定时缩容为零，也没有说明存活时间的标
签。
原因：周五结束的任务，会一直计费到周一有人查看为止。
修复：设置自动释放时间，或定时缩容为零，或加标签 trainform-ttl，由执行它的工具负责释放。
"""
DOUBT = Message(
    en="the tag trainform-ttl is taken at its word: whether something really enforces it is not to be seen in a stack",
    zh="标签 trainform-ttl 按其字面采信：栈中看不出是否真有工具在执行它",
)
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
