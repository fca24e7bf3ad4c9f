"""What a cloud's API told of its types, zones and prices, all clouds alike, and what it is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

import msgspec

from generator.catalog.offers import Source


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """What a cloud is asked: the regions, and the families whose prices are wanted beside those with accelerators.

    `endpoint` None is the SDK's own address; `tell` gets a line on each step.
    """

    regions: tuple[str, ...]
    families: frozenset[str]
    endpoint: str | None
    currency: str | None  # in which the account is billed, where the API does not say it
    tell: Callable[[str], None]

    def wants(self, kind: ListedType) -> bool:
        """True for a type that the catalog describes or would describe: with accelerators, or of a known family."""
        return kind.gpus > 0 or kind.family in self.families


class ListedType(msgspec.Struct, frozen=True, kw_only=True):
    """A type as the API describes it; None for what it does not tell."""

    id: str
    family: str
    vcpus: int
    ram_gib: float
    gpus: int
    gpu_name: str | None  # in the cloud's words
    gpu_memory_gib: float | None  # one card or the slice
    network_gbps: float | None
    cpu_arch: str | None
    bare_metal: bool | None


class ListedOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A type that is sold in a region (zone None: the API does not say in which), with its list price by the hour."""

    region: str
    zone: str | None
    instance_type: str
    amount: Decimal | None
    currency: str | None


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """All that was read: `zones` by region, `notes` for what the API does not tell."""

    types: tuple[ListedType, ...]
    offers: tuple[ListedOffer, ...]
    zones: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...] = ()


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """How a cloud's API is read. Each cloud folder's `refresh.py` holds one as `READING`."""

    modules: tuple[str, ...]  # import packages of the SDK
    credentials: str  # where the SDK looks for them, for a person
    types_source: Source
    offers_source: Source
    price_source: Source
    opens: frozenset[str]  # statuses that say only that no source tells of a sale: the API is one
    read: Callable[[Ask], Listing]
    names_currency: bool = True  # False: the API's prices are in the account's currency, which only a person can say
