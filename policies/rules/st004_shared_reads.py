"""ST004: training reads from fast storage that many machines may read at once.

What: a training machine reads from a file store of the capacity class, or machines of one job read a bucket that is
mounted as if it were a file system.
Why: capacity classes give a tenth of the speed, shared by all; a mounted bucket needs one request for each small file.
Cure: a parallel file system, an SSD class, or a copy on local disks before the run.
"""

from collections.abc import Iterator

from generator.facts import Facts, FileSystem, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, untagged, warn

ID = "ST004"
SEVERITY = "warn"
TITLE = Message(en="training reads from fast shared storage", zh="训练从高速共享存储读取数据")
WHY = ("D0-48", "D0-50", "D0-51", "D0-67", "D2-37")
SOURCE = "both source documents; classes by the cloud's own table of file systems"
ZH = """\
规则：训练机器从容量型文件存储读取，或同一任务的多台机器把存储桶当文件系统挂载读取。
原因：容量型只有十分之一的速度且大家共享；挂载的存储桶每个小文件都要一次请求。
修复：使用并行文件系统、SSD 类文件系统，或运行前复制到本地盘。
"""
DOUBT = Message(
    en="the source document calls COSFS a parallel file system: it is a bucket mounted through FUSE. Which store a "
    "machine reads is told by tags and mounts only",
    zh="源文档把 COSFS 称为并行文件系统：它其实是经 FUSE 挂载的存储桶。机器读取哪个存储只能由标签和挂载得知",
)
NEEDS = ("FileSystem.media", "FileSystem.role", "Node.role", "Node.job_size", "Node.fuse_mount")
SUBJECT = Node

CAPACITY = Message(
    en="a training job reads from a file store of the capacity class", zh="训练任务从容量型文件存储读取数据"
)
MOUNTED = Message(
    en="{nodes} machines read a bucket that is mounted as a file system",
    zh="{nodes} 台机器读取以文件系统方式挂载的存储桶",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge the file systems of stacks that train, and what machines of one job mount."""
    slow = [
        store for store in facts.of(FileSystem) if store.media == "hdd" and store.role not in {"archive", "raw", "ckpt"}
    ]
    if facts.training():
        for store in slow:
            yield warn(store, "media", CAPACITY, "ssd")
    for node in facts.of(Node):
        mounts = node.fuse_mount is True
        if node.role is None and node.on_gpus and (slow or mounts):
            yield untagged(node)
        elif node.role == "train" and mounts:
            size = node.job_size
            if size is UNKNOWN:
                yield unknown(node, "mount", MOUNTED, "copied", nodes="?")
            elif isinstance(size, int) and size > 1:
                yield warn(node, "mount", MOUNTED, "copied", nodes=size)
