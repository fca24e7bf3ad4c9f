"""What would have to change when nothing fits: each proposal, written into the spec, lets its candidate through."""

from pathlib import Path

import pytest
import yaml

from generator.selection import Selection
from tests.markets import candidates, chosen, selected

IMPOSSIBLE = {
    "deadline": {"goal.deadline": "1h", "hardware.gpus": ["A10"], "hardware.nodes": "1", "hardware.gpus_per_node": "1"},
    "budget": {"goal.budget": "20 CNY"},
    "card": {"workload.method": "full", "hardware.gpus": ["T4"], "hardware.nodes": "1"},
    "memory of a card": {"workload.method": "full", "hardware.gpu_memory": "<=16GiB", "hardware.gpus_per_node": "1"},
    "count of cards": {"hardware.gpus_per_node": "3"},
    "nodes": {"hardware.gpus": ["T4"], "hardware.nodes": "3..4"},
    "vcpus": {"hardware.vcpus": ">=5000"},
    "ram": {"hardware.ram": ">=90000GiB"},
    "region": {"where.regions": ["cn-fuzhou"]},
    "compliance": {"where.compliance": "xinchuang", "workload.precision": None},
    "precision": {"workload.precision": "bf16", "hardware.gpus": ["T4", "V100"]},
    "deadline and budget": {"goal.deadline": "1h", "goal.budget": "20 CNY"},
    "three limits": {"goal.deadline": "30min", "goal.budget": "9 CNY", "hardware.gpus": ["T4"], "hardware.nodes": "1"},
}


def groups(selection: Selection) -> list[dict[str, str]]:
    """What to write into the spec: one group for each candidate, of every field that has to change for it."""
    found: dict[int, dict[str, str]] = {}
    for relaxation in selection.relax:
        found.setdefault(id(relaxation.candidate), {})[relaxation.field] = relaxation.new
    return list(found.values())


@pytest.mark.parametrize("values", IMPOSSIBLE.values(), ids=list(IMPOSSIBLE))
def test_each_relaxation_works_when_it_is_applied(tmp_path: Path, values: dict) -> None:
    """Nothing fits, at most three ways out are named, and each of them, applied to the spec, gives an answer."""
    stuck = selected(tmp_path, values)
    assert stuck.chosen is None
    assert stuck.runners_up == ()
    assert 1 <= len(stuck.relax) <= 3
    for group in groups(stuck):
        applied = {field: text if text.startswith(">") else yaml.safe_load(text) for field, text in group.items()}
        answer = selected(tmp_path, {**values, **applied})
        wanted = next(row.candidate for row in stuck.relax if row.field in group and row.new == group[row.field])
        assert wanted is not None
        assert wanted.type.id in {candidate.type.id for candidate in candidates(answer)}


@pytest.mark.parametrize("values", IMPOSSIBLE.values(), ids=list(IMPOSSIBLE))
def test_a_relaxation_names_the_field_the_figures_and_the_candidate(tmp_path: Path, values: dict) -> None:
    """From what to what, and for which machine at which hours and cost."""
    for row in selected(tmp_path, values).relax:
        assert row.candidate is not None
        assert row.old != row.new
        for word in (row.field, row.old, row.new, row.candidate.type.id, row.candidate.offer.region):
            assert word in row.message


def test_a_limit_that_does_not_stand_in_the_way_is_not_named(tmp_path: Path) -> None:
    """A wide budget is not among the changes when only the deadline is too short."""
    values = {**IMPOSSIBLE["deadline"], "goal.budget": "100000 CNY"}
    assert "goal.budget" not in {row.field for row in selected(tmp_path, values).relax}


def test_nothing_is_relaxed_when_something_fits(tmp_path: Path) -> None:
    """Relaxations are for those who have no answer."""
    selection = selected(tmp_path)
    assert chosen(selection)
    assert selection.relax == ()
