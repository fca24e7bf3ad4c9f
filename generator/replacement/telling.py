"""What an update would replace, as people read it: each resource with the input that forces it and what is lost."""

from __future__ import annotations

from collections import Counter

from generator.replacement.losses import Loss, losses
from generator.replacement.steps import Op, Step
from generator.resources import StackState

NAMED = 4  # resources that differ only in their names and so stand on one line: so many are named

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "replace": "replaces",
        "unsure": "perhaps replaces",
        "delete": "removes",
        "because": ": {keys}",
        "untold": ": {keys}, of which no schema tells",
        "behind": ", since {names} is made anew",
        "lost": "; lost: {lost}",
        "protected": "; protected, so `pulumi up` stops before it",
        "disk": "the data disk and all that it holds",
        "sized_disk": "the data disk and all that it holds ({gib:g} GiB)",
        "file_system": "the file system and all that it holds",
        "bucket": "the bucket and all that it holds",
        "pool": "every running node of the pool",
        "node": "the running node, its job and its system disk",
        "node_data": "the running node, its job, its system disk and its data disks",
        "none": "nothing that exists is replaced or removed",
        "rest": "besides: {create} created, {update} updated in place",
        "more": "{names} and {count} more",
    },
    "zh": {
        "replace": "替换",
        "unsure": "可能替换",
        "delete": "删除",
        "because": "：{keys}",
        "untold": "：{keys}（没有公开的 schema 说明）",
        "behind": "，因为 {names} 被重建",
        "lost": "；将失去：{lost}",
        "protected": "；受保护，`pulumi up` 会在此停下",
        "disk": "数据盘及其全部数据",
        "sized_disk": "数据盘及其全部数据（{gib:g} GiB）",
        "file_system": "文件系统及其全部数据",
        "bucket": "存储桶及其全部数据",
        "pool": "节点池中所有运行中的节点",
        "node": "运行中的节点、其作业和系统盘",
        "node_data": "运行中的节点、其作业、系统盘和数据盘",
        "none": "不会替换或删除任何已有资源",
        "rest": "此外：新建 {create} 个，就地更新 {update} 个",
        "more": "{names} 等另外 {count} 个",
    },
}

ORDER: tuple[Op, ...] = ("replace", "unsure", "delete")


def told_steps(steps: tuple[Step, ...], existing: StackState, heading: str, lang: str = "en") -> str:
    """The heading, a line for each resource that goes or is made anew (alike ones together), and how much else changes.

    `existing` is the stack as it is, for what is lost. Empty when no step changes anything.
    """
    counts = Counter(step.op for step in steps)
    if set(counts) <= {"same"}:
        return ""
    words = WORDS[lang]
    lost = losses(existing)
    groups: dict[tuple[str, str, str], list[Step]] = {}
    for step in sorted(steps, key=lambda step: (ORDER.index(step.op) if step.op in ORDER else 9, step.resource.urn)):
        if step.op in ORDER:
            kind = step.resource.type.rpartition(":")[2]
            groups.setdefault((step.op, kind, _reasons(step, lost.get(step.resource.urn), words)), []).append(step)
    lines = [
        f"  {words[op]} {_names([step.resource.name for step in members], words)} ({kind}){why}"
        for (op, kind, why), members in groups.items()
    ]
    rest = words["rest"].format(create=counts["create"], update=counts["update"])
    return "\n".join([f"{heading}:", *(lines or [f"  {words['none']}"]), f"  {rest}"]) + "\n"


def _names(names: list[str], words: dict[str, str]) -> str:
    shown = ", ".join(names[:NAMED])
    return words["more"].format(names=shown, count=len(names) - NAMED) if len(names) > NAMED else shown


def _reasons(step: Step, loss: Loss | None, words: dict[str, str]) -> str:
    """Why, what is lost, and what stops it, as one phrase."""
    parts = []
    if step.keys:
        parts.append(words["untold" if step.op == "unsure" else "because"].format(keys=", ".join(step.keys)))
    if step.behind:
        parts.append(words["behind"].format(names=_names(list(step.behind), words)))
    if loss is not None:
        sized = loss.lost == "disk" and loss.gib is not None
        lost = words["sized_disk" if sized else loss.lost].format(gib=loss.gib)
        parts.append(words["lost"].format(lost=lost))
    if step.resource.protect:
        parts.append(words["protected"])
    return "".join(parts)
