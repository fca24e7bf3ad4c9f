"""Runs the tests of a rule against each mutant of it, in one process, and says which mutants nobody noticed.

Run as `python -m tests.mutation.noticing [RULE...]`; without a rule, all. It prints a table and every mutant that no
test noticed, with its line. `--write` renews `noticed.csv`, of which docs/guardrails-proof.md tells.
"""

from __future__ import annotations

import csv
import importlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from _pytest.runner import runtestprotocol

from policies.rules import our_rules
from policies.ruling import Rule
from tests.mutation.mutants import Mutant, mutants

TESTS = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).parent / "noticed.csv"
# Tests that judge every rule at once; they are asked when the rule's own test has noticed nothing.
SHARED = (
    TESTS / "rules" / "test_at_the_bounds.py",
    TESTS / "rules" / "test_same_verdict.py",
    TESTS / "cases" / "test_check_cases.py",
)


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How many mutants a rule has, and those that no test noticed."""

    rule: str
    mutants: int
    unnoticed: tuple[Mutant, ...]


class Noticing:
    """A plugin that runs the collected tests once for each mutant instead of once."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self.outcomes: list[Outcome] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Own tests of a rule first, the shared ones only while nothing is noticed."""
        shared = [item for item in session.items if item.path in SHARED]
        for rule in self.rules:
            own = [item for item in session.items if item.path == test_of(rule)]
            found = list(mutants(Path(rule.file).read_text(encoding="utf-8")))
            items = [*own, *shared]
            assert not any(_fails(item) for item in items), f"the tests of {rule.id} fail without a mutant"
            unnoticed = tuple(mutant for mutant in found if not _noticed(rule, mutant, items))
            self.outcomes.append(Outcome(rule=rule.id, mutants=len(found), unnoticed=unnoticed))
        return True


def test_of(rule: Rule) -> Path:
    """The test file of a rule."""
    return TESTS / "rules" / f"test_{Path(rule.file).stem}.py"


def _noticed(rule: Rule, mutant: Mutant, items: list[pytest.Item]) -> bool:
    module = importlib.import_module(f"{our_rules.__module__}.{Path(rule.file).stem}")
    kept = dict(_codes(module))
    scope: dict[str, object] = {"__name__": module.__name__}
    exec(compile(mutant.source, rule.file, "exec"), scope)
    try:
        for name, function in _functions(module):
            function.__code__ = scope[name].__code__  # type: ignore[attr-defined]
        return any(_fails(item) for item in items)
    finally:
        for name, function in _functions(module):
            function.__code__ = kept[name]


def _functions(module: types.ModuleType) -> Iterator[tuple[str, types.FunctionType]]:
    for name, value in vars(module).items():
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
            yield name, value


def _codes(module: types.ModuleType) -> Iterator[tuple[str, types.CodeType]]:
    return ((name, function.__code__) for name, function in _functions(module))


def _fails(item: pytest.Item) -> bool:
    item._initrequest()  # type: ignore[attr-defined]  # as plugins do that run a test again
    return any(report.failed for report in runtestprotocol(item, nextitem=None, log=False))


def notice(rules: tuple[Rule, ...]) -> list[Outcome]:
    """The outcome of each rule."""
    plugin = Noticing(rules)
    files = [str(path) for path in (*(test_of(rule) for rule in rules), *SHARED)]
    code = pytest.main(["-q", "--no-header", "--no-summary", "-p", "no:cacheprovider", *files], plugins=[plugin])
    assert code == pytest.ExitCode.OK or plugin.outcomes, code
    return plugin.outcomes


def rows(outcomes: list[Outcome]) -> list[tuple[str, int, int]]:
    """Rule, mutants, and how many of them some test noticed; rules without a condition have no mutant and no row."""
    return [(row.rule, row.mutants, row.mutants - len(row.unnoticed)) for row in outcomes if row.mutants]


def read_table() -> list[tuple[str, int, int]]:
    """The rows of the last run that was written down."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [(row["rule"], int(row["mutants"]), int(row["noticed"])) for row in csv.DictReader(file)]


def write_table(outcomes: list[Outcome]) -> None:
    """Write the rows of a run over all rules."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("rule", "mutants", "noticed"))
        table.writerows(rows(outcomes))


def share(told: list[tuple[str, int, int]]) -> float:
    """The share of all mutants that some test noticed."""
    return sum(noticed for _, _, noticed in told) / sum(count for _, count, _ in told)


def main(words: list[str]) -> None:
    """Print what was noticed of the rules named, or of all; `--write` keeps the figures of all."""
    asked = {word.upper() for word in words if not word.startswith("-")}
    outcomes = notice(tuple(rule for rule in our_rules() if not asked or rule.id in asked))
    lines = []
    for outcome in outcomes:
        lines.append(f"{outcome.rule}  {outcome.mutants - len(outcome.unnoticed)} of {outcome.mutants}")
        lines += [f"    line {missed.line}: {missed.change}" for missed in outcome.unnoticed]
    told = rows(outcomes)
    lines.append(f"noticed: {share(told):.1%} of {sum(count for _, count, _ in told)}")
    sys.stdout.write("\n".join(lines) + "\n")
    if "--write" in words and not asked:
        write_table(outcomes)


if __name__ == "__main__":
    main(sys.argv[1:])
