"""The choice: every offer is accounted for, no limit is dropped, and the same input gives the same answer."""

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import ClassVar

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.catalog import Catalog, Offer, load_catalog
from generator.catalog.asked import load_asked
from generator.errors import InputError
from generator.selection import select
from generator.selection.as_json import selection_json
from generator.selection.candidate import REASONS
from generator.selection.scope import is_accelerated
from generator.workload import derive
from tests.markets import candidates, chosen, priced, rejection, selected, spec_of, with_offers

TODAY = "2026-11-30"
A10 = "ecs.gn7i-c8g1.2xlarge"
T4 = "ecs.gn6i-c8g1.2xlarge"
A100 = "ecs.gn7e-c16g1.4xlarge"

SERVING = {"workload": {"task": "infer", "model": "qwen2.5-7b", "context": 1024}, "data": None}

SPECS = {
    "fine-tuning": {},
    "spot": {"interruptible": True, "checkpoint.every": "20min"},
    "two regions": {"where.regions": ["cn-beijing", "ap-southeast-1"]},
    "budget and deadline": {"goal.budget": "200 CNY", "goal.deadline": "20h"},
    "unpriced under a budget": {"goal.budget": "1000000 CNY"},
    "development": {"workload": {"task": "develop", "run_hours": 200}, "data": None},
    "preprocessing": {"workload": {"task": "preprocess"}, "data": {"size": "500GiB"}, "goal.deadline": "2h"},
    "nothing fits": {"goal.deadline": "1min"},
}


@pytest.mark.parametrize("values", SPECS.values(), ids=list(SPECS))
def test_every_offer_in_scope_is_accounted_for_once(tmp_path: Path, values: dict) -> None:
    """Each type of the kind needed, in each region asked, is a candidate or rejected, never both and never twice."""
    catalog = load_catalog("alicloud")
    selection = selected(tmp_path, values)
    asked = set(values.get("where.regions", [region.id for region in catalog.regions if region.mainland]))
    accelerated = values.get("workload", {}).get("task") not in ("develop", "preprocess")
    types = {row.id for row in catalog.types if is_accelerated(row) == accelerated}
    offers = {(o.type.id, o.region) for o in catalog.offers if o.type.id in types and o.region in asked}

    places = {(c.type.id, c.offer.region) for c in candidates(selection)}
    rejected = Counter((r.instance_type, region) for r in selection.rejected for region in r.regions if region in asked)
    assert not places & set(rejected)
    assert max(rejected.values(), default=1) == 1
    assert places | set(rejected) == offers
    assert {c.type.id for c in candidates(selection)} | {r.instance_type for r in selection.rejected} == types


@pytest.mark.parametrize("values", SPECS.values(), ids=list(SPECS))
def test_every_rejection_has_a_known_code_and_a_sentence(tmp_path: Path, values: dict) -> None:
    """A rejection's reason is one of the closed set, and its message says something; entries are not repeated."""
    rejected = selected(tmp_path, values).rejected
    assert {row.reason for row in rejected} <= set(REASONS)
    assert all(row.message.strip() and "None" not in row.message for row in rejected)
    entries = Counter((row.cloud, row.instance_type, row.reason) for row in rejected)
    assert set(entries.values()) == {1}


@pytest.mark.parametrize("values", SPECS.values(), ids=list(SPECS))
@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_the_catalog_does_not_change_the_answer(tmp_path: Path, values: dict, seed: int) -> None:
    """The same rows in another order give the same JSON, byte for byte."""
    catalog = load_catalog("alicloud")
    shuffled = Random(seed)

    def mixed(rows: tuple) -> tuple:
        rows_list = list(rows)
        shuffled.shuffle(rows_list)
        return tuple(rows_list)

    changes = {name: mixed(getattr(catalog, name)) for name in ("regions", "types", "offers", "disks", "file_systems")}
    plain = msgspec.json.encode(selection_json(selected(tmp_path, values), TODAY))
    assert plain == msgspec.json.encode(
        selection_json(selected(tmp_path, values, msgspec.structs.replace(catalog, **changes)), TODAY)
    )


LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "hardware.gpus": st.lists(
            st.sampled_from(["A10", "T4", "V100", "A100-80GB"]), min_size=1, max_size=2, unique=True
        ),
        "hardware.nodes": st.sampled_from(["1", "1..2", "2..4"]),
        "hardware.gpus_per_node": st.sampled_from(["1", "2..4", ">=4"]),
        "hardware.gpu_memory": st.sampled_from([">=24GiB", "<=32GiB"]),
        "hardware.vcpus": st.just(">=16"),
        "hardware.ram": st.just(">=64GiB"),
        "where.regions": st.lists(
            st.sampled_from(["cn-beijing", "cn-shanghai", "ap-southeast-1"]), min_size=1, max_size=2, unique=True
        ),
        "goal.deadline": st.sampled_from(["4h", "30h", "200h"]),
        "goal.budget": st.sampled_from(["50 CNY", "400 CNY", "5000 CNY"]),
        "goal.prefer": st.sampled_from(["cost", "time"]),
        "interruptible": st.booleans(),
    },
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=LIMITS)
def test_no_limit_is_ever_dropped(tmp_path: Path, values: dict) -> None:
    """Whatever limits are set together, the choice and every runner-up keep each of them."""
    limits = derive(spec_of(tmp_path, values)).limits
    selection = selected(tmp_path, values)
    for candidate in candidates(selection):
        row = candidate.type
        assert not limits.gpus or row.gpu in limits.gpus
        assert limits.min_nodes <= candidate.nodes <= limits.max_nodes
        assert limits.min_gpus_per_node <= row.gpus <= (limits.max_gpus_per_node or row.gpus)
        assert (limits.min_gpu_memory_gib or 0) <= (row.gpu_memory_gib or 0) <= (limits.max_gpu_memory_gib or 1e9)
        assert row.vcpus >= (limits.min_vcpus or 0)
        assert row.ram_gib >= (limits.min_ram_gib or 0)
        assert row.orderable
        assert candidate.offer.region in values.get("where.regions", [candidate.offer.region])
        assert candidate.hours <= float(values.get("goal.deadline", "1e9h").removesuffix("h"))
        if "goal.budget" in values:
            assert candidate.run is not None
            assert candidate.run.amount <= Decimal(values["goal.budget"].split()[0])
        assert candidate.charge == "on_demand" or values.get("interruptible")
        assert candidate.fit.memory is None or candidate.fit.memory.bound <= candidate.fit.memory.usable
        assert candidate.nodes == 1 or row.rdma not in (None, "none")
    assert selection.chosen or selection.relax or not selection.rejected


def test_the_cheapest_run_wins_and_runners_up_follow_in_order(tmp_path: Path) -> None:
    """With `prefer: cost` candidates stand by the cost of the run that all have in common."""
    selection = selected(tmp_path, {"hardware.nodes": "1"})
    runs = [candidate.costs[0].run.amount for candidate in candidates(selection) if candidate.costs[0].run]
    assert len(runs) > 5
    assert [round(run, 2) for run in runs] == sorted(round(run, 2) for run in runs)


def test_the_fastest_run_wins_when_time_matters(tmp_path: Path) -> None:
    """With `prefer: time` candidates stand by their hours, and the first is faster than the cheapest."""
    values = {"hardware.nodes": "1"}
    fast = candidates(selected(tmp_path, {**values, "goal.prefer": "time"}))
    assert [round(candidate.hours, 2) for candidate in fast] == sorted(round(candidate.hours, 2) for candidate in fast)
    assert fast[0].hours < chosen(selected(tmp_path, values)).hours


def test_more_nodes_are_taken_to_meet_a_deadline(tmp_path: Path) -> None:
    """The node count is part of the choice: a pretraining run that one node cannot finish in time gets RDMA nodes."""
    values = {
        "workload": {"task": "pretrain", "model": "llama-2-7b", "tokens": "30B", "global_batch": 1024},
        "goal.deadline": "4d",
    }
    pick = chosen(selected(tmp_path, values))
    assert pick.nodes > 1
    assert pick.type.rdma not in (None, "none")
    assert pick.type.interconnect == "nvlink"
    assert pick.hours <= 96


@pytest.mark.parametrize(
    ("values", "instance_type", "reason", "words"),
    [
        ({}, "ecs.gn9g.4xlarge", "unknown_accelerator", "masks"),
        ({}, "ecs.gn8v.4xlarge", "not_orderable", "sales contact"),
        ({"hardware.allow": ["ecs.gn8v.4xlarge"]}, "ecs.gn8v.4xlarge", "region_unknown", "no source"),
        ({"where.regions": ["cn-beijing"]}, "ecs.ebmgn6i.24xlarge", "region", "is sold instead"),
        (
            {"where.zones": ["cn-beijing-i"], "where.regions": ["cn-beijing", "cn-hangzhou"]},
            A10,
            "zone",
            "cn-beijing-i",
        ),
        ({"where.compliance": "xinchuang", "workload.precision": None}, A10, "compliance", "Ascend"),
        (
            {"workload": {"task": "pretrain", "model": "gpt2", "tokens": "1B"}},
            "ecs.vgn7i-vws-m12.3xlarge",
            "capability",
            "slice",
        ),
        ({"hardware.gpus": ["A10"]}, T4, "hardware_limit", "T4 is not among A10"),
        ({"hardware.ram": ">=64GiB"}, A10, "hardware_limit", "30 GiB of RAM, at least 64"),
        ({"workload.precision": "bf16"}, T4, "precision", "bf16"),
        ({"hardware.allow": ["ecs.ebmgn6ia.20xlarge"]}, "ecs.ebmgn6ia.20xlarge", "architecture", "arm64"),
        ({"workload.toolchain": "pytorch-2.11-cu128"}, "ecs.gn6v-c8g1.2xlarge", "framework", "no kernels"),
        ({}, "ecs.gn6i-c4g1.xlarge", "cpu", "4 vCPU per GPU"),
        ({"workload": {"task": "develop", "run_hours": 9}, "data": None}, "ecs.c7.2xlarge", "ram", "30 are needed"),
        ({**SERVING, "workload.latency_ms": 5}, A10, "latency", "5 ms are allowed"),
        ({**SERVING, "workload.requests_per_second": 9000}, A10, "hardware_limit", "9000 requests/s want"),
        ({"data": {"size": "900000GiB", "on": "disk"}}, A10, "storage", "no disk"),
        ({"hardware.nodes": "2"}, A10, "fabric", "no RDMA"),
        ({"workload.method": "full"}, T4, "memory", "GiB are usable"),
        ({"goal.deadline": "1h"}, T4, "deadline", "deadline is 1 h"),
        ({"goal.budget": "10 CNY"}, T4, "budget", "budget is 10.00 CNY"),
        ({"goal.budget": "1000 USD"}, T4, "currency", "exchange rate"),
    ],
)
def test_a_type_is_rejected_with_the_code_and_the_numbers(
    tmp_path: Path, values: dict, instance_type: str, reason: str, words: str
) -> None:
    """Each reason is given where it holds, in a sentence with the figures on both sides."""
    found = rejection(selected(tmp_path, values), instance_type)
    assert (found.reason, words in found.message) == (reason, True), found


def test_of_several_reasons_the_first_in_the_order_is_given(tmp_path: Path) -> None:
    """A card without bf16, on a host with too few vCPUs, too small and too slow, is rejected for its precision."""
    values = {"workload.method": "full", "workload.precision": "bf16", "goal.deadline": "1h", "goal.budget": "1 CNY"}
    assert rejection(selected(tmp_path, values), "ecs.gn6i-c4g1.xlarge").reason == "precision"


def test_a_type_in_a_dearer_region_is_dominated_and_says_by_how_much(tmp_path: Path) -> None:
    """The best region of a type is its place; the others are one entry with their prices."""
    found = rejection(selected(tmp_path, {"hardware.gpus": ["T4"]}), T4)
    assert found.reason == "dominated"
    assert "12.6 CNY/h" in found.message
    assert "cn-beijing 14 CNY/h" in found.message
    assert "cn-chengdu" in found.message
    assert len(found.regions) > 3


def test_of_regions_with_one_price_the_users_order_decides(tmp_path: Path) -> None:
    """`where.regions` is an order of preference between equals."""
    for regions in (["cn-shanghai", "cn-beijing"], ["cn-beijing", "cn-shanghai"]):
        pick = chosen(
            selected(tmp_path, {"where.regions": regions, "hardware.gpus": ["A10"], "hardware.gpus_per_node": "1"})
        )
        assert pick.offer.region == regions[0]


def test_a_zone_asked_for_is_the_zone_of_the_offer(tmp_path: Path) -> None:
    """Where the catalog does not know zones, the one asked for is taken, and only its region is in play."""
    selection = selected(tmp_path, {"where.zones": ["cn-beijing-i"]})
    assert {(c.offer.region, c.offer.zone) for c in candidates(selection)} == {("cn-beijing", "cn-beijing-i")}


def test_without_a_zone_the_answer_says_that_it_is_not_known(tmp_path: Path) -> None:
    """Stock and zone are said to be unknown, never guessed."""
    selection = selected(tmp_path)
    assert chosen(selection).offer.zone is None
    assert any("stock" in line for line in selection.unknown)
    assert any("which zones" in line for line in selection.unknown)


def test_a_quota_rejects_with_its_number(tmp_path: Path) -> None:
    """An account that may have no more than one node of a type cannot get two of them."""
    limited = with_offers(lambda offer: msgspec.structs.replace(offer, quota=1))
    values = {"hardware.nodes": "2", "hardware.gpus": ["A100-80GB"]}
    found = rejection(selected(tmp_path, values, limited), "ecs.ebmgn7ex.32xlarge")
    assert (found.reason, "quota of 1" in found.message) == ("quota", True)
    roomy = with_offers(lambda offer: msgspec.structs.replace(offer, quota=2))
    assert chosen(selected(tmp_path, values, roomy)).nodes == 2


def test_spare_nodes_are_paid_and_counted_against_the_quota(tmp_path: Path) -> None:
    """A node that stands by costs as much as one that works."""
    plain = chosen(selected(tmp_path))
    spared = chosen(selected(tmp_path, {"hardware.spare_nodes": 1}))
    assert spared.spare_nodes == 1
    assert spared.costs[0].quantity == plain.costs[0].quantity + 1
    limited = with_offers(lambda offer: msgspec.structs.replace(offer, quota=1))
    assert selected(tmp_path, {"hardware.spare_nodes": 1}, limited).chosen is None


def test_many_nodes_for_long_are_told_to_keep_spares(tmp_path: Path) -> None:
    """16 nodes for more than a day, and none to take over: the reasons propose how many (D0-28)."""
    values = {
        "workload": {"task": "pretrain", "model": "llama-2-7b", "tokens": "300B", "global_batch": 1024},
        "hardware": {"nodes": "16", "gpus_per_node": "8"},
    }
    assert any("hardware.spare_nodes: 2" in reason for reason in chosen(selected(tmp_path, values)).reasons)


def test_a_type_that_nobody_sells_cannot_be_allowed(tmp_path: Path) -> None:
    """A slip in `hardware.allow` is a problem with its place and the nearest name, not a silent nothing."""
    with pytest.raises(InputError) as caught:
        selected(tmp_path, {"hardware.allow": ["ecs.gn8v.4xlarg"]})
    problem = caught.value.problems[0]
    assert "ecs.gn8v.4xlarg" in problem.message
    assert "ecs.gn8v.4xlarge" in (problem.hint or "")
    assert problem.where is not None
    assert problem.where.line


def test_a_card_that_the_user_may_not_buy_is_opened_by_name(tmp_path: Path) -> None:
    """`hardware.allow` makes a type orderable; without it the type is rejected."""
    gone = "ecs.gn5-c28g1.7xlarge"
    values = {"workload.method": "lora", "workload.precision": "fp32", "workload.model": "gpt2"}
    assert rejection(selected(tmp_path, values), gone).reason == "not_orderable"
    opened = selected(tmp_path, {**values, "hardware.allow": [gone]})
    assert all(row.reason != "not_orderable" for row in opened.rejected if row.instance_type == gone)


def test_an_offer_that_the_account_cannot_have_is_out(tmp_path: Path) -> None:
    """`sold: no` of the prices file beats the catalog."""

    def unsold(offer: Offer) -> Offer:
        return msgspec.structs.replace(offer, sold=offer.type.id != A10)

    assert rejection(selected(tmp_path, {}, with_offers(unsold)), A10).reason == "capability"


def test_unpriced_nodes_come_after_every_priced_one_and_are_never_zero(tmp_path: Path) -> None:
    """An unknown price never wins a ranking: such offers are last, with null for their cost."""

    def hide(offer: Offer) -> Offer:
        return priced(offer, None) if offer.type.gpu == "A10" else offer

    ranked = candidates(selected(tmp_path, {"hardware.nodes": "1"}, with_offers(hide)))
    known = [candidate.run is not None for candidate in ranked]
    assert known == sorted(known, reverse=True)
    assert not all(known)
    assert all(candidate.hourly is None for candidate in ranked if candidate.run is None)


def test_with_no_price_at_all_a_stated_measure_ranks_and_it_is_said(tmp_path: Path) -> None:
    """A catalog without prices is ranked by GPU memory x hours, or by hours when time matters; the reasons say so."""
    bare = with_offers(lambda offer: priced(offer, None))
    ranked = candidates(selected(tmp_path, {"hardware.nodes": "1"}, bare))
    sizes = [round(c.type.gpus * (c.type.gpu_memory_gib or 0) * c.nodes * c.hours) for c in ranked]
    assert sizes == sorted(sizes)
    assert ranked[0].run is None
    assert any("no price is known" in reason and "GiB of GPU memory" in reason for reason in ranked[0].reasons)
    fast = candidates(selected(tmp_path, {"hardware.nodes": "1", "goal.prefer": "time"}, bare))
    assert [round(c.hours, 2) for c in fast] == sorted(round(c.hours, 2) for c in fast)


def test_the_users_own_prices_are_what_is_compared(tmp_path: Path) -> None:
    """A price, a quota and a type not sold to this account, each from the file that the spec names."""
    (tmp_path / "prices.csv").write_text(
        "cloud,region,instance_type,charge,amount,currency,per,date,note,quota,sold\n"
        f"alicloud,cn-beijing,{T4},on_demand,1.00,CNY,hour,2026-11-01,contract,,\n"
        f"alicloud,cn-beijing,{A10},,,,,,,,no\n",
        encoding="utf-8",
    )
    spec = spec_of(tmp_path, {"prices": "prices.csv", "where.regions": ["cn-beijing"]})
    answer = select(spec, derive(spec), load_asked(spec))
    pick = chosen(answer)
    assert (pick.type.id, pick.offer.price and pick.offer.price.amount) == (T4, Decimal("1.00"))
    assert rejection(answer, A10).reason == "capability"


def test_an_unpriced_offer_is_refused_under_a_budget(tmp_path: Path) -> None:
    """Nobody can hold a budget with an unknown price."""
    bare = with_offers(lambda offer: priced(offer, None))
    assert rejection(selected(tmp_path, {"goal.budget": "9999 CNY"}, bare), A10).reason == "unpriced"


def test_a_budget_is_not_proven_while_a_part_has_no_price(tmp_path: Path) -> None:
    """Priced parts within the budget and others unpriced: the verdict says so and names them."""
    pick = chosen(selected(tmp_path, {"goal.budget": "5000 CNY"}))
    assert pick.budget == "not_proven"
    assert pick.unpriced
    assert chosen(selected(tmp_path)).budget == "none"


def test_currencies_are_kept_apart_without_a_rate(tmp_path: Path) -> None:
    """An offer in dollars does not beat one in yuan because its number is smaller; with a rate they are compared."""
    mixed = with_offers(lambda offer: priced(offer, "1.00", "USD") if offer.type.id == A100 else offer)
    apart = candidates(selected(tmp_path, {"hardware.nodes": "1"}, mixed))
    currencies = [candidate.run.currency for candidate in apart if candidate.run]
    assert currencies == sorted(currencies)
    assert apart[0].run is not None
    assert apart[0].run.currency == "CNY"
    rate = {"USD": 7.1, "date": "2026-11-01"}
    together = chosen(selected(tmp_path, {"hardware.nodes": "1", "goal.exchange_rate": rate}, mixed))
    assert together.type.id == A100


def test_storage_enters_the_ranking_only_when_priced_for_all(tmp_path: Path) -> None:
    """A region whose disks have a price is not put last for being better known."""
    values = {"hardware.gpus": ["A10"], "hardware.gpus_per_node": "1", "where.regions": ["cn-hangzhou", "cn-beijing"]}
    selection = selected(tmp_path, values)
    pick = chosen(selection)
    assert pick.offer.region == "cn-hangzhou"
    assert any(part.kind == "disk" and part.run for part in pick.costs)
    assert any("not in the ranking" in line and "disk" in line for line in selection.assumptions)


class TestSpot:
    """What may be interrupted goes to spot first."""

    values: ClassVar = {"interruptible": True, "checkpoint.every": "20min", "hardware.nodes": "1"}

    def test_spot_is_chosen_and_its_twin_follows(self, tmp_path: Path) -> None:
        """Every offer that may be spot is, and each type's on-demand twin is a runner-up after all spot ones."""
        ranked = candidates(selected(tmp_path, self.values))
        charges = [candidate.charge for candidate in ranked]
        assert charges == ["spot"] * charges.count("spot") + ["on_demand"] * charges.count("on_demand")
        assert charges.count("spot") == charges.count("on_demand")

    def test_nothing_is_spot_unless_asked(self, tmp_path: Path) -> None:
        """`interruptible: false` forbids spot."""
        assert {c.charge for c in candidates(selected(tmp_path, {"interruptible": False}))} == {"on_demand"}

    def test_no_saving_is_claimed_offline(self, tmp_path: Path) -> None:
        """Spot is counted at the on-demand price unless the user gives a ratio."""
        full = chosen(selected(tmp_path, self.values))
        half = chosen(selected(tmp_path, {**self.values, "goal.spot_ratio": 0.5}))
        assert full.costs[0].hourly is not None
        assert full.offer.price is not None
        assert full.costs[0].hourly.amount == full.offer.price.amount
        assert half.offer.price is not None
        assert half.costs[0].hourly is not None
        assert half.costs[0].hourly.amount == half.offer.price.amount / 2

    def test_on_demand_wins_when_the_deadline_forbids_spot(self, tmp_path: Path) -> None:
        """Hours lost to interruptions can miss a deadline that the same machine meets on demand."""
        values = {**self.values, "hardware.gpus": ["A10"], "hardware.gpus_per_node": "1"}
        first, *rest = candidates(selected(tmp_path, values))
        twin = next(candidate for candidate in rest if candidate.type is first.type)
        assert twin.hours < first.hours
        between = (twin.hours + first.hours) / 2
        pick = chosen(selected(tmp_path, {**values, "goal.deadline": f"{between:.4f}h"}))
        assert pick.charge == "on_demand"
        assert any("spot is out" in reason for reason in pick.reasons)

    def test_a_type_not_sold_as_spot_is_rejected(self, tmp_path: Path) -> None:
        """The catalog or the prices file says that there is no spot of it."""
        without = with_offers(lambda offer: msgspec.structs.replace(offer, spot_sold=False))
        assert rejection(selected(tmp_path, self.values, without), A10).reason == "capability"

    def test_alternates_have_the_same_card_and_count(self, tmp_path: Path) -> None:
        """At most as many as asked, of the same region, never the chosen one; the reasons say how many there are."""
        values = {
            **self.values,
            "hardware.gpus": ["A10"],
            "hardware.gpus_per_node": "1",
            "interruptible": {"alternates": 3},
        }
        pick = chosen(selected(tmp_path, values))
        types = {row.id: row for row in load_catalog("alicloud").types}
        assert 2 <= len(pick.alternates) <= 3
        for alternate in pick.alternates:
            row = types[alternate.instance_type]
            assert (row.gpu, row.gpus, row.id != pick.type.id) == (pick.type.gpu, pick.type.gpus, True)
            assert alternate.price is not None
        assert any("alternates" in reason for reason in pick.reasons)

    def test_alternates_are_found_whichever_region_stands_for_them(self, tmp_path: Path) -> None:
        """Each alternate is sold in the region chosen, also where another region has the same price."""
        values = {
            **self.values,
            "hardware.gpus": ["A10"],
            "hardware.gpus_per_node": "1",
            "interruptible": {"alternates": 9},
        }
        for regions in (["cn-beijing", "cn-hangzhou"], ["cn-hangzhou", "cn-beijing"], ["cn-hangzhou"]):
            pick = chosen(selected(tmp_path, {**values, "where.regions": regions}))
            sold = {o.type.id for o in load_catalog("alicloud").offers if o.region == pick.offer.region}
            names = [alternate.instance_type for alternate in pick.alternates]
            assert set(names) <= sold
            assert {"ecs.gn7i-c16g1.4xlarge", "ecs.gn7i-c32g1.8xlarge"} <= {*names, pick.type.id}

    def test_a_pool_of_one_may_fall_back_to_on_demand(self, tmp_path: Path) -> None:
        """`on_demand_nodes: 1` with one node is legal; with more nodes it must be smaller."""
        one = chosen(selected(tmp_path, {**self.values, "interruptible": {"on_demand_nodes": 1}}))
        assert (one.charge, one.on_demand_nodes) == ("spot", 1)
        more = selected(tmp_path, {"interruptible": {"on_demand_nodes": 2}, "checkpoint.every": "20min"})
        assert {candidate.nodes > 2 for candidate in candidates(more)} == {True}
        assert chosen(more).costs[1].part.endswith("(on demand)")

    def test_spot_that_costs_more_than_on_demand_is_not_taken(self, tmp_path: Path) -> None:
        """A spot price above the list price turns the order round."""

        def dear(offer: Offer) -> Offer:
            spot = msgspec.structs.replace(offer.price, amount=offer.price.amount * 2) if offer.price else None
            return msgspec.structs.replace(offer, spot_price=spot)

        assert chosen(selected(tmp_path, self.values, with_offers(dear))).charge == "on_demand"


def test_several_clouds_are_compared_in_one_ranking(tmp_path: Path) -> None:
    """A second catalog adds its offers; the cheaper cloud wins whichever is named first."""
    first = load_catalog("alicloud")
    second = rename(first, "huaweicloud")
    answers = [selected(tmp_path, {}, *pair) for pair in ((first, second), (second, first))]
    assert selection_json(answers[0], TODAY) == selection_json(answers[1], TODAY)
    assert {candidate.type.cloud for candidate in candidates(answers[0])} == {"alicloud", "huaweicloud"}


def rename(catalog: Catalog, cloud: str) -> Catalog:
    """The same catalog under another cloud's name."""
    types = {row.id: msgspec.structs.replace(row, cloud=cloud) for row in catalog.types}
    offers = tuple(msgspec.structs.replace(offer, type=types[offer.type.id]) for offer in catalog.offers)
    return msgspec.structs.replace(catalog, cloud=cloud, types=tuple(types.values()), offers=offers)


def test_the_json_has_the_contracted_names(tmp_path: Path) -> None:
    """Names, nulls and money of the JSON are as the contract says, for cards and for CPUs."""
    answer = selection_json(selected(tmp_path, {"goal.budget": "5000 CNY", "goal.deadline": "200h"}), TODAY)
    assert set(answer) >= {"chosen", "runners_up", "rejected", "relax", "assumptions"}
    pick = answer["chosen"]
    assert set(pick) >= {
        "cloud", "region", "zone", "instance_type", "nodes", "gpu", "gpus_per_node", "gpu_memory_gib", "charge",
        "hourly", "run", "hours", "layout", "memory", "reasons", "vcpus", "ram_gib", "local_nvme_gib", "rdma",
        "storage", "on_demand_nodes", "alternates", "budget", "deadline", "unpriced",
    }  # fmt: skip
    assert set(pick["memory"]) >= {
        "weights", "gradients", "optimizer", "activations", "logits", "overhead", "total", "bound", "usable",
    }  # fmt: skip
    assert set(pick["layout"]) >= {
        "tensor", "pipeline", "data", "context", "expert", "sequence_parallel", "sharding", "recompute", "offload",
        "micro_batch", "accumulation",
    }  # fmt: skip
    assert set(pick["storage"][0]) >= {"kind", "role", "size_gib", "level", "mbps"}
    assert (pick["budget"], pick["deadline"], pick["run"]["currency"]) == ("not_proven", "met", "CNY")
    assert all("why_not" in runner for runner in answer["runners_up"])
    assert set(answer["rejected"][0]) == {"cloud", "regions", "instance_type", "reason", "message"}
    json.dumps(answer)
    cpu = selection_json(selected(tmp_path, SPECS["preprocessing"]), TODAY)["chosen"]
    assert (cpu["layout"], cpu["memory"], cpu["gpu"], cpu["gpu_memory_gib"]) == (None, None, None, None)
