"""What the pretend cloud knows of each cloud's resources: ids, outputs, uniqueness, what is required, what replaces.

`facts/<cloud>/resources.csv` is typed by hand from the providers' documentation and from what they were seen to do;
`schema.csv` beside it comes from the providers' published schemas by `import_facts.py` (Huawei Cloud publishes none).
Which change replaces a resource is read from the product's own table; how it is applied is told anew in `plugin.py`.
The pretend cloud refuses a resource that has no row.
"""

import csv
from functools import cache
from pathlib import Path

import msgspec

FACTS = Path(__file__).parent / "facts"
CLOUDS = Path(__file__).resolve().parents[2] / "generator" / "clouds"


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One resource type: how its id and outputs are formed, what must be unique, what is required, what replaces it."""

    type: str
    id: str  # a format over the inputs and {token}, {number}
    unique: tuple[tuple[str, ...], ...]  # inputs whose values, taken together, exist once
    held_by: tuple[str, ...]  # inputs of others that keep this from being deleted
    grows: tuple[str, ...]  # inputs that no update may make smaller
    outputs: tuple[tuple[str, str], ...]  # name and format, over the inputs, {id}, {region} and addresses
    required: tuple[str, ...]
    replace: tuple[str, ...]


def rows(cloud: str, table: str) -> list[dict[str, str]]:
    """The rows of one table of one cloud."""
    with (FACTS / cloud / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def replacements(cloud: str) -> dict[str, str]:
    """The inputs that force a replacement, as they stand in the product's table, by resource type."""
    with (CLOUDS / cloud / "replacements.csv").open(encoding="utf-8", newline="") as file:
        return {row["type"]: row["replaces"] for row in csv.DictReader(file)}


def words(cell: str) -> tuple[str, ...]:
    """The entries of a cell, separated by `;`."""
    return tuple(word.strip() for word in cell.split(";") if word.strip())


@cache
def kinds(cloud: str) -> dict[str, Kind]:
    """Every resource type of a cloud that the pretend cloud can make, by its token."""
    told = (FACTS / cloud / "schema.csv").exists()
    schema = {row["type"]: row for row in rows(cloud, "schema")} if told else {}
    forcing = replacements(cloud)
    found = {}
    for row in rows(cloud, "resources"):
        facts = schema.get(row["type"], {})
        found[row["type"]] = Kind(
            type=row["type"],
            id=row["id"],
            unique=tuple(tuple(group.split("+")) for group in words(row["unique"])),
            held_by=words(row["held_by"]),
            grows=words(row["grows"]),
            outputs=tuple((name, form) for name, _, form in (entry.partition("=") for entry in words(row["outputs"]))),
            required=words(facts.get("required", "")),
            replace=words(forcing[row["type"]]),
        )
    return found


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """The vendor's plugin that is stood in for: its SDK's import name (empty: none), package version, and plugin."""

    sdk: str
    version: str
    plugin: str  # another than the cloud's for a package that a bridge is given as a parameter
    plugin_version: str
    zones: str  # the form of two zones of a region


@cache
def providers() -> dict[str, Provider]:
    """The providers by cloud."""
    with (FACTS / "providers.csv").open(encoding="utf-8", newline="") as file:
        return {row.pop("cloud"): Provider(**row) for row in csv.DictReader(file)}
