"""SE006: a file system is not open to the world.

What: a rule of who may mount lets every address in.
Why: mounting asks for no password: who reaches the address reads and writes the data.
Cure: the address range of the subnet that mounts it.
"""

from collections.abc import Iterator

from generator.facts import AccessRule, Facts
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, warn
from policies.world import is_world

ID = "SE006"
SEVERITY = "warn"
TITLE = Message(en="a file system is not open to the world", zh="文件系统不得向所有地址开放")
WHY = ("ours",)
SOURCE = "practice of every scanner"
ZH = """\
规则：挂载权限规则允许任意地址访问文件系统。
原因：挂载不需要密码：能访问该地址的人就能读写数据。
修复：只允许挂载它的子网网段。
"""
DOUBT = Message(
    en="the mount point lies within a VPC, so the world is what reaches that VPC: hence a warning and no denial",
    zh="挂载点位于 VPC 内，所谓任意地址是指能进入该 VPC 的地址：因此是警告而不是拒绝",
)
NEEDS = ("AccessRule.source",)
SUBJECT = AccessRule

OPEN = Message(en="lets {source} mount the file system", zh="允许 {source} 挂载文件系统")
UNSEEN = Message(en="who may mount the file system is not known before `up`", zh="谁可以挂载文件系统在 up 之前未知")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every rule of who may mount."""
    for rule in facts.of(AccessRule):
        if rule.source is UNKNOWN:
            yield unknown(rule, "source", UNSEEN, "narrow")
        elif isinstance(rule.source, str) and is_world(rule.source):
            yield warn(rule, "source", OPEN, "narrow", source=rule.source)
