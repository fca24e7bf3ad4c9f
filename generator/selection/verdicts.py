"""What a selection says of one instance type, region by region, and what would have to change for it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

import msgspec

from generator.catalog import Catalog, InstanceType, load_catalog, other_types
from generator.clouds import catalogued_clouds
from generator.selection import Selection
from generator.selection.candidate import Candidate, Rejection
from generator.selection.cost import money_text
from generator.selection.scope import is_accelerated
from generator.selection.shapes import hardware_of, must_be_alone
from generator.sizing.layout import find_fit
from generator.spec.quantities import Money
from generator.spelling import did_you_mean
from generator.workload import Workload

# Reasons that the layout search gives, and for which it knows what would make the job fit.
SIZED = frozenset({"precision", "framework", "ram", "fabric", "layout", "memory", "latency"})


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one type in these regions (one region group), with what would have to change."""

    instance_type: str
    regions: tuple[str, ...]
    verdict: Literal["chosen", "runner_up", "rejected", "out_of_scope", "unknown_type"]
    reason: str | None
    message: str
    would_need: str | None


def explain_type(
    selection: Selection, workload: Workload, catalogs: Sequence[Catalog], instance_type: str
) -> tuple[Verdict, ...]:
    """One verdict for each group of regions; types out of scope or unknown say where they are known, or near names."""
    row = next((row for catalog in catalogs for row in catalog.types if row.id == instance_type), None)
    if row is None:
        return (_elsewhere(catalogs, instance_type),)
    every = (selection.chosen, *selection.runners_up) if selection.chosen else ()
    found = [_of_candidate(candidate, selection) for candidate in every if candidate.type.id == instance_type]
    found += [_of_rejection(one, row, workload) for one in selection.rejected if one.instance_type == instance_type]
    return tuple(found) or (_out_of_scope(row),)


def _of_candidate(candidate: Candidate, selection: Selection) -> Verdict:
    chosen = candidate is selection.chosen
    charge = candidate.charge.replace("_", " ")
    return Verdict(
        instance_type=candidate.type.id,
        regions=(candidate.offer.region,),
        verdict="chosen" if chosen else "runner_up",
        reason=None,
        message="; ".join(candidate.reasons) if chosen else f"{charge}, {candidate.why_not}",
        would_need=None if chosen else _to_win(candidate, selection),
    )


def _to_win(candidate: Candidate, selection: Selection) -> str:
    """What puts a runner-up first, whatever it lost by."""
    first = selection.chosen
    assert first is not None
    if candidate.type.id == first.type.id:
        return "interruptible: false"
    if candidate.run and first.run and candidate.run.currency == first.run.currency and candidate.hours:
        hours = Decimal(repr(round(candidate.hours, 6))) * (candidate.nodes + candidate.spare_nodes)
        price = Money(amount=first.run.amount / hours, currency=first.run.currency)
        return f"a price below {money_text(price)} an hour for the whole of one node, or limits that leave only it"
    return "a price, or limits that leave only it"


def _of_rejection(rejection: Rejection, row: InstanceType, workload: Workload) -> Verdict:
    return Verdict(
        instance_type=rejection.instance_type,
        regions=rejection.regions,
        verdict="rejected",
        reason=rejection.reason,
        message=rejection.message,
        would_need=(_to_fit(row, workload) if rejection.reason in SIZED else None) or rejection.would_need,
    )


def _to_fit(row: InstanceType, workload: Workload) -> str | None:
    """What the layout search knows that would make the job fit on this type."""
    limits = workload.limits
    if must_be_alone(workload, row):
        workload = msgspec.structs.replace(workload, limits=msgspec.structs.replace(limits, max_nodes=1))
    fit = find_fit(workload, hardware_of(row, limits.min_nodes))
    changes = [f"{one.change} ({one.cost_percent:+.0f} % GPU hours)" for one in fit.would_fit]
    return ", or ".join(changes) or None


def _out_of_scope(row: InstanceType) -> Verdict:
    kind = "it has a card, and the job runs on CPUs" if is_accelerated(row) else "it has no card, and the job needs one"
    return _beyond(row.id, "out_of_scope", kind, "another workload.task")


def _elsewhere(catalogs: Sequence[Catalog], instance_type: str) -> Verdict:
    """A type of a cloud that was not asked, one that exists but is described nowhere, or a name nobody knows."""
    asked = {catalog.cloud for catalog in catalogs}
    every = [*catalogs, *(load_catalog(cloud) for cloud in catalogued_clouds() if cloud not in asked)]
    for catalog in every:
        cloud = catalog.cloud
        if any(row.id == instance_type for row in catalog.types):
            return _beyond(instance_type, "out_of_scope", f"it is one of {cloud}", f"where.clouds with {cloud}")
        if instance_type in other_types(cloud):
            message = f"{cloud} lists it, but no source describes it well enough to be chosen"
            return _beyond(instance_type, "out_of_scope", message, None)
    hint = did_you_mean(instance_type, [row.id for catalog in every for row in catalog.types])
    message = f"no cloud sells an instance type {instance_type!r}" + (f"; {hint}" if hint else "")
    return _beyond(instance_type, "unknown_type", message, None)


def _beyond(
    instance_type: str, verdict: Literal["out_of_scope", "unknown_type"], message: str, would_need: str | None
) -> Verdict:
    return Verdict(
        instance_type=instance_type, regions=(), verdict=verdict, reason=None, message=message, would_need=would_need
    )
