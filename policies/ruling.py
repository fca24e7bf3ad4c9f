"""What a rule file is made of: what it says of a fact (a ruling), in both languages, and the rule itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec

from generator.facts import Fact, Facts, Node

Severity = Literal["deny", "warn", "info"]


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence in both languages, with `{places}` for the values of a ruling."""

    en: str
    zh: str

    def text(self, lang: str, values: dict[str, Any]) -> str:
        """The sentence in one language with its values."""
        return (self.zh if lang == "zh" else self.en).format_map(values)


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule says of one fact. `field` is what is at fault, `wanted` what it should be, in the rule's own words.

    The verdict `skip` says that the rule has nothing to judge here, with the reason as message.
    """

    fact: Fact
    verdict: Literal["deny", "warn", "info", "unknown", "skip"]
    field: str
    message: Message
    wanted: str
    values: dict[str, Any]


def deny(fact: Fact, field: str, message: Message, wanted: str, /, **values: Any) -> Ruling:
    """The fact breaks the rule."""
    return Ruling(fact=fact, verdict="deny", field=field, message=message, wanted=wanted, values=values)


def warn(fact: Fact, field: str, message: Message, wanted: str, /, **values: Any) -> Ruling:
    """The fact is worth a change."""
    return Ruling(fact=fact, verdict="warn", field=field, message=message, wanted=wanted, values=values)


def info(fact: Fact, field: str, message: Message, wanted: str, /, **values: Any) -> Ruling:
    """The fact is worth knowing."""
    return Ruling(fact=fact, verdict="info", field=field, message=message, wanted=wanted, values=values)


def unknown(fact: Fact, field: str, message: Message, wanted: str, /, **values: Any) -> Ruling:
    """Nobody can tell yet: neither a pass nor a breach."""
    return Ruling(fact=fact, verdict="unknown", field=field, message=message, wanted=wanted, values=values)


def skip(fact: Fact, message: Message, /, **values: Any) -> Ruling:
    """The rule has nothing to judge in this fact."""
    return Ruling(fact=fact, verdict="skip", field="", message=message, wanted="", values=values)


LOOSE_DISK = Message(
    en="there is a data disk, and which machine it belongs to is not known",
    zh="存在数据盘，但无法确定它属于哪台机器",
)
NO_ROLE = Message(
    en="nothing says what this machine is for (tag trainform-role), so this cannot be judged",
    zh="没有标签 trainform-role 说明这台机器的用途，无法判断",
)


def untagged(node: Node) -> Ruling:
    """The answer of a rule that needs the role of a machine which has none."""
    return unknown(node, "tags", NO_ROLE, "role")


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule file as the doors use it: `needs` are the facts it reads, `subjects` the kinds without which it rests."""

    id: str
    severity: Severity
    title: Message
    why: tuple[str, ...]
    source: str
    needs: tuple[str, ...]
    subjects: tuple[type[Fact], ...]
    check: Callable[[Facts], Iterable[Ruling]]
    doc: str
    file: str
    capability: str | None = None  # what a cloud must have for the rule to apply; None: every cloud has it
    zh: str = ""  # what, why and cure in Chinese, as `doc` has them in English
    doubt: Message | None = None  # what the rule rests on that may be otherwise
    opposed: Message | None = None  # the tool that says the opposite, and why not to follow it here
