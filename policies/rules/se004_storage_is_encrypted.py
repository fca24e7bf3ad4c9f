"""SE004: disks and file systems are encrypted.

What: a lasting disk or a file system without encryption at rest.
Why: it costs nothing and nobody notices it; without it a lost medium or a shared snapshot is readable.
Cure: the switch, with the cloud's own key where no other is asked for.
"""

from collections.abc import Iterator

from generator.facts import Disk, Facts, FileSystem
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, warn

ID = "SE004"
SEVERITY = "warn"
TITLE = Message(en="disks and file systems are encrypted", zh="磁盘与文件系统已加密")
WHY = ("ours",)
SOURCE = "practice of every scanner"
ZH = """\
规则：长期使用的云盘或文件系统没有落盘加密。
原因：加密不收费，也感觉不到；不加密，丢失的介质或共享的快照就可读。
修复：打开加密开关；没有其他要求时使用云的服务密钥。
"""
DOUBT = Message(
    en="resources whose provider has no switch are not judged; keys of one's own are not asked for",
    zh="提供商没有加密开关的资源不作判断；不要求使用自管密钥",
)
NEEDS = ("Disk.encrypted", "Disk.persistent", "Disk.can_encrypt", "FileSystem.encrypted")
SUBJECT = (Disk, FileSystem)

OPEN = Message(en="is not encrypted at rest", zh="未静态加密")
UNSEEN = Message(en="whether it is encrypted is not known before `up`", zh="是否加密在 up 之前未知")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge what lasts and can be encrypted."""
    disks = (disk for disk in facts.of(Disk) if disk.persistent)
    stores: tuple[Disk | FileSystem, ...] = (*disks, *facts.of(FileSystem))
    for store in stores:
        if not store.can_encrypt:
            continue
        if store.encrypted is UNKNOWN:
            yield unknown(store, "encrypted", UNSEEN, "on")
        elif not store.encrypted:
            yield warn(store, "encrypted", OPEN, "on")
