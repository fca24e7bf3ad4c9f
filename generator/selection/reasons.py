"""Why the first is first, why each other is not, and why a region lost: sentences with the numbers on both sides."""

from __future__ import annotations

from collections.abc import Sequence

from generator.catalog import InstanceType, Offer
from generator.selection.candidate import Alternate, Variant
from generator.selection.cost import CENT, money_text
from generator.selection.ranking import Ranking, capacity_hours, comparable_cost, is_thin, price_text
from generator.selection.scope import TRAINING_TASKS, Request
from generator.selection.shortfalls import list_shortfalls
from generator.spec.quantities import Money

# BLOOM kept 4 nodes in reserve beside 48 for a run of months; a single node is a single point of failure either way.
SPARE_FROM_NODES = 16
SPARE_FROM_HOURS = 24


def describe_choice(
    request: Request, chosen: Variant, ranking: Ranking, alternates: Sequence[Alternate], elsewhere: Sequence[Offer]
) -> tuple[str, ...]:
    """The reasons for the first place, each with its numbers; `elsewhere` is the same type in other regions."""
    reasons = [_fit_reason(chosen), _time_reason(request, chosen), _cost_reason(request, chosen, ranking)]
    if elsewhere:
        reasons.append(f"{chosen.offer.region}: {describe_region(request, elsewhere, chosen.offer)}")
    if request.budget:
        verdict = "within it"
        if chosen.budget == "not_proven":
            verdict = f"not proven, {len(chosen.bill.unpriced)} parts have no price"
        reasons.append(f"budget {money_text(request.budget)}: {verdict}")
    if request.workload.interruptible is not None and chosen.charge == "spot":
        names = ": " + ", ".join(alternate.instance_type for alternate in alternates) if alternates else ""
        wanted = request.workload.interruptible.alternates
        reasons.append(f"{len(alternates)} of at most {wanted} alternates with the same cards{names}")
    notes = (note for note in chosen.notes if note)
    return (*reasons, *_warnings(request, chosen), *notes, *list_shortfalls(request, chosen))


def _fit_reason(chosen: Variant) -> str:
    nodes = "1 node" if chosen.nodes == 1 else f"{chosen.nodes} nodes"
    message = chosen.fit.message
    return f"{nodes} of {cards_text(chosen.offer.type)}" + (f": {message}" if message else "")


def cards_text(row: InstanceType) -> str:
    """What a node is: its cards, or its vCPUs and RAM."""
    return f"{row.gpus} x {row.gpu_label}" if row.gpu else f"{row.vcpus} vCPU, {row.ram_gib:g} GiB"


def _time_reason(request: Request, chosen: Variant) -> str:
    time = chosen.fit.time
    text = f"{chosen.hours:,.1f} h"
    if time and chosen.charge == "spot" and chosen.hours > time.run_hours + 0.05:
        text += f", {chosen.hours - time.run_hours:,.1f} of them expected to be done again after interruptions"
    if time and request.workload.task == "infer":
        text += f", serving {time.requests_per_s:,.1f} requests/s at {time.latency_ms:,.0f} ms each"
    if request.deadline_hours is None:
        return text
    text += f", deadline {request.deadline_hours:g} h"
    if time and time.high_hours > request.deadline_hours:
        text += f"; the upper end of the estimate, {time.high_hours:,.1f} h, is over it"
    return text


def _cost_reason(request: Request, chosen: Variant, ranking: Ranking) -> str:
    """Where it stands among the types that pass; nodes without NVLink are another class."""
    others = [place for place in ranking.places if not place.second and place is not chosen]
    if chosen.bill.run is None:
        least = f"least {_capacity_text(chosen)}" if request.prefer == "cost" else "time"
        return f"no price is known, so none is compared: first of {len(others) + 1} types by {least}"
    if not others:
        return f"the only type that passes every limit: {money_text(chosen.bill.run)} for the run"
    kind = "cheapest" if request.prefer == "cost" else "fastest"
    peers = [place for place in others if is_thin(request, place) == is_thin(request, chosen)]
    among = f"{len(peers) + 1} types" if len(peers) == len(others) else f"{len(peers) + 1} types with NVLink"
    against = why_not(request, others[0], chosen, ranking.left_out)
    return f"{kind} of {among}; next {others[0].offer.type.id}: {against}"


def _warnings(request: Request, chosen: Variant) -> list[str]:
    """What a person should hear before paying."""
    row, spare = chosen.offer.type, request.limits.spare_nodes
    lines = []
    if is_thin(request, chosen):
        lines.append(
            f"warning: {chosen.nodes} nodes of {row.gpu_label} without NVLink: gradients cross PCIe and one network, "
            "no measured run of such a cluster backs the time; no NVLink node passes the limits"
        )
    if chosen.charge == "spot" and request.workload.task in TRAINING_TASKS and request.workload.checkpoint is None:
        lines.append(
            f"warning: {chosen.hours:,.0f} h on spot without a checkpoint: one interruption loses them all, vendors "
            "advise spot for flexible work only, and SP001 denies such a stack; set checkpoint.every and checkpoint.to"
        )
    if spare:
        lines.append(f"{spare} spare nodes stand by and are paid as well")
    elif (
        request.workload.task in TRAINING_TASKS and chosen.nodes >= SPARE_FROM_NODES and chosen.hours > SPARE_FROM_HOURS
    ):
        wanted = -(-chosen.nodes // 12)
        lines.append(
            f"{chosen.nodes} nodes and none to spare: hardware.spare_nodes: {wanted} would take over from a broken one"
        )
    return lines


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
        against = f" against {capacity_hours(chosen):,.0f}" if theirs[0] is None else ""
        return f"unpriced, {_capacity_text(variant)}{against}"
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


def _capacity_text(variant: Variant) -> str:
    unit = "GiB of GPU memory" if variant.offer.type.gpu else "vCPU"
    return f"{unit} x hours: {capacity_hours(variant):,.0f}"


def describe_dominated(request: Request, offers: Sequence[Offer], winner: Offer) -> str:
    """Why the same type in these regions is dominated, with the prices."""
    prices = ", ".join(f"{region} {price}" for region, price in sorted(_prices(offers).items()))
    return f"{winner.region} is better, {describe_region(request, offers, winner)}; here {prices}"


def describe_region(request: Request, others: Sequence[Offer], winner: Offer) -> str:
    """Why this region of the type and no other."""
    price = price_text(winner)
    alike = sorted(region for region, other in _prices(others).items() if other == price)
    if not alike:
        return f"at {price} the best of {len(_prices(others)) + 1} regions"
    order = "first in where.regions" if request.regions else "first by name"
    return f"at {price} as good as {', '.join(alike)}, and {order}"


def _prices(offers: Sequence[Offer]) -> dict[str, str]:
    return {offer.region: price_text(offer) for offer in offers}
