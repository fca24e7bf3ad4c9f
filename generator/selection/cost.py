"""What a stack costs: each priced part an hour and for the run, with its price list; unpriced parts by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Literal

import msgspec

from generator.catalog import Price, StoragePrice
from generator.selection.storage_choice import StorageChoice
from generator.spec.quantities import Money

CENT = Decimal("0.01")
NOTHING = Decimal(0)
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
    price_date: str | None = None  # of the list


class NodeLine(msgspec.Struct, frozen=True, kw_only=True):
    """Equal machines of one charge at one price."""

    instance_type: str
    nodes: int
    price: Price | None
    charge: str


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """The machines and the parts beside them, over `hours`. Sums hold the parts priced in the machines' currency.

    There is no sum while a machine has no price: without it, it would look like one.
    """

    lines: tuple[NodeLine, ...]
    beside: tuple[CostPart, ...]
    hours: Decimal
    currency: str | None  # of the machines; None while one of them is unpriced
    nodes_hourly: Decimal

    @property
    def hourly(self) -> Money | None:
        """All priced parts for one hour."""
        if self.currency is None:
            return None
        rest = (p.hourly.amount for p in self.beside if p.hourly and p.hourly.currency == self.currency)
        return Money(amount=sum(rest, self.nodes_hourly), currency=self.currency)

    @property
    def run(self) -> Money | None:
        """All priced parts for the run."""
        return None if self.currency is None else Money(amount=self.run_without(frozenset()), currency=self.currency)

    def run_without(self, kinds: frozenset[str]) -> Decimal:
        """The run's priced parts without those of these kinds: what can be compared."""
        rest = (p.run.amount for p in self.beside if p.run and p.run.currency == self.currency and p.kind not in kinds)
        return sum(rest, self.nodes_hourly * self.hours)

    @property
    def unpriced_beside(self) -> tuple[CostPart, ...]:
        """Parts beside the machines without a price, or with one in another currency."""
        return tuple(p for p in self.beside if p.run is None or self.currency not in (None, p.run.currency))

    @property
    def parts(self) -> tuple[CostPart, ...]:
        """Every line, the machines first."""
        machines = (
            _part(f"{line.nodes} x {line.instance_type} ({line.charge.replace('_', ' ')})", "node", line.nodes, "node",
                  line.price, self.hours)
            for line in self.lines
        )  # fmt: skip
        return (*machines, *self.beside)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Names of the parts that are in no sum."""
        machines = tuple(part.part for part in self.parts if part.kind == "node" and part.run is None)
        return machines + tuple(
            p.part if p.run is None else f"{p.part} (in {p.run.currency})" for p in self.unpriced_beside
        )


def make_bill(lines: tuple[NodeLine, ...], beside: tuple[CostPart, ...], hours: Decimal) -> Bill:
    """The bill of these machines and parts; machines priced in two currencies count as unpriced."""
    nodes_hourly, currencies = NOTHING, set()
    for line in lines:
        amount = hourly_amount(line.price) if line.price else None
        currencies.add(line.price.currency if line.price and amount is not None else None)
        nodes_hourly += line.nodes * amount if amount is not None else NOTHING
    currency = currencies.pop() if len(currencies) == 1 else None
    return Bill(lines=lines, beside=beside, hours=hours, currency=currency, nodes_hourly=nodes_hourly)


def decimal_hours(hours: float) -> Decimal:
    """Hours for money: to six decimals, the same on every machine."""
    return Decimal(repr(round(hours, 6)))


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
    if hours == 1:
        return price.amount
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


def storage_parts(
    storage: tuple[StorageChoice, ...], nodes: int, prices: PriceList, hours: Decimal
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
        name = f"{count} x {name}" if count > 1 else name
        lines.append(_part(name, kind, count * choice.size_gib, "GiB", price, hours))
    return tuple(lines)


def network_parts(prices: PriceList, hours: Decimal, egress: str) -> tuple[CostPart, ...]:
    """The NAT gateway and its address, when nodes may fetch from outside; traffic is billed by volume, not here."""
    if egress != "nat":
        return ()
    return (
        _part("NAT gateway", "nat", 1, "piece", prices.get(("nat", "", None)), hours),
        _part("public address of the gateway", "eip", 1, "piece", prices.get(("eip", "", None)), hours),
    )


def convert(money: Money, currency: str, rates: tuple[tuple[str, Decimal], ...]) -> Money | None:
    """The amount in another currency by the user's rates (CNY for one unit); None without a rate."""
    if money.currency == currency:
        return money
    known = {"CNY": Decimal(1), **dict(rates)}
    if money.currency not in known or currency not in known:
        return None
    return Money(amount=money.amount * known[money.currency] / known[currency], currency=currency)


def _part(name: str, kind: PartKind, quantity: int, unit: str, price: Price | None, hours: Decimal) -> CostPart:
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
        run=Money(amount=hourly * hours, currency=price.currency),
        price_date=price.date,
    )
