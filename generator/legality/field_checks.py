"""Reads the rows of a cloud's `fields.csv` against the inputs of one resource.

Checks: `one_of` a|b, `range` low..high (either may be open), `pattern` (regular expression for the whole
text), `required`, `forbidden`, `at_most` (another field), `network` (an IPv4 or IPv6 range), `json`. Terms of `when`,
all of which must hold: `name` (present), `!name` (absent), `name=a|b`, `name!=a|b` (absent is not a); names are looked
up beside the field, or from the top with a leading slash.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from generator.legality.table_forms import FieldRule, Illegal
from generator.program.values import SECRET, UNKNOWN
from generator.spelling import did_you_mean

ABSENT = object()


def found(inputs: Mapping[str, Any], path: str, at: str = "") -> Iterator[tuple[str, Mapping[str, Any], Any]]:
    """Every place of a path such as `dataDisks[].size`: its own path, the object that holds it, its value or ABSENT."""
    head, _, rest = path.partition(".")
    name = head.removesuffix("[]")
    where = f"{at}{name}"
    value = inputs.get(name, ABSENT)
    value = ABSENT if value is None else value
    if not rest and not head.endswith("[]"):
        yield where, inputs, value
        return
    items = value if isinstance(value, list | tuple) else () if value is ABSENT else (value,)
    for index, item in enumerate(items):
        place = f"{where}[{index}]" if isinstance(value, list | tuple) else where
        if not rest:
            yield place, inputs, item
        elif isinstance(item, Mapping):
            yield from found(item, rest, f"{place}.")


def text(value: Any) -> str:
    """A value as tables and people write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def number(value: Any) -> float | None:
    """A number, also one that is given as text (plugins take both); None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def holds(term: str, beside: Mapping[str, Any], top: Mapping[str, Any]) -> bool:
    """Whether one term of `when` holds; a comparison with an unknown value does not."""
    name, equals, wanted = term.partition("=")
    unlike = equals and name.endswith("!")
    absent = term.startswith("!") and not equals
    name = name.removesuffix("!") if equals else name.removeprefix("!")
    value = (top if name.startswith("/") else beside).get(name.removeprefix("/"))
    if not equals:
        return (
            (value is None or value in (False, [], "")) if absent else not (value is None or value in (False, [], ""))
        )
    if value is UNKNOWN or value is SECRET:
        return False
    return (text(value) in wanted.split("|")) != bool(unlike)


def _one_of(rule: FieldRule, value: Any) -> tuple[str, str] | None:
    legal = (rule.value or "").split("|")
    if text(value) in legal:
        return None
    hint = did_you_mean(text(value), legal)
    return f"{text(value)!r} is not one of {', '.join(legal)}" + (f"; {hint}" if hint else ""), " | ".join(legal)


def _range(rule: FieldRule, value: Any) -> tuple[str, str] | None:
    low, _, high = (rule.value or "").partition("..")
    given = number(value)
    if given is not None and (not low or given >= float(low)) and (not high or given <= float(high)):
        return None
    span = f"{low} to {high}" if low and high else f"{low} or more" if low else f"{high} or less"
    return f"{text(value)} is outside of {span}", span


def _pattern(rule: FieldRule, value: Any) -> tuple[str, str] | None:
    if re.fullmatch(rule.value or "", text(value)):
        return None
    return f"{text(value)!r} is not of the right form", rule.message or f"like {rule.value}"


def _network(rule: FieldRule, value: Any) -> tuple[str, str] | None:
    del rule
    try:
        ipaddress.ip_network(text(value), strict=False)
    except ValueError:
        return f"{text(value)!r} is not an address range", "an address range such as 10.0.0.0/16"
    return None


def _json(rule: FieldRule, value: Any) -> tuple[str, str] | None:
    del rule
    try:
        json.loads(text(value))
    except ValueError:
        return "the text is not JSON", "JSON, written with json.dumps"
    return None


CHECKS = {
    "one_of": _one_of,
    "range": _range,
    "pattern": _pattern,
    "network": _network,
    "json": _json,
}


def _verdict(rule: FieldRule, value: Any, beside: Mapping[str, Any]) -> tuple[str, str | None] | None:
    """What is wrong and what is wanted; None when the rule is content or cannot know."""
    given = value is not ABSENT
    if rule.check == "required":
        return None if given else ("it is missing", rule.value or "a value")
    if rule.check == "forbidden":
        return ("it must not stand here", None) if given and value not in (False, "", []) else None
    if not given or value is UNKNOWN or value is SECRET:
        return None
    if rule.check == "at_most":
        mine, other = number(value), number(beside.get(rule.value or ""))
        if mine is None or other is None or mine <= other:
            return None
        return f"{text(value)} is more than {rule.value}, {text(beside[rule.value or ''])}", f"at most {rule.value}"
    return CHECKS[rule.check](rule, value)


def check_fields(rules: tuple[FieldRule, ...], token: str, inputs: Mapping[str, Any]) -> Iterator[Illegal]:
    """Every row of the table that the inputs of a resource of this token break."""
    for rule in rules:
        if token not in rule.carriers:
            continue
        for where, beside, value in found(inputs, rule.field):
            if not all(holds(term, beside, inputs) for term in (rule.when or "").split()):
                continue
            verdict = _verdict(rule, value, beside)
            if verdict is not None:
                wrong, wanted = verdict
                why = f": {rule.message}" if rule.message else ""
                yield Illegal(
                    field=where,
                    message=f"{where}: {wrong}{why}",
                    wanted=wanted,
                    source=rule.source,
                    level=rule.level,
                    subject=rule.subject,
                )
