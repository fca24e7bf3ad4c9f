"""Cures that the engine makes itself: each one satisfies its rule."""

import csv

import pytest

from generator.clouds import find_cloud
from generator.facts.remedies import CLOUDS, remedied_rules, remedy
from generator.program.values import UNKNOWN
from policies.rules import our_rules
from tests.rules.drafts import A10, Draft

ROWS = [
    (path.parent.name, row)
    for path in sorted(CLOUDS.glob("*/remedies.csv"))
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())
]


def inputs_of(row: dict[str, str]) -> dict[str, object]:
    """Inputs on which a row speaks."""
    found: dict[str, object] = {"instanceTypes": [A10]} if "odePool" in row["carrier"] else {}
    for term in row["when"].split():
        path, _, value = term.partition("=")
        found[path] = value
    if row["instead_of"]:
        found[row["property"]] = {"true": True, "false": False}.get(row["instead_of"], row["instead_of"])
    return found


def told(cloud: str, row: dict[str, str], inputs: dict[str, object]) -> list[str | None]:
    """The properties that the row's rule finds fault with."""
    draft = Draft(package=cloud)
    draft.add(row["carrier"], "it", **inputs)
    return [finding.property for finding in draft.findings(row["rule"])]


@pytest.mark.parametrize(("cloud", "row"), ROWS, ids=lambda value: value if isinstance(value, str) else value["rule"])
def test_remedy_satisfies_its_rule(cloud: str, row: dict[str, str]) -> None:
    """The rule finds fault at the property, and no more after the remedy."""
    token = f"{find_cloud(cloud).token_packages[0]}:{row['carrier']}"
    before = inputs_of(row)
    changes = remedy(row["rule"], token, before)
    assert row["property"] in told(cloud, row, before)
    assert row["property"] in changes
    assert row["property"] not in told(cloud, row, before | changes)
    assert remedy(row["rule"], token, before | changes) == {}


def test_what_is_not_remedied() -> None:
    """A value that is given or unknown, another kind of disk, and another cloud's resource are left alone."""
    disk = "alicloud:ecs/ecsDisk:EcsDisk"
    assert remedy("ST008", disk, {"category": "cloud_essd", "performanceLevel": "PL0"}) == {}
    assert remedy("ST008", disk, {"category": "cloud_essd", "performanceLevel": UNKNOWN}) == {}
    assert remedy("ST008", disk, {"category": "cloud_auto"}) == {}
    assert remedy("ST008", "other:ecs/ecsDisk:EcsDisk", {"category": "cloud_essd"}) == {}


def test_remedies_are_of_rules() -> None:
    """Every row is of a rule that there is."""
    assert remedied_rules() <= {rule.id for rule in our_rules()}
