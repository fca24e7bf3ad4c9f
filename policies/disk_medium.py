"""The medium of a disk judged: hard disk deny, hybrid warn, unknown where it cannot be told (ST001 and ST002)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.facts import Disk
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, deny, unknown, warn


def judge_medium(disk: Disk, called: Message) -> Iterator[Ruling]:
    """What its medium says of a disk; `called` is what the disk is to people, `data disk`."""
    if disk.kind is UNKNOWN:
        yield unknown(disk, "kind", _about(called, "its kind is not known before `up`", "类型在 up 之前未知"), "ssd")
    elif disk.kind is None:
        yield unknown(disk, "kind", _about(called, "its kind is left to the cloud", "类型由云决定"), "ssd")
    elif disk.media is None:
        yield unknown(
            disk,
            "kind",
            _about(called, "no table knows the kind {kind}", "没有表收录类型 {kind}"),
            "ssd",
            kind=disk.kind,
        )
    elif disk.media in {"hdd", "hybrid"}:
        en = "the provider's default kind {kind}" if disk.defaulted else "kind {kind}"
        zh = "提供商默认类型 {kind}" if disk.defaulted else "类型 {kind}"
        if disk.media == "hdd":
            yield deny(disk, "kind", _about(called, f"{en} is a hard disk", f"{zh} 是机械硬盘"), "ssd", kind=disk.kind)
        else:
            yield warn(disk, "kind", _about(called, f"{en} is no full SSD", f"{zh} 不是全 SSD"), "ssd", kind=disk.kind)


def _about(called: Message, en: str, zh: str) -> Message:
    return Message(en=f"{called.en}: {en}", zh=f"{called.zh}：{zh}")
