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
NEEDS = ("Breach.subject", "Breach.grave", "Breach.said", "Breach.legal")
SUBJECT = Breach


def check(facts: Facts) -> Iterator[Ruling]:
    """Report every illegal value of an image."""
    yield from judge_breaches(facts, "image")
