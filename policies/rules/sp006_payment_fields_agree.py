"""SP006: spot and prepaid fields go together.

What: fields of payment exclude one another or need one another: a price limit without its strategy, spot on a prepaid
machine, a release time on one that is paid by the month.
Why: the plugin lets most of them through at preview; at `up` they fail, or the machine is billed another way.
Cure: the legal value that the finding names. What is unknown until `up` is not judged.
"""

from collections.abc import Iterator

from generator.facts import Breach, Facts
from policies.illegal_values import judge_breaches
from policies.ruling import Message, Ruling

ID = "SP006"
SEVERITY = "deny"
TITLE = Message(en="spot and prepaid fields go together", zh="竞价与包年包月字段相互一致")
WHY = ("ours",)
SOURCE = "the cloud's tables of legal values, each row with its source"
NEEDS = ("Breach.subject", "Breach.grave", "Breach.said", "Breach.legal")
SUBJECT = Breach


def check(facts: Facts) -> Iterator[Ruling]:
    """Report every illegal value of payment."""
    yield from judge_breaches(facts, "spot", "charge")
