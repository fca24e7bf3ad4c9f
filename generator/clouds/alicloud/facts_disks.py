"""Disks of a stack of Alibaba Cloud: system and data disks of machines, templates and pools, and standalone ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.facts import Disk
from generator.facts.names import disk_mbps, is_levelled, medium
from generator.facts.reader import StackReader, Value, carriers, kind_of, number, tags_of, truth
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

STANDALONE = ("ecs/ecsDisk:EcsDisk", "ecs/disk:Disk")
ATTACHMENTS = ("ecs/ecsDiskAttachment:EcsDiskAttachment", "ecs/diskAttachment:DiskAttachment")
POLICIES = ("ecs/autoSnapshotPolicy:AutoSnapshotPolicy", "ecs/snapshotPolicy:SnapshotPolicy")
UNSEEN: dict[str, Value] = dict.fromkeys(
    ("category", "performanceLevel", "size", "encrypted", "deleteWithInstance"), UNKNOWN
)
POLICY_ATTACHMENT = "ecs/ecsAutoSnapshotPolicyAttachment:EcsAutoSnapshotPolicyAttachment"


def read_disks(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[Disk]:
    """Every disk that some property of the stack makes. `region_of` holds the region of each resource by URN."""
    for kind in carriers("alicloud"):
        for resource in reader.of(kind):
            if reader.field(resource, "system_kind")[0]:
                yield _system_disk(reader, resource, region_of[resource.urn])
            yield from _data_disks(reader, resource, region_of[resource.urn])
    for resource in reader.of(*STANDALONE):
        yield _standalone(reader, resource, region_of[resource.urn])


def _of_kind(kind: Value, level: Value, size_gib: Value) -> dict[str, Any]:
    """What the tables say of a disk of this kind, level and size."""
    media, persistent = medium("alicloud", kind)
    return {
        "kind": kind,
        "level": level,
        "size_gib": size_gib,
        "media": media,
        "persistent": persistent,
        "levelled": is_levelled("alicloud", kind),
        "mbps": disk_mbps("alicloud", kind, level, size_gib),
    }


def _system_disk(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Disk:
    paths, values = _fields(reader, resource, "kind", "level", "size", "iops", "encrypted", "snapshots")
    return Disk(
        resource=resource,
        cloud="alicloud",
        region=region,
        paths=paths,
        tags=_tags(reader, resource),
        use="system",
        **_of_kind(values["kind"], values["level"], number(values["size"])),
        iops=number(values["iops"]),
        can_encrypt=bool(paths["encrypted"]),
        encrypted=truth(values["encrypted"]),
        snapshots=_policy(reader, resource, paths["snapshots"]),
        deleted_with_node=True,
        node=resource.urn,
        defaulted=values["kind"] is not None and reader.explicit(resource, paths["kind"]) is None,
    )


def _fields(reader: StackReader, resource: Resource, *names: str) -> tuple[dict[str, str], dict[str, Value]]:
    paths: dict[str, str] = {}
    values: dict[str, Value] = {}
    for name in names:
        paths[name], values[name] = reader.field(resource, f"system_{name}")
    paths["size_gib"] = paths["size"]
    return paths, values


def _tags(reader: StackReader, resource: Resource) -> dict[str, str]:
    return tags_of(reader.field(resource, "tags")[1])


def _policy(reader: StackReader, resource: Resource, path: str) -> bool | Unknown:
    """Whether an input names a snapshot policy: of this stack, or by a literal id."""
    if not path:
        return False
    target = reader.target(resource, path, *POLICIES)
    return UNKNOWN if target is UNKNOWN else bool(target)


def _data_disks(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Iterator[Disk]:
    for path, told in reader.blocks(resource, "dataDisks"):
        block = UNSEEN if isinstance(told, Unknown) else told
        kind = block.get("category")
        policy = block.get("autoSnapshotPolicyId")
        depends = resource.property_dependencies.get("dataDisks", ())
        attached: bool | Unknown = isinstance(policy, str) or any(
            kind_of(reader.by_urn[urn]) in POLICIES for urn in depends if urn in reader.by_urn and policy is UNKNOWN
        )
        yield Disk(
            resource=resource,
            cloud="alicloud",
            region=region,
            paths={
                "kind": f"{path}.category",
                "level": f"{path}.performanceLevel",
                "size_gib": f"{path}.size",
                "encrypted": f"{path}.encrypted",
                "snapshots": f"{path}.autoSnapshotPolicyId",
                "deleted_with_node": f"{path}.deleteWithInstance",
            },
            tags=_tags(reader, resource),
            use="data",
            **_of_kind(kind, block.get("performanceLevel"), number(block.get("size"))),
            iops=number(block.get("provisionedIops")),
            encrypted=truth(block.get("encrypted")),
            snapshots=UNKNOWN if policy is UNKNOWN and not attached else attached,
            deleted_with_node=truth(block.get("deleteWithInstance")),
            node=resource.urn,
            defaulted=kind is not None and "category" not in _own(resource, path),
        )


def _own(resource: Resource, path: str) -> dict[str, Value]:
    """What the program itself says in a block, without defaults."""
    blocks = resource.inputs.get("dataDisks")
    position = path.partition("[")[2].removesuffix("]")
    block = blocks[int(position)] if isinstance(blocks, list) and position else {}
    return block if isinstance(block, dict) else {}


def _standalone(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Disk:
    kind, level = reader.value(resource, "category"), reader.value(resource, "performanceLevel")
    zone = reader.value(resource, "zoneId")
    return Disk(
        resource=resource,
        cloud="alicloud",
        region=region,
        paths={
            "kind": "category",
            "level": "performanceLevel",
            "size_gib": "size",
            "encrypted": "encrypted",
            "snapshots": "autoSnapshotPolicyId",
            "deleted_with_node": "deleteWithInstance",
            "zone": "zoneId",
        },
        tags=tags_of(reader.value(resource, "tags")),
        use="data",
        **_of_kind(kind, level, number(reader.value(resource, "size"))),
        iops=number(reader.value(resource, "provisionedIops")),
        encrypted=truth(reader.value(resource, "encrypted")),
        standalone=True,
        snapshots=_attached_policy(reader, resource),
        deleted_with_node=_deleted_with_node(reader, resource),
        zone=zone if zone is not None else reader.value(resource, "availabilityZone"),
        node=_attached_node(reader, resource),
        defaulted=reader.explicit(resource, "category") is None,
    )


def _attached_node(reader: StackReader, disk: Resource) -> str | None:
    """URN of the node the disk is attached to, None where there is none or nobody can tell."""
    for attachment in reader.referrers(disk.urn, "diskId", *ATTACHMENTS):
        node = reader.target(attachment, "instanceId")
        return node if isinstance(node, str) else None
    node = reader.target(disk, "instanceId")
    return node if isinstance(node, str) else None


def _attached_policy(reader: StackReader, disk: Resource) -> bool | Unknown:
    """Whether a snapshot policy is attached to this very disk; an attachment to nobody knows what may be it, or not."""
    policies = [
        reader.target(attachment, "autoSnapshotPolicyId", *POLICIES)
        for attachment in reader.referrers(disk.urn, "diskId", POLICY_ATTACHMENT)
    ]
    if any(isinstance(policy, str) for policy in policies):
        return True
    return UNKNOWN if policies or reader.referrers(UNKNOWN, "diskId", POLICY_ATTACHMENT) else False


def _deleted_with_node(reader: StackReader, disk: Resource) -> bool | Unknown | None:
    """What the disk says of its end, else what its attachment says."""
    told = truth(reader.value(disk, "deleteWithInstance"))
    for attachment in reader.referrers(disk.urn, "diskId", *ATTACHMENTS):
        attached = truth(reader.value(attachment, "deleteWithInstance"))
        told = attached if attached is not None else told
    return told
