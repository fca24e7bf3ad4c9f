"""SE008: a destroy does not take the data with it.

What: a bucket that a destroy would empty, or a file system, which always goes with its data, has no protection.
Why: one `pulumi destroy` for the machines of a finished job deletes the data set and every checkpoint.
Cure: `protect=True` (or `retain_on_delete=True`) in the resource's options. Caches need none.
"""

from collections.abc import Iterator

from generator.facts import Bucket, Facts, FileSystem
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, warn

ID = "SE008"
SEVERITY = "warn"
TITLE = Message(en="a destroy does not take the data with it", zh="销毁栈时数据不会丢失")
WHY = ("ours",)
SOURCE = "the providers' delete: a file system is emptied, a bucket only by its switch"
ZH = """\
规则：销毁会清空的存储桶，或总是连同数据一起删除的文件系统，没有任何保护。
原因：为清理一个已结束任务的机器而执行 `pulumi destroy`，会删除数据集和全部检查点。
修复：在资源选项中设置 `protect=True`（或 `retain_on_delete=True`）。缓存不需要保护。
"""
DOUBT = Message(
    en="locks and retention that are set outside the program are not seen",
    zh="看不到在程序之外设置的锁定和保留策略",
)
NEEDS = ("Bucket.emptied_by_destroy", "Bucket.role", "FileSystem.role")
SUBJECT = (Bucket, FileSystem)

LOST = Message(en="a destroy would delete what it holds, and nothing protects it", zh="销毁会删除其中数据，且没有保护")
UNSEEN = Message(
    en="whether a destroy would empty it is not known before `up`, and nothing protects it",
    zh="销毁是否会清空它在 up 之前未知，且没有保护",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge what holds data and is not protected."""
    stores: tuple[Bucket | FileSystem, ...] = (*facts.of(Bucket), *facts.of(FileSystem))
    for store in stores:
        if store.role == "cache" or store.resource.protect or store.resource.retain_on_delete:
            continue
        emptied = store.emptied_by_destroy if isinstance(store, Bucket) else True
        if emptied is UNKNOWN:
            yield unknown(store, "protection", UNSEEN, "on")
        elif emptied:
            yield warn(store, "protection", LOST, "on")
