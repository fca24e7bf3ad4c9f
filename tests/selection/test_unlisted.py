"""What a prices file must say when no list sells what would do: the row, taken word for word, gives an answer."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from generator.catalog import load_catalog
from generator.catalog.overlay import apply_overlay
from generator.selection import Relaxation
from tests.markets import candidates, selected

SPEC = {
    "name": "case",
    "workload": {"task": "finetune", "model": "llama-3-8b", "method": "lora"},
    "data": {"size": "6GiB", "samples": 400_000, "source": "bos://sets/chat"},
    "where": {"clouds": ["baiducloud"]},
}


def the_way_out(tmp_path: Path, spec: dict[str, Any]) -> Relaxation:
    """The only relaxation of a spec that Baidu's public lists cannot serve."""
    answer = selected(tmp_path, spec, load_catalog("baiducloud"), base={})
    assert answer.chosen is None
    (way_out,) = answer.relax
    return way_out


def written(tmp_path: Path, way_out: Relaxation, price: str) -> Path:
    """A prices file of the columns and the row that the message names, with this `amount,currency,date`."""
    columns, row = re.findall(r"`([^`]*)`", way_out.message)
    path = tmp_path / "prices.csv"
    path.write_text(f"{columns}\n{row.replace(',on_demand,,,,', f',on_demand,{price},')}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("goal", "price"), [({}, ",,"), ({"budget": "9000 CNY"}, "100,CNY,2026-11-30")], ids=["no budget", "budget"]
)
def test_the_row_that_is_named_lets_its_candidate_through(tmp_path: Path, goal: dict[str, str], price: str) -> None:
    """No public list serves the job; the file as the message words it does, under a budget with a price."""
    spec = {**SPEC, "goal": goal}
    way_out = the_way_out(tmp_path, spec)
    assert way_out.candidate is not None
    assert (way_out.field, way_out.old, way_out.new) == ("prices", "null", "./prices.csv")
    catalog = apply_overlay(load_catalog("baiducloud"), written(tmp_path, way_out, price))
    answer = selected(tmp_path, spec, catalog, base={})
    assert way_out.candidate.type.id in {candidate.type.id for candidate in candidates(answer)}
    assert ("9,000.00 CNY pays at most" in way_out.message) is bool(goal)


def test_a_row_without_a_price_is_not_enough_under_a_budget(tmp_path: Path) -> None:
    """A budget refuses what has no price, so the file that only says sold=yes is refused as unpriced."""
    spec = {**SPEC, "goal": {"budget": "9000 CNY"}}
    way_out = the_way_out(tmp_path, spec)
    catalog = apply_overlay(load_catalog("baiducloud"), written(tmp_path, way_out, ",,"))
    answer = selected(tmp_path, spec, catalog, base={})
    assert answer.chosen is None
    assert "unpriced" in {row.reason for row in answer.rejected}


def test_compliance_that_has_to_stand_leads_to_the_domestic_cards(tmp_path: Path) -> None:
    """xinchuang with no Ascend on the public list: the row of one stands before the advice to give compliance up."""
    spec = {**SPEC, "data": {"size": "6GiB", "samples": 400_000}, "where": {"compliance": "xinchuang"}}
    catalogs = [load_catalog(cloud) for cloud in ("alicloud", "huaweicloud")]
    answer = selected(tmp_path, spec, *catalogs, base={})
    assert answer.chosen is None
    first, second = answer.relax
    assert first.candidate is not None
    assert (first.field, second.field) == ("prices", "where.compliance")
    assert (first.candidate.type.gpu or "").startswith("Ascend")
    opened = apply_overlay(catalogs[1], written(tmp_path, first, ",,"))
    names = {candidate.type.id for candidate in candidates(selected(tmp_path, spec, opened, base={}))}
    assert first.candidate.type.id in names


def test_a_budget_on_a_cloud_without_prices_says_what_an_hour_may_cost(tmp_path: Path) -> None:
    """Huawei lists no prices: a budget is refused, and the row with an amount below the bound named lets it through."""
    spec = {**SPEC, "data": {"size": "6GiB", "samples": 400_000}, "where": {"clouds": ["huaweicloud"]}}
    catalog = load_catalog("huaweicloud")
    free = selected(tmp_path, spec, catalog, base={}).chosen
    assert free is not None
    assert free.run is None
    capped = {**spec, "goal": {"budget": "90000 CNY"}}
    way_out = selected(tmp_path, capped, catalog, base={}).relax[0]
    assert way_out.field == "prices"
    (most,) = re.findall(r"pays at most ([0-9.]+) an hour", way_out.message)
    below = f"{Decimal(most) * Decimal('0.9'):.2f},CNY,2026-11-30"
    paid = selected(tmp_path, capped, apply_overlay(catalog, written(tmp_path, way_out, below)), base={})
    assert paid.chosen is not None
    assert way_out.candidate is not None
    assert paid.chosen.type.id == way_out.candidate.type.id


def test_no_row_helps_a_job_that_no_type_can_hold(tmp_path: Path) -> None:
    """Where even the closed types are too small, no prices file is promised to help."""
    spec = {**SPEC, "hardware": {"ram": ">=90000GiB"}}
    answer = selected(tmp_path, spec, load_catalog("baiducloud"), base={})
    assert answer.chosen is None
    assert "prices" not in {row.field for row in answer.relax}
