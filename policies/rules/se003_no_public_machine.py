"""SE003: a compute machine has no public address.

What: a machine with cards, or one that the tags call a compute machine, has a public address, also through an elastic
one that is associated with it.
Why: whatever it serves by mistake is reachable from everywhere; what it must fetch comes through a NAT gateway.
Cure: no bandwidth of its own, a NAT gateway for the way out, a bastion or the vendor's remote shell for the way in.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, warn

ID = "SE003"
SEVERITY = "warn"
TITLE = Message(en="a compute machine has no public address", zh="计算机器没有公网地址")
WHY = ("ours",)
SOURCE = "practice of every scanner"
ZH = """\
规则：带加速卡的机器，或标签说明为计算用途的机器，有公网地址，包括绑定的弹性公网 IP。
原因：误开的服务处处可达；机器需要下载的内容可以经由 NAT 网关。
修复：不分配公网带宽；出向用 NAT 网关，入向用堡垒机或厂商的远程登录。
"""
DOUBT = Message(
    en="a development machine for one person may well have an address and a narrow security group: the spec's "
    "`network.access: public` asks for it, and the finding stays a warning",
    zh="个人开发机配上公网地址和收紧的安全组也是合理的：spec 的 `network.access: public` 即为此，结果仍只是警告",
)
NEEDS = ("Node.public_address", "Node.role", "Node.gpus")
SUBJECT = Node

PUBLIC = Message(en="has a public address", zh="有公网地址")
UNSEEN = Message(en="whether it has a public address is not known before `up`", zh="是否有公网地址在 up 之前未知")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge machines with cards or a role."""
    for node in facts.of(Node):
        if not node.on_gpus and node.role is None:
            continue
        if node.public_address is UNKNOWN:
            yield unknown(node, "public_address", UNSEEN, "private")
        elif node.public_address:
            yield warn(node, "public_address", PUBLIC, "private")
