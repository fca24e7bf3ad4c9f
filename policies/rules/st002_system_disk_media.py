"""ST002: no system disk on spinning media.

What: the system disk of a machine, a template or a pool is a hard disk (deny) or a hybrid of one (warn).
Why: environments of several gigabytes are imported from the system disk at every start, and containers are unpacked on
it; on a hard disk a start takes minutes that an accelerator idles.
Cure: an SSD kind, with its performance level written out. A kind that is left out is judged as the provider's default.
"""

from collections.abc import Iterator

from generator.facts import Disk, Facts
from policies.disk_medium import judge_medium
from policies.ruling import Message, Ruling

ID = "ST002"
SEVERITY = "deny"
TITLE = Message(en="no system disk on spinning media", zh="系统盘不得使用机械硬盘")
WHY = ("D0-46",)
SOURCE = "general source document; media by the cloud's own table of disk kinds"
ZH = """\
规则：机器、启动模板或伸缩组的系统盘是机械硬盘（拒绝）或混合盘（警告）。
原因：每次启动都要从系统盘加载数 GB 的环境，并在其上解压容器；机械硬盘要几分钟，加速卡只能空等。
修复：使用 SSD 类云盘，并写明性能级别。未写类型时按提供商的默认类型判断。
"""
DOUBT = Message(
    en="a machine that lives for weeks feels a slow start once: a waiver with that reason is fair",
    zh="运行数周的机器只在启动时慢一次：以此为由豁免是合理的",
)
NEEDS = ("Disk.kind", "Disk.media")
SUBJECT = Disk

CALLED = Message(en="system disk", zh="系统盘")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every system disk by its medium."""
    for disk in facts.of(Disk):
        if disk.use == "system":
            yield from judge_medium(disk, CALLED)
