"""What SELECTION.md says: the design review of a stack, with every figure that moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from generator.facts.names import selling_regions
from generator.selection.candidate import REASONS, Candidate
from generator.selection.cost import money_text
from generator.sizing.accelerators import find_accelerator
from generator.spec.quantities import Money
from generator.stack.blueprint import Blueprint
from generator.stack.startup import layout_text
from generator.stack.topology import topology
from generator.stack.view import View

SHOWN = 5
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
DAY_H = 48  # from here on days read better
OLD_CAPABILITY = 7.0  # V100 and older (SZ006)
TRAIN_RAM_GIB = 60  # the documents' floor for training (D2-22)


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a table."""

    cells: tuple[str, ...]


class SelectionPage(msgspec.Struct, frozen=True, kw_only=True):
    """The names of SELECTION.md.jinja."""

    name: str
    title: str
    spec_file: str
    choice: str
    reasons: tuple[str, ...]
    diagram: tuple[str, ...]
    memory_heads: tuple[str, ...]
    memory: Row | None
    steps: tuple[str, ...]
    storage: tuple[Row, ...]
    costs: tuple[Row, ...]
    total: str
    unpriced: tuple[str, ...]
    runners: tuple[Row, ...]
    more_runners: int
    rejected: tuple[Row, ...]
    rejected_total: int
    alternates: tuple[str, ...]
    assumptions: tuple[str, ...]
    unknown: tuple[str, ...]
    notes: tuple[str, ...]


def selection_page(blueprint: Blueprint, view: View) -> SelectionPage:
    """The review's facts in words and cells; nothing here depends on the clock."""
    selection, candidate = blueprint.selection, blueprint.candidate
    memory = candidate.fit.memory
    parts = tuple(part for part in MEMORY_PARTS if memory and (part != "kv_cache" or memory.kv_cache))
    groups = Counter(row.reason for row in selection.rejected)
    examples = {row.reason: row for row in reversed(selection.rejected)}
    return SelectionPage(
        name=blueprint.name,
        title=view.title,
        spec_file=blueprint.spec_file,
        choice=choice_text(candidate),
        reasons=candidate.reasons,
        diagram=topology(blueprint),
        memory_heads=parts,
        memory=Row(cells=tuple(f"{getattr(memory, part):.1f}" for part in parts)) if memory else None,
        steps=step_lines(blueprint),
        storage=tuple(Row(cells=cells) for cells in storage_cells(candidate)),
        costs=tuple(
            Row(
                cells=(
                    part.part,
                    part.unit_price or "unpriced: no dated list price here",
                    _money(part.hourly),
                    _money(part.run),
                )
            )
            for part in candidate.costs
        ),
        total=f"{_money(candidate.hourly)} an hour, {_money(candidate.run)} for the run",
        unpriced=candidate.unpriced,
        runners=tuple(Row(cells=runner_cells(other)) for other in selection.runners_up[:SHOWN]),
        more_runners=max(len(selection.runners_up) - SHOWN, 0),
        rejected=tuple(
            Row(cells=(str(groups[reason]), reason, f"{examples[reason].instance_type}: {examples[reason].message}"))
            for reason in REASONS
            if groups[reason]
        ),
        rejected_total=len(selection.rejected),
        alternates=tuple(f"{other.instance_type}: {other.why}" for other in candidate.alternates),
        assumptions=tuple(dict.fromkeys((*selection.assumptions, *candidate.assumptions))),
        unknown=selection.unknown,
        notes=notes(blueprint),
    )


def choice_text(candidate: Candidate) -> str:
    """What was chosen and what it promises, in one sentence."""
    kind = candidate.type
    what = (
        f"{kind.gpus} x {kind.gpu_label} {kind.gpu_memory_gib:g} GiB"
        if kind.gpus and kind.gpu_memory_gib
        else f"{kind.vcpus} vCPU"
    )
    deadline = {"met": ", within the deadline", "missed": ", past the deadline", "none": ""}[candidate.deadline]
    budget = {
        "within": " (within the budget)",
        "exceeded": " (over the budget)",
        "not_proven": " (budget not proven: parts are unpriced)",
        "none": "",
    }
    cost = (
        f", {_money(candidate.run)}{budget[candidate.budget]}" if candidate.run else ", at a price that no list tells"
    )
    return (
        f"{candidate.nodes} x {kind.id} ({what}, {kind.ram_gib:g} GiB RAM), {candidate.charge.replace('_', ' ')},"
        f" in {candidate.offer.zone or candidate.offer.region}: {duration(candidate.hours)}{deadline}{cost}"
    )


def duration(hours: float) -> str:
    """Hours as people say them."""
    return f"{hours / 24:,.1f} days" if hours >= DAY_H else f"{hours:,.1f} h"


def step_lines(blueprint: Blueprint) -> tuple[str, ...]:
    """Layout, the parts of a step, the interval of the run, and how sure we are."""
    fit = blueprint.candidate.fit
    lines = []
    if fit.layout:
        lines.append(
            f"Layout: {layout_text(blueprint)}; {fit.precision}; framework profile {blueprint.workload.profile}."
        )
    time = fit.time
    if time and fit.layout:
        lines.append(
            f"Step {time.step_s:.2f} s: compute {time.compute_s:.2f}, exposed communication {time.communication_s:.2f},"
            f" pipeline bubble {time.bubble_s:.2f}, data {time.data_s:.2f}, checkpoint {time.checkpoint_s:.2f}."
        )
        lines.append(
            f"Run {duration(time.run_hours)}, between {duration(time.low_hours)} and {duration(time.high_hours)}."
        )
    need = fit.storage
    if need.read_mbps >= 1:
        lines.append(f"Reads {need.read_mbps:,.0f} MB/s in all.")
    if need.checkpoint_gib:
        lines.append(
            f"A checkpoint is {need.checkpoint_gib:,.1f} GiB and takes {need.checkpoint_write_s:,.0f} s"
            f" at {need.checkpoint_mbps:,.0f} MB/s."
        )
    accuracy = fit.accuracy
    if accuracy and accuracy.rows:
        error = f", mean error {accuracy.error:.0%}" if accuracy.error is not None else ""
        lines.append(f"Memory of this family is held against {accuracy.rows} measurements{error}.")
    elif accuracy:
        lines.append("Not validated for this family: no measurement to hold it against.")
    return tuple(lines)


def storage_cells(candidate: Candidate) -> tuple[tuple[str, ...], ...]:
    """Role, what, GiB, MB/s and why of each piece."""
    rows: list[tuple[str, ...]] = []
    for choice in candidate.storage:
        words = dict.fromkeys(word for word in (choice.kind.replace("_", " "), choice.product, choice.level) if word)
        rate = "-" if choice.mbps is None else f"{choice.mbps:,.0f}"
        each = " on each node" if choice.per_node and candidate.nodes > 1 else ""
        rows.append((choice.role, " ".join(words) + each, f"{choice.size_gib:,}", rate, choice.reason))
    return tuple(rows)


def runner_cells(candidate: Candidate) -> tuple[str, ...]:
    """Candidate, region, time, cost and why not."""
    charge = " spot" if candidate.charge == "spot" else ""
    return (
        f"{candidate.nodes} x {candidate.type.id}{charge}",
        candidate.offer.region,
        duration(candidate.hours),
        _money(candidate.run),
        candidate.why_not or "",
    )


def notes(blueprint: Blueprint) -> tuple[str, ...]:
    """What a guardrail may warn of on this stack, and why it was built so all the same."""
    said = []
    if blueprint.nodes.pool and blueprint.nodes.count == 1 and not blueprint.nodes.on_demand:
        said.append(
            "SP002: the pool never falls back to on-demand, as the spec asks; without a spot node the job waits."
        )
    if not (blueprint.release or blueprint.candidate.type.bare_metal) and blueprint.nodes.role in {"train", "prep"}:
        said.append(
            "CO002: the nodes have no end, for the spec gives no operate.time_to_live; `pulumi destroy` ends them."
        )
    if blueprint.checkpoints is None and blueprint.nodes.role == "train":
        said.append("SP001, SP003: nothing is saved on the way, as the spec asks.")
    if blueprint.nodes.role == "train" and blueprint.candidate.type.ram_gib < TRAIN_RAM_GIB:
        ram = f"{blueprint.candidate.type.ram_gib:g} GiB of memory"
        said.append(
            f"SZ003: {ram} will do here: the data is read from its place, and need not lie in memory as a whole."
        )
    if blueprint.network.access == "public":
        ranges = ", ".join(blueprint.network.ssh_from)
        said.append(f"SE003: the first node has a public address, as the spec asks; SSH is open to {ranges} alone.")
    if blueprint.schedule is None and blueprint.nodes.role == "dev":
        said.append("CO001: the machine runs day and night, for the spec gives no operate.hours.")
    return (*said, *_type_notes(blueprint))


def _type_notes(blueprint: Blueprint) -> Iterator[str]:
    """What a guardrail may warn of because of the type that the spec asks for."""
    kind, region = blueprint.candidate.type, blueprint.candidate.offer.region
    if region not in selling_regions(kind.cloud).get(kind.id, ()):
        yield f"SZ001: no list of ours says that {kind.id} is sold in {region}; the rows of the spec's `prices` do."
    card = find_accelerator(kind.gpu) if kind.gpu else None
    capability = card.compute_capability if card is not None else None
    if blueprint.nodes.role == "dev" and capability is not None and float(capability) <= OLD_CAPABILITY:
        yield f"SZ006: the spec names {kind.gpu}, which the newest wheels leave out; install those that still have it."


def _money(money: Money | None) -> str:
    return "unpriced" if money is None else money_text(money)
