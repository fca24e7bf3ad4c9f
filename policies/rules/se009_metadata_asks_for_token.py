"""SE009: the instance metadata ask for a token.

What: a machine whose metadata answer without a token, on a cloud that can ask for one.
Why: a request that is forged through a program on the machine then reads the credentials of its role.
Cure: the switch that requires a token; containers need a hop limit of two.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, info, unknown

ID = "SE009"
SEVERITY = "info"
TITLE = Message(en="the instance metadata ask for a token", zh="实例元数据要求令牌")
WHY = ("ours",)
SOURCE = "the vendors' pages on hardened metadata"
ZH = """\
规则：机器的实例元数据无需令牌即可访问，而该云支持强制令牌。
原因：伪造的请求可借机器上的程序读取实例角色的凭证。
修复：打开强制令牌（加固模式）的开关；容器需要把跳数上限设为 2。
"""
DOUBT = Message(
    en="some vendors' agents and older SDKs still ask without a token: try the image before enforcing",
    zh="部分厂商代理和旧版 SDK 仍不带令牌访问：强制之前先用镜像试验",
)
NEEDS = ("Node.metadata_tokens",)
SUBJECT = Node

OPEN = Message(en="the instance metadata answer without a token", zh="实例元数据无需令牌即可访问")
UNSEEN = Message(
    en="whether the metadata ask for a token is not known before `up`", zh="元数据是否要求令牌在 up 之前未知"
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine whose resource can say so."""
    for node in facts.of(Node):
        if node.metadata_tokens is UNKNOWN:
            yield unknown(node, "metadata", UNSEEN, "tokens")
        elif node.metadata_tokens is False:
            yield info(node, "metadata", OPEN, "tokens")
