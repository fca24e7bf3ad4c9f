"""Which offers may be considered at all: what the spec asks, and the reasons that need no sizing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

import msgspec

from generator.catalog import Catalog, InstanceType, Offer, Region
from generator.errors import InputError, Place, Problem
from generator.selection.candidate import Refusal
from generator.selection.needs import refuse_missing
from generator.sizing.accelerators import find_accelerator
from generator.spec import Spec
from generator.spec.quantities import Money
from generator.spelling import did_you_mean
from generator.workload import Limits, Workload

DOMESTIC_VENDORS = ("ascend", "kunlun")  # CONTRACTS section 1, `where.compliance: xinchuang`
TRAINING_TASKS = ("pretrain", "finetune")


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What the spec asks of the choice, in plain units; relaxing a limit is replacing a field here."""

    workload: Workload
    clouds: tuple[str, ...]
    regions: tuple[str, ...]  # () means the mainland regions of each cloud, or those of `zones`
    zones: tuple[str, ...]
    compliance: Literal["none", "xinchuang"]
    deadline_hours: float | None
    budget: Money | None
    prefer: Literal["cost", "time"]
    spot_ratio: Decimal
    exchange_rates: tuple[tuple[str, Decimal], ...]  # CNY for one unit
    egress: str
    watched: bool  # somebody is to be told of alarms
    timetable: bool  # the machines run by the clock

    @property
    def limits(self) -> Limits:
        """The user's limits on hardware."""
        return self.workload.limits

    @property
    def on_accelerators(self) -> bool:
        """Whether it needs a card: preprocessing never, development when a model or a card is named (D0-03..06)."""
        if self.workload.task == "preprocess":
            return False
        if self.workload.task != "develop":
            return True
        limits = self.limits
        return self.workload.model is not None or any(
            (
                limits.gpus,
                limits.min_gpu_memory_gib,
                limits.max_gpu_memory_gib,
                limits.max_gpus_per_node,
                limits.min_gpus_per_node > 1,
            )
        )


class Scoped(msgspec.Struct, frozen=True, kw_only=True):
    """A type and its offers in the regions asked, each with the refusal that holds without sizing, if any."""

    type: InstanceType
    catalog: Catalog
    offers: tuple[Offer, ...]
    refusal: Refusal | None  # of the type, wherever it is sold
    refused: tuple[tuple[Offer, Refusal], ...] = ()  # offers that are out on their own
    regions: tuple[str, ...] = ()  # of those asked where it is sold, else all where it is


def read_request(spec: Spec, workload: Workload, catalogs: Iterable[Catalog]) -> Request:
    """The spec's goal and place as a Request. Raises InputError for an allowed type that no catalog knows."""
    goal, where = spec.goal, spec.where
    known = tuple(catalogs)
    _check_allowed(known, workload.limits.allow, spec.source.places.get("hardware.allow"))
    rate = goal.exchange_rate
    return Request(
        workload=workload,
        clouds=tuple(sorted(catalog.cloud for catalog in known)),
        regions=where.regions,
        zones=where.zones,
        compliance=where.compliance,
        deadline_hours=goal.deadline_hours,
        budget=goal.budget,
        prefer=goal.prefer,
        spot_ratio=Decimal(repr(goal.spot_ratio)),
        exchange_rates=(("USD", Decimal(repr(rate.usd))),) if rate else (),
        egress=spec.network.egress,
        watched=spec.operate.alarms_to is not None,
        timetable=spec.operate.hours is not None,
    )


def is_accelerated(instance_type: InstanceType) -> bool:
    """Whether the type has a card, known or not."""
    return instance_type.gpus > 0 or instance_type.gpu is not None or instance_type.gpu_note is not None


def asked_regions(request: Request, catalog: Catalog) -> tuple[Region, ...]:
    """The regions of this cloud that the spec allows, in its order; else those of its zones, else the mainland ones."""
    by_id = {region.id: region for region in catalog.regions}
    if request.regions:
        return tuple(by_id[name] for name in request.regions if name in by_id)
    ordered = sorted(catalog.regions, key=lambda region: region.id)
    if request.zones:
        return tuple(region for region in ordered if any(zone_in(zone, region) for zone in request.zones))
    return tuple(region for region in ordered if region.mainland)


def zone_in(zone: str, region: Region) -> bool:
    """Whether the zone is one of the region: a source names it, or its name is the region's and one part more."""
    return zone in region.zones or (zone.startswith(f"{region.id}-") and zone.count("-") == region.id.count("-") + 1)


def scope_catalog(request: Request, catalog: Catalog) -> tuple[Scoped, ...]:
    """Every type of the kind needed, sorted by id, with its offers in the regions asked and the refusals so far."""
    offers: dict[str, list[Offer]] = defaultdict(list)
    for offer in catalog.offers:
        offers[offer.type.id].append(offer)
    regions = {region.id: region for region in asked_regions(request, catalog)}
    kind = request.on_accelerators
    types = sorted((row for row in catalog.types if is_accelerated(row) == kind), key=lambda row: row.id)
    sold = tuple(row for row in types if row.orderable and any(offer.region in regions for offer in offers[row.id]))
    return tuple(_scope_type(request, catalog, row, offers[row.id], regions, sold) for row in types)


def _scope_type(
    request: Request,
    catalog: Catalog,
    row: InstanceType,
    offers: list[Offer],
    regions: dict[str, Region],
    sold: tuple[InstanceType, ...],
) -> Scoped:
    """`regions` are those asked, in their order; `sold` are the types that they sell."""
    here = [offer for offer in offers if offer.region in regions]
    order = {name: index for index, name in enumerate(regions)} if here else {}
    here.sort(key=lambda offer: (order[offer.region], offer.zone or ""))
    refusal = _refuse_unsold(request, row, offers, here, sold) or _refuse_type(request, row)
    placed, refused = [], []
    for offer in here:
        found = _place_in_zone(request.zones, offer, regions[offer.region])
        if isinstance(found, Offer):
            found = _refuse_sale(request, found) or found
        if isinstance(found, Refusal):
            refused.append((offer, found))
        else:
            placed.append(found)
    return Scoped(
        type=row,
        catalog=catalog,
        offers=tuple(placed),
        refusal=refusal,
        refused=tuple(refused),
        regions=tuple(sorted({offer.region for offer in here or offers})),
    )


def _place_in_zone(zones: tuple[str, ...], offer: Offer, region: Region) -> Offer | Refusal:
    """The offer in the first zone asked that may be its own; one of unknown zone may be in any zone of its region."""
    if not zones:
        return offer
    inside = [zone for zone in zones if zone_in(zone, region)]
    if offer.zone is None and inside:
        return msgspec.structs.replace(offer, zone=inside[0])
    if offer.zone in inside:
        return offer
    sold = f"sold in {offer.zone}" if offer.zone else f"{region.id} has none of them"
    return Refusal(
        reason="zone", message=f"zones asked for: {', '.join(zones)}; {sold}", would_need="another where.zones"
    )


def _refuse_sale(request: Request, offer: Offer) -> Refusal | None:
    """What the user's own prices file says of this account."""
    if not offer.sold:
        return Refusal(reason="capability", message=f"not sold to this account: {offer.source or 'prices file'}")
    if request.workload.interruptible is not None and offer.spot_sold is False:
        return Refusal(
            reason="capability",
            message="not sold as spot here, says the prices file",
            would_need="interruptible: false",
        )
    return None


def _refuse_unsold(
    request: Request, row: InstanceType, offers: list[Offer], here: list[Offer], sold: tuple[InstanceType, ...]
) -> Refusal | None:
    """Codes unknown_accelerator, not_orderable, region_unknown and region, in this order."""
    unknown = _unknown_card(row)
    if unknown:
        return Refusal(
            reason="unknown_accelerator", message=unknown, would_need="a source for the card, its form and memory"
        )
    opened = row.id in request.limits.allow or any(offer.type.orderable for offer in offers)  # a prices file opens it
    if not row.orderable and not opened:
        told = "" if offers else ", and a row of the prices file (prices:) with its region and sold=yes"
        return Refusal(
            reason="not_orderable",
            message=f"status {row.status.replace('_', ' ')}: not for everyone to order",
            would_need=f"hardware.allow: [{row.id}], once the cloud sells it to you{told}",
        )
    if not offers:
        return Refusal(
            reason="region_unknown",
            message="no source names a region that sells it",
            would_need="a row of the prices file (prices:) with its region",
        )
    if not here:
        names = ", ".join(sorted({offer.region for offer in offers}))
        return Refusal(
            reason="region",
            message=f"sold in {names}, in none of the regions asked; {_instead(row, sold)}",
            would_need=f"where.regions with one of: {names}",
        )
    return None


def _unknown_card(row: InstanceType) -> str | None:
    if not is_accelerated(row):
        return None
    if row.gpu is None:
        return row.gpu_note or "no source names its card"
    if find_accelerator(row.gpu) is None:
        return f"card {row.gpu!r} is not in the table of accelerators"
    if row.gpu_memory_gib is None or row.gpu_usable_gib is None:
        return f"no source gives the memory of its {row.gpu}"
    if row.is_slice and row.slice_fraction is None:
        return f"no source gives the share of the {row.gpu} that the slice has"
    return None


def _instead(row: InstanceType, sold: tuple[InstanceType, ...]) -> str:
    """What is nearest among the types sold in the regions asked: count, then card, then memory, then vCPUs."""
    best = min(
        sold,
        key=lambda other: (
            other.gpus != row.gpus,
            other.gpu != row.gpu,
            abs((other.gpu_memory_gib or 0) - (row.gpu_memory_gib or 0)),
            abs(other.vcpus - row.vcpus),
            other.id,
        ),
        default=None,
    )
    if best is None:
        return "nothing of its kind is sold there"
    card = f" ({best.gpus} x {best.gpu_label})" if best.gpu else f" ({best.vcpus} vCPU)"
    return f"there {best.id}{card} is sold instead"


def _refuse_type(request: Request, row: InstanceType) -> Refusal | None:
    """Codes compliance, capability, architecture and hardware_limit, in this order."""
    card = find_accelerator(row.gpu) if row.gpu else None
    if (
        request.compliance == "xinchuang"
        and is_accelerated(row)
        and (card is None or card.vendor not in DOMESTIC_VENDORS)
    ):
        return Refusal(
            reason="compliance", message=f"{row.gpu} is no domestic card: xinchuang allows Ascend and Kunlun",
            would_need="where.compliance: none",
        )  # fmt: skip
    return (
        _refuse_capability(request, row)
        or _refuse_architecture(row, card.vendor if card else None)
        or _refuse_limits(request.limits, row, cards=request.on_accelerators)
    )


def _refuse_capability(request: Request, row: InstanceType) -> Refusal | None:
    workload = request.workload
    missing = refuse_missing(workload, row.cloud)
    if missing:
        return missing
    if row.is_slice:
        alone = workload.limits.min_nodes == 1 and workload.limits.min_gpus_per_node == 1
        if workload.task not in {"develop", "infer"} and not (workload.task == "finetune" and alone):
            return Refusal(
                reason="capability",
                message="a slice of a card: for development, inference and fine-tuning on one GPU only",
                would_need="a task that one slice serves",
            )
    if workload.interruptible is not None and row.spot is False:  # an offer that says otherwise is no news of its type
        return Refusal(reason="capability", message="not sold as spot", would_need="interruptible: false")
    return None


def _refuse_architecture(row: InstanceType, vendor: str | None) -> Refusal | None:
    if row.cpu_arch == "x86_64" or vendor in DOMESTIC_VENDORS:
        return None
    return Refusal(
        reason="architecture", message=f"{row.cpu_arch} host: the images and wheels of the job are x86_64",
        would_need="an image and wheels for arm64, which are not generated",
    )  # fmt: skip


def _refuse_limits(limits: Limits, row: InstanceType, *, cards: bool) -> Refusal | None:
    """The user's limits on the hardware, each with both figures."""
    if cards and limits.gpus and row.gpu not in limits.gpus:
        return _outside("hardware.gpus", f"{row.gpu_label} is not among {', '.join(limits.gpus)}")
    bounds: list[tuple[str, float, float | None, float | None, str]] = [
        ("hardware.vcpus", row.vcpus, limits.min_vcpus, None, "vCPU"),
        ("hardware.ram", row.ram_gib, limits.min_ram_gib, None, "GiB of RAM"),
    ]
    if cards:
        memory = row.gpu_memory_gib or 0.0
        bounds += [
            ("hardware.gpus_per_node", row.gpus, limits.min_gpus_per_node, limits.max_gpus_per_node, "GPU a node"),
            ("hardware.gpu_memory", memory, limits.min_gpu_memory_gib, limits.max_gpu_memory_gib, "GiB a card"),
        ]
    for field, have, least, most, unit in bounds:
        if least is not None and have < least:
            return _outside(field, f"{have:g} {unit}, at least {least:g} asked")
        if most is not None and have > most:
            return _outside(field, f"{have:g} {unit}, at most {most:g} asked")
    return None


def _outside(field: str, message: str) -> Refusal:
    return Refusal(reason="hardware_limit", message=f"{field}: {message}", would_need=f"another {field}")


def _check_allowed(catalogs: tuple[Catalog, ...], allowed: tuple[str, ...], place: Place | None) -> None:
    types = {row.id for catalog in catalogs for row in catalog.types}
    problems = [
        Problem(
            message=f"hardware.allow: no cloud asked has an instance type {name!r}",
            where=place,
            hint=did_you_mean(name, types),
        )
        for name in allowed
        if name not in types
    ]
    if problems:
        raise InputError(*problems)
