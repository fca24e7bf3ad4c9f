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
NEEDS = ("KnownType.standing",)
SUBJECT = KnownType

NOWHERE = Message(en="no list of the cloud has the type {type}", zh="云的任何列表都没有规格 {type}")
NOT_HERE = Message(
    en="the list of {region} ({date}) does not have the type {type}", zh="{region} 的列表（{date}）没有规格 {type}"
)
PLATFORM = Message(
    en="{type} is sold by a platform, whose lists we do not have", zh="{type} 由平台销售，我们没有其列表"
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
        elif kind.standing is UNKNOWN:
            yield unknown(kind, "type", REGION, "known", type=kind.type)
