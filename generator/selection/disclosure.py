"""What a selection rests on: defaults that were taken for the user, and facts that nobody can know offline."""

from __future__ import annotations

from collections.abc import Sequence

from generator.catalog import Catalog
from generator.selection.candidate import Candidate
from generator.selection.scope import Request
from generator.selection.shapes import DEVELOP_GPU_GIB, DEVELOP_RAM_GIB


def list_assumptions(request: Request, chosen: Candidate | None, left_out: frozenset[str]) -> tuple[str, ...]:
    """Every default and guess behind the answer, each once."""
    lines = list(request.workload.assumptions)
    limits = request.limits
    if request.workload.task == "develop":
        if limits.min_ram_gib is None:
            lines.append(f"hardware.ram: {DEVELOP_RAM_GIB} GiB to develop on")
        if request.on_accelerators and limits.min_gpu_memory_gib is None and limits.max_gpu_memory_gib is None:
            lines.append(f"hardware.gpu_memory: {DEVELOP_GPU_GIB} GiB to develop on (D0-61)")
    if chosen is not None and chosen.charge == "spot" and chosen.type.spot is None and chosen.offer.spot_sold is None:
        lines.append(f"{chosen.type.id} is taken to be sold as spot: no source says so or otherwise")
    if left_out:
        kinds = ", ".join(sorted(kind.replace("_", " ") for kind in left_out))
        lines.append(f"not in the ranking, for some candidate has no price for it: {kinds}")
    if chosen is not None:
        lines += chosen.assumptions
        if chosen.type.gpus and chosen.type.ram_gib < 64 and request.workload.task in ("pretrain", "finetune"):
            lines.append(
                f"{chosen.type.ram_gib:g} GiB of RAM are enough: the 64 advised to train on (SZ003) are to cache data"
            )
    return tuple(dict.fromkeys(lines))


def list_unknown(chosen: Candidate, catalogs: Sequence[Catalog]) -> tuple[str, ...]:
    """What has to be looked up on the day: stock, zone, spot price, prices that no list gives, the age of the lists."""
    offer = chosen.offer
    where = offer.zone or offer.region
    catalog = next(catalog for catalog in catalogs if catalog.cloud == offer.type.cloud)
    lines = [f"stock of {offer.type.id} in {where} is not known offline"]
    if offer.zone is None:
        region = next((row for row in catalog.regions if row.id == offer.region), None)
        named = f"; zones that some source names: {', '.join(region.zones)}" if region and region.zones else ""
        lines.append(
            f"which zones of {offer.region} sell {offer.type.id} is not known offline: set the zone before `pulumi up`"
            + named
        )
    if chosen.charge == "spot" and offer.spot_price is None:
        lines.append(
            f"today's spot price of {offer.type.id} is not known offline: counted as on-demand price x goal.spot_ratio"
        )
    lines += [f"price of {part}" for part in chosen.unpriced]
    lines.append(f"catalog of {catalog.cloud}: {f'as of {catalog.as_of}' if catalog.as_of else 'without a dated list'}")
    return tuple(lines)
