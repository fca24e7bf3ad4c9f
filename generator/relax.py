"""When nothing fits: the nearest candidates, each behind one limit of the spec, and what that limit would have to become."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from generator.candidate import Candidate, Relaxation
from generator.catalog import Catalog
from generator.cost import convert, money_text
from generator.scope import Request, asked_regions
from generator.workload import Limits

MOST = 3
MOST_NODES = 1024  # how far `hardware.nodes` is looked beyond the limit
PRECISIONS = ("fp16", "fp32")  # what to fall back to, in this order

ChosenOf = Callable[[Request], Candidate | None]


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A limit taken away: the request without it, how it stood, and how it must read to let a candidate through."""

    field: str
    request: Request
    old: str
    new_of: Callable[[Candidate], str]


def find_relaxations(request: Request, chosen_of: ChosenOf, catalogs: Sequence[Catalog]) -> tuple[Relaxation, ...]:
    """At most three: for each limit that alone keeps a candidate out, the best one behind it; pairs of limits if none does."""
    openings = tuple(_openings(request, catalogs))
    found = [relaxation for opening in openings if (relaxation := _try(opening, chosen_of))]
    if not found:
        found = _try_pairs(request, chosen_of, catalogs, openings)
    return tuple(_nearest_first(found)[:MOST])


def _try(opening: Opening, chosen_of: ChosenOf) -> Relaxation | None:
    candidate = chosen_of(opening.request)
    if candidate is None:
        return None
    new = opening.new_of(candidate)
    return Relaxation(
        field=opening.field,
        old=opening.old,
        new=new,
        candidate=candidate,
        message=f"{opening.field} from {opening.old} to {new} lets {_describe(candidate)} through",
    )


def _try_pairs(
    request: Request, chosen_of: ChosenOf, catalogs: Sequence[Catalog], openings: Sequence[Opening]
) -> list[Relaxation]:
    """Two limits that together keep a candidate out: each is named with the other."""
    for first in openings:
        for second in _openings(first.request, catalogs):
            if second.field <= first.field:
                continue
            candidate = chosen_of(second.request)
            if candidate is not None:
                return [
                    Relaxation(
                        field=opening.field,
                        old=opening.old,
                        new=opening.new_of(candidate),
                        candidate=candidate,
                        message=f"{opening.field} from {opening.old} to {opening.new_of(candidate)}, together with {other.field} "
                        f"to {other.new_of(candidate)}, lets {_describe(candidate)} through",
                    )
                    for opening, other in ((first, second), (second, first))
                ]
    return []


def _describe(candidate: Candidate) -> str:
    cost = f", {money_text(candidate.run)}" if candidate.run else ", unpriced"
    return f"{candidate.nodes} x {candidate.type.id} in {candidate.offer.region} ({candidate.hours:,.1f} h{cost})"


def _nearest_first(found: list[Relaxation]) -> list[Relaxation]:
    """Limits that are numbers of the goal first, then those of the hardware, then places and rules."""
    order = ("goal", "hardware", "workload", "where", "interruptible")
    return sorted(found, key=lambda relaxation: order.index(relaxation.field.split(".")[0]))


def _openings(request: Request, catalogs: Sequence[Catalog]) -> Iterator[Opening]:
    """Each limit that the spec sets, opened on its own."""
    replace = msgspec.structs.replace
    if request.deadline_hours is not None:
        yield Opening(
            field="goal.deadline",
            request=replace(request, deadline_hours=None, prefer="time"),
            old=f"{request.deadline_hours:g}h",
            new_of=lambda candidate: f"{_hours(candidate)}h",
        )
    if request.budget is not None:
        budget = request.budget
        yield Opening(
            field="goal.budget",
            request=replace(request, budget=None, prefer="cost"),
            old=f"{budget.amount.normalize():f} {budget.currency}",
            new_of=lambda candidate: _budget(request, candidate),
        )
    yield from _hardware_openings(request)
    closed = tuple(row.id for catalog in catalogs for row in catalog.types if not row.orderable)
    yield _limit(
        request, "hardware.allow", f"[{', '.join(request.limits.allow)}]",
        lambda c: f"[{', '.join((*request.limits.allow, c.type.id))}]", allow=tuple(sorted({*request.limits.allow, *closed})),
    )  # fmt: skip
    yield from _place_openings(request, catalogs)
    if request.workload.interruptible is not None:
        yield Opening(
            field="interruptible",
            request=replace(request, workload=replace(request.workload, interruptible=None)),
            old="true",
            new_of=lambda _: "false",
        )
    for precision in PRECISIONS:
        if request.workload.precision in ("bf16", "tf32", "fp8") and request.workload.precision != precision:
            yield Opening(
                field="workload.precision",
                request=replace(request, workload=replace(request.workload, precision=precision)),
                old=str(request.workload.precision),
                new_of=lambda _, precision=precision: precision,
            )
            return


def _hours(candidate: Candidate) -> int:
    return math.ceil(candidate.hours)


def _budget(request: Request, candidate: Candidate) -> str:
    """The whole run's priced parts, rounded up to a full unit of the budget's currency where there is a rate."""
    assert request.budget is not None
    if candidate.run is None:
        return "no budget (the candidate has no price)"
    money = convert(candidate.run, request.budget.currency, request.exchange_rates) or candidate.run
    return f"{math.ceil(money.amount)} {money.currency}"


def _hardware_openings(request: Request) -> Iterator[Opening]:
    limits = request.limits
    default = Limits()
    if limits.gpus:
        yield _limit(
            request,
            "hardware.gpus",
            f"[{', '.join(limits.gpus)}]",
            lambda c: f"[{', '.join((*limits.gpus, str(c.type.gpu)))}]",
            gpus=(),
        )
    yield _limit(
        request, "hardware.nodes", f"{limits.min_nodes}..{limits.max_nodes}",
        lambda c: f"{min(limits.min_nodes, c.nodes)}..{max(limits.max_nodes, c.nodes)}", min_nodes=1, max_nodes=MOST_NODES,
    )  # fmt: skip
    if limits.max_gpus_per_node is not None or limits.min_gpus_per_node > 1:
        most = limits.max_gpus_per_node
        yield _limit(
            request, "hardware.gpus_per_node", f"{limits.min_gpus_per_node}..{most or ''}",
            lambda c: f"{min(limits.min_gpus_per_node, c.type.gpus)}..{max(most, c.type.gpus) if most else ''}",
            min_gpus_per_node=1, max_gpus_per_node=None,
        )  # fmt: skip
    least, top = limits.min_gpu_memory_gib, limits.max_gpu_memory_gib
    if (least, top) != (default.min_gpu_memory_gib, default.max_gpu_memory_gib):
        yield _limit(
            request, "hardware.gpu_memory", f"{least or 0:g}GiB..{f'{top:g}GiB' if top else ''}",
            lambda c: f"{min(least or 0, c.type.gpu_memory_gib or 0):g}GiB..{f'{max(top, c.type.gpu_memory_gib or 0):g}GiB' if top else ''}",
            min_gpu_memory_gib=None, max_gpu_memory_gib=None,
        )  # fmt: skip
    if limits.min_vcpus is not None:
        yield _limit(request, "hardware.vcpus", f">={limits.min_vcpus}", lambda c: f">={c.type.vcpus}", min_vcpus=None)
    if limits.min_ram_gib is not None:
        yield _limit(
            request,
            "hardware.ram",
            f">={limits.min_ram_gib:g}GiB",
            lambda c: f">={c.type.ram_gib:g}GiB",
            min_ram_gib=None,
        )


def _limit(request: Request, field: str, old: str, new_of: Callable[[Candidate], str], **changes: Any) -> Opening:
    limits = msgspec.structs.replace(request.limits, **changes)
    workload = msgspec.structs.replace(request.workload, limits=limits)
    return Opening(field=field, request=msgspec.structs.replace(request, workload=workload), old=old, new_of=new_of)


def _place_openings(request: Request, catalogs: Sequence[Catalog]) -> Iterator[Opening]:
    replace = msgspec.structs.replace
    if request.zones:
        regions = request.regions or tuple(
            dict.fromkeys(region.id for catalog in catalogs for region in asked_regions(request, catalog))
        )
        yield Opening(
            field="where.zones",
            request=replace(request, zones=(), regions=regions),
            old=f"[{', '.join(request.zones)}]",
            new_of=lambda candidate: f"[] (any zone of {candidate.offer.region})",
        )
    asked = tuple(region.id for catalog in catalogs for region in asked_regions(request, catalog))
    every = tuple(sorted({region.id for catalog in catalogs for region in catalog.regions}))
    if set(asked) != set(every):
        old = f"[{', '.join(request.regions)}]" if request.regions else "the mainland regions"
        yield Opening(
            field="where.regions",
            request=replace(request, regions=(*asked, *(name for name in every if name not in asked)), zones=()),
            old=old,
            new_of=lambda candidate: f"[{', '.join((*request.regions, candidate.offer.region))}]",
        )
    if request.compliance != "none":
        yield Opening(
            field="where.compliance",
            request=replace(request, compliance="none"),
            old=request.compliance,
            new_of=lambda _: "none",
        )
