"""Every row of the clouds' `fields.csv` has a resource that it refuses and one, changed in one field, that is legal.

The fixtures hold the tables still; whether a table says what the vendor's plugin says is asked in tests/mistakes.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.clouds import catalogued_clouds
from generator.legality import check_resource
from generator.legality.field_checks import check_fields
from generator.legality.table_forms import FieldRule, tables

TABLE = Path(__file__).parents[1] / "data" / "legality_checks.csv"


class Fixture(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table: `what` names a row of the cloud's `fields.csv`, the rest are inputs of a resource."""

    cloud: str
    type: str
    what: str
    fails: dict[str, Any]
    passes: dict[str, Any]


def read_fixtures() -> tuple[Fixture, ...]:
    """The table, in its order."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            Fixture(
                cloud=row["cloud"],
                type=row["type"],
                what=row["what"],
                fails=json.loads(row["fails"]),
                passes=json.loads(row["passes"]),
            )
            for row in csv.DictReader(file)
        )


def name_of(rule: FieldRule) -> str:
    """How the table names a row of `fields.csv`: its field, its check (with the field it compares to) and when."""
    other = f" {rule.value}" if rule.check == "at_most" else ""
    return f"{rule.field} {rule.check}{other}" + (f" when {rule.when}" if rule.when else "")


FIXTURES = read_fixtures()
RULES = {
    (cloud, rule.carriers[0], name_of(rule)): rule for cloud in catalogued_clouds() for rule in tables(cloud).fields
}


def test_enough_is_checked() -> None:
    """There are 150 checks at least, 20 at least on each cloud."""
    counts = Counter(fixture.cloud for fixture in FIXTURES)
    assert sum(counts.values()) >= 150
    assert {cloud for cloud, count in counts.items() if count >= 20} == set(catalogued_clouds())


def test_every_row_has_its_fixtures() -> None:
    """Each row of each `fields.csv` stands in the table once, and the table names no row that is gone."""
    assert sum(len(tables(cloud).fields) for cloud in catalogued_clouds()) == len(RULES)
    assert Counter((one.cloud, one.type, one.what) for one in FIXTURES) == Counter(RULES.keys())


@pytest.mark.parametrize("fixture", [pytest.param(one, id=f"{one.type}-{one.what}") for one in FIXTURES])
def test_one_fails_and_one_passes(fixture: Fixture) -> None:
    """The row refuses the one resource; the other differs in the row's field alone and is wholly legal."""
    rule = RULES[fixture.cloud, fixture.type, fixture.what]
    said = check_resource(fixture.cloud, fixture.type, fixture.fails)
    own = tuple(check_fields((rule,), fixture.type, fixture.fails))
    assert own
    assert set(own) <= set(said)
    assert check_resource(fixture.cloud, fixture.type, fixture.passes) == ()
    names = fixture.fails.keys() | fixture.passes.keys()
    changed = {name for name in names if fixture.fails.get(name) != fixture.passes.get(name)}
    assert changed == {rule.field.partition(".")[0].removesuffix("[]")}
