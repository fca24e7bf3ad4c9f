"""ST007: sizes, levels and speeds of storage are legal.

What: a disk or file system has a size, step, level, IOPS or MB/s that the cloud refuses for this kind, or on this
carrier.
Why: the plugin lets most of them through at preview, and `up` fails after other things have been paid.
Cure: the legal value that the finding names. What is unknown until `up` is not judged.
"""

from collections.abc import Iterator

from generator.facts import Breach, Facts
from policies.illegal_values import judge_breaches
from policies.ruling import Message, Ruling

ID = "ST007"
SEVERITY = "deny"
TITLE = Message(en="sizes, levels and speeds of storage are legal", zh="存储的容量、级别与性能取值合法")
WHY = ("ours",)
SOURCE = "the cloud's tables of legal values, each row with its source"
ZH = """\
规则：云盘或文件系统的容量、步长、级别、IOPS 或 MB/s 是该类型或该载体不接受的取值。
原因：插件在预览时大多放行，up 时失败，而此前的资源已经计费。
修复：使用结果中给出的合法取值。在 up 之前未知的内容不作判断。
"""
DOUBT = Message(
    en="where the SDK and the vendor's page differ, values below the smaller figure are denied and values between "
    "the two are warned of",
    zh="SDK 与厂商文档不一致时，低于较小值为拒绝，介于两者之间为警告",
)
NEEDS = ("Breach.subject", "Breach.grave", "Breach.said", "Breach.legal")
SUBJECT = Breach


def check(facts: Facts) -> Iterator[Ruling]:
    """Report every illegal value of a disk or file system."""
    yield from judge_breaches(facts, "disk", "file_system")
