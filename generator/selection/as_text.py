"""A selection for people: the choice with its reasons and bill, the next best, why the rest is out, what is unknown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from generator.dates import old_text
from generator.selection import Selection
from generator.selection.candidate import REASONS, Candidate, Rejection, Relaxation
from generator.selection.cost import money_text
from generator.sizing.estimate import Memory
from generator.spec.quantities import Money

SHOWN = 5  # runners-up without --all
GAP = "  "
MEMORY_PARTS = (
    "weights",
    "gradients",
    "optimizer",
    "activations",
    "logits",
    "kv_cache",
    "overhead",
    "total",
    "bound",
    "usable",
)


def selection_text(selection: Selection, name: str, today: str, *, everything: bool = False) -> str:
    """The whole answer as text, with the age of lists by an ISO date; `everything` shows all that is not chosen."""
    sections: list[tuple[str, Iterable[str]]] = []
    chosen = selection.chosen
    if chosen is None:
        sections.append((f"{name}: nothing fits", ()))
        if selection.relax:
            sections.append(("What would have to change", _bullets(_relaxation(row) for row in selection.relax)))
    else:
        sections.append((f"{name}: {_title(chosen)}", _summary(chosen)))
        sections.append(("Why", _bullets(chosen.reasons)))
        if chosen.fit.memory:
            sections.append(("Memory of one GPU, GiB", _memory(chosen.fit.memory)))
        sections.append(("Storage", _storage(chosen)))
        sections.append(("Cost of the run", _costs(chosen, today)))
    if selection.runners_up:
        shown = selection.runners_up if everything else selection.runners_up[:SHOWN]
        more = len(selection.runners_up) - len(shown)
        title = "Runners-up" + (f" ({len(shown)} of {len(selection.runners_up)}; --all shows the rest)" if more else "")
        sections.append((title, _runners_up(shown)))
    if selection.rejected:
        title = f"Rejected ({len(selection.rejected)}" + (")" if everything else "; --all shows each)")
        sections.append((title, _each_rejection(selection.rejected) if everything else _grouped(selection.rejected)))
    if selection.assumptions:
        sections.append(("Assumed", _bullets(selection.assumptions)))
    if selection.unknown:
        sections.append(("Not known offline", _bullets(selection.unknown)))
    return "\n\n".join("\n".join((title, *(f"{GAP}{line}" for line in lines))) for title, lines in sections)


def align(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> Iterator[str]:
    """Rows as lines with aligned columns; columns in `right` are aligned to the right, the last one is not padded."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))] if rows else []
    for row in rows:
        cells = [
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield GAP.join(cells).rstrip()


def _bullets(lines: Iterable[str]) -> list[str]:
    return [f"- {line}" for line in lines]


def _title(candidate: Candidate) -> str:
    offer = candidate.offer
    spare = f" + {candidate.spare_nodes} spare" if candidate.spare_nodes else ""
    charge = candidate.charge.replace("_", " ")
    return f"{candidate.nodes}{spare} x {offer.type.id} in {offer.zone or offer.region} of {offer.type.cloud}, {charge}"


def _money(money: Money | None) -> str:
    return "unpriced" if money is None else money_text(money)


def _summary(candidate: Candidate) -> Iterator[str]:
    row = candidate.type
    cards = f"{row.gpus} x {row.gpu_label} {row.gpu_memory_gib:g} GiB, " if row.gpu else ""
    rdma = f", RDMA: {row.rdma}" if row.gpu and candidate.nodes > 1 else ""
    deadline = {"met": " (deadline met)", "missed": " (deadline missed)", "none": ""}[candidate.deadline]
    yield from align(
        (
            ("node", f"{cards}{row.vcpus} vCPU, {row.ram_gib:g} GiB RAM{rdma}"),
            ("time", f"{candidate.hours:,.1f} h{deadline}"),
            ("cost", _cost(candidate)),
        )
    )


def _cost(candidate: Candidate) -> str:
    """The hour and the run, what has no price, and how the budget stands; a node without a price is said loudly."""
    if candidate.run is None:
        return "NO PRICE IS KNOWN for the node, so neither hour nor run has a total; `prices: ./prices.csv` gives yours"
    left = f"; {len(candidate.unpriced)} parts unpriced" if candidate.unpriced else ""
    budget = "" if candidate.budget == "none" else f"; budget {candidate.budget.replace('_', ' ')}"
    return f"{_money(candidate.hourly)} an hour, {_money(candidate.run)} for the run{left}{budget}"


def _memory(memory: Memory) -> Iterator[str]:
    parts = [name for name in MEMORY_PARTS if name != "kv_cache" or memory.kv_cache]
    yield from align(
        (tuple(parts), tuple(f"{getattr(memory, name):.1f}" for name in parts)), frozenset(range(len(parts)))
    )


def _storage(candidate: Candidate) -> Iterator[str]:
    rows = [("role", "what", "GiB", "MB/s", "why")]
    for choice in candidate.storage:
        what = " ".join(
            dict.fromkeys(word for word in (choice.kind.replace("_", " "), choice.product, choice.level) if word)
        )
        rate = "-" if choice.mbps is None else f"{choice.mbps:,.0f}"
        rows.append(
            (
                choice.role,
                what + (" on each node" if choice.per_node and candidate.nodes > 1 else ""),
                f"{choice.size_gib:,}",
                rate,
                choice.reason,
            )
        )
    yield from align(rows, frozenset({2, 3}))


def _costs(candidate: Candidate, today: str) -> Iterator[str]:
    rows = [("part", "run", "price")]
    for part in candidate.costs:
        price = part.unit_price or "no dated price for this region"
        rows.append((part.part, _money(part.run), price + old_text(part.price_date, today)))
    rows.append(("total of the priced parts", _money(candidate.run), ""))
    yield from align(rows, frozenset({1}))


def _runners_up(candidates: Sequence[Candidate]) -> Iterator[str]:
    rows = [("", "candidate", "region", "hours", "run", "why not")]
    for place, candidate in enumerate(candidates, start=2):
        name = f"{candidate.nodes} x {candidate.type.id}" + (" spot" if candidate.charge == "spot" else "")
        rows.append(
            (
                f"{place}.",
                name,
                candidate.offer.region,
                f"{candidate.hours:,.1f}",
                _money(candidate.run),
                candidate.why_not or "",
            )
        )
    yield from align(rows, frozenset({0, 3, 4}))


def _grouped(rejected: Sequence[Rejection]) -> Iterator[str]:
    groups: dict[str, list[Rejection]] = defaultdict(list)
    for rejection in rejected:
        groups[rejection.reason].append(rejection)
    rows = []
    for reason in sorted(groups, key=REASONS.index):
        example = groups[reason][0]
        rows.append((str(len(groups[reason])), reason, f"{example.instance_type}: {example.message}"))
    yield from align(rows, frozenset({0}))


def _each_rejection(rejected: Sequence[Rejection]) -> Iterator[str]:
    yield from align(
        [
            (row.instance_type, row.reason, f"{' '.join(row.regions)}: {row.message}".removeprefix(": "))
            for row in rejected
        ]
    )


def _relaxation(row: Relaxation) -> str:
    return row.message
