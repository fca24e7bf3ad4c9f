"""Each invariant of a catalog is broken once on purpose and found, and what real lists do is not."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from generator.catalog import Catalog, lint, load_catalog
from generator.catalog.offers import InstanceType, Price

NAME = "ecs.gn7i-c8g1.2xlarge"
BIG = "ecs.gn7i-c32g1.32xlarge"


def with_type(name: str, **changes: Any) -> Callable[[Catalog], Catalog]:
    """A catalog in which one type says something else, in the table of types and in its offers."""

    def change(catalog: Catalog) -> Catalog:
        def other(kind: InstanceType) -> InstanceType:
            return replace(kind, **changes) if kind.id == name else kind

        offers = tuple(replace(offer, type=other(offer.type)) for offer in catalog.offers)
        return replace(catalog, types=tuple(map(other, catalog.types)), offers=offers)

    return change


def with_price(name: str, **changes: Any) -> Callable[[Catalog], Catalog]:
    """A catalog in which the Beijing price of one type is another."""

    def change(catalog: Catalog) -> Catalog:
        def other(price: Price | None) -> Price | None:
            return replace(price, **changes) if price is not None else None

        offers = tuple(
            replace(offer, price=other(offer.price)) if (offer.type.id, offer.region) == (name, "cn-beijing") else offer
            for offer in catalog.offers
        )
        return replace(catalog, offers=offers)

    return change


def with_offer(**changes: Any) -> Callable[[Catalog], Catalog]:
    """A catalog whose first offer says something else."""
    return lambda catalog: replace(catalog, offers=(replace(catalog.offers[0], **changes), *catalog.offers[1:]))


def with_first(field: str, **changes: Any) -> Callable[[Catalog], Catalog]:
    """A catalog in which the first row of a table says something else."""

    def change(catalog: Catalog) -> Catalog:
        first, *rest = getattr(catalog, field)
        return replace(catalog, **{field: (replace(first, **changes), *rest)})

    return change


FAULTS = {
    "no card and no reason": (with_type(NAME, gpu=None), "neither a card nor a reason"),
    "a card and a reason": (with_type(NAME, gpu_note="masked"), "a card and a reason why it is unknown"),
    "a card that nobody knows": (with_type(NAME, gpu="A11"), "not in the accelerator table"),
    "a CPU type with a card": (with_type(NAME, gpus=0), "no accelerator but a card"),
    "the memory of another card": (with_type(NAME, gpu_memory_gib=16.0, gpu_total_gib=16.0), "is not 1 of a A10"),
    "one card's memory as the total": (with_type(BIG, gpu_total_gib=24.0), "is not the total"),
    "usable above nominal": (with_type(NAME, gpu_usable_gib=24.5), "is not within the nominal"),
    "a known card without memory": (with_type(NAME, gpu_memory_gib=None), "a known card without memory"),
    "NVLink on a card that has none": (with_type(BIG, interconnect="nvlink"), "its card A10 has none"),
    "no processors": (with_type(NAME, vcpus=0), "0 vCPU"),
    "no network": (with_type(NAME, network_gbps=0.0), "a network of 0"),
    "RDMA figures without RDMA": (with_type(NAME, rdma_gbps=100.0), "RDMA figures but no RDMA"),
    "a type twice": (lambda catalog: replace(catalog, types=(*catalog.types, catalog.types[0])), "stands twice"),
    "an offer twice": (lambda catalog: replace(catalog, offers=(*catalog.offers, catalog.offers[0])), "stands twice"),
    "an unknown region": (with_offer(region="cn-nowhere"), "is not in regions.csv"),
    "a zone of another region": (with_offer(zone="cn-beijing-i"), "is not a zone of"),
    "a region with a foreign zone": (with_first("regions", zones=("cn-beijing-i",)), "is a zone of cn-beijing"),
    "a price of nothing": (with_price(NAME, amount=Decimal(0)), "a price of nothing"),
    "a price without source": (with_price(NAME, source=""), "has no source"),
    "a price without the date of its list": (with_price(NAME, date=None), "has no date, its source has"),
    "a currency of no site": (with_price(NAME, currency="EUR"), "is priced in 'EUR'"),
    "a price ten times too high": (with_price(BIG, amount=Decimal(479)), "a GPU, the family's median"),
    "a price ten times too low": (with_price(NAME, amount=Decimal("0.95")), "a GPU, the family's median"),
    "more for less": (with_price(BIG, amount=Decimal("30.0")), "less than"),
    "a disk upside down": (with_first("disks", min_gib=5000), "2000 GiB"),
    "a disk without a maximum": (with_first("disks", mbps_base=100.0), "no such maximum"),
    "a file system without a step": (with_first("file_systems", step_gib=0), "in steps of 0"),
    "an unstated step unsaid": (with_first("file_systems", step_stated=False, note=None), "no note says so"),
    "a price for no disk": (with_first("storage_prices", kind="disk", id="cloud_foo"), "which no table has"),
    "a source that nobody explains": (with_type(NAME, source="X-9999"), "not in sources.csv"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str) -> None:
    """Each invariant fires on a catalog that breaks it, and only on that."""
    change, words = FAULTS[name]
    messages = [problem.message for problem in lint(change(load_catalog("alicloud")))]
    assert any(words in message for message in messages), messages


def test_every_invariant_has_a_planted_fault() -> None:
    """The list of faults reaches every kind of finding that the module can make."""
    found = {
        problem.message.partition(":")[0]
        for change, _ in FAULTS.values()
        for problem in lint(change(load_catalog("alicloud")))
    }
    invariants = {
        "card", "type", "offer", "region", "zone", "price", "band", "order", "disk", "file_system", "storage_price",
        "source",
    }  # fmt: skip
    assert invariants <= found


def test_problems_name_their_table() -> None:
    """A problem says in which table to look."""
    (problem, *_) = lint(with_type(NAME, gpu="A11")(load_catalog("alicloud")))
    assert problem.where is not None
    assert problem.where.file == "clouds/alicloud/instance_types.csv"


def test_an_exception_that_nothing_needs_is_a_problem() -> None:
    """When a list corrects a price, the exception that allowed it has to go."""
    catalog = load_catalog("alicloud")
    offers = tuple(offer for offer in catalog.offers if offer.type.id != "ecs.gn6i-c40g1.10xlarge")
    messages = [problem.message for problem in lint(replace(catalog, offers=offers))]
    assert messages == ["exception order ecs.gn6i-c40g1.10xlarge is not needed any more"]
