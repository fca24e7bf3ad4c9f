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
ZH = """\
规则：有多种性能级别的云盘没有写明级别，使用默认级别。
原因：提供商会读回级别，之后的预览会看到差异，从而替换云盘或机器。
修复：写明级别，即使就是默认级别。
"""
DOUBT = Message(
    en="the replacement was reported for one vendor's provider; on the others the level is asked for as a matter of "
    "form",
    zh="替换问题见于一家厂商的提供商；其他云上要求写明只是稳妥起见",
)
NEEDS = ("Disk.level", "Disk.levelled")
SUBJECT = Disk

SILENT = Message(en="{use} disk of kind {kind} without a performance level", zh="磁盘（{use}）类型 {kind} 未写性能级别")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every disk whose kind has levels."""
    for disk in facts.of(Disk):
        if disk.levelled and disk.level is None:
            yield warn(disk, "level", SILENT, "written", use=disk.use, kind=disk.kind)
