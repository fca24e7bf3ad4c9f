"""SZ003: enough memory in the machine.

What: a development machine below 30 GiB, a training machine below 60 GiB, or below 120 GiB for data of over 64 GiB; or
data that neither fit twice into the memory nor have a disk or file system beside it.
Why: loaders, shards and the page cache live there; when it is full, the system kills the job or reads everything again.
Cure: a type with more memory, or a data disk. Nobody needs memory for terabytes of data: those are streamed.
"""

from collections.abc import Iterator

from generator.facts import Disk, Facts, FileSystem, Node
from policies.ruling import LOOSE_DISK, Message, Ruling, unknown, untagged, warn

ID = "SZ003"
SEVERITY = "warn"
TITLE = Message(en="enough memory in the machine", zh="机器内存充足")
WHY = ("D2-13", "D2-14", "D2-15", "D2-22", "D2-29", "D2-36")
SOURCE = "CNN source document, corrected: its memory of 2 to 4 times the data holds for small data only (BLOOM: 1.5 TB)"
ZH = """\
规则：开发机内存低于 30 GiB，训练机低于 60 GiB，数据超过 64 GiB 时低于 120 GiB；或数据的两倍放不进内存，又没有云盘或文
件系统存放。
原因：数据加载、分片和页缓存都在内存里；满了，系统会杀掉任务，或反复重读数据。
修复：选用内存更大的规格，或加数据盘。TB 级数据不需要那么大内存：流式读取。
"""
DOUBT = Message(
    en="the source document asks for memory of 2 to 4 times the data: impossible beyond 500 GB (BLOOM: 1.5 TB of "
    "text, 512 GB of memory), so it holds for small data only",
    zh="源文档要求内存为数据的 2～4 倍：超过 500 GB 就不可能（BLOOM：1.5 TB 文本，512 GB 内存），因此只用于小数据",
)
NEEDS = ("Node.ram_gib", "Node.role", "Node.dataset_gib", "Node.local_nvme_gib", "Disk.node", "FileSystem.kind")
SUBJECT = Node

# What vendors sell as 32, 64 and 128 GB shows 30, 60 and 120 GiB or more.
FLOORS = {"dev": 30, "train": 60}
LARGE_DATA_GIB, LARGE_FLOOR = 64, 120
CACHED_DATA_GIB = 256

LOW = Message(en="{ram:g} GiB of memory; {floor} are wanted for {why}", zh="内存 {ram:g} GiB；{why} 应有 {floor} GiB")
UNCACHED = Message(
    en="{data:g} GiB of data, {ram:g} GiB of memory, and no disk or file system beside it to hold them",
    zh="数据 {data:g} GiB，内存 {ram:g} GiB，且没有磁盘或文件系统存放",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine with cards whose role and type are known."""
    with_disk = {disk.node for disk in facts.of(Disk) if disk.use == "data"}  # None: whose it is, nobody can tell
    for node in facts.of(Node):
        if node.role is None and node.gpus:
            yield untagged(node)
        elif node.role in FLOORS and node.ram_gib is not None and node.gpus:
            held = node.resource.urn in with_disk or bool(facts.of(FileSystem)) or node.local_nvme_gib > 0
            rulings = tuple(_judge(node, node.ram_gib, held=held))
            if None in with_disk and rulings != tuple(_judge(node, node.ram_gib, held=True)):
                yield unknown(node, "types", LOOSE_DISK, "more memory")
            else:
                yield from rulings


def _judge(node: Node, ram: float, *, held: bool) -> Iterator[Ruling]:
    data = node.dataset_gib or 0.0
    large = node.role == "train" and data > LARGE_DATA_GIB and not held
    floor = LARGE_FLOOR if large else FLOORS[node.role or "train"]
    if ram < floor:
        yield warn(node, "types", LOW, "more memory", ram=ram, floor=floor, why=node.role)
    elif 0 < data <= CACHED_DATA_GIB and ram < 2 * data and not held:
        yield warn(node, "types", UNCACHED, "more memory", data=data, ram=ram)
