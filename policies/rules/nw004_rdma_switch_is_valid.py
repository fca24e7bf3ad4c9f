"""NW004: the RDMA switch is valid for the type.

What: an RDMA interface is asked of a type that has none, or a type that needs its cluster object lacks it.
Why: the switch is accepted at preview and refused at `up`, or silently gives a plain interface.
Cure: the legal value that the finding names. What is unknown until `up` is not judged.
"""

from collections.abc import Iterator

from generator.facts import Breach, Facts
from policies.illegal_values import judge_breaches
from policies.ruling import Message, Ruling

ID = "NW004"
SEVERITY = "deny"
TITLE = Message(en="the RDMA switch is valid for the type", zh="RDMA 开关适用于该规格")
WHY = ("D0-44",)
SOURCE = "the cloud's tables of legal values, each row with its source"
NEEDS = ("Breach.subject", "Breach.grave", "Breach.said", "Breach.legal")
SUBJECT = Breach


def check(facts: Facts) -> Iterator[Ruling]:
    """Report every illegal value of an RDMA switch."""
    yield from judge_breaches(facts, "rdma")
