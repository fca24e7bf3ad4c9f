"""What a stack costs: each priced part an hour and for the run, with its price list; unpriced parts by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Literal

import msgspec

from generator.catalog import Price, StoragePrice
from generator.quantities import Money
from generator.storage import StorageChoice

CENT = Decimal("0.01")
# Hours in one unit of a price list; a month is a twelfth of a year of 8,760 hours.
HOURS_OF = {"hour": 1, "gib_hour": 1, "day": 24, "month": 730, "gib_month": 730, "year": 8760, "gib_year": 8760}

PriceList = Mapping[tuple[str, str, str | None], Price]

PartKind = Literal["node", "disk", "file_system", "bucket", "nat", "eip"]


class CostPart(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the bill: what, how many, unit price with its list, per hour and for the run; None is unpriced."""

    part: str
    quantity: float
    unit: str
    unit_price: str | None  # "34.74 CNY/h, list of 2025-09"
    hourly: Money | None
    run: Money | None
    kind: PartKind = "node"


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """All parts and the sums of the priced ones. Sums are None while the nodes themselves are unpriced."""

    parts: tuple[CostPart, ...]
    hourly: Money | None
    run: Money | None
    unpriced: tuple[str, ...]
    unpriced_kinds: frozenset[str]

    def run_without(self, kinds: frozenset[str]) -> Decimal:
        """The run's cost (0 when the nodes are unpriced) without the parts of these kinds: what can be compared."""
        return sum((part.run.amount for part in self.parts if part.run and part.kind not in kinds), Decimal(0))


def money_text(money: Money) -> str:
    """The amount with thousands and two decimals, then the currency."""
    return f"{money.amount.quantize(CENT):,} {money.currency}"


def describe_price(price: Price) -> str:
    """A unit price for people: amount, unit, and the list with its date ("undated" where the source has none)."""
    per = {"hour": "h", "month": "month", "year": "year"}.get(price.per, price.per.replace("gib_", "GiB-"))
    dated = f"list of {price.date}" if price.date else f"undated: {price.source}"
    return f"{price.amount.normalize():f} {price.currency}/{per}, {dated}"


def hourly_amount(price: Price) -> Decimal | None:
    """The price of one unit (a node, a GiB) for one hour; None for a unit that is not billed by time."""
    hours = HOURS_OF.get(price.per)
    return None if hours is None else price.amount / hours


def price_list(prices: Iterable[StoragePrice], region: str) -> PriceList:
    """Prices that hold in this region, by (kind, product, level); a row without a region is a hint, not a price.

    Of a bucket's redundancies the dearest is taken, so that no sum is too low; gateways are found by their kind.
    """
    found: dict[tuple[str, str, str | None], Price] = {}
    for row in prices:
        if row.region != region:
            continue
        key = (row.kind, row.id, row.level)
        if row.kind == "bucket":
            key = (row.kind, row.id, None)
        elif row.kind in ("nat", "eip"):
            key = (row.kind, "", None)
        if key not in found or found[key].amount < row.price.amount:
            found[key] = row.price
    return found


def node_part(instance_type: str, nodes: int, price: Price | None, hours: float, charge: str) -> CostPart:
    """The line of the machines: `nodes` equal ones for `hours`."""
    name = f"{nodes} x {instance_type} ({charge.replace('_', ' ')})"
    return _part(name, "node", nodes, "node", price, hours)


def storage_parts(
    storage: tuple[StorageChoice, ...], nodes: int, prices: PriceList, hours: float
) -> tuple[CostPart, ...]:
    """One line for each disk, file system and bucket; local disks come with the node and cost nothing of their own."""
    lines = []
    for choice in storage:
        if choice.kind == "local":
            continue
        count = nodes if choice.per_node else 1
        kind: PartKind = "file_system" if choice.kind == "nas" else choice.kind
        level = None if kind == "bucket" else choice.level
        price = prices.get((kind, choice.product or "", level))
        words = (choice.role, choice.kind.replace("_", " "), choice.product, choice.level)
        name = " ".join(dict.fromkeys(word for word in words if word)) + f", {choice.size_gib:,} GiB"
        lines.append(
            _part(f"{count} x {name}" if count > 1 else name, kind, count * choice.size_gib, "GiB", price, hours)
        )
    return tuple(lines)


def network_parts(prices: PriceList, hours: float, egress: str) -> tuple[CostPart, ...]:
    """The NAT gateway and its address, when nodes may fetch from outside; traffic is billed by volume, not here."""
    if egress != "nat":
        return ()
    return (
        _part("NAT gateway", "nat", 1, "piece", prices.get(("nat", "", None)), hours),
        _part("public address of the gateway", "eip", 1, "piece", prices.get(("eip", "", None)), hours),
    )


def add_up(parts: tuple[CostPart, ...]) -> Bill:
    """The bill of these parts. Parts in another currency than the nodes' are listed as unpriced, never added."""
    currency = next((part.run.currency for part in parts if part.run), None)
    summed = [part for part in parts if part.run and part.run.currency == currency]
    left = [part for part in parts if part not in summed]
    hourly = run = None
    if currency and all(part.run for part in parts if part.kind == "node"):
        hourly = Money(amount=sum((p.hourly.amount for p in summed if p.hourly), Decimal(0)), currency=currency)
        run = Money(amount=sum((p.run.amount for p in summed if p.run), Decimal(0)), currency=currency)
    return Bill(
        parts=parts,
        hourly=hourly,
        run=run,
        unpriced=tuple(part.part if part.run is None else f"{part.part} (in {part.run.currency})" for part in left),
        unpriced_kinds=frozenset(part.kind for part in left),
    )


def convert(money: Money, currency: str, rates: tuple[tuple[str, Decimal], ...]) -> Money | None:
    """The amount in another currency by the user's rates (CNY for one unit); None without a rate."""
    if money.currency == currency:
        return money
    known = {"CNY": Decimal(1), **dict(rates)}
    if money.currency not in known or currency not in known:
        return None
    return Money(amount=money.amount * known[money.currency] / known[currency], currency=currency)


def _part(name: str, kind: PartKind, quantity: int, unit: str, price: Price | None, hours: float) -> CostPart:
    unit_hourly = hourly_amount(price) if price else None
    if price is None or unit_hourly is None:
        return CostPart(part=name, kind=kind, quantity=quantity, unit=unit, unit_price=None, hourly=None, run=None)
    hourly = unit_hourly * quantity
    return CostPart(
        part=name,
        kind=kind,
        quantity=quantity,
        unit=unit,
        unit_price=describe_price(price),
        hourly=Money(amount=hourly, currency=price.currency),
        run=Money(amount=hourly * Decimal(repr(round(hours, 6))), currency=price.currency),
    )
