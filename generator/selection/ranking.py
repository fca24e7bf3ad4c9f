"""The order of what passed every limit, the same on every run, and who could stand in for the first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import msgspec

from generator.catalog import InstanceType, Offer
from generator.selection.candidate import Alternate, Candidate, Variant
from generator.selection.cost import CENT, Bill, convert
from generator.selection.scope import TRAINING_TASKS, Request
from generator.selection.variants import price_cap
from generator.spec.quantities import Money


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """Variants in order: `places` holds the best of each type, and its on-demand twin; other regions lost to them."""

    places: tuple[Variant, ...]
    left_out: frozenset[str]  # kinds of cost that are unpriced for some candidate and so compared for none


def rank(request: Request, variants: Iterable[Variant], region_order: dict[tuple[str, str], int]) -> Ranking:
    """Sorts by what the user prefers, priced before unpriced; a place for each type, and for a spot offer's twin."""
    every = tuple(variants)
    left_out = frozenset(part.kind for variant in every for part in variant.bill.unpriced_beside)
    currencies = _currency_order(request, every)

    def key(variant: Variant) -> tuple[object, ...]:
        currency, amount = comparable_cost(request, variant.bill, left_out)
        size = round(capacity_hours(variant)) if currency is None else 0
        cost = (currency is None, currencies.get(currency, 0), amount.quantize(CENT), size)
        hours = (round(variant.hours, 2), variant.nodes)
        measure = (*cost, *hours) if request.prefer == "cost" else (currency is None, *hours, *cost)
        offer = variant.offer
        place = region_order.get((offer.type.cloud, offer.region), 0)
        return (
            variant.second,
            is_thin(request, variant),
            *measure,
            place,
            offer.type.cloud,
            offer.region,
            offer.zone or "",
            offer.type.id,
            variant.charge,
        )

    places: dict[tuple[str, str, bool], Variant] = {}
    for variant in sorted(every, key=key):
        places.setdefault((variant.offer.type.cloud, variant.offer.type.id, variant.second), variant)
    return Ranking(places=tuple(places.values()), left_out=left_out)


def is_thin(request: Request, variant: Variant) -> bool:
    """Whether training would span nodes whose cards are joined by PCIe only: ranked after NVLink (D0-27, D2-32)."""
    row = variant.offer.type
    trains = request.workload.task in TRAINING_TASKS
    return trains and variant.nodes > 1 and row.gpus > 1 and row.interconnect != "nvlink"


def capacity_hours(variant: Variant) -> float:
    """What stands in for a cost where no price is known: GiB of GPU memory (vCPUs without a card) x hours, all nodes.

    List prices of one cloud follow the memory of its cards more closely than their TFLOPS.
    """
    row = variant.offer.type
    size = row.gpus * (row.gpu_memory_gib or 0.0) if row.gpu else row.vcpus
    return size * variant.nodes * variant.hours


def comparable_cost(request: Request, bill: Bill, left_out: frozenset[str]) -> tuple[str | None, Decimal]:
    """What enters the ranking: the parts priced for all, in the budget's currency where a rate is given."""
    if bill.currency is None:
        return None, Decimal(0)
    money = Money(amount=bill.run_without(left_out), currency=bill.currency)
    if request.exchange_rates:
        money = convert(money, request.budget.currency if request.budget else "CNY", request.exchange_rates) or money
    return money.currency, money.amount


def _currency_order(request: Request, variants: Iterable[Variant]) -> dict[str | None, int]:
    """Currencies without a rate are ranked apart: the budget's first, then by name."""
    first = request.budget.currency if request.budget else "CNY"
    names = sorted(
        {variant.bill.currency for variant in variants if variant.bill.currency}, key=lambda name: (name != first, name)
    )
    return {name: index for index, name in enumerate(names)}


def price_text(offer: Offer) -> str:
    """The on-demand price of one machine."""
    price = offer.price
    return f"{price.amount.normalize():f} {price.currency}/h" if price else "unpriced"


def find_alternates(
    request: Request, chosen: Variant, variants: Iterable[Variant], passed: Mapping[tuple[str, str], Sequence[Offer]]
) -> tuple[Alternate, ...]:
    """Other types for the spot pool: same card, count and region, RDMA where nodes > 1, that pass every limit too.

    `passed` holds the offers of each (cloud, type) that do; `variants` say at which count and charge.
    """
    interruptible = request.workload.interruptible
    if interruptible is None or chosen.charge != "spot":
        return ()
    mine = chosen.offer.type
    on_spot = {v.offer.type.id for v in variants if v.charge == "spot" and v.nodes <= chosen.nodes}
    found = [
        offer
        for (cloud, name), offers in passed.items()
        for offer in offers
        if cloud == mine.cloud and name != mine.id and name in on_spot and _same_kind(offer.type, mine, chosen.nodes)
        if offer.region == chosen.offer.region and chosen.offer.zone in (None, offer.zone)
    ]
    unique = {offer.type.id: offer for offer in sorted(found, key=_by_price, reverse=True)}
    return tuple(
        Alternate(
            instance_type=offer.type.id,
            why=f"{mine.gpus} x {mine.gpu_label} too, {offer.type.vcpus} vCPU, {price_text(offer)} on demand",
            price=price_cap(offer),
        )
        for offer in sorted(unique.values(), key=_by_price)[: interruptible.alternates]
    )


def _same_kind(row: InstanceType, mine: InstanceType, nodes: int) -> bool:
    kind = (row.gpu, row.gpus, row.is_slice, row.cpu_arch) == (mine.gpu, mine.gpus, mine.is_slice, mine.cpu_arch)
    return kind and (nodes == 1 or row.rdma == mine.rdma)


def _by_price(offer: Offer) -> tuple[object, ...]:
    amount = offer.price.amount if offer.price else None
    return (amount is None, amount or 0, offer.type.id, offer.zone or "")


def to_candidate(
    request: Request, variant: Variant, *, reasons: tuple[str, ...], why: str | None, alternates: tuple[Alternate, ...]
) -> Candidate:
    """A variant as it is handed out."""
    interruptible = request.workload.interruptible
    return Candidate(
        offer=variant.offer,
        nodes=variant.nodes,
        charge=variant.charge,
        on_demand_nodes=interruptible.on_demand_nodes if interruptible and variant.charge == "spot" else 0,
        fit=variant.fit,
        hours=variant.hours,
        storage=variant.storage,
        costs=variant.bill.parts,
        hourly=variant.bill.hourly,
        run=variant.bill.run,
        unpriced=variant.bill.unpriced,
        budget=variant.budget,
        deadline="met" if request.deadline_hours is not None else "none",
        alternates=alternates,
        reasons=reasons,
        why_not=why,
        spare_nodes=request.limits.spare_nodes,
        assumptions=tuple(dict.fromkeys(variant.fit.assumptions + variant.assumptions)),
    )
