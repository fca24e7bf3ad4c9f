"""ST009: a disk or file system stands in the zone of its machine.

What: a standalone disk that is attached to a machine of another zone, or a file system in another zone than the
machines that train on it.
Why: a disk cannot be attached across zones, and a file system across zones is slow and billed for the traffic.
Cure: one zone for both: take it from the subnet of the machine.
"""

from collections.abc import Iterator

from generator.facts import Disk, Facts, FileSystem, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, deny

ID = "ST009"
SEVERITY = "deny"
TITLE = Message(en="a disk or file system stands in the zone of its machine", zh="磁盘或文件系统与机器在同一可用区")
WHY = ("ours",)
SOURCE = "clouds attach disks within a zone only (dstack #2107, a vendor's CSI driver #511)"
ZH = """\
规则：挂载到另一可用区机器的独立云盘，或与训练机器不在同一可用区的文件系统。
原因：云盘不能跨可用区挂载；跨可用区的文件系统慢，而且流量计费。
修复：两者使用同一可用区：取机器所在子网的可用区。
"""
DOUBT = Message(
    en="a zone that is not known before `up` is not judged: a stack may leave both to one config value",
    zh="up 之前未知的可用区不作判断：两者可能取自同一个配置项",
)
NEEDS = ("Disk.zone", "Disk.node", "FileSystem.zone", "Node.zones")
SUBJECT = Node

APART = Message(en="stands in {here}, and its machine in {there}", zh="位于 {here}，而其机器位于 {there}")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge each pair whose zones are both known; unknown zones prove nothing."""
    nodes = {node.resource.urn: node for node in facts.of(Node)}
    for disk in facts.of(Disk):
        node = nodes.get(disk.node or "")
        if disk.standalone and node is not None:
            yield from _compare(disk, disk.zone, [node])
    for store in facts.of(FileSystem):
        yield from _compare(store, store.zone, [node for node in facts.training() if not node.pool])


def _compare(fact: Disk | FileSystem, zone: object, nodes: list[Node]) -> Iterator[Ruling]:
    for node in nodes:
        zones = [place for place in node.zones if place is not UNKNOWN]
        if isinstance(zone, str) and zones and zone not in zones:
            yield deny(fact, "zone", APART, "same", here=zone, there=", ".join(map(str, zones)))
            return
