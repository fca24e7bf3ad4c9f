"""What a cloud would refuse although the SDK's types allow it: the pretend cloud's own copy of the legal values.

`facts/<cloud>/legality.csv` is kept apart from the product's table on purpose: where the two disagree, a test fails.
Each row: a type, a path into its inputs, when it holds, a test, its values, a source.
"""

import csv
import ipaddress
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.pretend_cloud.facts import rows
from tests.pretend_cloud.paths import UNKNOWN, find

CATALOGS = Path(__file__).resolve().parents[2] / "generator" / "clouds"
Resolve = Callable[[str], dict[str, Any]]


@cache
def known_types(cloud: str) -> frozenset[str]:
    """Names of the instance types that the catalog knows to be sold."""
    names: set[str] = set()
    for table in (CATALOGS / cloud).glob("*_types.csv"):
        with table.open(encoding="utf-8", newline="") as file:
            names |= {row["id"] for row in csv.DictReader(file)}
    return frozenset(names)


def holds(condition: str, holder: dict[str, Any], inputs: dict[str, Any]) -> bool:
    """Whether a condition such as `category=cloud_essd|cloud_auto`, `!spotStrategy` or `/zoneId` holds.

    Names are looked up beside the path's last step, with a leading `/` at the top; `!name` is true where it is absent.
    """
    absent, condition = condition.startswith("!"), condition.removeprefix("!")
    name, _, values = condition.partition("=")
    place = inputs if name.startswith("/") else holder
    value = place.get(name.removeprefix("/"))
    if not values:
        return (value is None) == absent
    return value != UNKNOWN and (str(value) in values.split("|")) != absent


def network(value: Any) -> ipaddress.IPv4Network | None:
    """The address range that a text means, or None."""
    try:
        return ipaddress.IPv4Network(value)
    except ValueError:
        return None


def refers(reference: str, inputs: dict[str, Any], resolve: Resolve) -> Any:
    """The value that `vswitchId.zoneId` means: the input `zoneId` of what `vswitchId` names; None where unknown."""
    name, _, there = reference.partition(".")
    value = inputs.get(name)
    return resolve(value).get(there) if isinstance(value, str) and value != UNKNOWN else None


def _in(bounds: str, value: float) -> bool:
    low, _, high = bounds.partition(":")
    return float(low) <= value <= float(high)


def passes(test: str, values: str, value: Any, inputs: dict[str, Any], resolve: Resolve, cloud: str) -> bool:
    """Whether one value passes one test of the table; what cannot be known yet passes here and is judged at `up`."""
    if test in {"absent", "present"}:
        return (value is None) == (test == "absent")
    if value is None or value == UNKNOWN:
        return True
    if test in {"inside", "same_as"}:
        other = refers(values, inputs, resolve)
        outer, inner = network(other), network(value)
        if test == "same_as" or outer is None:
            return other is None or test == "inside" or value == other
        return inner is not None and inner.subnet_of(outer)
    tests: dict[str, Callable[[], bool]] = {
        "one_of": lambda: str(value) in values.split("|"),
        "none_of": lambda: str(value) not in values.split("|"),
        "between": lambda: _in(values, float(value)),
        "matches": lambda: re.fullmatch(values, str(value)) is not None,
        "range": lambda: network(value) is not None,
        "sold": lambda: str(value) in known_types(cloud),
    }
    return tests[test]()


def refused(cloud: str, type_: str, inputs: dict[str, Any], region: str, resolve: Resolve) -> Iterator[tuple[str, str]]:
    """Every input that the cloud would refuse: (path, the reason)."""
    for row in rows(cloud, "legality"):
        if row["type"] != type_:
            continue
        values = row["values"].replace("{region}", region)
        for path, holder, value in find(inputs, row["path"]):
            applies = all(holds(condition, holder, inputs) for condition in row["when"].split("&") if condition)
            if applies and not passes(row["test"], values, value, inputs, resolve, cloud):
                when = f" (when {row['when']})" if row["when"] else ""
                yield path, f"{value!r} is refused: {row['test'].replace('_', ' ')} {values}{when}".strip()
