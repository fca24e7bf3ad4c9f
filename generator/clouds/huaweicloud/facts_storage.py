"""File systems and buckets of a stack of Huawei Cloud, and who may reach them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from generator.facts import Bucket, FileSystem
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, Value, number, tags_of
from generator.legality.table_forms import tables
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

FILE_SYSTEM = "Sfs/turbo:Turbo"
BUCKET = "Obs/bucket:Bucket"
BUCKET_POLICY = "Obs/bucketPolicy:BucketPolicy"
BUCKET_ACL = "Obs/bucketAcl:BucketAcl"
EVERYBODY = "*"


def read_file_systems(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[FileSystem]:
    """Every file system, judged by its class and, where it is parallel, by its density."""
    rows = {(row.id, row.level or None): row for row in tables("huaweicloud").file_systems}
    for resource in reader.of(FILE_SYSTEM):
        product, level = reader.value(resource, "shareType"), reader.value(resource, "hpcBandwidth")
        named = isinstance(product, str) and not isinstance(level, Unknown)
        row = rows.get((str(product), level)) if named else None
        tags = tags_of(reader.value(resource, "tags"))
        yield FileSystem(
            resource=resource,
            cloud="huaweicloud",
            region=region_of[resource.urn],
            paths={
                "media": "hpcBandwidth" if level is not None else "shareType",
                "encrypted": "cryptKeyId",
                "zone": "availabilityZone",
                "protection": "opts.protect",
            },
            tags=tags,
            product=product,
            kind=("parallel" if row.kind == "parallel" else "nas") if row is not None else None,
            media=row.media if row is not None else None,
            encrypted=reader.value(resource, "cryptKeyId") is not None,
            zone=reader.value(resource, "availabilityZone"),
            role=tags.get("trainform-role"),
        )


def read_buckets(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[Bucket]:
    """Every bucket with what other resources say of it."""
    for resource in reader.of(BUCKET):
        tags = tags_of(reader.value(resource, "tags"))
        emptied = reader.value(resource, "forceDestroy")
        yield Bucket(
            resource=resource,
            cloud="huaweicloud",
            region=region_of[resource.urn],
            paths={"tiering": "lifecycleRules", "public": "acl", "emptied": "forceDestroy"},
            tags=tags,
            role=tags.get("trainform-role"),
            cools_after_days=_cooling(reader.value(resource, "lifecycleRules")),
            public=_public(reader, resource),
            emptied_by_destroy=UNKNOWN if emptied is UNKNOWN else emptied is True,
        )


def _cooling(rules: Value) -> float | Unknown | None:
    """Days until the first move to a cheaper class by a rule that is on."""
    if isinstance(rules, Unknown):
        return rules
    moves = [
        number(move.get("days"))
        for rule in rules or ()
        if isinstance(rule, dict) and rule.get("enabled") is not False
        for move in rule.get("transitions") or ()
        if isinstance(move, dict)
    ]
    known = [days for days in moves if isinstance(days, float)]
    return min(known) if known else (UNKNOWN if UNKNOWN in moves else None)


def _public(reader: StackReader, bucket: Resource) -> bool | Unknown:
    acl, inner = reader.value(bucket, "acl"), reader.value(bucket, "policy")
    told = [UNKNOWN if acl is UNKNOWN else str(acl).startswith("public")]
    told += [] if inner is None else [_for_everybody(inner)]
    told += [
        _for_everybody(reader.value(policy, "policy"))
        for policy in reader.referrers(bucket.urn, "bucket", BUCKET_POLICY)
    ]
    told += [
        reader.value(acl, "publicPermission") is not None for acl in reader.referrers(bucket.urn, "bucket", BUCKET_ACL)
    ]
    return either(*told)


def _for_everybody(policy: Value) -> bool | Unknown:
    """Whether a bucket policy allows something to everybody without a condition."""
    try:
        document: Any = UNKNOWN if isinstance(policy, Unknown) else json.loads(str(policy))
    except ValueError:
        return False
    if isinstance(document, Unknown):
        return UNKNOWN
    statements = document.get("Statement") or () if isinstance(document, dict) else ()
    return any(_opens(entry) for entry in statements if isinstance(entry, dict))


def _opens(statement: dict[str, Any]) -> bool:
    people = statement.get("Principal") or {}
    names = people.get("ID", ()) if isinstance(people, dict) else people
    several = names if isinstance(names, list) else [names]
    return statement.get("Effect") == "Allow" and EVERYBODY in several and not statement.get("Condition")
