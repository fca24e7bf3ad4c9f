"""A person's own prices, stock and quotas: what they change, and what is refused with its line."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from generator.catalog import Catalog, lint, load_catalog
from generator.catalog.offers import Offer
from generator.catalog.overlay import apply_overlay, read_overlay
from generator.errors import InputError

HEAD = "cloud,region,instance_type,charge,amount,currency,per,date,note,zone,quota,sold\n"
NAME = "ecs.gn7i-c8g1.2xlarge"


def lay(tmp_path: Path, text: str, cloud: str = "alicloud") -> Catalog:
    """The catalog with this text as its overlay."""
    path = tmp_path / "prices.csv"
    path.write_text(text, encoding="utf-8")
    return apply_overlay(load_catalog(cloud), path)


def find(catalog: Catalog, name: str = NAME, region: str = "cn-beijing") -> Offer:
    return next(offer for offer in catalog.offers if (offer.type.id, offer.region) == (name, region))


def refused(tmp_path: Path, *lines: str, head: str = HEAD) -> list[tuple[int | None, str]]:
    """Line and message of every problem of an overlay."""
    with pytest.raises(InputError) as caught:
        lay(tmp_path, head + "\n".join(lines) + "\n")
    return [(problem.where.line if problem.where else None, problem.message) for problem in caught.value.problems]


def test_a_price_replaces_the_list_and_names_file_and_line(tmp_path: Path) -> None:
    """The own price counts in its region, with its date; everywhere else the list still does."""
    catalog = lay(tmp_path, f"{HEAD}alicloud,cn-beijing,{NAME},on_demand,8.00,CNY,hour,2026-11-30,contract,,,\n")
    mine, other = find(catalog), find(catalog, region="cn-shanghai")
    assert mine.price is not None
    assert other.price is not None
    assert (mine.price.amount, mine.price.date, mine.price.source) == (Decimal("8.00"), "2026-11-30", "prices.csv:2")
    assert mine.source == "prices.csv:2"
    assert other.price.source == "P-2025"
    assert lint(catalog) == ()


def test_a_spot_price_stands_beside_the_other(tmp_path: Path) -> None:
    """A spot line changes the spot price only, and says that spot is sold."""
    mine = find(lay(tmp_path, f"{HEAD}alicloud,cn-beijing,{NAME},spot,2.50,CNY,,2026-11-30,,,,\n"))
    assert mine.spot_price is not None
    assert mine.price is not None
    assert (mine.spot_price.amount, mine.spot_price.charge, mine.spot_sold) == (Decimal("2.50"), "spot", True)
    assert mine.price.source == "P-2025"


def test_prices_by_the_month_are_kept_apart(tmp_path: Path) -> None:
    """A month's price is no hour's price."""
    mine = find(lay(tmp_path, f"{HEAD}alicloud,cn-beijing,{NAME},month,4000,CNY,month,2026-11,,,,\n"))
    assert [(price.amount, price.per) for price in mine.term_prices] == [(Decimal(4000), "month")]
    assert mine.price is not None
    assert mine.price.source == "P-2025"


def test_an_overlay_opens_a_type_that_cannot_be_ordered(tmp_path: Path) -> None:
    """A line that prices or sells a preview type makes it orderable where the line says, in the zone that it names."""
    catalog = lay(
        tmp_path, f"{HEAD}alicloud,cn-beijing,ecs.gn8v-8x.48xlarge,,200,CNY,,2026-11-30,,cn-beijing-l,2,yes\n"
    )
    mine = find(catalog, "ecs.gn8v-8x.48xlarge")
    assert (mine.zone, mine.type.orderable, mine.quota, mine.sold) == ("cn-beijing-l", True, 2, True)
    assert "cn-beijing-l" in next(region for region in catalog.regions if region.id == "cn-beijing").zones
    assert not next(kind for kind in load_catalog("alicloud").types if kind.id == mine.type.id).orderable
    assert lint(catalog) == ()


def test_a_line_may_say_only_that_nothing_is_sold(tmp_path: Path) -> None:
    """sold=no takes the offer or its spot form away; the price stays to be shown."""
    lines = f"alicloud,cn-beijing,{NAME},,,,,,,,,no\nalicloud,cn-shanghai,{NAME},spot,,,,,,,,no\n"
    catalog = lay(tmp_path, HEAD + lines)
    assert not find(catalog).sold
    other = find(catalog, region="cn-shanghai")
    assert (other.sold, other.spot_sold) == (True, False)


def test_a_quota_counts_without_a_price(tmp_path: Path) -> None:
    """A quota alone limits the nodes and touches nothing else."""
    mine = find(lay(tmp_path, f"{HEAD}alicloud,cn-beijing,{NAME},,,,,,,,4,\n"))
    assert mine.quota == 4
    assert mine.price == find(load_catalog("alicloud")).price


def test_storage_has_prices_too(tmp_path: Path) -> None:
    """A line with kind and id prices a disk or a file system at its level, in one region or in all."""
    head = "cloud,region,kind,id,amount,currency,per,date\n"
    lines = (
        "alicloud,,file_system,cpfs advance_100,1.2,CNY,gib_month,2026-11",
        "alicloud,cn-beijing,disk,cloud_essd:PL1,0.9,CNY,gib_month,",
    )
    text = head + "\n".join(lines)
    catalog = lay(tmp_path, text)
    cpfs = [row for row in catalog.storage_prices if (row.id, row.level) == ("cpfs", "advance_100")]
    assert {row.region for row in cpfs} == {region.id for region in catalog.regions}
    disk = [row for row in catalog.storage_prices if (row.id, row.region) == ("cloud_essd", "cn-beijing")]
    assert [(row.level, row.price.amount, row.price.source) for row in disk] == [
        ("PL1", Decimal("0.9"), "prices.csv:3")
    ]


def test_lines_of_other_clouds_wait_for_theirs(tmp_path: Path) -> None:
    """One file serves all clouds: each catalog takes its own lines."""
    text = f"{HEAD}tencentcloud,ap-guangzhou,GN7.2XLARGE32,on_demand,7,CNY,,2026-11,,,,\n"
    assert lay(tmp_path, text).offers == load_catalog("alicloud").offers
    mine = [offer for offer in lay(tmp_path, text, "tencentcloud").offers if ":" in offer.source]
    assert {(offer.type.id, offer.region) for offer in mine} == {("GN7.2XLARGE32", "ap-guangzhou")}
    assert len(mine) > 1  # every zone of the region


def test_an_overlay_gives_regions_to_a_cloud_that_lists_none(tmp_path: Path) -> None:
    """Baidu's types have no region offline; a person's line makes the offer and opens it."""
    text = f"{HEAD}baiducloud,bj,bcc.hgn5IB.c116m978.8A100-80g,,180,CNY,,2026-11,,cn-bj-a,,\n"
    (mine,) = lay(tmp_path, text, "baiducloud").offers
    assert (mine.region, mine.zone, mine.type.orderable) == ("bj", "cn-bj-a", True)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"aliclud,cn-beijing,{NAME},on_demand,8,CNY,,,,,,", "cloud 'aliclud' is not known"),
        (f"alicloud,cn-beijng,{NAME},on_demand,8,CNY,,,,,,", "'cn-beijng' is not a region of alicloud"),
        (f"alicloud,,{NAME},on_demand,8,CNY,,,,,,", "needs a region"),
        (
            "alicloud,cn-beijing,ecs.gn7i-c8g1.2xlarg,on_demand,8,CNY,,,,,,",
            "'ecs.gn7i-c8g1.2xlarg' is not in the catalog",
        ),
        ("alicloud,cn-beijing,ecs.g6.xlarge,on_demand,8,CNY,,,,,,", "the catalog does not describe it"),
        (f"alicloud,cn-beijing,{NAME},spt,8,CNY,,,,,,", "charge 'spt' is not known"),
        (f"alicloud,cn-beijing,{NAME},on_demand,-8,CNY,,,,,,", "amount -8 is negative"),
        (f"alicloud,cn-beijing,{NAME},on_demand,0,CNY,,,,,,", "amount 0 is not a price"),
        (f"alicloud,cn-beijing,{NAME},on_demand,cheap,CNY,,,,,,", "amount 'cheap' is not a number"),
        (f"alicloud,cn-beijing,{NAME},on_demand,inf,CNY,,,,,,", "amount 'inf' is not a number"),
        (f"alicloud,cn-beijing,{NAME},on_demand,8,EUR,,,,,,", "currency 'EUR' is not one that alicloud bills in"),
        (f"alicloud,cn-beijing,{NAME},on_demand,8,,,,,,,", "currency '' is not one"),
        (f"alicloud,cn-beijing,{NAME},month,8,CNY,hour,,,,,", "per 'hour' does not go with charge 'month'"),
        (f"alicloud,cn-beijing,{NAME},on_demand,8,CNY,,2026-13-01,,,,", "date '2026-13-01'"),
        (
            f"alicloud,cn-beijing,{NAME},on_demand,8,CNY,,,,cn-shanghai-b,,",
            "is a zone of cn-shanghai, not of cn-beijing",
        ),
        (f"alicloud,cn-beijing,{NAME},on_demand,8,CNY,,,,,,no", "gives a price and says sold=no"),
        (f"alicloud,cn-beijing,{NAME},on_demand,,,,,,,,maybe", "sold 'maybe' is not known"),
        (f"alicloud,cn-beijing,{NAME},on_demand,,,,,,,-1,", "quota '-1' is not a whole number"),
        (f"alicloud,cn-beijing,{NAME},on_demand,,,,,,,,", "gives no amount, no sold and no quota"),
        ("alicloud,cn-beijing,,on_demand,8,CNY,,,,,,", "names an instance_type, or a kind and an id"),
    ],
)
def test_a_wrong_line_is_refused_with_its_number(tmp_path: Path, line: str, words: str) -> None:
    """Every fault of a line is named with the line."""
    found = refused(tmp_path, f"alicloud,cn-shanghai,{NAME},on_demand,9,CNY,,,,,,", line)
    assert all(number == 3 for number, _ in found)
    assert any(words in message for _, message in found), found


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    """Two wrong lines are two problems, not one after the other."""
    found = refused(
        tmp_path, f"alicloud,cn-beijing,{NAME},on_demand,-8,CNY,,,,,,", f"alicloud,cn-shanghai,{NAME},spt,8,CNY,,,,,,"
    )
    assert [number for number, _ in found] == [2, 3]


def test_what_is_said_twice_is_refused(tmp_path: Path) -> None:
    """Two lines on one thing and charge would leave the order of lines to decide."""
    line = f"alicloud,cn-beijing,{NAME},on_demand,8,CNY,,,,,,"
    assert refused(tmp_path, line, line) == [(3, "the line repeats line 2")]


def test_contradictions_are_refused(tmp_path: Path) -> None:
    """sold yes and no, or two quotas for one type, name the line that they contradict."""
    sold = refused(tmp_path, f"alicloud,cn-beijing,{NAME},,,,,,,,,yes", f"alicloud,cn-beijing,{NAME},,,,,,,,,no")
    assert sold == [(3, "the line contradicts line 2")]
    quota = refused(tmp_path, f"alicloud,cn-beijing,{NAME},,,,,,,,4,", f"alicloud,cn-beijing,{NAME},spot,,,,,,,5,")
    assert quota == [(3, "quota 5 contradicts line 2: 4")]


def test_an_unknown_column_is_named_with_the_nearest(tmp_path: Path) -> None:
    """A misspelt header is no silent loss of a column."""
    path = tmp_path / "prices.csv"
    path.write_text("cloud,region,instance_type,ammount\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_overlay(path)
    (problem,) = caught.value.problems
    assert problem.message == "'ammount' is not a column of an overlay"
    assert problem.hint == "did you mean 'amount'?"


@pytest.mark.parametrize("content", [b"", b"region,amount\n", b"\xff\xfe\x00"])
def test_a_file_that_is_no_overlay_is_refused(tmp_path: Path, content: bytes) -> None:
    """Empty files, other tables and binary files end in a message, never in a traceback."""
    path = tmp_path / "prices.csv"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_overlay(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A path that leads nowhere is said as the person wrote it."""
    with pytest.raises(InputError, match="cannot be read"):
        read_overlay(tmp_path / "none.csv")


def test_too_many_cells_are_refused(tmp_path: Path) -> None:
    """A comma in a note without quotes would shift every cell behind it."""
    found = refused(tmp_path, f"alicloud,cn-beijing,{NAME},on_demand,8,CNY,,,a, b,,,")
    assert found == [(2, "13 cells under 12 columns")]
