"""ST010: an update replaces nothing that holds data.

What: the preview of an update replaces a disk, a file system or a bucket, or a machine whose data disks go with it.
Why: the new one is empty, and the old one is deleted with all that it holds.
Cure: take the change back, or move the data first; the preview names the input that forces it. Protection stops it.
"""

from collections.abc import Iterator

from generator.facts import Bucket, Disk, Facts, FileSystem, Node
from policies.ruling import Message, Ruling, deny, unknown

ID = "ST010"
SEVERITY = "deny"
TITLE = Message(en="an update replaces nothing that holds data", zh="更新不得替换存有数据的资源")
WHY = ("ours",)
SOURCE = "the engine's own step in `pulumi preview --json`; when `generate` writes over a stack, the providers' facts"
ZH = """\
规则：更新的预览会替换云盘、文件系统或存储桶，或替换数据盘随之消失的机器。
原因：新建的是空的，旧的连同其中数据被删除。
修复：撤回改动，或先迁移数据；预览会指出是哪个输入导致替换。设置保护可以阻止替换。
"""
DOUBT = Message(
    en="only a preview of an update can tell; a first preview, a stack folder and an export hold no such step",
    zh="只有更新的预览能判断；首次预览、栈目录和导出文件中没有这种步骤",
)
NEEDS = ("Disk.standalone", "Disk.deleted_with_node", "Bucket.role", "FileSystem.kind", "Node.pool")
SUBJECT = (Disk, FileSystem, Bucket)

LOST = Message(
    en="this update replaces it, and what it holds is lost{because}", zh="此次更新会替换它，数据将丢失{because}"
)
UNSURE = Message(
    en="whether this update replaces it, with all that it holds, is not known: no schema tells of {keys}",
    zh="尚不清楚此次更新是否会替换它并丢失数据：没有公开的 schema 说明 {keys}",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge the steps of an update; a first `up` has none of this kind."""
    machines = {node.resource.urn for node in facts.of(Node) if not node.pool}
    disks = (disk for disk in facts.of(Disk) if disk.standalone or _goes_with_its_machine(disk, machines))
    for holder in (*disks, *facts.of(FileSystem), *facts.of(Bucket)):
        resource = holder.resource
        if resource.replaced:
            keys = ", ".join(resource.replace_keys)
            yield deny(holder, "replaced", LOST, "kept", because=f" ({keys})" if keys else "")
        elif resource.unsure_keys:
            yield unknown(holder, "replaced", UNSURE, "kept", keys=", ".join(resource.unsure_keys))


def _goes_with_its_machine(disk: Disk, machines: set[str]) -> bool:
    """True for a data disk that a machine's own resource makes and deletes."""
    kept = disk.deleted_with_node is False or not disk.persistent
    return disk.use == "data" and not kept and disk.resource.urn in machines
