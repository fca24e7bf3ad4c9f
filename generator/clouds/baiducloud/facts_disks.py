"""Disks of a stack of Baidu AI Cloud: system and data disks of machines and groups, and standalone ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.clouds.baiducloud.facts_nodes import machine_tags
from generator.facts import Disk
from generator.facts.names import disk_mbps, is_levelled, medium
from generator.facts.reader import StackReader, Value, carriers, kind_of, number, tags_of
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

CDS = "index/cds:Cds"
ATTACHMENT = "index/cdsAttachment:CdsAttachment"
POLICY = "index/autoSnapshotPolicy:AutoSnapshotPolicy"
# Where nested data disks stand, by the kind of resource; names of their kind, their size.
NESTED = {
    "index/instance:Instance": ("cdsDisks", "storageType", "cdsSizeInGb"),
    "index/hpasInstance:HpasInstance": ("dataVolumes", "volumeType", "volumeSizeInGb"),
    "index/ccev2InstanceGroup:Ccev2InstanceGroup": (
        "spec.instanceTemplate.instanceResource.cdsLists",
        "storageType",
        "cdsSize",
    ),
}


def read_disks(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[Disk]:
    """Every disk that some property of the stack makes. `region_of` holds the region of each resource by URN."""
    for kind in carriers("baiducloud"):
        for resource in reader.of(kind):
            if reader.field(resource, "system_kind")[0]:
                yield _system_disk(reader, resource, region_of[resource.urn])
            if kind in NESTED:
                yield from _data_disks(reader, resource, region_of[resource.urn])
    for resource in reader.of(CDS):
        yield _standalone(reader, resource, region_of[resource.urn])


def _of_kind(kind: Value, size_gib: Value) -> dict[str, Any]:
    """What the tables say of a disk of this kind and size; no argument anywhere encrypts one."""
    media, persistent = medium("baiducloud", kind)
    return {
        "kind": kind,
        "level": None,
        "size_gib": size_gib,
        "media": media,
        "persistent": persistent,
        "levelled": is_levelled("baiducloud", kind),
        "mbps": disk_mbps("baiducloud", kind, None, size_gib),
        "can_encrypt": False,
    }


def _system_disk(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Disk:
    kind_path, kind = reader.field(resource, "system_kind")
    size_path, size = reader.field(resource, "system_size")
    return Disk(
        resource=resource,
        cloud="baiducloud",
        region=region,
        paths={"kind": kind_path, "level": kind_path, "size_gib": size_path, "encrypted": "", "snapshots": kind_path},
        tags=machine_tags(reader, resource),
        use="system",
        **_of_kind(kind, number(size)),
        can_snapshot=False,  # the provider does not tell its id
        deleted_with_node=True,
        node=resource.urn,
        defaulted=kind is not None and reader.explicit(resource, kind_path) is None,
    )


def _data_disks(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Iterator[Disk]:
    name, kind_name, size_name = NESTED[kind_of(resource)]
    unseen: dict[str, Value] = dict.fromkeys((kind_name, size_name), UNKNOWN)
    for path, told in reader.blocks(resource, name):
        block = unseen if isinstance(told, Unknown) else told
        kind = block.get(kind_name)
        yield Disk(
            resource=resource,
            cloud="baiducloud",
            region=region,
            paths={
                "kind": f"{path}.{kind_name}",
                "level": f"{path}.{kind_name}",
                "size_gib": f"{path}.{size_name}",
                "encrypted": path,
                "snapshots": path,
                "deleted_with_node": path,
            },
            tags=machine_tags(reader, resource),
            use="data",
            **_of_kind(kind, number(block.get(size_name))),
            snapshots=_taken(reader, resource),
            deleted_with_node=True,
            node=resource.urn,
            defaulted=False,
        )


def _standalone(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Disk:
    attachments = reader.referrers(resource.urn, "cdsId", ATTACHMENT)
    node = reader.target(attachments[0], "instanceId") if attachments else None
    kind = reader.value(resource, "storageType")
    return Disk(
        resource=resource,
        cloud="baiducloud",
        region=region,
        paths={
            "kind": "storageType",
            "level": "storageType",
            "size_gib": "diskSizeInGb",
            "encrypted": "storageType",
            "snapshots": "storageType",
            "deleted_with_node": "storageType",
            "zone": "zoneName",
        },
        tags=tags_of(reader.value(resource, "tags")),
        use="data",
        **_of_kind(kind, number(reader.value(resource, "diskSizeInGb"))),
        standalone=True,
        snapshots=_taken(reader, resource, *attachments),
        deleted_with_node=False,  # a disk of its own is released by nobody but its owner
        zone=reader.value(resource, "zoneName"),
        node=node if isinstance(node, str) else None,
        defaulted=kind is not None and reader.explicit(resource, "storageType") is None,
    )


def _taken(reader: StackReader, *named: Resource) -> bool | Unknown:
    """Whether a policy takes the disk, by its own id or that of its attachment; one of unknown disks may."""
    wanted = {resource.urn for resource in named}
    perhaps = False
    for policy in reader.of(POLICY):
        found = reader.targets(policy, "volumeIds")
        if wanted & {target for target in found if isinstance(target, str)}:
            return True
        perhaps = perhaps or UNKNOWN in found
    return UNKNOWN if perhaps else False
