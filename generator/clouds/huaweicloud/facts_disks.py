"""Disks of a stack of Huawei Cloud: system and data disks of machines and pools, and standalone ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.clouds.huaweicloud.facts_nodes import CONFIGURATION, GROUP, machine_tags
from generator.facts import Disk
from generator.facts.names import decoded, disk_mbps, is_levelled, medium
from generator.facts.node_facts import either
from generator.facts.reader import StackReader, Value, carriers, kind_of, number, tags_of, truth
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

VOLUME = "Evs/volume:Volume"
ATTACHMENT = "Ecs/volumeAttach:VolumeAttach"
VAULT = "Cbr/vault:Vault"
POLICY = "Cbr/policy:Policy"
# Where nested data disks stand, by the kind of resource; names of their kind, their key.
NESTED = {
    "Ecs/instance:Instance": ("dataDisks", "type", "kmsKeyId"),
    "Bms/instance:Instance": ("dataDisks", "type", ""),
    "As/configuration:Configuration": ("instanceConfig.disks", "volumeType", "kmsId"),
    "Cce/nodePool:NodePool": ("dataVolumes", "volumetype", "kmsKeyId"),
    "Cce/node:Node": ("dataVolumes", "volumetype", "kmsKeyId"),
}
SYSTEM = "SYS"  # a scaling configuration lists its system disk with the others
# Members of groups and pools, and bare metal, go with the disks that they came with.
TAKES_DISKS = frozenset({"As/configuration:Configuration", "Cce/nodePool:NodePool", "Cce/node:Node"})
Covered = dict[str, bool | Unknown]


def read_disks(reader: StackReader, region_of: dict[str, str | Unknown | None]) -> Iterator[Disk]:
    """Every disk that some property of the stack makes. `region_of` holds the region of each resource by URN."""
    for kind in carriers("huaweicloud"):
        for resource in reader.of(kind):
            if reader.field(resource, "system_kind")[0]:
                yield _system_disk(reader, resource, region_of[resource.urn])
            if kind in NESTED:
                yield from _nested(reader, resource, region_of[resource.urn])
    for resource in reader.of(VOLUME):
        yield _standalone(reader, resource, region_of[resource.urn])


def _of_kind(kind: Value, size_gib: Value) -> dict[str, Any]:
    """What the tables say of a disk of this kind and size."""
    media, persistent = medium("huaweicloud", kind)
    return {
        "kind": kind,
        "level": None,
        "size_gib": size_gib,
        "media": media,
        "persistent": persistent,
        "levelled": is_levelled("huaweicloud", kind),
        "mbps": disk_mbps("huaweicloud", kind, None, size_gib),
    }


def _key(value: Value) -> bool | Unknown:
    """Whether a key is named; one of this stack is known only later, and is one all the same."""
    return value is not None


def _tags(reader: StackReader, resource: Resource) -> dict[str, str]:
    """Tags of a machine; those of a scaling configuration stand on the groups that use it."""
    groups = reader.referrers(resource.urn, "scalingConfigurationId", GROUP)
    return machine_tags(reader, (resource, *groups))


def _system_disk(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Disk:
    kind_path, kind = reader.field(resource, "system_kind")
    size_path, size = reader.field(resource, "system_size")
    key_path, key = reader.field(resource, "system_encrypted")
    return Disk(
        resource=resource,
        cloud="huaweicloud",
        region=region,
        paths={
            "kind": kind_path,
            "level": kind_path,
            "size_gib": size_path,
            "encrypted": key_path,
            "snapshots": kind_path,
        },
        tags=_tags(reader, resource),
        use="system",
        **_of_kind(kind, number(size)),
        encrypted=_key(key) if key_path else None,
        can_encrypt=bool(key_path),
        snapshots=_backed_up(reader, resource.urn),
        deleted_with_node=True,
        node=resource.urn,
        defaulted=kind is not None and reader.explicit(resource, kind_path) is None,
    )


def _nested(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Iterator[Disk]:
    name, kind_name, key_name = NESTED[kind_of(resource)]
    unseen: dict[str, Value] = dict.fromkeys((kind_name, "size", "diskType", key_name), UNKNOWN)
    for path, told in reader.blocks(resource, name):
        block = unseen if isinstance(told, Unknown) else told
        yield Disk(
            resource=resource,
            cloud="huaweicloud",
            region=region,
            paths={
                "kind": f"{path}.{kind_name}",
                "level": f"{path}.{kind_name}",
                "size_gib": f"{path}.size",
                "encrypted": f"{path}.{key_name}",
                "snapshots": path,
                "deleted_with_node": "deleteDisksOnTermination",
            },
            tags=_tags(reader, resource),
            use="system" if block.get("diskType") == SYSTEM else "data",
            **_of_kind(block.get(kind_name), number(block.get("size"))),
            encrypted=_key(block.get(key_name)) if key_name else None,
            can_encrypt=bool(key_name),
            snapshots=_backed_up(reader, resource.urn, "server"),
            deleted_with_node=True
            if kind_of(resource) in TAKES_DISKS
            else truth(reader.value(resource, "deleteDisksOnTermination")),
            node=resource.urn,
            defaulted=False,  # each block must name its kind
        )


def _standalone(reader: StackReader, resource: Resource, region: str | Unknown | None) -> Disk:
    size = number(reader.value(resource, "size"))
    node = _attached_node(reader, resource)
    with_node = _backed_up(reader, node, "server") if node is not None else False
    return Disk(
        resource=resource,
        cloud="huaweicloud",
        region=region,
        paths={
            "kind": "volumeType",
            "level": "volumeType",
            "size_gib": "size",
            "encrypted": "kmsId",
            "snapshots": "volumeType",
            "deleted_with_node": "volumeType",
            "zone": "availabilityZone",
        },
        tags=tags_of(reader.value(resource, "tags")),
        use="data",
        **_of_kind(reader.value(resource, "volumeType"), size),
        encrypted=_key(reader.value(resource, "kmsId")),
        standalone=True,
        snapshots=either(_backed_up(reader, resource.urn), with_node),
        deleted_with_node=False,  # a disk of its own is released by nobody but its owner
        zone=reader.value(resource, "availabilityZone"),
        node=node,
        defaulted=False,
    )


def _attached_node(reader: StackReader, disk: Resource) -> str | None:
    """URN of the node the disk is attached to, None where there is none or nobody can tell."""
    for attachment in reader.referrers(disk.urn, "volumeId", ATTACHMENT):
        node = reader.target(attachment, "instanceId")
        return node if isinstance(node, str) else None
    server = reader.target(disk, "serverId")
    if isinstance(server, str):
        return server
    job = tags_of(reader.value(disk, "tags")).get("trainform-job")
    takers = [one for one in reader.of(CONFIGURATION) if _takes_disks(reader, one)]
    return next((one.urn for one in takers if job and _tags(reader, one).get("trainform-job") == job), None)


def _takes_disks(reader: StackReader, configuration: Resource) -> bool:
    """Whether members of a group attach a disk by themselves when they start."""
    user_data = reader.field(configuration, "user_data")[1]
    return isinstance(user_data, str) and "attachvolume" in decoded(user_data)


def _backed_up(reader: StackReader, urn: str, *kinds: str) -> bool | Unknown:
    """Whether a vault with a policy holds this resource; `kinds` of vault that count, any where none is named."""
    told: list[bool | Unknown] = []
    for vault in reader.of(VAULT):
        if kinds and reader.value(vault, "type") not in {*kinds, UNKNOWN}:
            continue
        held = reader.targets(vault, "resources")
        if urn in held:
            told.append(_with_policy(reader, vault))
        elif UNKNOWN in held and not vault.property_dependencies.get("resources") and _unseen(reader, vault):
            told.append(UNKNOWN)
    return either(*told)


def _unseen(reader: StackReader, vault: Resource) -> bool:
    """Whether nobody can tell what is in a vault: ids that are known later, from nobody knows where."""
    blocks = reader.value(vault, "resources")
    if not isinstance(blocks, list):
        return blocks is UNKNOWN
    return any(
        block is UNKNOWN
        or (isinstance(block, dict) and (block.get("serverId") is UNKNOWN or UNKNOWN in _listed(block.get("includes"))))
        for block in blocks
    )


def _listed(value: Value) -> list[Value]:
    return value if isinstance(value, list) else [value]


def _with_policy(reader: StackReader, vault: Resource) -> bool | Unknown:
    """A vault without a policy, or with one that is off, backs up nothing."""
    named = reader.targets(vault, "policies", POLICY) or reader.targets(vault, "policyId", POLICY)
    for name in named:
        policy = reader.by_urn.get(name) if isinstance(name, str) else None
        if policy is None or truth(reader.value(policy, "enabled")) is not False:
            return True
    return False
