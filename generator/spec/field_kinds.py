"""The kinds of value that a spec's field may hold: what each is called, how it is written, and how it is read."""

from __future__ import annotations

import datetime as dt
import keyword
import re
import shlex
import sys
from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from generator.clouds import cloud_ids
from generator.spec import quantities
from generator.spec.quantities import (
    Hours,
    Money,
    QuantityError,
    Range,
    parse_count,
    parse_count_range,
    parse_hours,
    parse_least_count,
    parse_least_size,
    parse_minutes,
    parse_money,
    parse_number,
    parse_size,
    parse_size_range,
    parse_timetable,
    quote,
)

# What the launch script sets for the command (CONTRACTS section 4).
LAUNCH_VARIABLES = (
    "MASTER_ADDR",
    "NNODES",
    "NODE_RANK",
    "TRAINFORM_CHECKPOINT_DIR",
    "TRAINFORM_DATA_DIR",
    "TRAINFORM_GRACE_SECONDS",
)
MOST_CHARACTERS = 1000  # of any value
WIDEST_SSH_PREFIX = {4: 8, 6: 32}  # bits; wider ranges are as good as open to the world


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of scalar. `read` gives the value or raises QuantityError; `low` and `high` bound numbers."""

    what: str
    pattern: str
    examples: tuple[str | float, ...]
    read: Callable[[str], Any] = str
    low: float | None = None
    high: float | None = None
    above: bool = False  # `low` itself is excluded
    number: bool = False  # may be written as a plain number

    def value(self, text: str) -> Any:
        """The value of a text that has the right form and lies in bounds; QuantityError with a hint otherwise."""
        if len(text) > MOST_CHARACTERS:
            raise QuantityError(f"{quote(text)} has {len(text)} characters", f"write at most {MOST_CHARACTERS}")
        if self.read is str and not re.fullmatch(self.pattern, text):
            raise QuantityError(f"{quote(text)} is not {self.what}", f"write it like {self.examples[0]}")
        value = self.read(text)
        for figure in _figures(value):
            if self.low is not None and (figure < self.low or (self.above and figure == self.low)):
                bound = "more than" if self.above else "at least"
                raise QuantityError(f"{quote(text)} is out of range", f"it must be {bound} {self.low:g}")
            if self.high is not None and figure > self.high:
                raise QuantityError(f"{quote(text)} is out of range", f"it must be at most {self.high:g}")
        return value


def _figures(value: Any) -> tuple[float, ...]:
    """The numbers in a value that bounds apply to."""
    if isinstance(value, Money):
        return (float(value.amount),)
    if isinstance(value, Range):
        return tuple(end for end in (value.low, value.high) if end is not None)
    return (value,) if isinstance(value, int | float) else ()


def read_identifier(text: str) -> str:
    """A name that can become a folder and a module."""
    if not re.fullmatch(IDENTIFIER, text):
        hint = "begin with a lower-case letter, then at most 39 letters a-z, digits and _"
        raise QuantityError(f"{quote(text)} is not an identifier", hint)
    if keyword.iskeyword(text) or text in sys.stdlib_module_names:
        kind = "a Python keyword" if keyword.iskeyword(text) else "the name of a standard-library module"
        raise QuantityError(f"'{text}' is {kind}", f"choose another name, such as {text}_job")
    return text


def read_command(text: str) -> str:
    """A command of plain words: what would need a shell belongs in a script."""
    hint = "put what needs a shell into a script of the image and launch that: bash run.sh"
    if not text.isprintable():
        raise QuantityError("the command is not one line of printable characters", hint)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise QuantityError(f"the command has {str(error).lower()}", "close the quotes") from None
    if not words:
        raise QuantityError("the command has no words", "write it like python train.py --config c.yaml")
    bare = re.sub(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", "", text)
    operator = re.search(r"[;&|<>]", bare) or re.search(r"`|\$\(", text)
    if operator:
        raise QuantityError(f"'{operator[0]}' has no effect in the command: it runs without a shell", hint)
    for name in re.findall(r"\$\{?(\w*)\}?", text):
        if name not in LAUNCH_VARIABLES:
            raise QuantityError(f"'${name}' is not set for the command", f"these are: {', '.join(LAUNCH_VARIABLES)}")
    return text


def read_address_range(text: str) -> str:
    """An address range in its canonical form, narrow enough to mean somebody."""
    import ipaddress  # noqa: PLC0415 - few specs have a range

    hint = "write a range such as 203.0.113.0/24, or one address as 203.0.113.7/32"
    try:
        network = ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise QuantityError(f"{quote(text)} is not an address range", hint) from None
    if str(network) != text.lower():
        raise QuantityError(f"{quote(text)} is not the start of a range", f"did you mean '{network}'?")
    if network.prefixlen < WIDEST_SSH_PREFIX[network.version]:
        raise QuantityError(f"{quote(text)} opens SSH to the world", hint)
    return str(network)


def read_timezone(text: str) -> str:
    """A name of the time zone database; the form alone is judged where the machine has no such database."""
    import zoneinfo  # noqa: PLC0415 - few specs have a time zone

    hint = "write it like Asia/Shanghai or Europe/Berlin"
    if not re.fullmatch(TIMEZONE, text):
        raise QuantityError(f"{quote(text)} is not a time zone", hint)
    try:
        zoneinfo.ZoneInfo(text)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        try:
            zoneinfo.ZoneInfo("UTC")
        except zoneinfo.ZoneInfoNotFoundError:
            return text
        raise QuantityError(f"{quote(text)} is not a time zone", hint) from None
    return text


def read_path(text: str) -> str:
    """A path below the spec's own folder; whether the file exists is checked where the folder is known."""
    if not re.fullmatch(PATH, text) or ".." in text.split("/"):
        hint = "write a path below the spec's folder, such as ./config.json, with letters, digits, '.', '_' and '-'"
        raise QuantityError(f"{quote(text)} is not a path below the spec's folder", hint)
    return text


def read_date(text: str) -> str:
    """A day as YYYY-MM-DD."""
    try:
        return dt.date.fromisoformat(text).isoformat()
    except ValueError:
        raise QuantityError(f"{quote(text)} is not a date", "write it like 2026-11-01") from None


IDENTIFIER = r"[a-z][a-z0-9_]{0,39}"
TIMEZONE = r"[A-Za-z]+(?:/[A-Za-z0-9_+-]+){0,2}"
PATH = r"(?:\./)?[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*"
WORD = r"[a-z0-9]+(?:[._-]+[a-z0-9]+)*"
IMAGE = (
    rf"{WORD}(?::[0-9]{{1,5}}/{WORD})?(?:/{WORD})*(?::[A-Za-z0-9_][A-Za-z0-9._-]{{0,127}})?(?:@sha256:[0-9a-f]{{64}})?"
)
TOOLCHAIN = r"[a-z_]{1,20}-[0-9]+(?:\.[0-9]+)*-[a-z]+[0-9]+(?:\.[0-9]+)*"
BUCKET = r"[a-z][a-z0-9]{1,9}://[a-z0-9][a-z0-9-]{1,61}[a-z0-9](?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*/?"
EMAIL = r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+"
GROUP = r"group:[A-Za-z0-9._一-鿿-]{1,64}"


def _kind(
    what: str, pattern: str, *examples: str | float, read: Callable[[str], Any] = str, **more: Any
) -> msgspec.Meta:
    """The note on a field's type that says how the field is written."""
    return msgspec.Meta(extra={"kind": Kind(what=what, pattern=pattern, examples=examples, read=read, **more)})


def _count(*examples: str | float, low: float = 1, high: float = 1e15) -> msgspec.Meta:
    return _kind("a count", quantities.COUNT, *examples, read=parse_count, low=low, high=high, number=True)


def _number(what: str, *examples: float, high: float = 1e9) -> msgspec.Meta:
    return _kind(what, quantities.NUMBER, *examples, read=parse_number, low=0, above=True, high=high, number=True)


def _limits(one: str) -> str:
    return rf"(?:[<>]= ?)?(?:{one})|(?:{one}) ?\.\. ?(?:{one})"


Identifier = Annotated[str, _kind("an identifier", IDENTIFIER, "qwen2_5_7b_sft", read=read_identifier)]
ModelName = Annotated[str, _kind("a model name", r"[A-Za-z0-9][A-Za-z0-9._/-]{0,63}", "qwen2.5-7b", "resnet50")]
ModelKind = Annotated[str, _kind("a kind of model", r"[a-z][a-z0-9_]{0,39}", "video_dit", "unet3d")]
ProfileName = Annotated[
    str, _kind("a framework profile", r"[a-z][a-z0-9_]{0,39}(?:\+[a-z0-9_]{1,30}){0,8}", "hf_trainer", "fsdp2")
]
Toolchain = Annotated[str, _kind("a toolchain", TOOLCHAIN, "pytorch-2.11-cu128")]
Image = Annotated[str, _kind("a container image", IMAGE, "registry.example.com/team/train:1.4")]
Command = Annotated[str, _kind("a command", r"[^\x00-\x1f]+", "python train.py --config c.yaml", read=read_command)]
BucketUrl = Annotated[str, _kind("a bucket", BUCKET, "oss://my-bucket/prefix")]
FilePath = Annotated[str, _kind("a path below the spec's folder", PATH, "./config.json", read=read_path)]
CloudName = Annotated[str, _kind("a cloud", r"[a-z]{2,20}", *cloud_ids())]
RegionName = Annotated[str, _kind("a region", r"[a-z][a-z0-9-]{1,39}", "cn-beijing")]
ZoneName = Annotated[str, _kind("a zone", r"[a-z][A-Za-z0-9-]{1,39}", "cn-beijing-l")]
GpuName = Annotated[str, _kind("a GPU", r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", "A10", "A100-80GB")]
InstanceName = Annotated[str, _kind("an instance type", r"[A-Za-z0-9][A-Za-z0-9._-]{1,63}", "ecs.gn7i-c8g1.2xlarge")]
ResourceId = Annotated[str, _kind("a resource's id", r"[a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){1,5}", "vpc-2ze0ab12")]
AddressRange = Annotated[
    str, _kind("an address range", r"[0-9A-Fa-f:.]+/[0-9]{1,3}", "203.0.113.0/24", read=read_address_range)
]
Timezone = Annotated[str, _kind("a time zone", TIMEZONE, "Asia/Shanghai", read=read_timezone)]
AlarmReceiver = Annotated[
    str, _kind("an e-mail address or group:NAME", f"{EMAIL}|{GROUP}", "ops@example.com", "group:gpu-oncall")
]
Date = Annotated[str, _kind("a date", r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "2026-11-01", read=read_date)]
RuleId = Annotated[str, _kind("a rule's id", r"[A-Z]{2}[0-9]{3}", "ST001")]
ResourceName = Annotated[str, _kind("a resource's name", r"[A-Za-z0-9*?:._$/-]{1,300}", "node-0", "node-*")]
Sentence = Annotated[str, _kind("one line of words", r"[^\x00-\x1f\x7f]{1,300}", "scratch data, made again in an hour")]
TagKey = Annotated[str, _kind("a tag's key", r"[A-Za-z][A-Za-z0-9._-]{0,62}", "team")]
TagValue = Annotated[str, _kind("a tag's value", r"[A-Za-z0-9._-]{0,43}", "nlp")]
Tags = tuple[tuple[TagKey, TagValue], ...]  # a mapping in the file

Count = Annotated[int, _count("1.2M", 1200000)]
SmallCount = Annotated[int, _count(4, high=1_000_000)]
CountOrZero = Annotated[int, _count(2, low=0, high=10_000)]
Number = Annotated[float, _number("a number", 1.5)]
Ratio = Annotated[float, _number("a ratio", 0.3, high=1)]
Rate = Annotated[float, _number("a rate", 7.1)]
SizeGib = Annotated[float, _kind("a size", quantities.SIZE, "180GiB", "1.5TB", read=parse_size, low=0, above=True)]
Minutes = Annotated[
    float, _kind("a duration", quantities.DURATION, "20min", "1h", read=parse_minutes, low=0, above=True)
]
DurationHours = Annotated[
    float, _kind("a duration", quantities.DURATION, "72h", "7d", read=parse_hours, low=0, above=True)
]
Budget = Annotated[
    Money, _kind("an amount of money", quantities.MONEY, "5000 CNY", read=parse_money, low=0, above=True)
]
CountRange = Annotated[
    Range,
    _kind("limits", _limits(quantities.COUNT), "1..4", ">=2", 4, read=parse_count_range, low=1, number=True),
]
SizeRange = Annotated[
    Range, _kind("limits", _limits(quantities.SIZE), ">=24GiB", read=parse_size_range, low=0, above=True)
]
LeastCount = Annotated[
    int, _kind("a lower limit", rf">= ?(?:{quantities.COUNT})", ">=8", read=parse_least_count, low=1)
]
LeastSizeGib = Annotated[
    float, _kind("a lower limit", rf">= ?(?:{quantities.SIZE})", ">=64GiB", read=parse_least_size, low=0, above=True)
]
Timetable = Annotated[Hours, _kind("a timetable", quantities.HOURS, "Mon-Fri 09:00-19:00", read=parse_timetable)]
