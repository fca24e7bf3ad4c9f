"""What a machine's fact says that no cloud owns: by its tags, and by what the catalog knows of its types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from generator.catalog import load_catalog
from generator.catalog.offers import InstanceType
from generator.facts import Bid, KnownType, Node, Role
from generator.facts import names as known
from generator.facts.reader import StackReader, Value, first_number, number
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource
from generator.sizing.accelerators import find_accelerator

ROLES: dict[str, Role] = {"train": "train", "dev": "dev", "infer": "infer", "prep": "prep"}


def tag_facts(tags: Mapping[str, str]) -> dict[str, Any]:
    """The fields of `Node` that the contract's tags give (CONTRACTS section 4)."""
    nodes = tags.get("trainform-nodes", "")
    return {
        "role": ROLES.get(tags.get("trainform-role", "")),
        "job": tags.get("trainform-job"),
        "nodes": int(nodes) if nodes.isascii() and nodes.isdigit() else None,
        "checkpoint_every_minutes": first_number(tags.get("trainform-checkpoint-every"), "min"),
        "checkpoint_to": tags.get("trainform-checkpoint-to"),
        "dataset_gib": first_number(tags.get("trainform-dataset-gib"), ""),
        "ttl_hours": first_number(tags.get("trainform-ttl"), "h"),
    }


def type_facts(cloud_id: str, types: tuple[str | Unknown, ...], ended: frozenset[str]) -> dict[str, Any]:
    """The fields of `Node` that the catalog gives: the least of all its types; `ended`: statuses without a future."""
    described = known.instance_types(cloud_id, types)
    found = [kind for kind in described if kind is not None]
    first = described[0] if described else None
    whole = bool(described) and all(described)
    return {
        "gpu": first.gpu if first else None,
        "gpus": max(kind.gpus for kind in found) if whole else None,
        "vcpus": min(kind.vcpus for kind in found) if whole else None,
        "ram_gib": min(kind.ram_gib for kind in found) if whole else None,
        "gpu_usable_gib": min((kind.gpu_usable_gib for kind in found if kind.gpu_usable_gib), default=None),
        "cards": tuple(dict.fromkeys(kind.gpu for kind in found if kind.gpu)),
        "ended_types": tuple(kind.id for kind in found if kind.status in ended),
        "rdma_nics": first.rdma_nics if first else None,
        "network_gbps": (first.rdma_gbps or first.network_gbps) if first else None,
        "nvlink": first.interconnect == "nvlink" if first and first.interconnect else None,
        "local_nvme_gib": min((kind.local_nvme_gib for kind in found), default=0.0),
        "compute_capability": _capability(first),
    }


def with_stand_ins(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Where a group has one way to pay, what stands in for spot machines is another group of the same job."""
    paid = {node.job for node in nodes if node.pool and node.charge == "on_demand" and node.job is not None}
    return tuple(
        msgspec.structs.replace(node, spot_fallback=True) if node.charge == "spot" and node.job in paid else node
        for node in nodes
    )


def known_types(node: Node, platform: re.Pattern[str]) -> Iterator[KnownType]:
    """What the cloud's lists know of each type of a machine; names that match `platform` are sold by no list."""
    for kind in node.types:
        standing = UNKNOWN if isinstance(kind, Unknown) else known.standing(node.cloud, kind, node.region, platform)
        yield known_type(node, kind, standing)


def known_type(node: Node, kind: str | Unknown, standing: known.Standing | Unknown) -> KnownType:
    """One type of a machine with its standing, the nearest name of one that no list knows, and the date of the list."""
    return KnownType(
        resource=node.resource,
        cloud=node.cloud,
        region=node.region,
        paths={"type": node.paths["types"]},
        tags=node.tags,
        type=kind,
        standing=standing,
        nearest=known.nearest(node.cloud, kind) if isinstance(kind, str) and standing == "unknown" else None,
        list_date=load_catalog(node.cloud).as_of if standing == "not_listed" else None,
    )


def same_bid(
    cloud_id: str, types: tuple[str | Unknown, ...], amount: float | Unknown | None, region: str | Unknown | None
) -> tuple[Bid, ...]:
    """One bid for all types, beside the list price of each."""
    return tuple(
        Bid(type=kind, amount=amount, on_demand=known.on_demand_price(cloud_id, kind, region))
        for kind in types
        if isinstance(kind, str)
    )


def _capability(kind: InstanceType | None) -> float | None:
    card = find_accelerator(kind.gpu) if kind is not None and kind.gpu else None
    return float(card.compute_capability) if card is not None and card.compute_capability else None


def inherited(reader: StackReader, chain: tuple[Resource, ...], name: str) -> tuple[str, Value]:
    """Path and value of the first in the chain that says something itself, else of the first that has a default."""
    told = [reader.field(resource, name) for resource in chain]
    for resource, (path, value) in zip(chain, told, strict=True):
        if path and reader.explicit(resource, path) is not None:
            return path, value
    return next((pair for pair in told if pair[1] is not None), next((pair for pair in told if pair[0]), ("", None)))


def whole(value: Value, absent: int | Unknown) -> int | Unknown:
    """A number of machines; `absent` where nothing says it."""
    found = number(value)
    if found is None:
        return absent
    return found if isinstance(found, Unknown) else int(found)


def either(*values: bool | Unknown) -> bool | Unknown:
    """True when one is, UNKNOWN when one may be."""
    if True in values:
        return True
    return UNKNOWN if any(value is UNKNOWN for value in values) else False
