"""A selection as JSON: stable names, money with two decimals, null where nothing is known."""

from __future__ import annotations

from typing import Any

import msgspec

from generator.dates import age_years
from generator.selection import Selection
from generator.selection.candidate import Candidate, Rejection, Relaxation
from generator.selection.cost import CENT, CostPart
from generator.sizing.estimate import Layout, Memory
from generator.spec.quantities import Money

GIB_DIGITS = 2


def selection_json(selection: Selection, today: str) -> dict[str, Any]:
    """The whole answer of `trainform select --format json`, with the age of price lists by an ISO date."""
    return {
        "chosen": candidate_json(selection.chosen, today) if selection.chosen else None,
        "runners_up": [candidate_json(candidate, today) for candidate in selection.runners_up],
        "rejected": [rejection_json(rejection) for rejection in selection.rejected],
        "relax": [relaxation_json(relaxation) for relaxation in selection.relax],
        "assumptions": list(selection.assumptions),
        "unknown": list(selection.unknown),
    }


def candidate_json(candidate: Candidate, today: str) -> dict[str, Any]:
    """One candidate; `layout` and `memory` are null for CPU jobs, memory is GiB per GPU."""
    row, offer, fit = candidate.type, candidate.offer, candidate.fit
    answer: dict[str, Any] = {
        "cloud": row.cloud,
        "region": offer.region,
        "zone": offer.zone,
        "instance_type": row.id,
        "nodes": candidate.nodes,
        "spare_nodes": candidate.spare_nodes,
        "gpu": row.gpu_label,
        "gpus_per_node": row.gpus,
        "gpu_memory_gib": row.gpu_memory_gib,
        "vcpus": row.vcpus,
        "ram_gib": row.ram_gib,
        "local_nvme_gib": row.local_nvme_gib,
        "rdma": row.rdma,
        "charge": candidate.charge,
        "on_demand_nodes": candidate.on_demand_nodes,
        "hourly": money_json(candidate.hourly),
        "run": money_json(candidate.run),
        "hours": round(candidate.hours, 2),
        "precision": fit.precision,
        "layout": layout_json(fit.layout),
        "memory": memory_json(fit.memory),
        "storage": [
            {
                "kind": choice.kind,
                "role": choice.role,
                "size_gib": choice.size_gib,
                "level": choice.level,
                "mbps": None if choice.mbps is None else round(choice.mbps, 1),
                "product": choice.product,
                "per_node": choice.per_node,
                "reason": choice.reason,
            }
            for choice in candidate.storage
        ],
        "costs": [cost_json(part, today) for part in candidate.costs],
        "unpriced": list(candidate.unpriced),
        "budget": candidate.budget,
        "deadline": candidate.deadline,
        "alternates": [{"instance_type": other.instance_type, "why": other.why} for other in candidate.alternates],
        "reasons": list(candidate.reasons),
    }
    if candidate.why_not is not None:
        answer["why_not"] = candidate.why_not
    return answer


def rejection_json(rejection: Rejection) -> dict[str, Any]:
    """One rejection: a type, the regions the reason holds for, the code and the sentence."""
    return {
        "cloud": rejection.cloud,
        "regions": list(rejection.regions),
        "instance_type": rejection.instance_type,
        "reason": rejection.reason,
        "message": rejection.message,
    }


def relaxation_json(relaxation: Relaxation) -> dict[str, Any]:
    """One limit to relax, from what to what, and the candidate that it lets through."""
    candidate = relaxation.candidate
    return {
        "field": relaxation.field,
        "from": relaxation.old,
        "to": relaxation.new,
        "candidate": {
            "cloud": candidate.type.cloud,
            "region": candidate.offer.region,
            "instance_type": candidate.type.id,
            "nodes": candidate.nodes,
            "hours": round(candidate.hours, 2),
            "run": money_json(candidate.run),
        }
        if candidate
        else None,
        "message": relaxation.message,
    }


def cost_json(part: CostPart, today: str) -> dict[str, Any]:
    """One line of the bill; `price_age_years` is null where the price or its date is."""
    return {
        "part": part.part,
        "quantity": part.quantity,
        "unit": part.unit,
        "unit_price": part.unit_price,
        "price_date": part.price_date,
        "price_age_years": round(age_years(part.price_date, today), 1) if part.price_date else None,
        "hourly": money_json(part.hourly),
        "run": money_json(part.run),
    }


def money_json(money: Money | None) -> dict[str, Any] | None:
    """An amount with two decimals and its currency."""
    return None if money is None else {"amount": float(money.amount.quantize(CENT)), "currency": money.currency}


def layout_json(layout: Layout | None) -> dict[str, Any] | None:
    """The layout by its own field names."""
    return None if layout is None else msgspec.structs.asdict(layout)


def memory_json(memory: Memory | None) -> dict[str, Any] | None:
    """Memory by part, GiB per GPU, with two decimals."""
    if memory is None:
        return None
    return {name: round(value, GIB_DIGITS) for name, value in msgspec.structs.asdict(memory).items()}
