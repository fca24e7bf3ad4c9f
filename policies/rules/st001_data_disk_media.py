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
ZH = """\
规则：机器、启动模板、伸缩组的数据盘，或独立云盘，是机械硬盘（拒绝）或混合盘（警告）。
原因：训练会一遍遍以小块读取数据集；机械硬盘每秒约 100 次随机读，SSD 有上万次，差额由加速卡来等。
修复：使用 SSD 类云盘，并写明性能级别。未写类型时按提供商的默认类型判断。
"""
DOUBT = Message(
    en="hybrids (cloud_efficiency, CLOUD_PREMIUM, SAS, hp1) lie between: warned of, since vendors call some of them "
    "SSD",
    zh="混合盘（cloud_efficiency、CLOUD_PREMIUM、SAS、hp1）介于两者之间：因厂商有时称之为 SSD，只作警告",
)
OPPOSED = Message(
    en="Alibaba Cloud Config's `ecs-disk-category-required` is content when a category is set, whichever; Checkov "
    "looks at no medium",
    zh="阿里云配置审计的 `ecs-disk-category-required` 只要求写了类型，不管是哪种；Checkov 不检查介质",
)
NEEDS = ("Disk.kind", "Disk.media")
SUBJECT = Disk

CALLED = Message(en="data disk", zh="数据盘")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every data disk by its medium."""
    for disk in facts.of(Disk):
        if disk.use == "data":
            yield from judge_medium(disk, CALLED)
