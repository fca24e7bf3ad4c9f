"""Money: exact sums of the priced parts, unknown prices by name, and never two currencies in one sum."""

from decimal import Decimal

from generator.catalog import Price, StoragePrice, load_catalog
from generator.selection.cost import (
    Bill,
    CostPart,
    NodeLine,
    convert,
    decimal_hours,
    describe_price,
    hourly_amount,
    make_bill,
    money_text,
    network_parts,
    price_list,
    storage_parts,
)
from generator.selection.storage_choice import StorageChoice
from generator.spec.quantities import Money

HOUR = Price(amount=Decimal("34.742"), currency="CNY", date="2025-09", source="P-2025")


def price(amount: str, per: str, currency: str = "CNY") -> Price:
    return Price(amount=Decimal(amount), currency=currency, date="2026-11", source="test", per=per)


def bucket(size_gib: int) -> StorageChoice:
    return StorageChoice(kind="bucket", role="ckpt", size_gib=size_gib, level="Standard", mbps=None)


def disk(size_gib: int, *, per_node: bool = True) -> StorageChoice:
    known = next(row for row in load_catalog("alicloud").disks if row.level == "PL1")
    return StorageChoice(
        kind="disk", role="data", size_gib=size_gib, level="PL1", mbps=None, disk=known, per_node=per_node
    )


def bill(*beside: CostPart, hours: float = 1.0, nodes: int = 1, node: Price | None = HOUR) -> Bill:
    """The bill of some machines at a price and of parts beside them."""
    lines = (NodeLine(instance_type="ecs.x", nodes=nodes, price=node, charge="on_demand"),)
    return make_bill(lines, beside, decimal_hours(hours))


def parts(
    *choices: StorageChoice, prices: dict | None = None, nodes: int = 1, hours: float = 1.0
) -> tuple[CostPart, ...]:
    return storage_parts(choices, nodes, prices or {}, decimal_hours(hours))


def test_a_node_costs_its_price_times_hours() -> None:
    """Exact decimals: 4 nodes at 34.742 an hour for 10 hours."""
    answer = bill(nodes=4, hours=10.0)
    assert answer.hourly == Money(amount=Decimal("138.968"), currency="CNY")
    assert answer.run == Money(amount=Decimal("1389.68"), currency="CNY")
    assert answer.parts[0].unit_price == "34.742 CNY/h, list of 2025-09"
    assert answer.parts[0].run == answer.run


def test_a_mixed_pool_is_two_lines() -> None:
    """Nodes on demand and nodes on spot are counted at their own prices; one without a price leaves no sum."""
    cheap = price("10", "hour")
    lines = tuple(
        NodeLine(instance_type="ecs.x", nodes=count, price=one, charge=charge)
        for count, one, charge in ((3, cheap, "spot"), (1, HOUR, "on_demand"))
    )
    answer = make_bill(lines, (), decimal_hours(1.0))
    assert answer.run == Money(amount=Decimal("64.742"), currency="CNY")
    assert [part.part for part in answer.parts] == ["3 x ecs.x (spot)", "1 x ecs.x (on demand)"]
    bare = make_bill(
        (lines[0], NodeLine(instance_type="ecs.x", nodes=1, price=None, charge="on_demand")), (), Decimal(1)
    )
    assert (bare.run, bare.unpriced) == (None, ("1 x ecs.x (on demand)",))


def test_a_month_is_730_hours() -> None:
    """Monthly prices are spread over the hours of an average month."""
    assert hourly_amount(price("730", "month")) == 1
    assert hourly_amount(price("0.73", "gib_month")) == Decimal("0.001")
    assert hourly_amount(price("8760", "year")) == 1
    assert hourly_amount(price("1", "gb")) is None


def test_an_unpriced_part_is_named_and_not_zero() -> None:
    """The sum holds the priced parts; the others stand in the list, with null for their cost."""
    answer = bill(*parts(disk(100), bucket(10)))
    assert answer.run == Money(amount=Decimal("34.742"), currency="CNY")
    assert answer.unpriced == ("data disk cloud_essd PL1, 100 GiB", "ckpt bucket Standard, 10 GiB")
    assert {part.kind for part in answer.unpriced_beside} == {"disk", "bucket"}
    assert all(part.run is None for part in answer.parts[1:])


def test_unpriced_nodes_leave_no_total() -> None:
    """A sum without the machines would look like a price, so there is none; the bucket keeps its own."""
    prices = {("bucket", "Standard", None): price("0.12", "gib_month")}
    answer = bill(*parts(bucket(100), prices=prices), node=None)
    assert (answer.hourly, answer.run) == (None, None)
    assert answer.unpriced == ("1 x ecs.x (on demand)",)
    assert answer.parts[1].run is not None


def test_currencies_are_not_added() -> None:
    """A disk in dollars beside a node in yuan is listed, not summed."""
    prices = {("disk", "cloud_essd", "PL1"): price("0.01", "gib_hour", "USD")}
    answer = bill(*parts(disk(100), prices=prices))
    assert answer.run == Money(amount=Decimal("34.742"), currency="CNY")
    assert answer.unpriced == ("data disk cloud_essd PL1, 100 GiB (in USD)",)


def test_what_is_compared_leaves_kinds_out() -> None:
    """A kind that some candidate has no price for is left out of the figure, not out of the bill."""
    prices = {("disk", "cloud_essd", "PL1"): price("0.01", "gib_hour")}
    answer = bill(*parts(disk(100), prices=prices))
    assert answer.run_without(frozenset()) == Decimal("35.742")
    assert answer.run_without(frozenset({"disk"})) == Decimal("34.742")


def test_disks_of_each_node_are_counted() -> None:
    """A disk per node is paid as often as there are nodes, a shared one once; local drives are free."""
    prices = {("disk", "cloud_essd", "PL1"): price("0.001", "gib_hour")}
    local = StorageChoice(kind="local", role="data", size_gib=100, level=None, mbps=2000.0, per_node=True)
    each, shared = parts(disk(100), disk(100, per_node=False), local, prices=prices, nodes=3, hours=10.0)
    assert (each.quantity, shared.quantity) == (300, 100)
    assert each.run == Money(amount=Decimal("3.000"), currency="CNY")


def test_prices_hold_in_their_region_only() -> None:
    """A row without a region is a hint, and of a bucket's redundancies the dearest counts."""
    rows = (
        StoragePrice(kind="disk", id="d", level="PL1", region="here", price=price("1", "gib_hour")),
        StoragePrice(kind="disk", id="d", level="PL2", region=None, price=price("2", "gib_hour")),
        StoragePrice(kind="bucket", id="Standard", level="LRS", region="here", price=price("0.12", "gib_month")),
        StoragePrice(kind="bucket", id="Standard", level="ZRS", region="here", price=price("0.15", "gib_month")),
        StoragePrice(kind="nat", id="gateway", level="small", region="here", price=price("0.2", "hour")),
    )
    here = price_list(rows, "here")
    assert set(here) == {("disk", "d", "PL1"), ("bucket", "Standard", None), ("nat", "", None)}
    assert here["bucket", "Standard", None].amount == Decimal("0.15")
    assert price_list(rows, "there") == {}


def test_the_gateway_is_part_of_the_bill_when_there_is_one() -> None:
    """NAT and its address are lines of their own; without egress there are none."""
    assert [part.kind for part in network_parts({}, Decimal(1), "nat")] == ["nat", "eip"]
    assert network_parts({}, Decimal(1), "none") == ()


def test_a_rate_converts_both_ways() -> None:
    """One dollar at 7.1 yuan; without a rate there is no answer."""
    rates = (("USD", Decimal("7.1")),)
    assert convert(Money(amount=Decimal(10), currency="USD"), "CNY", rates) == Money(
        amount=Decimal("71.0"), currency="CNY"
    )
    assert convert(Money(amount=Decimal(71), currency="CNY"), "USD", rates) == Money(amount=Decimal(10), currency="USD")
    assert convert(Money(amount=Decimal(1), currency="USD"), "CNY", ()) is None
    assert convert(Money(amount=Decimal(1), currency="USD"), "USD", ()) == Money(amount=Decimal(1), currency="USD")


def test_money_and_prices_read_well() -> None:
    """Two decimals, thousands, and the list or the word undated."""
    assert money_text(Money(amount=Decimal("1234567.891"), currency="CNY")) == "1,234,567.89 CNY"
    undated = Price(amount=Decimal("0.50"), currency="CNY", date=None, source="a note", per="gib_month")
    assert describe_price(undated) == "0.5 CNY/GiB-month, undated: a note"
