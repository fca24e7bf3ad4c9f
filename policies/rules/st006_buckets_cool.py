"""ST006: old data and checkpoints move to a cheaper class.

What: a bucket for raw data or checkpoints has no rule that moves objects to a cheaper class within 90 days.
Why: checkpoints of a large model are terabytes a month; a colder class costs a fraction and keeps them.
Cure: a lifecycle rule with a transition within 90 days.
"""

from collections.abc import Iterator

from generator.facts import Bucket, Facts
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, warn

ID = "ST006"
SEVERITY = "warn"
TITLE = Message(en="old data and checkpoints move to a cheaper class", zh="旧数据与检查点转入低成本存储")
WHY = ("D0-60",)
SOURCE = "general source document"
ZH = """\
规则：存放原始数据或检查点的存储桶没有在 90 天内转入低成本存储的生命周期规则。
原因：大模型的检查点每月有数 TB；低频或归档存储只需一小部分费用即可保留。
修复：添加 90 天内转换存储类型的生命周期规则。
"""
DOUBT = Message(
    en="cold classes bill a least time and each retrieval: for data that are read again within weeks the hot class "
    "is cheaper. Only roles raw and ckpt are judged",
    zh="低成本存储有最短计费时间和取回费用：几周内还要再读的数据，标准存储更便宜。只判断 raw 和 ckpt 两种用途",
)
NEEDS = ("Bucket.role", "Bucket.cools_after_days")
SUBJECT = Bucket

LATEST_DAYS = 90

NEVER = Message(
    en="objects of this {role} bucket never move to a cheaper class", zh="该存储桶（{role}）的对象从不转入低成本存储"
)
LATE = Message(
    en="objects of this {role} bucket move after {days:.0f} days only",
    zh="该存储桶（{role}）的对象 {days:.0f} 天后才转入低成本存储",
)
UNSEEN = Message(en="when objects of this bucket move is not known before `up`", zh="该存储桶的转换时间在 up 之前未知")
NO_ROLE = Message(
    en="nothing says what this bucket is for (tag trainform-role)", zh="没有标签 trainform-role 说明该存储桶的用途"
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge the buckets whose data grow old."""
    for bucket in facts.of(Bucket):
        days = bucket.cools_after_days
        if bucket.role is None and days is None and facts.training():
            yield unknown(bucket, "tags", NO_ROLE, "role")
        elif bucket.role not in {"raw", "ckpt"}:
            continue
        elif days is UNKNOWN:
            yield unknown(bucket, "tiering", UNSEEN, "tiering")
        elif days is None:
            yield warn(bucket, "tiering", NEVER, "tiering", role=bucket.role)
        elif isinstance(days, int | float) and days > LATEST_DAYS:
            yield warn(bucket, "tiering", LATE, "tiering", role=bucket.role, days=days)
