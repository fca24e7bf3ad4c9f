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
ZH = """\
规则：规格不支持 RDMA 却要求 RDMA 网卡，或规格必须加入集群（如 HPC 集群）却没有。
原因：预览时会接受该开关，up 时却被拒绝，或悄悄得到一块普通网卡。
修复：使用结果中给出的合法取值。在 up 之前未知的内容不作判断。
"""
DOUBT = Message(
    en="a type of which no source says whether it has RDMA is left alone. The source document's `ENI enhanced` and "
    "`CEN` are no RDMA: the first is no product, the second joins networks",
    zh="没有资料说明是否支持 RDMA 的规格不作判断。源文档所说的“ENI 增强”和“CEN”都不是 RDMA：前者没有这种产品，后者用"
    "于连接网络",
)
NEEDS = ("Breach.subject", "Breach.grave", "Breach.said", "Breach.legal")
SUBJECT = Breach


def check(facts: Facts) -> Iterator[Ruling]:
    """Report every illegal value of an RDMA switch."""
    yield from judge_breaches(facts, "rdma")
