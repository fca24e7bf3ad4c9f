"""IM002: the image fits the architecture and boot mode of the type.

What: an image for another processor architecture than the type has, or for another boot mode than it starts by.
Why: the machine is billed and never starts.
Cure: the legal value that the finding names. What is unknown until `up` is not judged.
"""

from collections.abc import Iterator

from generator.facts import Breach, Facts
from policies.illegal_values import judge_breaches
from policies.ruling import Message, Ruling

ID = "IM002"
SEVERITY = "deny"
TITLE = Message(en="the image fits the architecture and boot mode of the type", zh="镜像与规格的架构和启动模式一致")
WHY = ("ours",)
SOURCE = "the cloud's tables of legal values, each row with its source"
ZH = """\
规则：镜像的处理器架构或启动模式与规格不一致。
原因：机器照常计费，却永远启动不了。
修复：使用结果中给出的合法取值。在 up 之前未知的内容不作判断。
"""
DOUBT = Message(
    en="only images that the cloud's table knows are judged; the boot mode of an image is told for few of them",
    zh="只判断表中收录的镜像；其中只有少数标明了启动模式",
)
NEEDS = ("Breach.subject", "Breach.grave", "Breach.said", "Breach.legal")
SUBJECT = Breach


def check(facts: Facts) -> Iterator[Ruling]:
    """Report every illegal value of an image."""
    yield from judge_breaches(facts, "image")
