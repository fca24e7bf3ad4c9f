"""Facts for tests of rules, made without a cloud: sound ones, but for the fields that a test is about."""

from __future__ import annotations

from typing import Any

from generator.facts import (
    AccessRule,
    Alarm,
    Bid,
    Bucket,
    Disk,
    Fact,
    Facts,
    FileSystem,
    IngressRule,
    Node,
    SecurityGroup,
    SizedFacts,
    Subnet,
)
from generator.resources import Resource
from policies.rules import our_rules

TODAY = "2026-11-30"


def _fact(name: str, **options: Any) -> dict[str, Any]:
    return {
        "resource": Resource(urn=name, type="test:it:It", name=name, inputs={}, **options),
        "cloud": "test",
        "region": "r",
    }


def node(name: str = "node", **fields: Any) -> Node:
    """A machine for training with one card, on demand, alone."""
    sound: dict[str, Any] = {
        "types": ("t",),
        "count": 1,
        "pool": False,
        "role": "train",
        "job": "j",
        "nodes": 1,
        "gpu": "A10",
        "gpus": 1,
        "vcpus": 16,
        "ram_gib": 128.0,
        "gpu_usable_gib": 22.0,
        "zones": ("z",),
        "vpc": "vpc",
        "subnets": ("subnet",),
        "groups": (),
        "image": "image",
        "image_kind": "gpu",
        "image_ends": None,
        "driver_step": False,
        "rdma": False,
        "charge": "on_demand",
        "cards": ("A10",),
        "compute_capability": 8.6,
        "checkpoint_every_minutes": 20.0,
        "checkpoint_to": "bucket",
    }
    return Node(**_fact(name) | sound | fields)


def disk(name: str = "disk", **fields: Any) -> Disk:
    """A data disk on SSD, of no machine."""
    sound = {"use": "data", "kind": "k", "level": "l", "media": "ssd", "size_gib": 100.0}
    return Disk(**_fact(name) | sound | fields)


def file_system(**fields: Any) -> FileSystem:
    """A parallel file system in the zone of the machines."""
    sound = {"product": "p", "kind": "parallel", "media": "ssd", "encrypted": True, "zone": "z", "role": "data"}
    return FileSystem(**_fact("store") | sound | fields)


def bucket(kept: bool = False, **fields: Any) -> Bucket:
    """A bucket of no role; `kept` is `retain_on_delete` in the resource's options."""
    sound = {"role": None, "cools_after_days": None, "public": False, "emptied_by_destroy": False}
    return Bucket(**_fact("bucket", retain_on_delete=kept) | sound | fields)


def alarm(**fields: Any) -> Alarm:
    """An alarm on a GPU metric that tells somebody, over all nodes."""
    sound = {"gpu_metric": True, "metric": "m", "receivers": True, "all_nodes": True}
    return Alarm(**_fact("alarm") | sound | fields)


def ingress(**fields: Any) -> IngressRule:
    """A rule that lets the world in to a port that is nobody's."""
    sound = {"group": "g", "accept": True, "ports": ((8000, 8000),), "sources": ("0.0.0.0/0",)}
    return IngressRule(**_fact("rule") | sound | fields)


def mounting(source: Any) -> AccessRule:
    """Who may mount a file system."""
    return AccessRule(**_fact("access"), source=source)


def group(name: str, reach: Any) -> SecurityGroup:
    """A security group whose members reach one another, or not."""
    return SecurityGroup(**_fact(name), members_reach=reach)


def subnet(name: str = "subnet", **fields: Any) -> Subnet:
    """A subnet of 10.0.0.0/24 within its network."""
    sound = {"cidr": "10.0.0.0/24", "network": "n", "network_cidr": "10.0.0.0/16", "reserved": 4}
    return Subnet(**_fact(name) | sound | fields)


def bid(amount: Any, on_demand: float | None) -> Bid:
    """The most that is paid for a type."""
    return Bid(type="t", amount=amount, on_demand=on_demand)


def verdicts(rule: str, *facts: Fact, **sized: Any) -> list[str]:
    """What one rule says of these facts and this output of the stack, without what it has nothing to judge in."""
    check = next(entry.check for entry in our_rules() if entry.id == rule)
    return [ruling.verdict for ruling in check(Facts(facts, SizedFacts(**sized), TODAY)) if ruling.verdict != "skip"]
