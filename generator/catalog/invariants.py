"""The invariants of a catalog: what must hold of every cloud's tables, so that a wrong figure is found before it costs.

Real lists break some rules of thumb; such rows stand with their reason in the cloud's `lint_exceptions.csv`, and an
exception that nothing needs any more is a problem itself.
"""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import permutations
from pathlib import Path

import msgspec

from generator import legality
from generator.catalog.folders import tables_folder
from generator.catalog.offers import Catalog, InstanceType, Offer, Price, Source
from generator.clouds import find_cloud
from generator.errors import Place, Problem
from generator.rows import read_rows
from generator.sizing.accelerators import find_accelerator
from generator.sizing.estimate import Accelerator

# A family's list prices per GPU lie within this factor of their median in a region (the widest real spread is 2.0).
PRICE_BAND = 2.5
# Rounded list prices may differ by this share without being out of order.
ROUNDING = 0.001
EXCEPTIONS = "lint_exceptions.csv"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One broken invariant: of which table, for which type (None: not about one) in which region."""

    invariant: str
    table: str
    message: str
    instance_type: str | None = None
    region: str | None = None


def check_cards(catalog: Catalog) -> Iterator[Finding]:
    """Every accelerator type has a known card or says why not; memory, count and total agree; usable <= nominal."""
    for kind in catalog.types:
        for message in _card(kind):
            yield Finding(invariant="card", table="instance_types.csv", message=message, instance_type=kind.id)


def _card(kind: InstanceType) -> Iterator[str]:
    if kind.gpus == 0:
        if kind.gpu is not None or kind.gpu_memory_gib is not None or kind.is_slice:
            yield f"{kind.id} has no accelerator but a card, memory or slice of one"
        return
    card = find_accelerator(kind.gpu) if kind.gpu is not None else None
    if kind.gpu is None and not kind.gpu_note:
        yield f"{kind.id} has {kind.gpus} accelerators, neither a card nor a reason why it is unknown"
    if kind.gpu is not None and card is None:
        yield f"{kind.id} names {kind.gpu!r}, which is not in the accelerator table"
    if kind.gpu is not None and kind.gpu_note:
        yield f"{kind.id} has a card and a reason why it is unknown"
    if kind.gpu_memory_gib is not None:
        yield from _memory(kind, kind.gpu_memory_gib, card)
    elif card is not None:
        yield f"{kind.id} has a known card without memory"


def _memory(kind: InstanceType, memory: float, card: Accelerator | None) -> Iterator[str]:
    usable = kind.gpu_usable_gib
    if kind.gpu_total_gib != memory * kind.gpus:
        yield f"{kind.id}: {kind.gpus} x {memory:g} GiB is not the total of {kind.gpu_total_gib or 0:g} GiB"
    if usable is not None and not 0 < usable <= memory:
        yield f"{kind.id}: usable {usable:g} GiB is not within the nominal {memory:g} GiB"
    if card is not None:
        share = kind.slice_fraction if kind.is_slice else 1.0
        if share is not None and abs(memory - card.memory_gib * share) > 0.01 * card.memory_gib:
            yield f"{kind.id}: {memory:g} GiB is not {share:g} of a {card.name} with {card.memory_gib:g} GiB"
        if kind.interconnect == "nvlink" and not card.nvlink_gbytes_s:
            yield f"{kind.id} has NVLink, its card {card.name} has none"


def check_types(catalog: Catalog) -> Iterator[Finding]:
    """Ids are unique; vCPU, memory, network and disks are possible figures."""
    seen: set[str] = set()
    for kind in catalog.types:
        wrong = []
        if kind.id in seen:
            wrong.append(f"{kind.id} stands twice")
        seen.add(kind.id)
        if kind.vcpus < 1 or kind.ram_gib <= 0:
            wrong.append(f"{kind.id} has {kind.vcpus} vCPU and {kind.ram_gib:g} GiB")
        if kind.network_gbps is not None and kind.network_gbps <= 0:
            wrong.append(f"{kind.id} has a network of {kind.network_gbps:g} Gbit/s")
        if kind.rdma in (None, "none") and (kind.rdma_gbps or kind.rdma_nics):
            wrong.append(f"{kind.id} has RDMA figures but no RDMA")
        for message in wrong:
            yield Finding(invariant="type", table="instance_types.csv", message=message, instance_type=kind.id)


def check_regions(catalog: Catalog) -> Iterator[Finding]:
    """Offers are in known regions; zones belong to the region of their row; nothing is offered twice."""
    regions = {region.id: region for region in catalog.regions}
    for region in catalog.regions:
        for zone in region.zones:
            if wrong := legality.check_zone(catalog.cloud, zone, region.id):
                yield Finding(invariant="zone", table="regions.csv", message=wrong, region=region.id)
    seen: set[tuple[str, str | None, str]] = set()
    for offer in catalog.offers:
        key = (offer.region, offer.zone, offer.type.id)
        place = {"instance_type": offer.type.id, "region": offer.region, "table": "offers.csv"}
        if key in seen:
            yield Finding(invariant="offer", message=f"{offer.type.id} in {offer.region} stands twice", **place)
        seen.add(key)
        if offer.region not in regions:
            yield Finding(invariant="region", message=f"{offer.region!r} is not in regions.csv", **place)
        elif offer.zone is not None and offer.zone not in regions[offer.region].zones:
            yield Finding(invariant="zone", message=f"{offer.zone!r} is not a zone of {offer.region}", **place)


def _price(price: Price, what: str, known: Mapping[str, Source]) -> Iterator[str]:
    if price.amount <= 0:
        yield f"{what} costs {price.amount}: a price of nothing means that there is none"
    if not price.source:
        yield f"the price of {what} has no source"
    listed = known.get(price.source)
    dated = listed.date if listed else re.search(r"\b20\d\d-\d\d(?:-\d\d)?\b", price.source)
    if dated and price.date is None:
        yield f"the price of {what} has no date, its source has"


def _sources(catalog: Catalog) -> dict[str, Source]:
    return {source.key: source for source in catalog.sources}


def check_prices(catalog: Catalog) -> Iterator[Finding]:
    """Every price is above 0, sourced, dated where its source is, and in the currency of the cloud or US dollars."""
    dates, currencies = _sources(catalog), {find_cloud(catalog.cloud).currency, "USD"}
    for offer in catalog.offers:
        for price in (offer.price, offer.spot_price):
            if price is None:
                continue
            messages = list(_price(price, f"{offer.type.id} in {offer.region}", dates))
            if price.currency not in currencies:
                messages.append(f"{offer.type.id} in {offer.region} is priced in {price.currency!r}")
            for message in messages:
                place = {"instance_type": offer.type.id, "region": offer.region, "table": "offers.csv"}
                yield Finding(invariant="price", message=message, **place)
    for row in catalog.storage_prices:
        what = " ".join(part for part in (row.kind, row.id, row.level, row.region) if part)
        for message in _price(row.price, what, dates):
            yield Finding(invariant="price", table="storage_prices.csv", message=message, region=row.region)


def _lists(catalog: Catalog) -> Iterable[list[Offer]]:
    """Priced offers that may be compared: one family in one region on one list."""
    groups: dict[tuple[str, str, str | None, str], list[Offer]] = defaultdict(list)
    for offer in catalog.offers:
        if offer.price is not None:
            key = (offer.region, offer.type.family, offer.price.date, offer.price.currency)
            groups[key].append(offer)
    return groups.values()


def _amount(offer: Offer) -> float:
    return float(offer.price.amount) if offer.price is not None else 0.0


def check_bands(catalog: Catalog) -> Iterator[Finding]:
    """Within a family and region the price per GPU stays near its median."""
    for group in _lists(catalog):
        cards = [offer for offer in group if offer.type.gpus and not offer.type.is_slice]
        middle = statistics.median(_amount(offer) / offer.type.gpus for offer in cards) if cards else 0.0
        for offer in cards:
            each = _amount(offer) / offer.type.gpus
            if not middle / PRICE_BAND <= each <= middle * PRICE_BAND:
                message = f"{offer.type.id} in {offer.region}: {each:.2f} a GPU, the family's median is {middle:.2f}"
                place = {"instance_type": offer.type.id, "region": offer.region, "table": "offers.csv"}
                yield Finding(invariant="band", message=message, **place)


def _size(kind: InstanceType) -> tuple[float, ...]:
    return (kind.vcpus, kind.ram_gib, kind.gpus, kind.gpu_memory_gib or 0.0, kind.local_nvme_gib)


def check_order(catalog: Catalog) -> Iterator[Finding]:
    """Within a family and region, a type that has less of nothing costs no less."""
    for group in _lists(catalog):
        for small, big in permutations(group, 2):
            less, more = _size(small.type), _size(big.type)
            grows = less != more and all(a <= b for a, b in zip(less, more, strict=True))
            if grows and _amount(small) > _amount(big) * (1 + ROUNDING):
                message = (
                    f"{big.type.id} in {big.region}: {_amount(big):g}, less than {_amount(small):g} of {small.type.id}"
                )
                place = {"instance_type": big.type.id, "region": big.region, "table": "offers.csv"}
                yield Finding(invariant="order", message=message, **place)


def check_storage(catalog: Catalog) -> Iterator[Finding]:
    """Sizes, steps and speeds of disks and file systems are possible, and prices name rows that exist."""
    for disk in catalog.disks:
        name = f"{disk.id} {disk.level or ''}".strip()
        if not 0 < disk.min_gib <= disk.max_gib or disk.step_gib < 1:
            yield Finding(invariant="disk", table="disks.csv", message=f"{name}: {disk.min_gib} to {disk.max_gib} GiB")
        for base, most in ((disk.iops_base, disk.iops_max), (disk.mbps_base, disk.mbps_max)):
            if base is not None and (most is None or not 0 <= base <= most):
                yield Finding(
                    invariant="disk", table="disks.csv", message=f"{name}: a base of {base:g} and no such maximum"
                )
    for row in catalog.file_systems:
        name = f"{row.id} {row.level or ''}".strip()
        most = row.max_gib if row.max_gib is not None else row.min_gib
        if row.min_gib < 1 or row.step_gib < 1 or most < row.min_gib:
            message = f"{name}: from {row.min_gib} GiB in steps of {row.step_gib}"
            yield Finding(invariant="file_system", table="file_systems.csv", message=message)
        if not row.step_stated and "step" not in (row.note or ""):
            message = f"{name}: the step is not stated, and no note says so"
            yield Finding(invariant="file_system", table="file_systems.csv", message=message)
    known = {
        "disk": {disk.id for disk in catalog.disks},
        "file_system": {row.id for row in catalog.file_systems},
        "bucket": {row.id for row in catalog.bucket_classes},
    }
    for price in catalog.storage_prices:
        if price.kind in known and price.id not in known[price.kind]:
            message = f"a price for {price.kind} {price.id!r}, which no table has"
            yield Finding(invariant="storage_price", table="storage_prices.csv", message=message)


def check_sources(catalog: Catalog) -> Iterator[Finding]:
    """Every row of types, offers, disks, file systems and buckets names sources that `sources.csv` explains."""
    known = _sources(catalog)
    rows = (
        *(("instance_types.csv", kind.id, kind.source) for kind in catalog.types),
        *(("offers.csv", f"{offer.type.id} in {offer.region}", offer.source) for offer in catalog.offers),
        *(("disks.csv", disk.id, disk.source) for disk in catalog.disks),
        *(("file_systems.csv", row.id, row.source) for row in catalog.file_systems),
        *(("bucket_classes.csv", row.id, row.source) for row in catalog.bucket_classes),
    )
    for table, what, source in rows:
        # an overlay's rows name their file and line instead
        strange = [] if ":" in source else [key for key in source.split() if key not in known]
        if not source or strange:
            message = f"{what} has no source" if not source else f"{what} names {strange[0]!r}, not in sources.csv"
            yield Finding(invariant="source", table=table, message=message)


CHECKS = (
    check_cards, check_types, check_regions, check_prices, check_bands, check_order, check_storage, check_sources,
)  # fmt: skip


def read_exceptions(path: Path) -> dict[tuple[str, str, str], str]:
    """The reason of each exception by invariant, instance type and region (empty: any); none without a table."""
    return (
        {(r["invariant"], r["instance_type"], r["region"]): r["reason"] for r in read_rows(path)}
        if path.exists()
        else {}
    )


def judge(
    catalog: Catalog, allowed: Collection[tuple[str, str, str]]
) -> tuple[tuple[Finding, ...], frozenset[tuple[str, str, str]]]:
    """Every broken invariant that no exception allows, and the exceptions that are needed."""
    used: set[tuple[str, str, str]] = set()
    found: list[Finding] = []
    for finding in (finding for check in CHECKS for finding in check(catalog)):
        keys = [(finding.invariant, finding.instance_type or "", region) for region in (finding.region or "", "")]
        hit = next((key for key in keys if key in allowed), None)
        if hit is not None:
            used.add(hit)
        else:
            found.append(finding)
    return tuple(found), frozenset(used)


def problems(catalog: Catalog, folder: Path | None = None) -> tuple[Problem, ...]:
    """Every broken invariant, less the exceptions with a reason, and every exception that nothing needs.

    The exceptions are those of `folder`, where the catalog was read; None: where the cloud's tables lie.
    """
    path = (folder or tables_folder(catalog.cloud)) / EXCEPTIONS
    allowed = read_exceptions(path)
    findings, used = judge(catalog, allowed)
    found = [
        Problem(
            message=f"{finding.invariant}: {finding.message}",
            where=Place(file=f"clouds/{catalog.cloud}/{finding.table}"),
        )
        for finding in findings
    ]
    for key in sorted(set(allowed) - used):
        where = Place(file=f"clouds/{catalog.cloud}/{path.name}")
        found.append(
            Problem(message=f"exception {' '.join(part for part in key if part)} is not needed any more", where=where)
        )
    return tuple(found)
