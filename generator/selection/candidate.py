"""What selection hands out: a candidate with its layout, storage and bill, or a rejection with one code."""

from __future__ import annotations

from typing import Literal

import msgspec

from generator.catalog import InstanceType, Offer
from generator.selection.cost import Bill, CostPart
from generator.selection.storage import StorageChoice
from generator.sizing.estimate import Fit
from generator.spec.quantities import Money

# Of several reasons the first in this order is given (CONTRACTS section 3).
REASONS = (
    "unknown_accelerator", "not_orderable", "region_unknown", "region", "zone", "compliance", "capability",
    "architecture", "hardware_limit", "quota", "precision", "framework", "cpu", "ram", "storage", "fabric", "layout",
    "memory", "latency", "deadline", "currency", "unpriced", "budget", "dominated",
)  # fmt: skip

Charge = Literal["on_demand", "spot", "reserved"]


class Alternate(msgspec.Struct, frozen=True, kw_only=True):
    """Another type for a spot pool: same card and count."""

    instance_type: str
    why: str
    price: Money | None = None


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One offer with nodes, layout, storage and cost: chosen or a runner-up."""

    offer: Offer
    nodes: int  # that work; `spare_nodes` stand by and are paid as well
    charge: Charge
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
    spare_nodes: int = 0
    assumptions: tuple[str, ...] = ()

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


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """A reason and its sentence, before it is known for which regions it holds."""

    reason: str
    message: str
    would_need: str | None = None

    @property
    def rank(self) -> int:
        """Its place in REASONS."""
        return REASONS.index(self.reason)


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """One offer at one node count and charge that passed every limit: what is ranked."""

    offer: Offer
    nodes: int
    charge: Charge
    fit: Fit
    hours: float
    storage: tuple[StorageChoice, ...]
    bill: Bill
    budget: Literal["within", "not_proven", "none"]
    second: bool  # the on-demand twin of a spot offer that is good enough
    notes: tuple[str, ...] = ()  # reasons of this charge or count
    assumptions: tuple[str, ...] = ()
