"""SZ001: the instance type exists, and is sold in this region.

What: a type that no list of the cloud has (deny), or one that the dated list of this region lacks (warn).
Why: a wrong name fails only during `up`, after the network and disks have been paid; the source documents themselves
name types that never existed.
Cure: the nearest name that exists, or a region that sells it. Our list of a region has a date, and the cloud grows.
"""

from collections.abc import Iterator

from generator.facts import Facts, KnownType
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, deny, unknown, warn

ID = "SZ001"
SEVERITY = "deny"
TITLE = Message(en="the instance type exists and is sold in this region", zh="实例规格存在并在该地域销售")
WHY = ("D0-18", "D0-19", "D0-20", "D2-42", "D2-45", "D0-73")
SOURCE = "the catalog: lists of types by region, each with its date"
ZH = """\
规则：规格不在该云的任何列表中（拒绝），或该地域带日期的列表中没有它（警告）。
原因：写错的规格要到 up 才失败，而网络和云盘已经付费；源文档本身就写了不存在的规格。
修复：使用最接近的真实名称，或换到有售的地域。我们的地域列表有日期，而云在不断增加规格。
"""
DOUBT = Message(
    en="the source documents name c7i-gpu, GN9, ecs.gn7i-xlarge, gpu.ccg5.large and others that never existed: "
    "refused here. Names of platforms (`ml.*`, ModelArts flavors) are in no list of machines: unknown",
    zh="源文档写了 c7i-gpu、GN9、ecs.gn7i-xlarge、gpu.ccg5.large 等从未存在的规格：此处拒绝。平台规格（`ml.*`、"
    "ModelArts 规格）不在机器列表中：未知",
)
NEEDS = ("KnownType.standing",)
SUBJECT = KnownType

NOWHERE = Message(en="no list of the cloud has the type {type}", zh="云的任何列表都没有规格 {type}")
NOT_HERE = Message(
    en="the list of {region} ({date}) does not have the type {type}", zh="{region} 的列表（{date}）没有规格 {type}"
)
PLATFORM = Message(
    en="{type} is sold by a platform, whose lists we do not have", zh="{type} 由平台销售，我们没有其列表"
)
UNLISTED = Message(
    en="{type} has the form of a name that is sold, but no list we have tells whether it is",
    zh="{type} 符合在售规格的命名形式，但我们的列表都无法确认",
)
UNSEEN = Message(en="the type is not known before `up`", zh="规格在 up 之前未知")
REGION = Message(
    en="{type} exists, but in which region this stack stands is not known", zh="{type} 存在，但栈的地域未知"
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every type that a machine, template or pool names."""
    for kind in facts.of(KnownType):
        if kind.type is UNKNOWN:
            yield unknown(kind, "type", UNSEEN, "known")
        elif kind.standing == "unknown":
            wanted = "nearest" if kind.nearest else "known"
            yield deny(kind, "type", NOWHERE, wanted, type=kind.type, nearest=kind.nearest)
        elif kind.standing == "not_listed":
            yield warn(kind, "type", NOT_HERE, "known", type=kind.type, region=kind.region, date=kind.list_date)
        elif kind.standing == "platform":
            yield unknown(kind, "type", PLATFORM, "known", type=kind.type)
        elif kind.standing == "unlisted":
            yield unknown(kind, "type", UNLISTED, "known", type=kind.type)
        elif kind.standing is UNKNOWN:
            yield unknown(kind, "type", REGION, "known", type=kind.type)
