"""`trainform catalog`: the offers with source and date, one type whole, and the invariants of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.commands._today import today_option

if TYPE_CHECKING:
    from generator.catalog.offers import Catalog, InstanceType, Offer

FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Text or JSON.")


@click.group()
def command() -> None:
    """The offers of the clouds, with source and date."""


def _catalogs(clouds: tuple[str, ...]) -> tuple[Catalog, ...]:
    """The catalogs of the clouds named, or of all."""
    from generator.catalog import load_catalog
    from generator.clouds import catalogued_clouds
    from generator.errors import InputError, Problem
    from generator.spelling import did_you_mean

    known = catalogued_clouds()
    strange = [cloud for cloud in clouds if cloud not in known]
    if strange:
        raise InputError(
            *(
                Problem(
                    message=f"{name!r} is not a cloud", hint=did_you_mean(name, known) or f"one of {', '.join(known)}"
                )
                for name in strange
            )
        )
    return tuple(load_catalog(cloud) for cloud in clouds or known)


def _cards(names: tuple[str, ...]) -> frozenset[str]:
    """The labels that the names mean: a card, all members of a group, or `A10 slice`."""
    from generator.errors import InputError, Problem
    from generator.sizing.accelerators import expand_alias, suggest_accelerators

    labels: set[str] = set()
    problems = []
    for name in names:
        plain = name.removesuffix(" slice")
        members = expand_alias(plain)
        if not members:
            near = suggest_accelerators(plain)
            hint = f"did you mean {' or '.join(repr(one) for one in near)}?" if near else None
            problems.append(Problem(message=f"{name!r} is not an accelerator", hint=hint))
        labels |= {f"{member} slice" if plain != name else member for member in members}
    if problems:
        raise InputError(*problems)
    return frozenset(labels)


def _check_regions(catalogs: tuple[Catalog, ...], names: tuple[str, ...]) -> None:
    from generator.errors import InputError, Problem
    from generator.spelling import did_you_mean

    known = [region.id for catalog in catalogs for region in catalog.regions]
    strange = [name for name in names if name not in known]
    if strange:
        raise InputError(
            *(Problem(message=f"{name!r} is not a region", hint=did_you_mean(name, known)) for name in strange)
        )


def offer_json(offer: Offer) -> dict[str, Any]:
    """An offer as `catalog list --format json` prints it."""
    kind, price = offer.type, offer.price
    return {
        "cloud": kind.cloud,
        "region": offer.region,
        "zone": offer.zone,
        "instance_type": kind.id,
        "vcpus": kind.vcpus,
        "memory_gib": kind.ram_gib,
        "gpu": kind.gpu_label,
        "gpus": kind.gpus,
        "gpu_memory_gib": kind.gpu_memory_gib,
        "network_gbps": kind.network_gbps,
        "rdma": kind.rdma,
        "price": None
        if price is None
        else {
            "amount": float(price.amount),
            "currency": price.currency,
            "date": price.date,
            "source": price.source,
        },
    }


def _card_text(kind: InstanceType) -> str:
    if not kind.gpus:
        return "-"
    return f"{kind.gpus} x {kind.gpu_label or 'unknown card'}"


def _price_text(offer: Offer) -> str:
    if offer.price is None:
        return "unpriced"
    price = offer.price
    return f"{price.amount} {price.currency}/{price.per} ({price.date or 'undated'}, {price.source})"


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


@command.command("list")
@click.option("--cloud", "clouds", multiple=True, help="Only this cloud; may be repeated.")
@click.option("--region", "regions", multiple=True, help="Only this region; may be repeated.")
@click.option("--gpu", "gpus", multiple=True, help="Only this accelerator or group, A10 or A100-80GB; may be repeated.")
@FORMAT
def list_(clouds: tuple[str, ...], regions: tuple[str, ...], gpus: tuple[str, ...], form: str) -> None:
    """One line an offer: a type in a region with its list price."""
    import json

    catalogs = _catalogs(clouds)
    _check_regions(catalogs, regions)
    labels = _cards(gpus)
    offers = [
        offer
        for catalog in catalogs
        for offer in catalog.offers
        if (not regions or offer.region in regions) and (not gpus or offer.type.gpu_label in labels)
    ]
    if form == "json":
        click.echo(json.dumps([offer_json(offer) for offer in offers], indent=2, ensure_ascii=False))
        return
    rows = [
        (
            offer.type.cloud,
            offer.zone or offer.region,
            offer.type.id,
            f"{offer.type.vcpus} vCPU",
            f"{offer.type.ram_gib:g} GiB",
            _card_text(offer.type),
            _price_text(offer),
        )
        for offer in offers
    ]
    click.echo(_table(rows) if rows else "no offer fits")
    _echo_sources(catalogs, offers)


def _echo_sources(catalogs: tuple[Catalog, ...], offers: list[Offer]) -> None:
    """What the keys of the sources mean that stand behind these offers' prices."""
    from generator.catalog import sources

    used = {(offer.type.cloud, offer.price.source) for offer in offers if offer.price is not None}
    for cloud, key in sorted(used):
        title = next((sources(catalog.cloud).get(key) for catalog in catalogs if catalog.cloud == cloud), None)
        if title is not None:
            click.echo(f"{key}: {title.title}")


def _find(name: str) -> tuple[InstanceType, Catalog]:
    """The type of this id in whichever cloud has it."""
    from generator.catalog import other_types
    from generator.errors import InputError, Problem
    from generator.spelling import did_you_mean

    catalogs = _catalogs(())
    for catalog in catalogs:
        for kind in catalog.types:
            if kind.id == name:
                return kind, catalog
    for catalog in catalogs:
        regions = other_types(catalog.cloud).get(name)
        if regions is not None:
            where = f"; a list prices it in {', '.join(regions)}" if regions else ""
            message = f"{name} is a type of {catalog.cloud} that the catalog does not describe{where}"
            raise InputError(Problem(message=message))
    hint = did_you_mean(name, [kind.id for catalog in catalogs for kind in catalog.types])
    raise InputError(Problem(message=f"{name!r} is not an instance type of any cloud", hint=hint))


def _known(value: object, unit: str = "") -> str:
    return "not known" if value is None else f"{value:g}{unit}" if isinstance(value, float) else f"{value}{unit}"


@command.command("show")
@click.argument("instance_type")
@FORMAT
def show(instance_type: str, form: str) -> None:
    """Everything known of one instance type, and where it is offered."""
    import json

    import msgspec

    from generator.catalog import price_hints

    kind, catalog = _find(instance_type)
    offers = [offer for offer in catalog.offers if offer.type.id == kind.id]
    if form == "json":
        whole = msgspec.to_builtins(kind) | {"gpu": kind.gpu_label, "offers": [offer_json(offer) for offer in offers]}
        click.echo(json.dumps(whole, indent=2, ensure_ascii=False))
        return
    rows = [
        ("cloud", kind.cloud),
        ("family", kind.family),
        ("status", kind.status + ("" if kind.orderable else " (cannot be ordered without more)")),
        ("processors", f"{kind.vcpus} vCPU {kind.cpu_arch}, {kind.ram_gib:g} GiB"),
        ("accelerators", _card_text(kind) + (f": {kind.gpu_note}" if kind.gpu_note else "")),
    ]
    if kind.gpus:
        usable = f"{_known(kind.gpu_usable_gib, ' GiB')} usable ({kind.gpu_usable_source})"
        rows.append(("memory a card", f"{_known(kind.gpu_memory_gib, ' GiB')} nominal, {usable}"))
        rows.append(("between cards", _known(kind.interconnect)))
    rdma = f"{_known(kind.rdma)}{f' {kind.rdma_gbps:g} Gbit/s' if kind.rdma_gbps else ''}"
    rows += [
        ("network", f"{_known(kind.network_gbps, ' Gbit/s')}, RDMA {rdma}"),
        ("disks", " ".join(kind.disk_kinds) or "kinds not known"),
        ("local NVMe", f"{kind.local_nvme_gib:g} GiB"),
        ("boot mode", kind.boot_mode or "any, as far as known"),
        ("spot", {True: "sold", False: "not sold", None: "not known"}[kind.spot]),
        ("source", f"{kind.source}, {kind.date or 'undated'}"),
    ]
    rows += [
        (
            "hint",
            f"{hint.amount} {hint.currency}/{hint.per}, region not printed ({hint.date or 'undated'}, {hint.source})",
        )
        for hint in price_hints(kind.cloud).get(kind.id, ())
    ]
    if kind.note:
        rows.append(("note", kind.note))
    click.echo(kind.id)
    click.echo(_table(rows))
    click.echo("offers" if offers else "no region is known")
    if offers:
        click.echo(_table([("  " + (offer.zone or offer.region), _price_text(offer)) for offer in offers]))
        _echo_sources((catalog,), offers)


@command.command("lint")
@click.option("--cloud", "clouds", multiple=True, help="Only this cloud; may be repeated.")
@FORMAT
def lint(clouds: tuple[str, ...], form: str) -> None:
    """Hold the invariants of the tables; exit 1 when one is broken."""
    import json

    from generator.catalog import lint as lint_catalog

    catalogs = _catalogs(clouds)
    found = [problem for catalog in catalogs for problem in lint_catalog(catalog)]
    if form == "json":
        rows = [
            {"file": problem.where.file if problem.where else None, "message": problem.message} for problem in found
        ]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        for problem in found:
            click.echo(f"{problem.where.file if problem.where else ''}: {problem.message}")
        for catalog in catalogs:
            dated = f"list of {catalog.as_of}" if catalog.as_of else "no price list"
            click.echo(f"{catalog.cloud}: {len(catalog.types)} types, {len(catalog.offers)} offers, {dated}")
    if found:
        raise SystemExit(1)


@command.command("refresh")
@click.option("--cloud", required=True, help="The cloud whose API is read.")
@click.option("--region", "regions", multiple=True, help="Only this region; may be repeated. Default: all.")
@click.option("--into", type=click.Path(path_type=Path), help="Folder of your own tables, for TRAINFORM_CATALOG.")
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing; exit 1 when something would.")
@click.option("--endpoint", metavar="URL", help="Address of the API instead of the SDK's own, as in a private network.")
@click.option("--currency", help="Of the prices, for a cloud whose API does not say it.")
@today_option("The date of what is read; default: today.")
@FORMAT
def refresh(
    cloud: str,
    regions: tuple[str, ...],
    into: Path | None,
    dry_run: bool,
    endpoint: str | None,
    currency: str | None,
    today: str,
    form: str,
) -> None:
    """Read types, zones and prices from the cloud's API into the tables.

    Credentials are those that the cloud's SDK finds in its environment. Nothing is written before all is read and the
    lint holds.
    """
    import json

    import msgspec

    from generator.catalog.exchange import refresh as read_anew
    from generator.catalog.refresh_changes import changes_text

    found = read_anew(
        cloud,
        regions=regions,
        into=into,
        endpoint=endpoint,
        currency=currency,
        day=today,
        tell=lambda line: click.echo(line, err=True),
    )
    if form == "json":
        whole = {"folder": str(found.folder), "written": not dry_run, "notes": found.notes}
        click.echo(json.dumps(whole | msgspec.to_builtins(found.changes), indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join([changes_text(found.changes), *(f"note: {note}" for note in found.notes)]))
    if dry_run:
        raise SystemExit(int(found.changes.any))
    found.write()
    click.echo(f"written to {found.folder}", err=True)
