"""When nothing fits: types that no list sells or prices, and the row of a prices file that would open the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_DOWN, Decimal

import msgspec

from generator.catalog import Catalog, Offer
from generator.selection.candidate import Candidate, Relaxation
from generator.selection.cost import money_text
from generator.selection.scope import Request, asked_regions
from generator.spec.quantities import Money

COLUMNS = "cloud,region,instance_type,charge,amount,currency,date,sold"

CandidatesIn = Callable[[Request, Sequence[Catalog]], tuple[Candidate, ...]]


def find_unlisted(
    request: Request, prices: str | None, candidates_in: CandidatesIn, catalogs: Sequence[Catalog]
) -> tuple[Relaxation, ...]:
    """The best candidate that only a prices file can open: closed, in no known region, or unpriced under a budget.

    What such a type costs is known to the account alone, so a budget is set aside and the row must bring an amount.
    `candidates_in` gives what fits a request in these catalogs, best first; `prices` is the spec's own file.
    """
    opened = tuple(_opened(catalog, [region.id for region in asked_regions(request, catalog)]) for catalog in catalogs)
    if request.budget is None and all(new is old for new, old in zip(opened, catalogs, strict=True)):
        return ()
    found = candidates_in(msgspec.structs.replace(request, budget=None), opened)
    return tuple(_relaxation(one, request.budget, prices) for one in found if one.offer.price is None)[:1]


def _opened(catalog: Catalog, regions: list[str]) -> Catalog:
    """The catalog as if each type without an offer, or closed to most, were sold in the first region asked."""
    sold = {offer.type.id for offer in catalog.offers}
    closed = [row for row in catalog.types if row.id not in sold or not row.orderable]
    if not closed or not regions:
        return catalog
    open_types = {row.id: msgspec.structs.replace(row, orderable=True) for row in closed}
    offers = [
        msgspec.structs.replace(offer, type=open_types.get(offer.type.id, offer.type)) for offer in catalog.offers
    ]
    offers += [
        Offer(type=row, region=regions[0], zone=None, price=None, source="prices file")
        for row in open_types.values()
        if row.id not in sold
    ]
    types = tuple(open_types.get(row.id, row) for row in catalog.types)
    return msgspec.structs.replace(catalog, types=types, offers=tuple(offers))


def _relaxation(candidate: Candidate, budget: Money | None, prices: str | None) -> Relaxation:
    row, region, file = candidate.type, candidate.offer.region, prices or "./prices.csv"
    what = f"{candidate.nodes} x {row.id} in {region} ({candidate.hours:,.1f} h, unpriced)"
    amount = "a price may stand in it"
    if budget is not None:
        most = (budget.amount / Decimal(candidate.hours) / candidate.nodes).quantize(Decimal("0.01"), ROUND_DOWN)
        amount = f"with its amount, currency and date: {money_text(budget)} pays at most {most} an hour"
    return Relaxation(
        field="prices",
        old=prices or "null",
        new=file,
        candidate=candidate,
        message=f"prices: {file} with a row of what the account may order (in {region} or another region) lets {what} "
        f"through; columns `{COLUMNS}`, row `{row.cloud},{region},{row.id},on_demand,,,,yes`, {amount}",
    )
