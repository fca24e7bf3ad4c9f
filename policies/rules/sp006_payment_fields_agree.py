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
ZH = """\
规则：付费字段相互排斥或缺少搭配：有价格上限却没有相应策略、包年包月的机器使用抢占式、包年包月的机器设置释放时间。
原因：插件在预览时大多放行；up 时失败，或机器按另一种方式计费。
修复：使用结果中给出的合法取值。在 up 之前未知的内容不作判断。
"""
DOUBT = Message(
    en="what goes together is what the providers' texts and the clouds' pages say of the versions named in the tables",
    zh="字段搭配以表中所列版本的提供商文本和云文档为准",
)
NEEDS = ("Breach.subject", "Breach.grave", "Breach.said", "Breach.legal")
SUBJECT = Breach


def check(facts: Facts) -> Iterator[Ruling]:
    """Report every illegal value of payment."""
    yield from judge_breaches(facts, "spot", "charge")
