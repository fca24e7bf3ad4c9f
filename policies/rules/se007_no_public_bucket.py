"""SE007: no bucket is public.

What: an access list or a policy lets everybody read or write, and no block on public access stands against it.
Why: data sets and weights are copied within hours, and the traffic is billed to the owner.
Cure: private, with a block on public access; signed addresses for what must be shared.
"""

from collections.abc import Iterator

from generator.facts import Bucket, Facts
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, deny, unknown

ID = "SE007"
SEVERITY = "deny"
TITLE = Message(en="no bucket is public", zh="存储桶不得公开")
WHY = ("ours",)
SOURCE = "practice of every scanner"
ZH = """\
规则：访问控制列表或存储桶策略允许任何人读写，且没有阻止公共访问的设置。
原因：数据集和权重几小时内就会被拷走，流量费由所有者承担。
修复：设为私有，并开启阻止公共访问；需要分享的内容用签名 URL。
"""
DOUBT = Message(
    en="a policy with a condition is not called public, whatever the condition lets in",
    zh="带条件的策略不视为公开，无论条件放通了什么",
)
NEEDS = ("Bucket.public",)
SUBJECT = Bucket

PUBLIC = Message(en="everybody may read this bucket", zh="任何人都可访问该存储桶")
UNSEEN = Message(en="whether this bucket is public is not known before `up`", zh="该存储桶是否公开在 up 之前未知")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every bucket."""
    for bucket in facts.of(Bucket):
        if bucket.public is UNKNOWN:
            yield unknown(bucket, "public", UNSEEN, "private")
        elif bucket.public:
            yield deny(bucket, "public", PUBLIC, "private")
