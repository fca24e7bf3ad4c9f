"""ST008: the performance level of a disk is written out.

What: a disk of a kind that has levels is left to the default level.
Why: the provider reads the level back, and a later preview sees a difference that replaces the disk or the machine.
Cure: write the level, also where it is the default.
"""

from collections.abc import Iterator

from generator.facts import Disk, Facts
from policies.ruling import Message, Ruling, warn

ID = "ST008"
SEVERITY = "warn"
TITLE = Message(en="the performance level of a disk is written out", zh="磁盘性能级别明确写出")
WHY = ("ours",)
SOURCE = "issue 3135 of a vendor's provider: an unset level later shows as PL1 and replaces"
NEEDS = ("Disk.level", "Disk.levelled")
SUBJECT = Disk

SILENT = Message(en="{use} disk of kind {kind} without a performance level", zh="磁盘（{use}）类型 {kind} 未写性能级别")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every disk whose kind has levels."""
    for disk in facts.of(Disk):
        if disk.levelled and disk.level is None:
            yield warn(disk, "level", SILENT, "written", use=disk.use, kind=disk.kind)
