"""File systems and buckets of a stack of Alibaba Cloud, and who may reach them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from generator.clouds.alicloud.facts_network import SWITCH, zone_of_switch
from generator.facts import AccessRule, Bucket, FileSystem
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, Value, number, tags_of
from generator.legality.table_forms import tables
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

FILE_SYSTEM = "nas/fileSystem:FileSystem"
BUCKET = "oss/bucket:Bucket"
BUCKET_ACL = "oss/bucketAcl:BucketAcl"
PUBLIC_BLOCK = "oss/bucketPublicAccessBlock:BucketPublicAccessBlock"
BUCKET_POLICY = "oss/bucketPolicy:BucketPolicy"
PARALLEL = frozenset({"cpfs", "cpfsse"})


def read_file_systems(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[FileSystem]:
    """Every file system, judged by its product and class."""
    rows = {(row.id, row.level): row for row in tables("alicloud").file_systems}
    for resource in reader.of(FILE_SYSTEM):
        product = reader.value(resource, "fileSystemType")
        level = reader.value(resource, "storageType")
        row = rows.get((product, level)) if isinstance(product, str) and isinstance(level, str) else None
        encryption = reader.value(resource, "encryptType")
        yield FileSystem(
            resource=resource,
            cloud="alicloud",
            region=region_of[resource.urn],
            paths={"media": "storageType", "encrypted": "encryptType", "zone": "zoneId", "protection": "opts.protect"},
            tags=tags_of(reader.value(resource, "tags")),
            product=product,
            kind=("parallel" if product in PARALLEL else "nas") if isinstance(product, str) else None,
            media=row.media if row is not None else None,
            # CPFS encrypts all it holds and takes no such argument.
            encrypted=True
            if product in PARALLEL
            else UNKNOWN
            if encryption is UNKNOWN
            else str(encryption) in {"1", "2"},
            zone=_zone(reader, resource),
            role=tags_of(reader.value(resource, "tags")).get("trainform-role"),
        )


def _zone(reader: StackReader, resource: Resource) -> str | Unknown | None:
    zone = reader.value(resource, "zoneId")
    if isinstance(zone, str):
        return zone
    switch = reader.target(resource, "vswitchId", SWITCH)
    if switch is None:
        return UNKNOWN if zone is UNKNOWN else None
    return zone_of_switch(reader, switch)


def read_access_rules(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[AccessRule]:
    """Every rule of who may mount."""
    for resource in reader.of("nas/accessRule:AccessRule"):
        source = reader.value(resource, "sourceCidrIp") or reader.value(resource, "ipv6SourceCidrIp")
        yield AccessRule(
            resource=resource,
            cloud="alicloud",
            region=region_of[resource.urn],
            paths={"source": "sourceCidrIp"},
            source=source,
        )


def read_buckets(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[Bucket]:
    """Every bucket with what other resources say of it."""
    for resource in reader.of(BUCKET):
        tags = tags_of(reader.value(resource, "tags"))
        emptied = reader.value(resource, "forceDestroy")
        yield Bucket(
            resource=resource,
            cloud="alicloud",
            region=region_of[resource.urn],
            paths={"tiering": "lifecycleRules", "public": "acl", "emptied": "forceDestroy"},
            tags=tags,
            role=tags.get("trainform-role"),
            cools_after_days=_cooling(reader.value(resource, "lifecycleRules")),
            public=_public(reader, resource),
            emptied_by_destroy=UNKNOWN if emptied is UNKNOWN else emptied is True,
        )


def _cooling(rules: Value) -> float | Unknown | None:
    """Days until the first move to a cheaper class by a rule that is enabled."""
    if isinstance(rules, Unknown):
        return rules
    moves = [
        number(move.get("days"))
        for rule in rules or ()
        if isinstance(rule, dict) and rule.get("enabled") is True
        for move in rule.get("transitions") or ()
        if isinstance(move, dict)
    ]
    known = [days for days in moves if isinstance(days, float)]
    return min(known) if known else (UNKNOWN if UNKNOWN in moves else None)


def _public(reader: StackReader, bucket: Resource) -> bool | Unknown:
    blocks = [
        reader.value(block, "blockPublicAccess") for block in reader.referrers(bucket.urn, "bucket", PUBLIC_BLOCK)
    ]
    if True in blocks:
        return False
    lists = [reader.value(bucket, "acl")]
    lists += [reader.value(acl, "acl") for acl in reader.referrers(bucket.urn, "bucket", BUCKET_ACL)]
    policies = [reader.value(bucket, "policy")]
    policies += [reader.value(policy, "policy") for policy in reader.referrers(bucket.urn, "bucket", BUCKET_POLICY)]
    told = [UNKNOWN if acl is UNKNOWN else str(acl).startswith("public") for acl in lists if acl is not None]
    told += [_for_everybody(policy) for policy in policies if policy is not None]
    return either(*told)


def _for_everybody(policy: Value) -> bool | Unknown:
    """Whether a bucket policy allows something to everybody without a condition."""
    try:
        document: Any = UNKNOWN if isinstance(policy, Unknown) else json.loads(str(policy))
    except ValueError:
        return False
    if isinstance(document, Unknown):
        return UNKNOWN
    statements = document.get("Statement", ()) if isinstance(document, dict) else ()
    return any(
        entry.get("Effect") == "Allow" and "*" in (entry.get("Principal") or ()) and not entry.get("Condition")
        for entry in statements
        if isinstance(entry, dict)
    )
