"""What a listing makes of the tables, whatever cloud it comes from, and who pays for the SDKs: no network, no SDK."""

import importlib
import importlib.util
import subprocess
import sys
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.catalog.folders import tables_folder
from generator.catalog.listing import ListedOffer, ListedType, Listing, Reading
from generator.catalog.offers import Source
from generator.catalog.refresh import Table, merge, read_tables, table_texts
from generator.catalog.refresh_changes import changes_text, compare
from generator.clouds import catalogued_clouds

CLOUD, REGION, DAY = "alicloud", "cn-beijing", "2026-12-01"
TABLES = read_tables(tables_folder(CLOUD))
SOLD = sorted({row["instance_type"] for row in TABLES["offers"].rows if row["region"] == REGION})
CALL = Source(key="Call", title="a call", date=None)


def reading() -> Reading:
    return Reading(
        modules=(), credentials="", types_source=CALL, offers_source=CALL, price_source=CALL, opens=frozenset(),
        read=lambda ask: pytest.fail(str(ask)),
    )  # fmt: skip


def listing(sold: list[str], amount: Decimal | None) -> Listing:
    known = {row["id"]: row for row in TABLES["instance_types"].rows}
    types = tuple(
        ListedType(
            id=name, family=known[name]["family"], vcpus=int(known[name]["vcpus"]),
            ram_gib=float(known[name]["ram_gib"]), gpus=0, gpu_name=None, gpu_memory_gib=None, network_gbps=None,
            cpu_arch=None, bare_metal=None,
        )
        for name in sold
    )  # fmt: skip
    offers = tuple(
        ListedOffer(region=REGION, zone=None, instance_type=name, amount=amount, currency="CNY") for name in sold
    )
    return Listing(types=types, offers=offers, zones={REGION: ()})


@settings(max_examples=4, deadline=None)
@given(sold=st.lists(st.sampled_from(SOLD), unique=True), amount=st.none() | st.decimals("0.01", "900", places=4))
def test_a_merge_touches_only_what_was_read(sold: list[str], amount: Decimal | None) -> None:
    """Whatever is sold: other regions' offers stay, here stands what is sold, no type is lost, and twice is as once."""
    told = listing(sold, amount)
    new = merge(TABLES, told, reading(), DAY)
    offers = new["offers"].rows
    assert {row["instance_type"] for row in offers if row["region"] == REGION} == set(sold)
    others = [row for row in TABLES["offers"].rows if row["region"] != REGION]
    assert [row for row in offers if row["region"] != REGION] == others
    assert {row["id"] for row in new["instance_types"].rows} == {row["id"] for row in TABLES["instance_types"].rows}
    gone = {place.instance_type for place in compare(TABLES, new, DAY).gone_offers}
    assert gone == set(SOLD) - set(sold)
    assert table_texts(merge(new, told, reading(), DAY)) == table_texts(new)


def test_what_the_api_does_not_tell_stays() -> None:
    """A type that is seen again keeps every figure and its sources; only the call and the day are added."""
    name = "ecs.gn7i-c8g1.2xlarge"
    new = merge(TABLES, listing([name], None), reading(), DAY)
    before, after = (
        next(row for row in tables["instance_types"].rows if row["id"] == name) for tables in (TABLES, new)
    )
    assert after == before | {"source": f"{before['source']} Call", "date": DAY}
    for table in ("families", "card_families", "statuses", "disks"):
        assert new[table] is TABLES[table]


def test_no_change_is_said_so() -> None:
    """The same tables have no changes, and the text says it."""
    changes = compare(TABLES, TABLES, DAY)
    assert not changes.any
    assert changes_text(changes).startswith("nothing is new, gone or changed\n")


def test_a_price_that_rose_in_one_zone_is_shown() -> None:
    """Of several zones the dearest price is compared, with the old and the new amount and the share."""
    row = next(row for row in TABLES["offers"].rows if row["region"] == REGION and row["price"])
    dearer = row | {"zone": "cn-beijing-h", "price": str(float(row["price"]) * 1.1)}
    table = TABLES["offers"]
    new = {**TABLES, "offers": Table(columns=table.columns, rows=(*table.rows, dearer))}
    (change,) = compare(TABLES, new, DAY).prices
    assert (change.old, change.new) == (row["price"], dearer["price"])
    assert "(+10.0%)" in changes_text(compare(TABLES, new, DAY))


@pytest.mark.parametrize("cloud", catalogued_clouds())
def test_without_the_sdk_the_extra_is_named(cloud: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cloud can be read, and without its SDK the one command is named that brings it."""
    from generator.catalog.exchange import find_reading
    from generator.errors import InputError

    names = importlib.import_module(f"generator.clouds.{cloud}.refresh").READING.modules
    found = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *rest: None if name in names else found(name, *rest))
    with pytest.raises(InputError) as caught:
        find_reading(cloud)
    (problem,) = caught.value.problems
    assert problem.hint == "pip install 'trainform[refresh]'"
    assert names[0] in problem.message


@pytest.mark.parametrize("args", [["catalog", "refresh", "--help"], ["catalog", "list", "--gpu", "A10"]])
def test_nothing_else_pays_for_the_sdks(args: list[str]) -> None:
    """Neither help nor a list imports an SDK."""
    code = (
        "import sys\nfrom generator.cli import main\n"
        f"try:\n    main({args!r})\nexcept SystemExit as end:\n    assert not end.code\n"
        "heavy = ('alibabacloud', 'Tea', 'darabonba', 'tencentcloud', 'huaweicloudsdk', 'baidubce', 'requests')\n"
        "assert not [name for name in sys.modules if name.startswith(heavy)]"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
