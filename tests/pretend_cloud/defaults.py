"""What a vendor's plugin writes into the inputs where a program says nothing: read from the product's own table."""

import csv
from functools import cache
from pathlib import Path
from typing import Any

from tests.pretend_cloud.facts import providers
from tests.pretend_cloud.paths import find
from tests.pretend_cloud.sdk_types import arguments_of, type_at

CLOUDS = Path(__file__).resolve().parents[2] / "generator" / "clouds"


@cache
def defaults(cloud: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """(pattern, text of the default) by resource type; what only the cloud itself decides later is left out."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    with (CLOUDS / cloud / "provider_defaults.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["source"].startswith("plugin "):
                found[row["resource"]] = (*found.get(row["resource"], ()), (row["property"], row["default"]))
    return found


def typed(text: str, wanted: Any) -> Any:
    """A table's text as the SDK types it."""
    if wanted is bool:
        return text == "true"
    return wanted(text) if wanted in {int, float} else text


def with_defaults(cloud: str, type_: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """The inputs, changed in place, with a default wherever their type has one and nothing was said."""
    sdk = providers()[cloud].sdk
    arguments = arguments_of(sdk, type_) if sdk else None
    for pattern, text in defaults(cloud).get(type_, ()) if arguments else ():
        for _, holder, value in find(inputs, pattern):
            if value is None:
                holder[pattern.rpartition(".")[2]] = typed(text, type_at(arguments, pattern))
    return inputs
