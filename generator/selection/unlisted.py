"""When no limit of the spec helps: types that no list sells, and the row of a prices file that would open the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from generator.catalog import Catalog, Offer
from generator.selection.candidate import Candidate, Relaxation
from generator.selection.scope import Request, asked_regions
from generator.spec.quantities import Money

COLUMNS = "cloud,region,instance_type,charge,amount,currency,date,sold"

CandidatesIn = Callable[[Request, Sequence[Catalog]], tuple[Candidate, ...]]


def find_unlisted(
    request: Request, prices: str | None, candidates_in: CandidatesIn, catalogs: Sequence[Catalog]
) -> tuple[Relaxation, ...]:
    """The best candidate among the types that are not for everyone or of which no region is known, if one fits.

    What such a type costs is known to the account alone, so a budget is set aside and the row must bring an amount.
    `candidates_in` gives what fits a request in these catalogs, best first; `prices` is the spec's own file.
    """
    opened = tuple(_opened(catalog, [region.id for region in asked_regions(request, catalog)]) for catalog in catalogs)
    if all(new is old for new, old in zip(opened, catalogs, strict=True)):
        return ()
    found = candidates_in(msgspec.structs.replace(request, budget=None), opened)
    return (_relaxation(found[0], request.budget, prices),) if found else ()


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
    amount = "with its amount, currency and date, for a budget needs a price" if budget else "a price may stand in it"
    return Relaxation(
        field="prices",
        old=prices or "null",
        new=file,
        candidate=candidate,
        message=f"prices: {file} with a row for a type that no list offers to everyone, once the account may order it "
        f"(in {region} or another region), lets {what} through; columns `{COLUMNS}`, row "
        f"`{row.cloud},{region},{row.id},on_demand,,,,yes`, {amount}",
    )
