"""What a cloud's own table denies ends the search there; what can be done otherwise does not."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.catalog import Catalog, Offer, Price, load_catalog
from generator.catalog.capabilities import CAPABILITIES, find_capability
from generator.clouds import cloud_ids
from generator.selection import needs
from generator.selection.needs import NEEDS, refuse_missing
from generator.workload import derive
from tests.markets import selected, spec_of

# A spec for each need, which has that one and none of those before it in NEEDS but the first half of a pool.
ASKING: dict[str, dict[str, Any]] = {
    "spot": {"interruptible": True, "checkpoint.every": "20min"},
    "spot_pool": {"interruptible": {"on_demand_nodes": 1}, "checkpoint.every": "20min", "hardware.nodes": 1},
    "rdma": {"hardware.nodes": 2},
    "parallel_file_system": {"data.on": "file_system"},
}


def test_every_need_is_a_capability_and_has_a_spec() -> None:
    """The table of needs names capabilities that the matrix has, each once, and each is tried here."""
    names = [name for name, _, _ in NEEDS]
    assert set(names) <= set(CAPABILITIES)
    assert names == list(ASKING)


@pytest.mark.parametrize("name", ASKING)
def test_what_is_denied_is_refused_with_the_tables_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A need that the cloud's table denies is a refusal `capability` that holds the table's own reason."""
    workload = derive(spec_of(tmp_path, ASKING[name]))
    assert refuse_missing(workload, "alicloud") is None
    row = msgspec.structs.replace(find_capability("alicloud", name), can="no")
    monkeypatch.setattr(
        needs, "find_capability", lambda cloud, asked: row if asked == name else find_capability(cloud, asked)
    )
    refusal = refuse_missing(workload, "alicloud")
    assert refusal is not None
    assert refusal.reason == "capability"
    assert row.reason in refusal.message
    assert refusal.would_need


@pytest.mark.parametrize("cloud", cloud_ids())
def test_a_plain_job_needs_nothing_of_the_cloud(tmp_path: Path, cloud: str) -> None:
    """A job on one node, with data where it is cheapest and no bidding, is refused by no cloud's table."""
    assert refuse_missing(derive(spec_of(tmp_path, {"hardware.nodes": 1})), cloud) is None


def test_a_cloud_without_a_parallel_file_system_says_so(tmp_path: Path) -> None:
    """Baidu AI Cloud's provider makes none: every type that is sold is rejected with that sentence, before sizing."""
    catalog = _sold(load_catalog("baiducloud"))
    asked = {"where.clouds": ["baiducloud"], "data.source": "bos://example-data/set"}
    assert selected(tmp_path, asked, catalog).chosen is not None
    selection = selected(tmp_path, {**asked, "data.on": "file_system"}, catalog)
    sentence = find_capability("baiducloud", "parallel_file_system").reason
    denied = [row for row in selection.rejected if row.reason == "capability"]
    assert selection.chosen is None
    assert denied
    assert all(sentence in row.message for row in denied)
    assert {row.reason for row in selection.rejected} <= {"capability", "unknown_accelerator", "region_unknown"}


def _sold(catalog: Catalog) -> Catalog:
    """The catalog as a prices file makes it: every type is sold, in the first mainland region."""
    region = next(row.id for row in catalog.regions if row.mainland)
    price = Price(amount=Decimal(10), currency="CNY", date="2026-11", source="test")
    types = tuple(msgspec.structs.replace(row, orderable=True) for row in catalog.types)
    offers = tuple(Offer(type=row, region=region, zone=None, price=price) for row in types)
    return msgspec.structs.replace(catalog, types=types, offers=offers)
