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
NEEDS = ("Breach.subject", "Breach.grave", "Breach.said", "Breach.legal")
SUBJECT = Breach


def check(facts: Facts) -> Iterator[Ruling]:
    """Report every illegal value of a disk or file system."""
    yield from judge_breaches(facts, "disk", "file_system")
