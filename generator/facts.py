"""The vocabulary that rules speak: what a stack has, in words no cloud owns. A value may be UNKNOWN; None means absent.

A cloud's `facts.py` turns resources into these; a rule never sees a property name. `path` of each fact is where its cure goes.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from generator.resources import Resource, Unknown

Role = Literal["train", "dev", "infer", "prep"]


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """What one resource says. `paths` maps a field of the fact to the property it was read from, for findings and cures."""

    resource: Resource
    cloud: str
    region: str | Unknown | None
    paths: dict[str, str] = {}
    tags: dict[str, str] = {}


class Disk(Fact, frozen=True, kw_only=True):
    """A disk: of a node or template (system or data), or standalone. `media` as the cloud's table says, None: kind unknown to it."""

    use: Literal["system", "data"]
    kind: str | Unknown | None
    level: str | Unknown | None
    media: Literal["hdd", "hybrid", "ssd", "nvme"] | None
    size_gib: float | Unknown | None
    iops: float | Unknown | None = None
    mbps: float | Unknown | None = None
    encrypted: bool | Unknown | None = None
    persistent: bool = True
    standalone: bool = False
    snapshots: bool | Unknown = False  # a policy is really attached to this disk
    deleted_with_node: bool | Unknown | None = None
    zone: str | Unknown | None = None
    node: str | None = None  # URN of the node or template it belongs to or is attached to
    defaulted: bool = False  # the kind is the provider's default


class Node(Fact, frozen=True, kw_only=True):
    """A machine, or a pool with its template (one fact). `count` is its size; `gpus` None when the type is unknown to the catalog."""

    types: tuple[str | Unknown, ...]
    count: int | Unknown
    pool: bool
    role: Role | None
    job: str | None
    nodes: int | None  # trainform-nodes
    gpu: str | None
    gpus: int | None
    vcpus: int | None
    ram_gib: float | None
    known_type: Literal["known", "other_region", "unknown", "platform"] | Unknown
    zones: tuple[str | Unknown, ...]
    vpc: str | Unknown | None
    subnets: tuple[str | Unknown, ...]
    groups: tuple[str | Unknown, ...]
    image: str | Unknown | None
    image_kind: Literal["gpu", "cpu", "plain", "eol", "private"] | Unknown | None
    user_data: str | Unknown | None
    rdma: bool | Unknown | None  # really switched on, on every card it takes
    fabric: str | Unknown | None  # the cluster or interface the RDMA runs over
    charge: Literal["on_demand", "spot", "mixed", "prepaid"] | Unknown
    spot_cap: float | Unknown | None = None
    spot_fallback: bool | Unknown = False
    on_demand_price: float | None = None
    spot_notice_hook: bool | Unknown = False
    checkpoint_every_minutes: float | None = None
    checkpoint_to: str | None = None
    dataset_gib: float | None = None
    ttl_hours: float | None = None
    monitoring: bool | Unknown | None = None  # None: absent
    monitoring_applies: bool = True
    public_address: bool | Unknown = False
    ends: bool | Unknown = False  # release time, schedule to zero or TTL
    stop_without_charge: bool | Unknown | None = None
    stops_by_schedule: bool | Unknown = False


class Alarm(Fact, frozen=True, kw_only=True):
    """An alarm: on which kind of metric, over which nodes (URNs; () means all), and whether somebody is told."""

    gpu_metric: bool | Unknown
    metric: str | Unknown | None
    receivers: bool | Unknown
    nodes: tuple[str, ...]


class SizedFacts(Fact, frozen=True, kw_only=True):
    """The stack output `trainform` (CONTRACTS section 4), of our own stacks; every field None where absent."""

    gpu_memory_bound_gib: float | None = None
    gpu_memory_usable_gib: float | None = None
    precision: str | None = None
    profile: str | None = None
    framework: str | None = None
    run_hours: float | None = None
    read_mbps: float | None = None
    checkpoint_gib: float | None = None
    exposed_ratio: float | None = None
    spec_sha256: str | None = None
