"""Nine in ten of the ways in which a rule can be wrong by one condition are noticed by its tests."""

import ast

import pytest

from policies.rules import our_rules
from tests.mutation.mutants import mutants
from tests.mutation.noticing import notice, read_table, rows, share

SOURCE = """
LIMIT = 3 > 2


def check(size, kind):
    if size <= 4 and not kind:
        return size is not None
"""


def test_each_condition_is_negated_moved_and_left_out() -> None:
    """A comparison is negated and moved by a step, `and` becomes `or` and loses each side, `not` goes."""
    changes = [mutant.change.partition("->")[2].strip() for mutant in mutants(SOURCE)]
    assert sorted(changes) == sorted(
        ["size > 4", "size < 4", "size <= 4 or not kind", "not kind", "size <= 4", "kind", "size is None"]
    )


def test_a_mutant_differs_in_one_place() -> None:
    """Each mutant is a whole program, none is another's twin or the rule itself, and constants outside stay."""
    sources = [mutant.source for mutant in mutants(SOURCE)]
    assert len({*sources, ast.unparse(ast.parse(SOURCE))}) == len(sources) + 1
    assert all("LIMIT = 3 > 2" in source for source in sources)


@pytest.mark.slow
def test_nine_in_ten_mutants_are_noticed() -> None:
    """The tests of the rules notice at least 90 % of all mutants, and as many as the page says."""
    told = rows(notice(our_rules()))
    assert share(told) >= 0.9
    assert told == read_table(), (
        "python -m tests.mutation.noticing --write, then python -m tests.faults.proof_page --write"
    )
