"""The choice: every offer in scope is chosen, a runner-up, or rejected with one reason and the numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from generator.catalog import Catalog, Offer
from generator.selection.candidate import REASONS, Alternate, Candidate, Refusal, Rejection, Relaxation, Variant
from generator.selection.cost import CostPart
from generator.selection.disclosure import list_assumptions, list_unknown
from generator.selection.ranking import Ranking, find_alternates, rank, to_candidate
from generator.selection.reasons import describe_choice, describe_dominated, why_not
from generator.selection.relax import MOST, find_relaxations
from generator.selection.scope import Request, Scoped, asked_regions, read_request, scope_catalog
from generator.selection.shapes import FitOf, Shapes, fits_of, with_accuracy
from generator.selection.storage import StorageChoice
from generator.selection.unlisted import find_unlisted
from generator.selection.variants import Market, Storages, find_markets, judge_offer
from generator.spec import Spec
from generator.spec.quantities import Money
from generator.workload import Workload, derive

__all__ = [
    "REASONS", "Alternate", "Candidate", "CostPart", "Money", "Rejection", "Relaxation", "Selection", "StorageChoice",
    "choose", "select",
]  # fmt: skip


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The answer; `chosen` is None when nothing fits, and then `relax` names the three nearest."""

    chosen: Candidate | None
    runners_up: tuple[Candidate, ...]
    rejected: tuple[Rejection, ...]
    relax: tuple[Relaxation, ...]
    assumptions: tuple[str, ...]
    unknown: tuple[str, ...] = ()  # facts that nobody can know offline


def select(spec: Spec, workload: Workload, catalogs: Sequence[Catalog]) -> Selection:
    """The best offer for the job, with reasons for and against every other; the same input gives the same answer."""
    ordered = tuple(sorted(catalogs, key=lambda catalog: catalog.cloud))
    request = read_request(spec, workload, ordered)
    fit_of = fits_of(workload)
    selection = choose(request, ordered, fit_of)
    if selection.chosen is not None:
        return selection

    def candidates_in(other: Request, markets: Sequence[Catalog]) -> tuple[Candidate, ...]:
        same_job = msgspec.structs.replace(other.workload, limits=workload.limits) == workload
        answer = choose(other, markets, fit_of if same_job else fits_of(other.workload))
        return (answer.chosen, *answer.runners_up) if answer.chosen else ()

    anywhere = msgspec.structs.replace(spec.where, compliance="none")
    any_vendor = derive(msgspec.structs.replace(spec, where=anywhere))
    relax = find_relaxations(request, lambda other: candidates_in(other, ordered), ordered, any_vendor)
    # a limit that has to stand, or a budget that would have to go, is no way out: what the account may order is one
    if not relax or request.compliance != "none" or any(row.new == "null" for row in relax):
        relax = (*find_unlisted(request, spec.prices, candidates_in, ordered), *relax)[:MOST]
    return msgspec.structs.replace(selection, relax=relax)


def choose(request: Request, catalogs: Sequence[Catalog], fit_of: FitOf) -> Selection:
    """Judges every offer in scope and ranks what passes; relaxations are not looked for."""
    storages, shapes = Storages(request), Shapes(request, fit_of)
    variants: list[Variant] = []
    rejected: list[Rejection] = []
    passed: dict[tuple[str, str], list[Offer]] = {}
    for catalog in catalogs:
        markets = find_markets(catalog)
        for scoped in scope_catalog(request, catalog):
            good, bad = _judge_type(request, scoped, markets, shapes, storages)
            variants += good.variants
            rejected += bad
            passed[catalog.cloud, scoped.type.id] = list(good.offers)
    ranking = rank(request, variants, _region_order(request, catalogs))
    for place in ranking.places:
        if not place.second or not _has_first(ranking, place):
            rejected += _dominated(request, place, passed[place.offer.type.cloud, place.offer.type.id])
    rejected.sort(key=lambda row: (row.cloud, row.instance_type, REASONS.index(row.reason), row.regions))
    return _answer(request, catalogs, ranking, variants, passed, tuple(rejected))


class _Passed(msgspec.Struct, frozen=True, kw_only=True):
    """The offers of one type that passed every limit; equal ones are represented in `variants` by the first."""

    offers: tuple[Offer, ...]
    variants: tuple[Variant, ...]


def _judge_type(
    request: Request, scoped: Scoped, markets: dict[str, Market], shapes: Shapes, storages: Storages
) -> tuple[_Passed, list[Rejection]]:
    """Sizes the type once, then judges its offers; offers alike in market, price and quota are judged once."""
    row = scoped.type
    if scoped.refusal:
        return _Passed(offers=(), variants=()), [_reject(row.cloud, row.id, scoped.regions, scoped.refusal)]
    refused: list[tuple[Offer, Refusal]] = list(scoped.refused)
    groups: dict[tuple[object, ...], list[Offer]] = {}
    for offer in scoped.offers:
        alike = (markets[offer.region].region, offer.price, offer.spot_price, offer.quota)
        groups.setdefault(alike, []).append(offer)
    passed: list[Offer] = []
    variants: list[Variant] = []
    if groups:
        sized = shapes.size(row)
    for offers in groups.values():
        judged = judge_offer(request, markets[offers[0].region], offers[0], sized, storages)
        variants += judged.variants
        if judged.refusal:
            refused += [(offer, judged.refusal) for offer in offers]
        else:
            passed += offers
    return _Passed(offers=tuple(passed), variants=tuple(variants)), _merge(row.cloud, row.id, refused)


def _merge(cloud: str, instance_type: str, refused: list[tuple[Offer, Refusal]]) -> list[Rejection]:
    """One rejection for all regions with the same reason; the message is that of the first region."""
    by_reason: dict[str, list[tuple[Offer, Refusal]]] = {}
    for offer, refusal in refused:
        by_reason.setdefault(refusal.reason, []).append((offer, refusal))
    return [
        _reject(cloud, instance_type, tuple(sorted({offer.region for offer, _ in pairs})), pairs[0][1])
        for pairs in by_reason.values()
    ]


def _reject(cloud: str, instance_type: str, regions: tuple[str, ...], refusal: Refusal) -> Rejection:
    return Rejection(
        cloud=cloud, regions=regions, instance_type=instance_type, reason=refusal.reason, message=refusal.message,
        would_need=refusal.would_need,
    )  # fmt: skip


def _has_first(ranking: Ranking, twin: Variant) -> bool:
    return any(place.offer.type is twin.offer.type and not place.second for place in ranking.places)


def _dominated(request: Request, place: Variant, offers: list[Offer]) -> list[Rejection]:
    others = [offer for offer in offers if offer.region != place.offer.region]
    if not others:
        return []
    row = place.offer.type
    message = describe_dominated(request, others, place.offer)
    refusal = Refusal(reason="dominated", message=message, would_need=f"where.regions without {place.offer.region}")
    return [_reject(row.cloud, row.id, tuple(sorted({offer.region for offer in others})), refusal)]


def _region_order(request: Request, catalogs: Iterable[Catalog]) -> dict[tuple[str, str], int]:
    """The place of each region: the user's order, else by name."""
    return {
        (catalog.cloud, region.id): index
        for catalog in catalogs
        for index, region in enumerate(asked_regions(request, catalog))
    }


def _answer(
    request: Request,
    catalogs: Sequence[Catalog],
    ranking: Ranking,
    variants: list[Variant],
    passed: dict[tuple[str, str], list[Offer]],
    rejected: tuple[Rejection, ...],
) -> Selection:
    if not ranking.places:
        return Selection(
            chosen=None, runners_up=(), rejected=rejected, relax=(),
            assumptions=list_assumptions(request, None, ranking.left_out), unknown=(),
        )  # fmt: skip
    first, *rest = ranking.places
    alternates = find_alternates(request, first, variants, passed)
    offer = first.offer
    elsewhere = [o for o in passed[offer.type.cloud, offer.type.id] if o.region != offer.region]
    reasons = describe_choice(request, first, ranking, alternates, elsewhere)
    first = msgspec.structs.replace(first, fit=with_accuracy(request.workload, first.fit))
    chosen = to_candidate(request, first, reasons=reasons, why=None, alternates=alternates)
    runners_up = tuple(
        to_candidate(
            request,
            place,
            reasons=tuple(text for text in (place.fit.message, *place.notes) if text),
            why=why_not(request, place, first, ranking.left_out),
            alternates=(),
        )
        for place in rest
    )
    return Selection(
        chosen=chosen,
        runners_up=runners_up,
        rejected=rejected,
        relax=(),
        assumptions=list_assumptions(request, chosen, ranking.left_out),
        unknown=list_unknown(chosen, catalogs),
    )
