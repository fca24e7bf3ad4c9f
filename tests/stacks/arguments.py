"""Which arguments of which class a stack sets: what the vendors' own plugins were seen to accept, and what ours sets.

Run as `python -m tests.stacks.arguments PATH`: PATH holds `<topic>/<cloud>/`, small programs that the vendors' own
plugins accepted at preview, each with a `Pulumi.dev.yaml`. It writes `tests/data/accepted_arguments.csv` from what they
register.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.preview import preview
from generator.resources import StackState

DATA = Path(__file__).resolve().parents[1] / "data"
ACCEPTED = DATA / "accepted_arguments.csv"
OWN = DATA / "own_arguments.csv"
MAPS = ("tags", "zoneandid")  # how the names of maps end, whose keys are a person's and no argument


def arguments(state: StackState) -> set[tuple[str, str]]:
    """(type, path) of every argument set; `[]` is any member of a list, a map of tags or zones is one argument."""
    return {
        (resource.type, path)
        for resource in state.resources
        if not resource.type.startswith("pulumi:")
        for path in _paths(resource.inputs)
    }


def rows(table: Path) -> list[dict[str, str]]:
    """The rows of one of the two tables."""
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _paths(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, Mapping) and not path.lower().endswith(MAPS):
        for key, inner in value.items():
            yield from _paths(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, Sequence) and not isinstance(value, str) and value:
        for inner in value:
            yield from _paths(inner, f"{path}[]")
    elif path:
        yield path


def write_accepted(examples: Path) -> None:
    """Write the table of accepted arguments, each with the programs that set it."""
    seen: dict[tuple[str, str], set[str]] = {}
    for folder in sorted(path.parent for path in examples.glob("*/*/Pulumi.yaml")):
        for argument in arguments(preview(folder, stack="dev")):
            seen.setdefault(argument, set()).add(folder.parent.name)
    with ACCEPTED.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("type", "path", "programs"))
        table.writerows((*argument, " ".join(sorted(programs))) for argument, programs in sorted(seen.items()))


if __name__ == "__main__":
    write_accepted(Path(sys.argv[1]))
