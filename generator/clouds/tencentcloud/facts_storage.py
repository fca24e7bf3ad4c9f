"""File systems and buckets of a stack of Tencent Cloud, and who may reach them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from generator.clouds.tencentcloud.facts_network import SUBNET, zone_of_subnet
from generator.facts import AccessRule, Bucket, FileSystem
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, Value, number, tags_of
from generator.legality.table_forms import tables
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

FILE_SYSTEM = "Cfs/fileSystem:FileSystem"
BUCKET = "Cos/bucket:Bucket"
BUCKET_POLICY = "Cos/bucketPolicy:BucketPolicy"
EVERYBODY = "qcs::cam::anyone:anyone"
ENCRYPTS_ALWAYS = True  # CFS encrypts what it holds at rest (CFS documentation); the provider has no argument for it


def read_file_systems(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[FileSystem]:
    """Every file system, judged by its class."""
    rows = {row.level: row for row in tables("tencentcloud").file_systems}
    for resource in reader.of(FILE_SYSTEM):
        level = reader.value(resource, "storageType")
        row = rows.get(level) if isinstance(level, str) else None
        yield FileSystem(
            resource=resource,
            cloud="tencentcloud",
            region=region_of[resource.urn],
            paths={
                "media": "storageType",
                "encrypted": "storageType",
                "zone": "availabilityZone",
                "protection": "opts.protect",
            },
            tags=tags_of(reader.value(resource, "tags")),
            product=level,
            kind=("parallel" if row.kind == "parallel" else "nas") if row is not None else None,
            media=row.media if row is not None else None,
            encrypted=ENCRYPTS_ALWAYS,
            zone=_zone(reader, resource),
            role=tags_of(reader.value(resource, "tags")).get("trainform-role"),
        )


def _zone(reader: StackReader, resource: Resource) -> str | Unknown | None:
    zone = reader.value(resource, "availabilityZone")
    if isinstance(zone, str):
        return zone
    subnet = reader.target(resource, "subnetId", SUBNET)
    if subnet is None:
        return UNKNOWN if zone is UNKNOWN else None
    return zone_of_subnet(reader, subnet)


def read_access_rules(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[AccessRule]:
    """Every rule of who may mount; `*` is everybody who reaches the address."""
    for resource in reader.of("Cfs/accessRule:AccessRule"):
        source = reader.value(resource, "authClientIp")
        yield AccessRule(
            resource=resource,
            cloud="tencentcloud",
            region=region_of[resource.urn],
            paths={"source": "authClientIp"},
            source="0.0.0.0/0" if source == "*" else source,
        )


def read_buckets(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[Bucket]:
    """Every bucket with what other resources say of it."""
    for resource in reader.of(BUCKET):
        tags = tags_of(reader.value(resource, "tags"))
        emptied = reader.value(resource, "forceClean")
        yield Bucket(
            resource=resource,
            cloud="tencentcloud",
            region=region_of[resource.urn],
            paths={"tiering": "lifecycleRules", "public": "acl", "emptied": "forceClean"},
            tags=tags,
            role=tags.get("trainform-role"),
            cools_after_days=_cooling(reader.value(resource, "lifecycleRules")),
            public=_public(reader, resource),
            emptied_by_destroy=UNKNOWN if emptied is UNKNOWN else emptied is True,
        )


def _cooling(rules: Value) -> float | Unknown | None:
    """Days until the first move to a cheaper class."""
    if isinstance(rules, Unknown):
        return rules
    moves = [
        number(move.get("days"))
        for rule in rules or ()
        if isinstance(rule, dict)
        for move in rule.get("transitions") or ()
        if isinstance(move, dict)
    ]
    known = [days for days in moves if isinstance(days, float)]
    return min(known) if known else (UNKNOWN if UNKNOWN in moves else None)


def _public(reader: StackReader, bucket: Resource) -> bool | Unknown:
    acl = reader.value(bucket, "acl")
    told = [UNKNOWN if acl is UNKNOWN else str(acl).startswith("public")]
    told += [
        _for_everybody(reader.value(policy, "policy"))
        for policy in reader.referrers(bucket.urn, "bucket", BUCKET_POLICY)
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
    statements = document.get("Statement") or document.get("statement") or () if isinstance(document, dict) else ()
    return any(_opens(entry) for entry in statements if isinstance(entry, dict))


def _opens(statement: dict[str, Any]) -> bool:
    told = {key.lower(): value for key, value in statement.items()}
    people = told.get("principal") or {}
    names = people.get("qcs", ()) if isinstance(people, dict) else people
    return told.get("effect") == "allow" and EVERYBODY in str(names) and not told.get("condition")
