"""What a refresh changes in the catalog tables, grouped for a person: new, gone, changed."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from generator.catalog.refresh import Row, Tables


class PriceChange(msgspec.Struct, frozen=True, kw_only=True):
    """A list price that moved; None for unpriced. `currency` is the new one's, else the old one's."""

    region: str
    instance_type: str
    old: str | None
    new: str | None
    currency: str


class FieldChange(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of a type that the API tells otherwise."""

    instance_type: str
    field: str
    old: str
    new: str


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A type in a region."""

    region: str
    instance_type: str


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """All that a refresh changes, but for the dates of what is as it was; `confirmed` counts the types seen again."""

    new_types: tuple[str, ...]
    new_families: tuple[str, ...]  # not described: their card is not known
    changed_types: tuple[FieldChange, ...]
    new_offers: tuple[Place, ...]
    gone_offers: tuple[Place, ...]
    prices: tuple[PriceChange, ...]
    zones: tuple[FieldChange, ...]  # `instance_type` is the region's id
    exceptions: tuple[str, ...]  # of the lint, which nothing needs any more
    confirmed: int

    @property
    def any(self) -> bool:
        """True when something but a date changed."""
        return any(getattr(self, name) for name in self.__struct_fields__ if name != "confirmed")


def compare(old: Tables, new: Tables, day: str) -> Changes:
    """The changes from one state of the tables to another, which was read on `day`."""
    before, after = _by(old["instance_types"].rows, "id"), _by(new["instance_types"].rows, "id")
    sold, sells = _prices(old["offers"].rows), _prices(new["offers"].rows)
    zones, now = _by(old["regions"].rows, "id"), _by(new["regions"].rows, "id")
    exceptions = [set(_exceptions(tables)) for tables in (old, new)]
    return Changes(
        new_types=tuple(sorted(set(after) - set(before))),
        new_families=tuple(sorted(set(_by(new["families"].rows, "family")) - set(_by(old["families"].rows, "family")))),
        changed_types=tuple(_fields(before, after, ("source", "date"))),
        new_offers=tuple(Place(region=region, instance_type=name) for region, name in sorted(set(sells) - set(sold))),
        gone_offers=tuple(Place(region=region, instance_type=name) for region, name in sorted(set(sold) - set(sells))),
        prices=tuple(
            PriceChange(
                region=region,
                instance_type=name,
                old=sold[region, name][0] or None,
                new=sells[region, name][0] or None,
                currency=sells[region, name][1] or sold[region, name][1],
            )
            for region, name in sorted(set(sold) & set(sells))
            if sold[region, name] != sells[region, name]
        ),
        zones=tuple(_fields(zones, now, ("source",))),
        exceptions=tuple(sorted(exceptions[0] - exceptions[1])),
        confirmed=sum(row["date"] == day for name, row in after.items() if name in before),
    )


def _by(rows: Iterable[Row], column: str) -> dict[str, Row]:
    return {row[column]: row for row in rows}


def _prices(rows: Iterable[Row]) -> dict[tuple[str, str], tuple[str, str]]:
    """Price and currency by region and type; of several zones the dearest, so that a rise is not hidden."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for row in rows:
        key, price = (row["region"], row["instance_type"]), (row["price"], row["currency"])
        if key not in found or float(price[0] or 0) > float(found[key][0] or 0):
            found[key] = price
    return found


def _fields(before: dict[str, Row], after: dict[str, Row], ignored: tuple[str, ...]) -> Iterable[FieldChange]:
    for name in sorted(set(before) & set(after)):
        for field, old in before[name].items():
            new = after[name].get(field, "")
            if field not in ignored and old != new:
                yield FieldChange(instance_type=name, field=field, old=old, new=new)


def _exceptions(tables: Tables) -> Iterable[str]:
    rows = tables["lint_exceptions"].rows if "lint_exceptions" in tables else ()
    return (" ".join(row[name] for name in ("invariant", "instance_type", "region") if row[name]) for row in rows)


def changes_text(changes: Changes) -> str:
    """The changes for a terminal, one group after the other; a group without a change is left out."""
    card = "new families, whose card and network are not described: cannot be chosen yet"
    groups: tuple[tuple[str, int, Iterable[str]], ...] = (
        ("new types", len(changes.new_types), changes.new_types),
        (card, len(changes.new_families), changes.new_families),
        ("types with other figures", len(changes.changed_types), map(_field, changes.changed_types)),
        ("gone from a region", len(changes.gone_offers), _by_region(changes.gone_offers)),
        ("new in a region", len(changes.new_offers), _by_region(changes.new_offers)),
        ("prices", len(changes.prices), map(_price, changes.prices)),
        ("zones", len(changes.zones), map(_field, changes.zones)),
        ("exceptions of the lint that are not needed any more", len(changes.exceptions), changes.exceptions),
    )
    lines = [
        line for title, count, rows in groups if count for line in (f"{title} ({count})", *(f"  {row}" for row in rows))
    ]
    if not lines:
        lines = ["nothing is new, gone or changed"]
    return "\n".join([*lines, f"{changes.confirmed} known types were seen again"])


def _field(change: FieldChange) -> str:
    return f"{change.instance_type}: {change.field} {change.old or 'not known'} -> {change.new or 'not known'}"


def _by_region(places: Iterable[Place]) -> list[str]:
    regions: dict[str, list[str]] = {}
    for place in places:
        regions.setdefault(place.region, []).append(place.instance_type)
    return [f"{region}: {', '.join(names)}" for region, names in regions.items()]


def _price(change: PriceChange) -> str:
    share = ""
    if change.old and change.new:
        percent = (float(change.new) / float(change.old) - 1) * 100
        share = f" ({percent:+.1f}%)" if abs(percent) >= 0.05 else ""
    told = f"{change.old or 'unpriced'} -> {change.new or 'unpriced'} {change.currency}/hour"
    return f"{change.region} {change.instance_type}: {told}{share}"
