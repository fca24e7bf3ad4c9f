"""The vocabulary that rules speak: what a stack has, in words no cloud owns. A value may be UNKNOWN; None means absent.

A cloud's `facts.py` turns resources into these; a rule never sees a property name. `paths` of each fact is where its
cure goes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeVar

import msgspec

from generator.program.values import Unknown
from generator.resources import STACK_TYPE, Resource, StackState

Role = Literal["train", "dev", "infer", "prep"]


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """What one resource says. `paths` maps a field of the fact to the property it was read from, for the cure."""

    resource: Resource
    cloud: str
    region: str | Unknown | None
    paths: dict[str, str] = {}
    tags: dict[str, str] = {}


class Disk(Fact, frozen=True, kw_only=True):
    """A disk: of a node or template, or standalone. `media` as the cloud's table says, None: a kind unknown to it."""

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
    levelled: bool = False  # the kind is sold at several levels
    can_encrypt: bool = True  # the resource has a switch for it
    can_snapshot: bool = True  # a policy can be attached to it


class Bid(msgspec.Struct, frozen=True, kw_only=True):
    """The most that is paid an hour for a type on spot, beside its on-demand list price here (None: unpriced)."""

    type: str
    amount: float | Unknown | None
    on_demand: float | None


class Node(Fact, frozen=True, kw_only=True):
    """A machine, or a pool of `count` with its template (one fact); `gpus` None: the catalog does not know the type."""

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
    gpu_usable_gib: float | None  # least memory of one card that any of the types has
    zones: tuple[str | Unknown, ...]
    vpc: str | Unknown | None
    subnets: tuple[str | Unknown, ...]
    groups: tuple[str | Unknown, ...]
    image: str | Unknown | None
    image_kind: Literal["gpu", "cpu", "plain", "private"] | Unknown | None  # None: an image no table knows
    image_ends: str | None  # when the system's maker ends its support, ISO date
    driver_step: bool | Unknown
    rdma: bool | Unknown  # really switched on, and the type can
    rdma_note: str | None = None  # why it is not, where the type is the reason
    charge: Literal["on_demand", "spot", "mixed", "prepaid"] | Unknown
    bids: tuple[Bid, ...] | Unknown = ()  # the highest bid of each type that has one
    spot_fallback: bool | Unknown = False
    spot_notice_hook: bool | Unknown = False
    checkpoint_every_minutes: float | None = None
    checkpoint_to: str | None = None
    dataset_gib: float | None = None
    ttl_hours: float | None = None
    monitoring: bool | Unknown | None = None  # None: absent
    monitoring_applies: bool = True
    public_address: bool | Unknown = False
    ends: bool | Unknown = False  # release time, schedule to zero or TTL
    stop_without_charge: bool | Unknown = False
    stops_by_schedule: bool | Unknown = False
    cards: tuple[str, ...] = ()  # every card that one of the types has, the first choice first
    ended_types: tuple[str, ...] = ()  # types that are retired, or not recommended any more
    rdma_interfaces: int | Unknown = 0
    rdma_nics: int | None = None  # network cards for RDMA that the type has
    network_gbps: float | None = None  # of the type, RDMA cards where it has them
    nvlink: bool | None = None
    local_nvme_gib: float = 0.0
    fuse_mount: bool | Unknown = False  # the user data mounts a bucket as if it were a file system
    metadata_tokens: bool | Unknown | None = None  # instance metadata asks for a token; None: nothing says so
    compute_capability: float | None = None  # of the first card, where it is NVIDIA's
    notice_s: float | None = None  # what the cloud gives before it takes a spot machine

    @property
    def job_size(self) -> int | Unknown:
        """How many nodes the job has: what its tag says, else the size of this machine or pool."""
        return self.nodes if self.nodes is not None else self.count

    @property
    def on_gpus(self) -> bool:
        """False only when the catalog knows every type and none has a card."""
        return self.gpus is None or self.gpus > 0


class KnownType(Fact, frozen=True, kw_only=True):
    """One instance type that a resource names, and what the catalog knows of it."""

    type: str | Unknown
    # `unlisted`: it may be sold, but no list we have tells; UNKNOWN: the region or the type is
    standing: Literal["sold", "not_listed", "unknown", "platform", "unlisted"] | Unknown
    nearest: str | None = None
    list_date: str | None = None  # of the region's list, for `not_listed`


class FileSystem(Fact, frozen=True, kw_only=True):
    """A file system; `media` None: its class is not known. A destroy takes what is in it."""

    product: str | Unknown | None
    kind: Literal["parallel", "nas"] | None
    media: Literal["hdd", "ssd"] | None
    encrypted: bool | Unknown | None
    zone: str | Unknown | None
    role: str | None
    can_encrypt: bool = True  # the resource has a switch for it


class Bucket(Fact, frozen=True, kw_only=True):
    """A bucket. `cools_after_days` is the first move to a cheaper class, None where there is none."""

    role: str | None
    cools_after_days: float | Unknown | None
    public: bool | Unknown
    emptied_by_destroy: bool | Unknown


class AccessRule(Fact, frozen=True, kw_only=True):
    """Which addresses may mount a file system."""

    source: str | Unknown | None


class IngressRule(Fact, frozen=True, kw_only=True):
    """One rule of a security group for what comes in. `sources` are address ranges; ports are closed intervals."""

    group: str | Unknown | None
    accept: bool | Unknown
    ports: tuple[tuple[int, int], ...] | Unknown  # () for protocols without ports
    sources: tuple[str | Unknown, ...]


class SecurityGroup(Fact, frozen=True, kw_only=True):
    """A group, and whether its members reach one another on every port."""

    members_reach: bool | Unknown


class Subnet(Fact, frozen=True, kw_only=True):
    """The address range of a subnet and of the network around it; `reserved` addresses are the cloud's own."""

    cidr: str | Unknown | None
    network: str | Unknown | None
    network_cidr: str | Unknown | None
    reserved: int


class OpenSecret(Fact, frozen=True, kw_only=True):
    """A secret that stands in the program as plain text: what it is and where; its value is never kept."""

    what: str
    path: str


class Breach(Fact, frozen=True, kw_only=True):
    """What the cloud's tables of legal values refuse; `said` is their sentence, `legal` the value that would do."""

    subject: str
    grave: bool
    said: str
    legal: str | None


class Alarm(Fact, frozen=True, kw_only=True):
    """An alarm: whether it watches a GPU metric and tells somebody, over all nodes or over some (URNs)."""

    gpu_metric: bool | Unknown
    metric: str | Unknown | None
    receivers: bool | Unknown
    all_nodes: bool | Unknown
    nodes: tuple[str, ...] = ()


class SizedFacts(msgspec.Struct, frozen=True, kw_only=True):
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
    tensor_parallel: float | None = None
    spec_sha256: str | None = None


F = TypeVar("F", bound=Fact)


class Facts:
    """All facts of a stack by kind, and the sized facts of its output."""

    def __init__(self, facts: Iterable[Fact], sized: SizedFacts, today: str) -> None:
        self.sized = sized
        self.today = today  # ISO date, for what ends
        self._by_kind: dict[type[Fact], list[Fact]] = {}
        for fact in facts:
            self._by_kind.setdefault(type(fact), []).append(fact)

    def training(self) -> tuple[Node, ...]:
        """The machines and pools whose role is training."""
        return tuple(node for node in self.of(Node) if node.role == "train")

    def of(self, kind: type[F]) -> tuple[F, ...]:
        """The facts of one kind, in the order of their resources."""
        return tuple(self._by_kind.get(kind, ()))  # type: ignore[arg-type]  # keyed by their own type


def read_sized(state: StackState) -> SizedFacts:
    """The sized facts of a stack's outputs; a field of another type than promised is absent."""
    told = state.outputs.get("trainform")
    if not isinstance(told, dict):
        return SizedFacts()
    fields: dict[str, Any] = {
        name: value
        for name, value in told.items()
        if name in SizedFacts.__struct_fields__
        and isinstance(value, str if name in _TEXTS else int | float)
        and not isinstance(value, bool)
    }
    return SizedFacts(**fields)


_TEXTS = frozenset({"precision", "profile", "framework", "spec_sha256"})


def root_resource(state: StackState) -> Resource | None:
    """The stack's own resource, on which findings about the whole stack stand."""
    return next((resource for resource in state.resources if resource.type == STACK_TYPE), None)
