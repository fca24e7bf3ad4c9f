"""Nearly every planted fault is caught, and no right change is called a fault."""

import functools

import pytest

from generator.clouds import cloud_ids
from policies.judge import judge
from tests.faults.planting import Planted, changes, planted, recorded, stack_folders
from tests.faults.proof_page import PAGE, page, wrong
from tests.rules.drafts import TODAY

pytestmark = pytest.mark.slow  # every golden stack is previewed, every change judged


@functools.cache
def found() -> tuple[Planted, ...]:
    """Every change in every golden stack, once for all tests here."""
    return tuple(planted())


def test_enough_is_planted() -> None:
    """There are 200 faults and 80 right stacks at least, on every cloud that is built, and no row changes nothing."""
    assert sum(bool(one.change.rule) for one in found()) >= 200
    assert sum(not one.change.rule for one in found()) >= 80
    assert {one.change.cloud for one in found()} == set(cloud_ids())
    assert set(changes()) == {one.change for one in found()}


def test_faults_are_caught() -> None:
    """At least 99 of 100 faults are told by their rule with its verdict."""
    faults = [one for one in found() if one.change.rule]
    missed = wrong([one for one in faults if not one.is_right])
    assert len(missed) <= len(faults) / 100, missed


def test_every_cure_is_told() -> None:
    """What tells a fault tells its cure too."""
    assert [
        (one.stack, finding.rule) for one in found() for finding in one.said if one.change.rule and not finding.cure
    ] == []


def test_no_false_alarm() -> None:
    """A right change, odd as it may look, is met with silence."""
    assert wrong([one for one in found() if not one.change.rule]) == []


@pytest.mark.parametrize("cloud", cloud_ids())
def test_golden_stacks_are_clean(cloud: str) -> None:
    """Nothing is denied and no rule fails on a stack as it is generated."""
    for folder in stack_folders(cloud):
        verdicts = {finding.verdict for finding in judge(recorded(folder), today=TODAY).findings}
        assert verdicts.isdisjoint({"deny", "error"}), folder


def test_the_page_is_fresh() -> None:
    """docs/guardrails-proof.md has today's figures: `python -m tests.faults.proof_page --write` renews it."""
    assert PAGE.read_text(encoding="utf-8") == page(found())
