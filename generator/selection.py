"""The choice: every offer in scope is chosen, a runner-up, or rejected with one reason and the numbers."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec

from generator.catalog import Disk, FileSystem, InstanceType, Offer
from generator.sizing.estimate import Fit

# Of several reasons the first in this order is given (CONTRACTS section 3).
REASONS = (
    "unknown_accelerator", "not_orderable", "region_unknown", "region", "zone", "compliance", "capability",
    "architecture", "hardware_limit", "quota", "precision", "framework", "cpu", "ram", "storage", "fabric", "layout",
    "memory", "latency", "deadline", "currency", "unpriced", "budget", "dominated",
)  # fmt: skip


class Money(msgspec.Struct, frozen=True, kw_only=True):
    """An amount with its currency; never added across currencies."""

    amount: Decimal
    currency: str


class CostPart(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the bill: what, how many, unit price with date and source, per hour and for the run; None is unpriced."""

    part: str
    quantity: float
    unit: str
    unit_price: str | None  # "34.74 CNY/h, list of 2025-09"
    hourly: Money | None
    run: Money | None


class StorageChoice(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of storage of the stack with the numbers it follows from. `mbps` is what it gives."""

    kind: Literal["disk", "file_system", "nas", "bucket", "local"]
    role: Literal["system", "data", "ckpt", "raw", "cache", "archive"]
    size_gib: int
    level: str | None  # "PL1", "advance_200", a bucket class
    mbps: float | None
    disk: Disk | None = None
    file_system: FileSystem | None = None
    per_node: bool = False
    reason: str = ""


class Alternate(msgspec.Struct, frozen=True, kw_only=True):
    """Another type for a spot pool: same card and count."""

    instance_type: str
    why: str
    price: Money | None = None


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One offer with nodes, layout, storage and cost: chosen or a runner-up."""

    offer: Offer
    nodes: int
    charge: Literal["on_demand", "spot", "reserved"]
    on_demand_nodes: int
    fit: Fit
    hours: float
    storage: tuple[StorageChoice, ...]
    costs: tuple[CostPart, ...]
    hourly: Money | None
    run: Money | None
    unpriced: tuple[str, ...]
    budget: Literal["within", "exceeded", "not_proven", "none"]
    deadline: Literal["met", "missed", "none"]
    alternates: tuple[Alternate, ...]
    reasons: tuple[str, ...]
    why_not: str | None = None

    @property
    def type(self) -> InstanceType:
        """The instance type of the offer."""
        return self.offer.type


class Rejection(msgspec.Struct, frozen=True, kw_only=True):
    """Why a type is out in these regions, in one code and one sentence with the numbers."""

    cloud: str
    regions: tuple[str, ...]
    instance_type: str
    reason: str
    message: str
    would_need: str | None = None


class Relaxation(msgspec.Struct, frozen=True, kw_only=True):
    """A limit of the spec that, changed from `old` to `new`, lets `candidate` through."""

    field: str
    old: str
    new: str
    candidate: Candidate | None
    message: str


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The answer; `chosen` is None when nothing fits, and then `relax` names the three nearest."""

    chosen: Candidate | None
    runners_up: tuple[Candidate, ...]
    rejected: tuple[Rejection, ...]
    relax: tuple[Relaxation, ...]
    assumptions: tuple[str, ...]
