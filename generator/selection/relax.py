"""When nothing fits: the nearest candidates, each behind one limit of the spec, and what that limit has to become."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from generator.catalog import Catalog
from generator.selection.candidate import Candidate, Relaxation
from generator.selection.cost import convert, money_text
from generator.selection.scope import Request, asked_regions
from generator.spec.quantities import Money
from generator.workload import Precision, Workload

MOST = 3
MOST_NODES = 1024  # how far `hardware.nodes` is looked beyond the limit
# What to fall back to where a card lacks the precision asked.
FALLBACK: dict[str, Precision] = {"bf16": "fp16", "bf16_pure": "fp16_pure", "tf32": "fp32", "fp8": "bf16"}

CandidatesOf = Callable[[Request], tuple[Candidate, ...]]


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A limit of the spec: how to take it away, how it reads, and how it must read to let a candidate through.

    `new` gives `old` again for a candidate within the limit; else a value that the spec accepts.
    """

    field: str
    old: str
    take_away: Callable[[Request], Request]
    new: Callable[[Candidate], str]


def find_relaxations(
    request: Request, candidates_of: CandidatesOf, catalogs: Sequence[Catalog], any_vendor: Workload
) -> tuple[Relaxation, ...]:
    """At most three: for each limit that alone keeps candidates out the best one behind it, else for several together.

    `candidates_of` gives what fits a request, best first; `any_vendor` is the workload as derived without compliance.
    """
    openings = tuple(_openings(request, catalogs, any_vendor))
    found = []
    for opening in openings:
        fitting = candidates_of(opening.take_away(request))
        if fitting:
            found.append(_relaxation(opening, fitting[0], ()))
    return tuple(found[:MOST]) or _several(request, openings, candidates_of)


def _several(request: Request, openings: tuple[Opening, ...], candidates_of: CandidatesOf) -> tuple[Relaxation, ...]:
    """The candidate with the fewest limits to change, when one is not enough: each limit is named with the others."""
    open_request = request
    for opening in openings:
        open_request = opening.take_away(open_request)
    nearest: tuple[Opening, ...] = ()
    behind: Candidate | None = None
    for candidate in candidates_of(open_request):
        broken = tuple(opening for opening in openings if opening.new(candidate) != opening.old)
        if behind is None or len(broken) < len(nearest):
            nearest, behind = broken, candidate
    if behind is None:
        return ()
    rest = [tuple(other for other in nearest if other is not opening) for opening in nearest]
    return tuple(_relaxation(opening, behind, others) for opening, others in zip(nearest[:MOST], rest, strict=False))


def _relaxation(opening: Opening, candidate: Candidate, others: tuple[Opening, ...]) -> Relaxation:
    new = opening.new(candidate)
    also = "".join(f", with {other.field}: {other.new(candidate)}" for other in others)
    cost = money_text(candidate.run) if candidate.run else "unpriced"
    what = f"{candidate.nodes} x {candidate.type.id} in {candidate.offer.region} ({candidate.hours:,.1f} h, {cost})"
    return Relaxation(
        field=opening.field,
        old=opening.old,
        new=new,
        candidate=candidate,
        message=f"{opening.field}: {new} instead of {opening.old}{also} lets {what} through",
    )


def _openings(request: Request, catalogs: Sequence[Catalog], any_vendor: Workload) -> Iterator[Opening]:
    """Each limit that the spec sets: numbers of the goal first, then hardware, then precision, places and rules."""
    yield from _goal_openings(request)
    yield from _hardware_openings(request, catalogs)
    precision = request.workload.precision
    if precision in FALLBACK:
        lower = FALLBACK[precision]
        yield Opening(
            field="workload.precision",
            old=precision,
            take_away=lambda other: _with_workload(other, precision=lower),
            new=lambda candidate: precision if candidate.fit.precision == precision else lower,
        )
    yield from _place_openings(request, catalogs)
    if request.compliance != "none":
        yield Opening(
            field="where.compliance",
            old=request.compliance,
            take_away=lambda other: _without_compliance(other, any_vendor),
            new=lambda _: "none",
        )
    if request.workload.interruptible is not None:
        yield Opening(
            field="interruptible",
            old="true",
            take_away=lambda other: _with_workload(other, interruptible=None),
            new=lambda candidate: "false" if candidate.type.spot is False else "true",
        )


def _with_workload(request: Request, **changes: Any) -> Request:
    return msgspec.structs.replace(request, workload=msgspec.structs.replace(request.workload, **changes))


def _without_compliance(request: Request, any_vendor: Workload) -> Request:
    """The job in the framework that it would have run in, under the limits that stand."""
    mine = request.workload
    workload = msgspec.structs.replace(
        any_vendor, limits=mine.limits, interruptible=mine.interruptible, precision=mine.precision
    )
    return msgspec.structs.replace(request, compliance="none", workload=workload)


def _goal_openings(request: Request) -> Iterator[Opening]:
    deadline, budget = request.deadline_hours, request.budget
    if deadline is not None:
        yield Opening(
            field="goal.deadline",
            old=f"{deadline:g}h",
            take_away=lambda other: msgspec.structs.replace(other, deadline_hours=None, prefer="time"),
            new=lambda candidate: f"{max(deadline, math.ceil(candidate.hours)):g}h",
        )
    if budget is not None:
        yield Opening(
            field="goal.budget",
            old=_money(budget),
            take_away=lambda other: msgspec.structs.replace(other, budget=None, prefer="cost"),
            new=lambda candidate: _budget(budget, request, candidate),
        )


def _money(money: Money) -> str:
    return f"{money.amount.normalize():f} {money.currency}"


def _budget(budget: Money, request: Request, candidate: Candidate) -> str:
    """The run's priced parts, rounded up to a full unit; no budget holds a candidate without a price."""
    if candidate.run is None:
        return "null"
    money = convert(candidate.run, budget.currency, request.exchange_rates) or candidate.run
    if money.currency == budget.currency and money.amount <= budget.amount:
        return _money(budget)
    return f"{math.ceil(money.amount)} {money.currency}"


def _hardware_openings(request: Request, catalogs: Sequence[Catalog]) -> Iterator[Opening]:
    limits = request.limits

    def limit(field: str, old: str, new: Callable[[Candidate], str], **changes: Any) -> Opening:
        def take_away(other: Request) -> Request:
            return _with_workload(other, limits=msgspec.structs.replace(other.limits, **changes))

        return Opening(field=field, old=old, take_away=take_away, new=new)

    if limits.gpus:
        yield limit("hardware.gpus", _list(limits.gpus), lambda c: _list(limits.gpus, str(c.type.gpu)), gpus=())
    least, most = limits.min_nodes, limits.max_nodes
    yield limit(
        "hardware.nodes",
        _range(least, most),
        lambda c: _range(min(least, c.nodes), max(most, c.nodes)),
        min_nodes=1,
        max_nodes=MOST_NODES,
    )
    fewest, top = limits.min_gpus_per_node, limits.max_gpus_per_node
    if top is not None or fewest > 1:
        yield limit(
            "hardware.gpus_per_node",
            _range(fewest, top),
            lambda c: _range(min(fewest, c.type.gpus), None if top is None else max(top, c.type.gpus)),
            min_gpus_per_node=1,
            max_gpus_per_node=None,
        )
    low, high = limits.min_gpu_memory_gib, limits.max_gpu_memory_gib
    if (low, high) != (None, None):
        yield limit(
            "hardware.gpu_memory",
            _range(low, high, "GiB"),
            lambda c: _range(
                None if low is None else min(low, c.type.gpu_memory_gib or low),
                None if high is None else max(high, c.type.gpu_memory_gib or high),
                "GiB",
            ),
            min_gpu_memory_gib=None,
            max_gpu_memory_gib=None,
        )
    vcpus, ram = limits.min_vcpus, limits.min_ram_gib
    if vcpus is not None:
        yield limit("hardware.vcpus", f">={vcpus}", lambda c: f">={min(vcpus, c.type.vcpus)}", min_vcpus=None)
    if ram is not None:
        yield limit("hardware.ram", f">={ram:g}GiB", lambda c: f">={min(ram, c.type.ram_gib):g}GiB", min_ram_gib=None)
    closed = {row.id for catalog in catalogs for row in catalog.types if not row.orderable}
    yield limit(
        "hardware.allow",
        _list(limits.allow),
        lambda c: _list(limits.allow) if c.type.orderable else _list(limits.allow, c.type.id),
        allow=tuple(sorted({*limits.allow, *closed})),
    )


def _place_openings(request: Request, catalogs: Sequence[Catalog]) -> Iterator[Opening]:
    replace = msgspec.structs.replace
    asked = tuple(region.id for catalog in catalogs for region in asked_regions(request, catalog))
    every = tuple(sorted({region.id for catalog in catalogs for region in catalog.regions}))
    mainland = "the mainland regions"
    if request.zones:
        yield Opening(
            field="where.zones",
            old=_list(request.zones),
            take_away=lambda other: replace(other, zones=(), regions=other.regions or asked),
            new=lambda c: _list(request.zones) if c.offer.zone in request.zones else "[]",
        )
    elif set(every) != set(asked):
        old = _list(request.regions) if request.regions else mainland
        yield Opening(
            field="where.regions",
            old=old,
            take_away=lambda other: replace(other, regions=(*asked, *(name for name in every if name not in asked))),
            new=lambda c: old if c.offer.region in asked else _list(request.regions, c.offer.region),
        )


def _list(names: Sequence[str], *more: str) -> str:
    return f"[{', '.join((*names, *(name for name in more if name not in names)))}]"


def _range(low: float | None, high: float | None, unit: str = "") -> str:
    """Limits as the spec writes them: `1..4`, `>=24GiB`, `<=80GiB`."""
    if high is None:
        return f">={low or 0:g}{unit}"
    return f"<={high:g}{unit}" if low is None else f"{low:g}{unit}..{high:g}{unit}"
