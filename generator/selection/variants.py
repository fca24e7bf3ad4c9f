"""An offer at each node count and charge: its storage, its bill, and the reasons that need a region and a price."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Literal

import msgspec

from generator.catalog import Catalog, InstanceType, Offer, Price
from generator.selection.candidate import Charge, Refusal, Variant
from generator.selection.cost import (
    Bill,
    CostPart,
    NodeLine,
    PriceList,
    convert,
    decimal_hours,
    hourly_amount,
    make_bill,
    money_text,
    network_parts,
    price_list,
    storage_parts,
)
from generator.selection.scope import Request
from generator.selection.shapes import Attempt, Sized
from generator.selection.storage import StoragePlan, plan_storage
from generator.selection.storage_choice import PriceOf
from generator.sizing.estimate import Fit
from generator.spec.quantities import Money


class Market(msgspec.Struct, frozen=True, kw_only=True):
    """Regions of one cloud with the same storage prices and file systems: one of them stands for all."""

    catalog: Catalog
    region: str
    prices: PriceList


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What one offer comes to: the variants that pass every limit, or the refusal that got furthest."""

    variants: tuple[Variant, ...]
    refusal: Refusal | None


def find_markets(catalog: Catalog) -> dict[str, Market]:
    """The market of each region: regions with equal storage prices and file systems share one."""
    found: dict[tuple[object, ...], Market] = {}
    markets = {}
    for region in catalog.regions:
        prices = price_list(catalog.storage_prices, region.id)
        systems = tuple(row.id for row in catalog.file_systems if region.id in row.regions)
        facts = (tuple(prices.items()), systems)
        markets[region.id] = found.setdefault(facts, Market(catalog=catalog, region=region.id, prices=prices))
    return markets


class Storages:
    """Storage plans and their costs of one request, each worked out once for types and markets that are alike."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._plans: dict[tuple[object, ...], StoragePlan] = {}
        self._costs: dict[tuple[object, ...], tuple[CostPart, ...]] = {}

    def plan(self, market: Market, row: InstanceType, nodes: int, fit: Fit) -> StoragePlan:
        """The storage of this many such machines in this market."""
        machine = (row.disk_kinds, row.disk_mbps, row.disk_iops, row.local_nvme_gib)
        key = (market.catalog.cloud, market.region, nodes, machine, fit.storage)
        if key not in self._plans:
            self._plans[key] = plan_storage(
                self._request.workload, fit.storage, row, nodes, market.catalog, market.region, self._price_of(market)
            )
        return self._plans[key]

    def costs(self, market: Market, plan: StoragePlan, nodes: int, hours: Decimal) -> tuple[CostPart, ...]:
        """What that storage and the network cost beside the machines."""
        key = (market.catalog.cloud, market.region, id(plan), nodes, hours)  # plans live as long as this does
        if key not in self._costs:
            self._costs[key] = storage_parts(plan.choices, nodes, market.prices, hours) + network_parts(
                market.prices, hours, self._request.egress
            )
        return self._costs[key]

    def _price_of(self, market: Market) -> PriceOf:
        def price_of(kind: str, product: str, level: str | None) -> Decimal | None:
            price = market.prices.get((kind, product, level))
            return hourly_amount(price) if price else None

        return price_of


def judge_offer(request: Request, market: Market, offer: Offer, sized: Sized, storages: Storages) -> Judged:
    """The first node count that passes every limit, on spot and on demand; else why the last that failed did."""
    refusals = []
    for attempt in sized.attempts:
        plan = storages.plan(market, offer.type, attempt.nodes, attempt.fit)
        refusal = _refuse_quota(request, offer, attempt.nodes) or (
            Refusal(reason="storage", message=plan.problem, would_need="another data.on, or a type with faster disks")
            if plan.problem
            else None
        )
        if refusal is None:
            judged = _judge_charges(request, market, offer, attempt, storages)
            if judged.variants:
                return judged
            refusal = judged.refusal
        assert refusal is not None
        refusals.append(refusal)
    for nodes, refusal, fit in sized.refusals:
        plan = storages.plan(market, offer.type, nodes, fit)
        storage = Refusal(reason="storage", message=plan.problem) if plan.problem else refusal
        refusals.append(min(refusal, storage, key=lambda reason: reason.rank))
    return Judged(variants=(), refusal=max(refusals, key=lambda reason: reason.rank))


def _refuse_quota(request: Request, offer: Offer, nodes: int) -> Refusal | None:
    wanted = nodes + request.limits.spare_nodes
    if offer.quota is None or wanted <= offer.quota:
        return None
    return Refusal(
        reason="quota",
        message=f"quota of {offer.quota} nodes in {offer.region}, {wanted} are needed",
        would_need=f"a quota of {wanted}",
    )


def _judge_charges(request: Request, market: Market, offer: Offer, attempt: Attempt, storages: Storages) -> Judged:
    """Spot first where the job may be interrupted; on demand is second to a spot offer that is good enough."""
    interruptible = request.workload.interruptible
    if interruptible is None or attempt.spot_hours is None:
        return _judge_charge(request, market, offer, attempt, storages, "on_demand", second=False)
    spot = _judge_charge(request, market, offer, attempt, storages, "spot", second=False)
    dearer = _spot_is_dearer(offer)
    good = bool(spot.variants) and not dearer
    plain = _judge_charge(request, market, offer, attempt, storages, "on_demand", second=good)
    if good:
        return Judged(variants=spot.variants + plain.variants, refusal=None)
    why = (
        "spot costs more than on demand here"
        if dearer
        else f"spot is out: {spot.refusal.message}"
        if spot.refusal
        else ""
    )
    variants = tuple(msgspec.structs.replace(variant, notes=(*variant.notes, why)) for variant in plain.variants)
    return Judged(variants=variants, refusal=plain.refusal)


def _spot_is_dearer(offer: Offer) -> bool:
    return bool(offer.price and offer.spot_price and offer.spot_price.amount > offer.price.amount)


def _judge_charge(
    request: Request,
    market: Market,
    offer: Offer,
    attempt: Attempt,
    storages: Storages,
    charge: Charge,
    *,
    second: bool,
) -> Judged:
    hours = attempt.hours if charge == "on_demand" else attempt.spot_hours or attempt.hours
    deadline = request.deadline_hours
    if deadline is not None and hours > deadline:
        refusal = Refusal(
            reason="deadline",
            message=f"{_nodes_text(attempt.nodes)} {hours:,.1f} h, the deadline is {deadline:g} h",
            would_need=f"goal.deadline of {math.ceil(hours):,} h or more",
        )
        return Judged(variants=(), refusal=refusal)
    plan = storages.plan(market, offer.type, attempt.nodes, attempt.fit)
    nodes = attempt.nodes + request.limits.spare_nodes
    exact = decimal_hours(hours)
    lines = _node_lines(request, offer, nodes, charge)
    bill = make_bill(lines, storages.costs(market, plan, nodes, exact), exact)
    verdict = judge_budget(request, bill)
    if isinstance(verdict, Refusal):
        return Judged(variants=(), refusal=verdict)
    variant = Variant(
        offer=offer,
        nodes=attempt.nodes,
        charge=charge,
        fit=attempt.fit,
        hours=hours,
        storage=plan.choices,
        bill=bill,
        budget=verdict,
        second=second,
        assumptions=plan.assumptions,
    )
    return Judged(variants=(variant,), refusal=None)


def _nodes_text(nodes: int) -> str:
    return "1 node takes" if nodes == 1 else f"{nodes} nodes take"


def judge_budget(request: Request, bill: Bill) -> Literal["within", "not_proven", "none"] | Refusal:
    """Codes currency, unpriced and budget, in this order; `not_proven` when something beside the nodes has no price."""
    budget = request.budget
    if budget is None:
        return "none"
    if bill.run is None:
        return Refusal(
            reason="unpriced", message=f"no price is known, so a budget of {money_text(budget)} cannot be held",
            would_need="a price in the prices file (prices:)",
        )  # fmt: skip
    run = convert(bill.run, budget.currency, request.exchange_rates)
    if run is None:
        return Refusal(
            reason="currency",
            message=f"priced in {bill.run.currency}, the budget is in {budget.currency} and there is no exchange rate",
            would_need="goal.exchange_rate",
        )
    if run.amount > budget.amount:
        return Refusal(
            reason="budget",
            message=f"the run costs {money_text(run)}, the budget is {money_text(budget)}",
            would_need=f"goal.budget of {money_text(run)}",
        )
    return "not_proven" if bill.unpriced_beside else "within"


def _node_lines(request: Request, offer: Offer, nodes: int, charge: Charge) -> tuple[NodeLine, ...]:
    """The machines; a mixed pool is two lines."""
    name = offer.type.id
    if charge == "on_demand":
        return (NodeLine(instance_type=name, nodes=nodes, price=offer.price, charge=charge),)
    interruptible = request.workload.interruptible
    kept = interruptible.on_demand_nodes if interruptible and nodes > 1 else 0
    spot = NodeLine(instance_type=name, nodes=nodes - kept, price=spot_price(request, offer), charge=charge)
    stay = NodeLine(instance_type=name, nodes=kept, price=offer.price, charge="on_demand")
    return (spot, stay) if kept else (spot,)


def spot_price(request: Request, offer: Offer) -> Price | None:
    """What a spot node is counted at: the prices file's figure, else the on-demand price times goal.spot_ratio."""
    if offer.spot_price is not None or offer.price is None:
        return offer.spot_price
    return msgspec.structs.replace(offer.price, amount=offer.price.amount * request.spot_ratio, charge="spot")


def price_cap(offer: Offer) -> Money | None:
    """The most that a spot node may cost an hour: the on-demand price."""
    amount = hourly_amount(offer.price) if offer.price else None
    return Money(amount=amount, currency=offer.price.currency) if offer.price and amount is not None else None
