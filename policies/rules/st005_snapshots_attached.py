"""ST005: automatic snapshots are really attached to the disks that must last.

What: a system or data disk of a training or development machine has no automatic snapshot policy attached to it.
Why: a broken upgrade or a deleted file costs the environment or the data set; a policy that nobody attached, or that is
attached to another disk, protects nothing.
Cure: attach the policy to this very disk. Pool members, local and ephemeral disks and caches are not judged.
"""

from collections.abc import Iterator

from generator.facts import Disk, Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, untagged, warn

ID = "ST005"
SEVERITY = "warn"
TITLE = Message(en="snapshots are attached to the disks that must last", zh="需要保留的磁盘已绑定自动快照")
WHY = ("D0-65",)
SOURCE = "general source document"
NEEDS = ("Disk.snapshots", "Disk.can_snapshot", "Node.role")
SUBJECT = Disk

BARE = Message(en="no snapshot policy is attached to this {use} disk", zh="该磁盘（{use}）未绑定自动快照策略")
UNSEEN = Message(
    en="whether a snapshot policy is attached to this {use} disk is not known before `up`",
    zh="该磁盘（{use}）是否绑定快照策略在 up 之前未知",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge the lasting disks of machines for training and development."""
    nodes = {node.resource.urn: node for node in facts.of(Node)}
    asked: set[str] = set()
    for disk in facts.of(Disk):
        node = nodes.get(disk.node or "")
        lasts = disk.persistent and disk.can_snapshot and disk.tags.get("trainform-role") != "cache"
        if node is None or node.pool or not lasts:
            continue
        if node.role is None and node.on_gpus and node.resource.urn not in asked:
            asked.add(node.resource.urn)
            yield untagged(node)
        elif node.role in {"train", "dev"}:
            yield from _judge(disk)


def _judge(disk: Disk) -> Iterator[Ruling]:
    if disk.snapshots is UNKNOWN:
        yield unknown(disk, "snapshots", UNSEEN, "attached", use=disk.use)
    elif not disk.snapshots:
        yield warn(disk, "snapshots", BARE, "attached", use=disk.use)
