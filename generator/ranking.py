"""The order of what passed every limit, the same on every run, and what each place in it means in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

import msgspec

from generator.candidate import Alternate, Candidate, Variant
from generator.catalog import InstanceType, Offer
from generator.cost import CENT, Bill, convert, money_text
from generator.quantities import Money
from generator.scope import TRAINING_TASKS, Request
from generator.variants import price_cap


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
        cost = (currency is None, currencies.get(currency, 0), amount.quantize(CENT))
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


def describe_dominated(request: Request, offers: Sequence[Offer], winner: Offer) -> str:
    """Why the same type in these regions is dominated, with the prices."""
    theirs = {offer.region: price_text(offer) for offer in offers}
    prices = ", ".join(f"{region} {price}" for region, price in sorted(theirs.items()))
    text = f"the best region of this type is {winner.region} ({price_text(winner)}); here {prices}"
    if set(theirs.values()) == {price_text(winner)}:
        order = "where.regions names it first" if request.regions else "it is first by name"
        text = f"the same price ({price_text(winner)}) as in {winner.region}, and {order}"
    return text


def price_text(offer: Offer) -> str:
    """The on-demand price of one machine."""
    price = offer.price
    return f"{price.amount.normalize():f} {price.currency}/h" if price else "unpriced"


def find_alternates(request: Request, chosen: Variant, variants: Iterable[Variant]) -> tuple[Alternate, ...]:
    """Other types for the spot pool: same card, count and region, RDMA where nodes > 1, that pass every limit too."""
    interruptible = request.workload.interruptible
    if interruptible is None or chosen.charge != "spot":
        return ()
    mine = chosen.offer.type
    found = {}
    for variant in variants:
        row = variant.offer.type
        alike = (row.cloud, row.gpu, row.gpus, row.is_slice, row.cpu_arch) == (
            mine.cloud,
            mine.gpu,
            mine.gpus,
            mine.is_slice,
            mine.cpu_arch,
        )
        same_place = (variant.offer.region, variant.charge) == (chosen.offer.region, "spot")
        fabric = chosen.nodes == 1 or row.rdma == mine.rdma
        zone = chosen.offer.zone is None or variant.offer.zone in (None, chosen.offer.zone)
        if alike and same_place and fabric and zone and row.id != mine.id and variant.nodes <= chosen.nodes:
            found[row.id] = variant
    ordered = sorted(
        found.values(),
        key=lambda v: (v.offer.price is None, v.offer.price.amount if v.offer.price else 0, v.offer.type.id),
    )
    return tuple(
        Alternate(
            instance_type=variant.offer.type.id,
            why=f"{_cards(variant.offer.type)} too, {variant.offer.type.vcpus} vCPU, "
            f"{price_text(variant.offer)} on demand",
            price=price_cap(variant.offer),
        )
        for variant in ordered[: interruptible.alternates]
    )


def why_not(request: Request, variant: Variant, chosen: Variant, left_out: frozenset[str]) -> str:
    """What the runner-up has against it beside the chosen one: money first or time first, as the user prefers."""
    if variant.second and variant.offer.type.id == chosen.offer.type.id:
        return "the same on demand: the job may be interrupted, so spot goes first"
    cost = _against_cost(request, variant, chosen, left_out)
    hours = variant.hours - chosen.hours
    time = "as fast"
    if abs(hours) >= 0.05:
        time = f"{abs(hours):,.1f} h {'slower' if hours > 0 else 'faster'}"
        time += f" ({variant.hours:,.1f} against {chosen.hours:,.1f} h)"
    thin = is_thin(request, variant) and not is_thin(request, chosen)
    first = ["no NVLink in its nodes, so ranked after those with it"] if thin else []
    return "; ".join(first + ([cost, time] if request.prefer == "cost" else [time, cost]))


def _against_cost(request: Request, variant: Variant, chosen: Variant, left_out: frozenset[str]) -> str:
    mine, theirs = (comparable_cost(request, bill, left_out) for bill in (variant.bill, chosen.bill))
    if mine[0] is None:
        return "unpriced"
    if theirs[0] is None:
        return "priced, the chosen one is not"
    texts = [money_text(Money(amount=amount, currency=currency or "")) for currency, amount in (mine, theirs)]
    amounts = f"({' against '.join(texts)})"
    if mine[0] != theirs[0]:
        return f"in another currency, not compared {amounts}"
    if mine[1].quantize(CENT) == theirs[1].quantize(CENT):
        return "at the same cost"
    if not theirs[1]:
        return f"dearer {amounts}"
    change = (mine[1] - theirs[1]) / theirs[1] * 100
    return f"{abs(change):.1f} % {'dearer' if change > 0 else 'cheaper'} {amounts}"


def describe_choice(
    request: Request, chosen: Variant, ranking: Ranking, alternates: Sequence[Alternate]
) -> tuple[str, ...]:
    """The reasons for the first place, each with its numbers."""
    row, fit = chosen.offer.type, chosen.fit
    nodes = "1 node" if chosen.nodes == 1 else f"{chosen.nodes} nodes"
    reasons = [f"{nodes} of {_cards(row)}" + (f": {fit.message}" if fit.message else "")]
    reasons.append(_time_reason(request, chosen))
    reasons.append(_cost_reason(request, chosen, ranking))
    if request.budget:
        verdict = "within it"
        if chosen.budget == "not_proven":
            verdict = f"not proven, {len(chosen.bill.unpriced)} parts have no price"
        reasons.append(f"budget {money_text(request.budget)}: {verdict}")
    if request.workload.interruptible is not None and chosen.charge == "spot":
        wanted = request.workload.interruptible.alternates
        names = ": " + ", ".join(alternate.instance_type for alternate in alternates) if alternates else ""
        reasons.append(
            f"{len(alternates)} of at most {wanted} alternates with the same cards in {chosen.offer.region}{names}"
        )
    if is_thin(request, chosen):
        reasons.append(
            f"warning: {chosen.nodes} nodes of {row.gpu_label} without NVLink: gradients cross PCIe and one network, "
            "no measured run of such a cluster backs the time; no NVLink node passes the limits"
        )
    if request.limits.spare_nodes:
        reasons.append(f"{request.limits.spare_nodes} spare nodes stand by and are paid as well")
    return tuple(reasons) + tuple(note for note in chosen.notes if note)


def _cards(row: InstanceType) -> str:
    return f"{row.gpus} x {row.gpu_label}" if row.gpu else f"{row.vcpus} vCPU, {row.ram_gib:g} GiB"


def _time_reason(request: Request, chosen: Variant) -> str:
    time = chosen.fit.time
    text = f"{chosen.hours:,.1f} h"
    if time and time.rework_hours == 0 and chosen.charge == "spot" and chosen.hours > time.run_hours + 0.05:
        text += f", {chosen.hours - time.run_hours:,.1f} of them expected to be done again after interruptions"
    if time and time.requests_per_s is not None and time.latency_ms is not None:
        text += f", serving {time.requests_per_s:,.1f} requests/s at {time.latency_ms:,.0f} ms each"
    if request.deadline_hours is None:
        return text
    text += f", deadline {request.deadline_hours:g} h"
    if time and time.high_hours > request.deadline_hours:
        text += f"; the upper end of the estimate, {time.high_hours:,.1f} h, is over it"
    return text


def _cost_reason(request: Request, chosen: Variant, ranking: Ranking) -> str:
    others = [place for place in ranking.places if not place.second and place is not chosen]
    kind = "cheapest" if request.prefer == "cost" else "fastest"
    if chosen.bill.run is None:
        return "no price is known: ranked by time" + (f", {len(others)} other types fit" if others else "")
    if not others:
        return f"the only type that passes every limit: {money_text(chosen.bill.run)} for the run"
    against = why_not(request, others[0], chosen, ranking.left_out)
    return f"{kind} of {len(others) + 1} types; next {others[0].offer.type.id}: {against}"


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
