"""ST001: no data disk on spinning media.

What: a data disk of a machine, a template, a pool, or on its own, is a hard disk (deny) or a hybrid of one (warn).
Why: training reads the data set again and again, in small pieces; a hard disk gives about 100 random reads a second,
an SSD tens of thousands, and the accelerators wait for the difference.
Cure: an SSD kind, with its performance level written out. A kind that is left out is judged as the provider's default.
"""

from collections.abc import Iterator

from generator.facts import Disk, Facts
from policies.disk_medium import judge_medium
from policies.ruling import Message, Ruling

ID = "ST001"
SEVERITY = "deny"
TITLE = Message(en="no data disk on spinning media", zh="数据盘不得使用机械硬盘")
WHY = ("D0-49", "D2-16", "D2-18")
SOURCE = "both source documents; media by the cloud's own table of disk kinds"
NEEDS = ("Disk.kind", "Disk.media")
SUBJECT = Disk

CALLED = Message(en="data disk", zh="数据盘")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every data disk by its medium."""
    for disk in facts.of(Disk):
        if disk.use == "data":
            yield from judge_medium(disk, CALLED)
