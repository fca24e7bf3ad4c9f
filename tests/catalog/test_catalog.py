"""What the catalogs hold: prices by list and date, usable memory, cards and slices, what may be ordered, storage."""

from __future__ import annotations

import csv
from decimal import Decimal
from pathlib import Path

import pytest

from generator.catalog import (
    CLOUDS,
    Catalog,
    lint,
    load_catalog,
    load_regions,
    load_types,
    other_types,
    price_hints,
    sources,
)
from generator.catalog.offers import Offer
from generator.clouds import catalogued_clouds, cloud_ids, find_cloud
from generator.sizing.accelerators import find_accelerator
from generator.sizing.usable_memory import LOWEST_SHARE, usable_gib

# Written by the import scripts; the other tables are kept by hand in an order that people read.
WRITTEN = ("sources", "families", "instance_types", "offers", "other_types", "disks", "file_systems", "storage_prices")


@pytest.fixture(params=catalogued_clouds())
def catalog(request: pytest.FixtureRequest) -> Catalog:
    return load_catalog(request.param)


def offer(cloud: str, name: str, region: str) -> Offer:
    return next(one for one in load_catalog(cloud).offers if one.type.id == name and one.region == region)


def test_every_catalog_keeps_its_invariants(catalog: Catalog) -> None:
    """`trainform catalog lint` finds nothing in any cloud's tables."""
    assert [problem.message for problem in lint(catalog)] == []


@pytest.mark.parametrize("cloud", catalogued_clouds())
@pytest.mark.parametrize("table", WRITTEN)
def test_written_tables_are_sorted_and_without_repetition(cloud: str, table: str) -> None:
    """A table that a script writes has its rows in order and each once, so that a new list shows as a small diff."""
    with (CLOUDS / cloud / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    assert rows == sorted(rows)
    assert len(rows) == len({tuple(row) for row in rows})


@pytest.mark.parametrize("path", sorted(CLOUDS.glob("*/*.csv")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_row_has_all_columns(path: Path) -> None:
    """No row of any table is longer or shorter than its header, and no header names a column twice."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert len(header) == len(set(header))
    assert {len(row) for row in rows} <= {len(header)}


def test_built_clouds_are_catalogued_and_the_others_wait() -> None:
    """A spec may name what is built; the catalog knows all four clouds."""
    assert set(cloud_ids()) <= set(catalogued_clouds())
    assert set(catalogued_clouds()) == {"alicloud", "tencentcloud", "huaweicloud", "baiducloud"}
    assert {find_cloud(cloud).kind for cloud in cloud_ids()} == {"full"}


@pytest.mark.parametrize(
    ("name", "price"),
    [
        ("ecs.gn6i-c4g1.xlarge", "11.63"),
        ("ecs.gn7i-c8g1.2xlarge", "9.53"),
        ("ecs.gn6v-c8g1.2xlarge", "26.46"),
        ("ecs.gn7e-c16g1.4xlarge", "34.74"),
        ("ecs.gn7e-c16g1.32xlarge", "277.93"),
        ("ecs.ebmgn7ex.32xlarge", "270.83"),
    ],
)
def test_beijing_prices_are_those_of_the_list_of_september_2025(name: str, price: str) -> None:
    """The newer list counts: amount, currency, date and source stand beside every price."""
    found = offer("alicloud", name, "cn-beijing").price
    assert found is not None
    assert found.amount.quantize(Decimal("0.01")) == Decimal(price)
    assert (found.currency, found.date, found.source, found.per) == ("CNY", "2025-09", "P-2025", "hour")


def test_the_older_list_prices_what_the_newer_one_lacks() -> None:
    """A type that the list of 2025-09 leaves out in a region has its dated price of 2024-10."""
    older = [one for one in load_catalog("alicloud").offers if one.price and one.price.date == "2024-10"]
    newer = {(one.type.id, one.region) for one in load_catalog("alicloud").offers if one.price and one not in older}
    assert older
    assert not newer & {(one.type.id, one.region) for one in older}


def test_a_price_of_zero_in_a_list_is_no_price() -> None:
    """The list of 2025-09 prints 0 for some types: they are offered there, unpriced."""
    found = offer("alicloud", "ecs.vgn6i-m16-vws.5xlarge", "cn-shanghai")
    assert found.price is None
    assert found.source == "P-2025"


@pytest.mark.parametrize(
    ("name", "mib"),
    [
        ("ecs.gn6i-c4g1.xlarge", 15109),
        ("ecs.gn7i-c8g1.2xlarge", 22731),
        ("ecs.gn6v-c8g1.2xlarge", 16160),
        ("ecs.gn6e-c12g1.3xlarge", 32510),
        ("ecs.gn7-c12g1.3xlarge", 40537),
        ("ecs.gn7e-c16g1.4xlarge", 81251),
        ("ecs.ebmgn7ex.32xlarge", 81251),
        ("ecs.ebmgn7ix.32xlarge", 22731),
    ],
)
def test_usable_memory_is_what_the_driver_shows(name: str, mib: int) -> None:
    """Measured on the family, else the lowest figure of the card anywhere; always below the nominal memory."""
    kind = load_types("alicloud")[name]
    assert kind.gpu_usable_gib == pytest.approx(mib / 1024, abs=1e-5)
    assert kind.gpu_memory_gib is not None
    assert mib / 1024 < kind.gpu_memory_gib


def test_a_card_of_which_no_figure_was_read_gets_a_cautious_share() -> None:
    """An unmeasured card has the lowest share that any card shows, and its source says that this is assumed."""
    assert usable_gib("P40") is None
    kind = load_types("tencentcloud")["GN8.LARGE56"]
    assert kind.gpu_usable_gib == pytest.approx(24 * LOWEST_SHARE, abs=0.001)
    assert kind.gpu_usable_source is not None
    assert kind.gpu_usable_source.startswith("assumed")


def test_no_card_shows_less_than_the_cautious_share() -> None:
    """The cautious share is no more than what the worst measured card shows."""
    with (CLOUDS.parent / "sizing" / "usable_memory.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            card = find_accelerator(row["gpu"])
            assert card is not None, row["gpu"]
            assert LOWEST_SHARE <= int(row["mib"]) / 1024 / card.memory_gib <= 1


@pytest.mark.parametrize(
    ("cloud", "name", "gpu"),
    [
        ("alicloud", "ecs.gn8v-8x.48xlarge", "H20-96"),
        ("alicloud", "ecs.ebmgn9t.48xlarge", "RTX5090"),
        ("alicloud", "ecs.ebmgn8te.32xlarge", "RTX4090-48"),
        ("alicloud", "ecs.gn8e.6xlarge", None),
        ("alicloud", "ecs.ebmgn9g.64xlarge", None),
        ("tencentcloud", "GT4.41XLARGE948", "A100-SXM-40"),
        ("tencentcloud", "PNV6.32XLARGE1280", "H20-96"),
        ("huaweicloud", "p2s.2xlarge.8", "V100-PCIE-32"),
        ("huaweicloud", "physical.kat2ne.48xlarge.8.ei.pod101", "Ascend910B1"),
        ("baiducloud", "bcc.hgn5IB.c116m978.8A100-80g", "A100-SXM-80"),
        ("baiducloud", "ehc.lgn5.c128m1024.8a100.8re.4d", None),
    ],
)
def test_cards_carry_canonical_names_or_the_reason_why_not(cloud: str, name: str, gpu: str | None) -> None:
    """A masked name that somebody unmasked is the card's own name; one that nobody did stays a stated unknown."""
    kind = load_types(cloud)[name]
    assert kind.gpu == gpu
    assert bool(kind.gpu_note) == (gpu is None)


@pytest.mark.parametrize(
    ("cloud", "name", "label", "gib", "fraction"),
    [
        ("alicloud", "ecs.sgn7i-vws-m2.xlarge", "A10 slice", 2, 1 / 12),
        ("alicloud", "ecs.vgn6i-m16-vws.5xlarge", "T4 slice", 16, 1),
        ("alicloud", "ecs.sgn6i-vws-m4.2xlarge", "T4 slice", 4, None),
        ("tencentcloud", "GN7.2XLARGE40", "T4 slice", 8, 1 / 2),
        ("huaweicloud", "g7v.4xlarge.8", "A40 slice", 16, 1 / 3),
    ],
)
def test_a_vgpu_is_one_slice_of_its_card(cloud: str, name: str, label: str, gib: float, fraction: float | None) -> None:
    """A vGPU size is one accelerator with the slice's memory, whatever the API counts; an unstated share is unknown."""
    kind = load_types(cloud)[name]
    assert (kind.gpus, kind.gpu_label, kind.gpu_memory_gib) == (1, label, gib)
    assert kind.slice_fraction == (pytest.approx(fraction, abs=1e-5) if fraction is not None else None)


@pytest.mark.parametrize(
    ("cloud", "name", "orderable"),
    [
        ("alicloud", "ecs.gn7i-c8g1.2xlarge", True),
        ("alicloud", "ecs.gn7-c12g1.3xlarge", True),
        ("alicloud", "ecs.gn8v.4xlarge", False),
        ("alicloud", "ecs.gn8ia.4xlarge", False),
        ("alicloud", "ecs.gn5-c4g1.xlarge", False),
        ("tencentcloud", "GN8.LARGE56", True),
        ("tencentcloud", "HCCG5v.24XLARGE384", True),
        ("tencentcloud", "HCCPNV4h", False),
        ("tencentcloud", "PNV6.4XLARGE160", False),
        ("huaweicloud", "p2v.16xlarge.8", True),
        ("huaweicloud", "p3.16xlarge.8", False),
        ("baiducloud", "bcc.g5.c4m16", False),
    ],
)
def test_orderable_follows_the_status(cloud: str, name: str, *, orderable: bool) -> None:
    """Only what is currently sold may be chosen; previews, lists of an API and half-known ids may not."""
    assert load_types(cloud)[name].orderable is orderable


def test_hong_kong_is_not_mainland() -> None:
    """Default regions are the mainland's: Hong Kong is in the table, but not one of them."""
    regions = {region.id: region for region in load_regions("alicloud")}
    assert not regions["cn-hongkong"].mainland
    assert regions["cn-beijing"].mainland
    assert not next(region for region in load_regions("tencentcloud") if region.id == "ap-hongkong").mainland


def test_types_that_exist_without_a_description_are_known_by_name() -> None:
    """An old family of the price list is no unknown type: its name and regions are kept."""
    assert "cn-beijing" in other_types("alicloud")["ecs.g6.xlarge"]
    assert "ecs.gn7i-c8g1.2xlarge" not in other_types("alicloud")


def test_rdma_says_which_fabric_and_what_it_needs() -> None:
    """eRDMA and RoCE are told apart, with their cards, and cluster types say that they need one."""
    types = load_types("alicloud")
    erdma, roce = types["ecs.ebmgn7ex.32xlarge"], types["ecs.sccgn7ex.32xlarge"]
    assert (erdma.rdma, erdma.rdma_gbps, erdma.rdma_nics, erdma.hpc_cluster) == ("erdma", 160, 2, False)
    assert (roce.rdma, roce.rdma_gbps, roce.hpc_cluster) == ("roce", 800, True)
    assert types["ecs.gn7e-c16g1.32xlarge"].rdma == "none"
    assert types["ecs.c8i.xlarge"].rdma is None


def test_old_families_take_old_disks_only() -> None:
    """gn5 and gn5i list no ESSD, so that an ESSD cannot be chosen for them."""
    assert load_types("alicloud")["ecs.gn5-c4g1.xlarge"].disk_kinds == ("cloud_ssd", "cloud_efficiency")


def test_disk_levels_have_their_sizes_and_speeds() -> None:
    """ESSD levels start at 1, 20, 461 and 1261 GiB and reach 180 to 4000 MB/s."""
    disks = {disk.level: disk for disk in load_catalog("alicloud").disks if disk.id == "cloud_essd"}
    assert [disks[level].min_gib for level in ("PL0", "PL1", "PL2", "PL3")] == [1, 20, 461, 1261]
    assert [disks[level].mbps_max for level in ("PL0", "PL1", "PL2", "PL3")] == [180, 350, 750, 4000]
    assert (disks["PL1"].iops_base, disks["PL1"].iops_per_gib, disks["PL1"].iops_max) == (1800, 50, 50000)


def test_file_systems_state_their_smallest_size_step_and_speed() -> None:
    """CPFS starts at 3600 GiB in steps said to be inferred; Lingjun's and the zone-redundant one are not chosen."""
    rows = {(row.id, row.level): row for row in load_catalog("alicloud").file_systems}
    cpfs = rows["cpfs", "advance_200"]
    assert (cpfs.kind, cpfs.min_gib, cpfs.step_gib, cpfs.mbps_per_tib) == ("parallel", 3600, 1200, 200)
    assert not cpfs.step_stated
    assert "step not stated" in (cpfs.note or "")
    assert [rows[key].choosable for key in (("bmcpfs", None), ("cpfsse", "advance_100"))] == [False, False]


def test_storage_prices_name_their_region_or_are_hints() -> None:
    """A mainland price stands in every mainland region, and a price without a region is kept as a hint."""
    prices = [
        row
        for row in load_catalog("alicloud").storage_prices
        if (row.kind, row.id, row.level) == ("bucket", "Standard", "LRS")
    ]
    assert {row.region for row in prices} == {region.id for region in load_regions("alicloud") if region.mainland}
    assert {row.price.amount for row in prices} == {Decimal("0.12")}
    cpfs = [row for row in load_catalog("alicloud").storage_prices if row.id == "cpfs"]
    assert [row.region for row in cpfs] == [None]


def test_a_price_without_a_region_is_a_hint_only() -> None:
    """What somebody paid somewhere is shown beside the type, and prices no offer."""
    (hint,) = price_hints("alicloud")["ecs.gn8v-2x.8xlarge"]
    assert (hint.amount, hint.currency, hint.date) == (Decimal("71.58"), "CNY", None)
    assert not [one for one in load_catalog("alicloud").offers if one.type.id == "ecs.gn8v-2x.8xlarge"]
    assert price_hints("baiducloud") == {}


def test_tencent_offers_stand_in_the_zones_that_a_source_names() -> None:
    """The page and the price list name zones, and prices are yuan before dollars."""
    zones = {one.zone for one in load_catalog("tencentcloud").offers if one.type.id == "GT4.41XLARGE948"}
    assert "ap-nanjing-1" in zones
    found = next(
        one
        for one in load_catalog("tencentcloud").offers
        if one.type.id == "GN10Xp.2XLARGE40" and one.region == "ap-guangzhou"
    )
    assert found.price is not None
    assert (found.price.amount, found.price.currency, found.price.date) == (Decimal("11.98"), "CNY", "2022-05-20")


def test_sources_are_explained(catalog: Catalog) -> None:
    """Every key of a source has a title."""
    assert sources(catalog.cloud)
    assert all(source.title for source in sources(catalog.cloud).values())


def test_a_cloud_without_a_folder_has_no_catalog() -> None:
    """An unknown cloud is a KeyError for the caller, who knows the user's words."""
    with pytest.raises(KeyError):
        load_catalog("nowhere")
