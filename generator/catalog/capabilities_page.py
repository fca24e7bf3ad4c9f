"""CAPABILITIES.md: what each cloud can, with reasons, and which example each of them serves or refuses, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from generator.catalog import load_regions
from generator.catalog.capabilities import CAPABILITIES, capabilities, find_capability
from generator.clouds import cloud_ids, find_cloud
from generator.errors import InputError
from generator.spec import Spec, load_spec
from generator.stack.generation import generate
from generator.stack.literals import md

HEAD = (
    "# What each cloud can do",
    "",
    "Generated from `generator/clouds/*/capabilities.csv` and the examples in `stacks/`; a test holds it to them.",
    "`partly`: with a limit that the second table names. What no source states is not claimed.",
)


def capabilities_page(specs: Iterable[Path]) -> str:
    """The whole page, for these example specs."""
    lines = [*HEAD, "", *_matrix(), "", "## Why, and by which source", "", *_reasons(), "", "## The examples", ""]
    lines += [
        "`yes`: the stack is in the folder of that name; `not asked`: the cloud could, and the spec names others."
    ]
    lines += ["", *_examples(specs)]
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(str(md(cell)) for cell in cells)} |"


def _matrix() -> Iterator[str]:
    clouds = cloud_ids()
    yield _row(["", *(find_cloud(cloud).title for cloud in clouds)])
    yield "|---" * (len(clouds) + 1) + "|"
    for name in CAPABILITIES:
        yield _row([name.replace("_", " "), *(find_capability(cloud, name).can for cloud in clouds)])


def _reasons() -> Iterator[str]:
    yield _row(["cloud", "capability", "can", "reason", "source"])
    yield "|---|---|---|---|---|"
    for cloud in cloud_ids():
        for row in capabilities(cloud):
            yield _row([find_cloud(cloud).title, row.capability.replace("_", " "), row.can, row.reason, row.source])


def _examples(specs: Iterable[Path]) -> Iterator[str]:
    yield _row(["example", "cloud", "served", "why not"])
    yield "|---|---|---|---|"
    for path in specs:
        for cloud in cloud_ids():
            spec = load_spec(path)
            why = _refusal(spec, cloud)
            served = "no" if why else "yes" if cloud in spec.where.clouds else "not asked"
            yield _row([path.parent.name, find_cloud(cloud).title, served, why or ""])


def _refusal(spec: Spec, cloud: str) -> str | None:
    """Why a cloud does not serve a spec, None when it does; regions of other clouds are no limit to it."""
    names = {region.id for region in load_regions(cloud)}
    regions = tuple(region for region in spec.where.regions if region in names)
    where = msgspec.structs.replace(spec.where, regions=regions)
    try:
        outcome = generate(msgspec.structs.replace(spec, where=where), "spec.yaml", Path(), (cloud,))
    except InputError as error:
        return error.problems[0].message
    return None if outcome.stacks else outcome.refusals[0].message
