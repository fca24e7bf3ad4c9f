"""File systems and buckets of a stack of Baidu AI Cloud."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.facts import Bucket, FileSystem
from generator.facts.reader import StackReader, Value, tags_of
from generator.legality.table_forms import tables
from generator.program.values import UNKNOWN, Unknown

FILE_SYSTEM = "index/cfs:Cfs"
BUCKET = "index/bosBucket:BosBucket"
AFTER = re.compile(r"\$\(lastModified\)\+P(\d+)D")


def read_file_systems(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[FileSystem]:
    """Every file system, judged by its class; it takes no tags, so nothing says what it is for."""
    rows = {row.level: row for row in tables("baiducloud").file_systems if row.id == "cfs"}
    for resource in reader.of(FILE_SYSTEM):
        level = reader.value(resource, "type")
        row = rows.get(level) if isinstance(level, str) else None
        yield FileSystem(
            resource=resource,
            cloud="baiducloud",
            region=region_of[resource.urn],
            paths={"media": "type", "encrypted": "type", "zone": "zone", "protection": "opts.protect"},
            product=level,
            kind="nas" if row is not None else None,
            media=row.media if row is not None else None,
            encrypted=None,
            can_encrypt=False,  # no argument anywhere
            zone=reader.value(resource, "zone"),
            role=None,
        )


def read_buckets(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[Bucket]:
    """Every bucket with its rules."""
    for resource in reader.of(BUCKET):
        tags = tags_of(reader.value(resource, "tags"))
        acl, emptied = reader.value(resource, "acl"), reader.value(resource, "forceDestroy")
        yield Bucket(
            resource=resource,
            cloud="baiducloud",
            region=region_of[resource.urn],
            paths={"tiering": "lifecycleRules", "public": "acl", "emptied": "forceDestroy"},
            tags=tags,
            role=tags.get("trainform-role"),
            cools_after_days=_cooling(reader.value(resource, "lifecycleRules")),
            public=UNKNOWN if acl is UNKNOWN else str(acl).startswith("public"),
            emptied_by_destroy=UNKNOWN if emptied is UNKNOWN else emptied is True,
        )


def _cooling(rules: Value) -> float | Unknown | None:
    """Days until the first move to a cheaper class."""
    if isinstance(rules, Unknown):
        return rules
    moves = [_days(rule) for rule in rules or () if isinstance(rule, dict) and _moves(rule)]
    known = [days for days in moves if isinstance(days, float)]
    return min(known) if known else (UNKNOWN if UNKNOWN in moves else None)


def _moves(rule: dict[str, Value]) -> bool:
    action = rule.get("action")
    return rule.get("status") != "disabled" and isinstance(action, dict) and action.get("name") == "Transition"


def _days(rule: dict[str, Value]) -> float | Unknown | None:
    condition = rule.get("condition")
    time = condition.get("time") if isinstance(condition, dict) else None
    after: Value = time.get("dateGreaterThan") if isinstance(time, dict) else None
    if isinstance(after, Unknown):
        return after
    match = AFTER.fullmatch(str(after))
    return float(match[1]) if match is not None else None
