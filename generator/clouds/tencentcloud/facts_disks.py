"""Disks of a stack of Tencent Cloud: system and data disks of machines, templates and pools, and standalone ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.clouds.tencentcloud.facts_nodes import CONFIGURATION, machine_tags
from generator.facts import Disk
from generator.facts.names import decoded, disk_mbps, is_levelled, medium
from generator.facts.reader import StackReader, Value, carriers, kind_of, number, tags_of, truth
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

STORAGE = "Cbs/storage:Storage"
ATTACHMENTS = ("Cbs/storageAttachment:StorageAttachment",)
POLICY = "Cbs/snapshotPolicy:SnapshotPolicy"
POLICY_ATTACHMENT = "Cbs/snapshotPolicyAttachment:SnapshotPolicyAttachment"
# Where nested data disks stand, by the kind of resource; names of their kind, their size.
NESTED = {
    "Instance/instance:Instance": ("dataDisks", "dataDiskType", "dataDiskSize"),
    "As/scalingConfig:ScalingConfig": ("dataDisks", "diskType", "diskSize"),
    "Cvm/launchTemplate:LaunchTemplate": ("dataDisks", "diskType", "diskSize"),
    "Kubernetes/nodePool:NodePool": ("autoScalingConfig.dataDisks", "diskType", "diskSize"),
    "Kubernetes/nativeNodePool:NativeNodePool": ("native.dataDisks", "diskType", "diskSize"),
    "Thpc/workspaces:Workspaces": ("dataDisks", "diskType", "diskSize"),
}
# A launch configuration has no switch for the encryption of its disks.
UNENCRYPTED = frozenset({"As/scalingConfig:ScalingConfig"})


def read_disks(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[Disk]:
    """Every disk that some property of the stack makes. `region_of` holds the region of each resource by URN."""
    for kind in carriers("tencentcloud"):
        for resource in reader.of(kind):
            if reader.field(resource, "system_kind")[0]:
                yield _system_disk(reader, resource, region_of[resource.urn])
            if kind in NESTED:
                yield from _data_disks(reader, resource, region_of[resource.urn])
    for resource in reader.of(STORAGE):
        yield _standalone(reader, resource, region_of[resource.urn])


def _of_kind(kind: Value, size_gib: Value, extra_mbps: Value) -> dict[str, Any]:
    """What the tables say of a disk of this kind and size, and the speed that is bought beside."""
    media, persistent = medium("tencentcloud", kind)
    mbps, extra = disk_mbps("tencentcloud", kind, None, size_gib), number(extra_mbps)
    if isinstance(mbps, float) and extra is not None:
        mbps = UNKNOWN if isinstance(extra, Unknown) else mbps + extra
    return {
        "kind": kind,
        "level": None,
        "size_gib": size_gib,
        "media": media,
        "persistent": persistent,
        "levelled": is_levelled("tencentcloud", kind),
        "mbps": mbps,
    }


def _system_disk(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Disk:
    kind_path, kind = reader.field(resource, "system_kind")
    size_path, size = reader.field(resource, "system_size")
    return Disk(
        resource=resource,
        cloud="tencentcloud",
        region=region,
        paths={"kind": kind_path, "level": kind_path, "size_gib": size_path, "encrypted": "", "snapshots": kind_path},
        tags=machine_tags(reader, (resource,)),
        use="system",
        **_of_kind(kind, number(size), None),
        can_encrypt=False,  # no argument anywhere
        snapshots=_policy_of(reader, resource, nested=False),
        deleted_with_node=True,
        node=resource.urn,
        defaulted=kind is not None and reader.explicit(resource, kind_path) is None,
    )


def _data_disks(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Iterator[Disk]:
    name, kind_name, size_name = NESTED[kind_of(resource)]
    unseen: dict[str, Value] = dict.fromkeys((kind_name, size_name, "encrypt", "deleteWithInstance"), UNKNOWN)
    for path, told in reader.blocks(resource, name):
        block = unseen if isinstance(told, Unknown) else told
        kind = block.get(kind_name)
        yield Disk(
            resource=resource,
            cloud="tencentcloud",
            region=region,
            paths={
                "kind": f"{path}.{kind_name}",
                "level": f"{path}.{kind_name}",
                "size_gib": f"{path}.{size_name}",
                "encrypted": f"{path}.encrypt",
                "snapshots": path,
                "deleted_with_node": f"{path}.deleteWithInstance",
            },
            tags=machine_tags(reader, (resource,)),
            use="data",
            **_of_kind(kind, number(block.get(size_name)), block.get("throughputPerformance")),
            encrypted=truth(block.get("encrypt")),
            can_encrypt=kind_of(resource) not in UNENCRYPTED,
            snapshots=_policy_of(reader, resource, nested=True),
            deleted_with_node=truth(block.get("deleteWithInstance")),
            node=resource.urn,
            defaulted=kind is not None and kind_name not in _own(reader, resource, name, path),
        )


def _own(reader: StackReader, resource: Resource, name: str, path: str) -> dict[str, Value]:
    """What the program itself says in a block, without defaults."""
    blocks = reader.explicit(resource, name)
    position = path.rpartition("[")[2].removesuffix("]")
    block = blocks[int(position)] if isinstance(blocks, list) and position.isdigit() else {}
    return block if isinstance(block, dict) else {}


def _standalone(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Disk:
    kind = reader.value(resource, "storageType")
    size = number(reader.value(resource, "storageSize"))
    return Disk(
        resource=resource,
        cloud="tencentcloud",
        region=region,
        paths={
            "kind": "storageType",
            "level": "storageType",
            "size_gib": "storageSize",
            "encrypted": "encrypt",
            "snapshots": "storageType",
            "deleted_with_node": "storageType",
            "zone": "availabilityZone",
        },
        tags=tags_of(reader.value(resource, "tags")),
        use="data",
        **_of_kind(kind, size, reader.value(resource, "throughputPerformance")),
        encrypted=truth(reader.value(resource, "encrypt")),
        standalone=True,
        snapshots=_attached(reader, resource),
        deleted_with_node=False,  # a disk of its own is released by nobody but its owner
        zone=reader.value(resource, "availabilityZone"),
        node=_attached_node(reader, resource),
        defaulted=False,
    )


def _attached_node(reader: StackReader, disk: Resource) -> str | None:
    """URN of the node the disk is attached to, None where there is none or nobody can tell."""
    for attachment in reader.referrers(disk.urn, "storageId", *ATTACHMENTS):
        node = reader.target(attachment, "instanceId")
        return node if isinstance(node, str) else None
    job = tags_of(reader.value(disk, "tags")).get("trainform-job")
    takers = [one for one in reader.of(CONFIGURATION) if _takes_disks(reader, one)]
    return next((one.urn for one in takers if job and machine_tags(reader, (one,)).get("trainform-job") == job), None)


def _takes_disks(reader: StackReader, configuration: Resource) -> bool:
    """Whether members of a group attach a disk by themselves when they start."""
    user_data = reader.value(configuration, "userData")
    return isinstance(user_data, str) and "AttachDisks" in decoded(user_data)


def _attached(reader: StackReader, disk: Resource) -> bool | Unknown:
    """Whether a snapshot policy is attached to what this resource is or makes; one to nobody knows what may be it."""
    found = [
        reader.target(attachment, "snapshotPolicyId", POLICY)
        for name in ("storageId", "storageIds")
        for attachment in reader.referrers(disk.urn, name, POLICY_ATTACHMENT)
    ]
    if any(isinstance(policy, str) for policy in found):
        return True
    lost = any(reader.referrers(UNKNOWN, name, POLICY_ATTACHMENT) for name in ("storageId", "storageIds"))
    return UNKNOWN if found or lost else False


def _policy_of(reader: StackReader, machine: Resource, *, nested: bool) -> bool | Unknown:
    """An attachment to a disk of the machine is to its system disk; with nested disks nobody can tell to which."""
    attached = _attached(reader, machine)
    return UNKNOWN if attached is True and nested else attached
