"""What a selection says of one instance type, region by region."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from generator.candidate import Candidate, Rejection
from generator.catalog import Catalog, InstanceType, load_catalog, other_types
from generator.clouds import cloud_ids
from generator.scope import is_accelerated
from generator.selection import Selection
from generator.spelling import did_you_mean


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one type in these regions (one region group), with what would have to change."""

    instance_type: str
    regions: tuple[str, ...]
    verdict: Literal["chosen", "runner_up", "rejected", "out_of_scope", "unknown_type"]
    reason: str | None
    message: str
    would_need: str | None


def explain_type(selection: Selection, catalogs: Sequence[Catalog], instance_type: str) -> tuple[Verdict, ...]:
    """One verdict for each group of regions; types out of scope or unknown say where they are known, or near names."""
    found = [
        _of_candidate(candidate, selection)
        for candidate in _candidates(selection)
        if candidate.type.id == instance_type
    ]
    found += [_of_rejection(rejection) for rejection in selection.rejected if rejection.instance_type == instance_type]
    if found:
        return tuple(found)
    row = next((row for catalog in catalogs for row in catalog.types if row.id == instance_type), None)
    return (_out_of_scope(row, instance_type) if row else _elsewhere(catalogs, instance_type),)


def _candidates(selection: Selection) -> tuple[Candidate, ...]:
    first = (selection.chosen,) if selection.chosen else ()
    return first + selection.runners_up


def _of_candidate(candidate: Candidate, selection: Selection) -> Verdict:
    chosen = candidate is selection.chosen
    return Verdict(
        instance_type=candidate.type.id,
        regions=(candidate.offer.region,),
        verdict="chosen" if chosen else "runner_up",
        reason=None,
        message="; ".join(candidate.reasons)
        if chosen
        else f"as {candidate.charge.replace('_', ' ')}: {candidate.why_not}",
        would_need=None if chosen else _to_win(candidate, selection),
    )


def _to_win(candidate: Candidate, selection: Selection) -> str:
    """What puts a runner-up first, whatever it lost by."""
    assert selection.chosen is not None
    if candidate.type.id == selection.chosen.type.id:
        return "interruptible: false"
    faster = candidate.hours < selection.chosen.hours
    return "a lower price, or " + ("goal.prefer: time" if faster else "limits in hardware that leave only it")


def _of_rejection(rejection: Rejection) -> Verdict:
    return Verdict(
        instance_type=rejection.instance_type,
        regions=rejection.regions,
        verdict="rejected",
        reason=rejection.reason,
        message=rejection.message,
        would_need=rejection.would_need,
    )


def _out_of_scope(row: InstanceType, instance_type: str) -> Verdict:
    kind = "has a card, and the job runs on CPUs" if is_accelerated(row) else "has no card, and the job needs one"
    return Verdict(
        instance_type=instance_type, regions=(), verdict="out_of_scope", reason=None, message=f"it {kind}",
        would_need="another workload.task",
    )  # fmt: skip


def _elsewhere(catalogs: Sequence[Catalog], instance_type: str) -> Verdict:
    """A type of a cloud that was not asked, one that exists but is described nowhere, or a name nobody knows."""
    asked = {catalog.cloud for catalog in catalogs}
    every = [*catalogs, *(load_catalog(cloud) for cloud in cloud_ids() if cloud not in asked)]
    for catalog in every:
        if catalog.cloud not in asked and any(row.id == instance_type for row in catalog.types):
            return Verdict(
                instance_type=instance_type, regions=(), verdict="out_of_scope", reason=None,
                message=f"{catalog.cloud} sells it, and where.clouds leaves that out",
                would_need=f"where.clouds with {catalog.cloud}",
            )  # fmt: skip
        if instance_type in other_types(catalog.cloud):
            return Verdict(
                instance_type=instance_type, regions=(), verdict="out_of_scope", reason=None,
                message=f"{catalog.cloud} lists it, but no source describes it well enough to be chosen",
                would_need=None,
            )  # fmt: skip
    hint = did_you_mean(instance_type, [row.id for catalog in every for row in catalog.types])
    message = f"no cloud sells an instance type {instance_type!r}" + (f"; {hint}" if hint else "")
    return Verdict(
        instance_type=instance_type, regions=(), verdict="unknown_type", reason=None, message=message, would_need=None
    )
