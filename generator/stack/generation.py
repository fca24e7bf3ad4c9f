"""From a spec to the files of its stacks: one choice and one stack a cloud that can serve."""

from __future__ import annotations

import difflib
import importlib
from pathlib import Path

import msgspec

from generator.catalog.asked import load_asked
from generator.clouds import cloud_ids, find_cloud
from generator.errors import InputError, Problem
from generator.selection import Selection, select
from generator.selection.candidate import REASONS
from generator.spec import Spec
from generator.stack.blueprint import draw
from generator.stack.render import render
from generator.stack.templating import StackFile
from generator.stack.writer import MANIFEST
from generator.workload import derive


class Stack(msgspec.Struct, frozen=True, kw_only=True):
    """The stack of one cloud: where it goes, what it is, and its files."""

    cloud: str
    folder: Path
    title: str
    files: tuple[StackFile, ...]


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A cloud that cannot serve the spec, and why."""

    cloud: str
    message: str


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The stacks of a spec, and the clouds that refused."""

    stacks: tuple[Stack, ...]
    refusals: tuple[Refused, ...]


def generate(spec: Spec, spec_file: str, folder: Path, clouds: tuple[str, ...] = ()) -> Outcome:
    """One stack below `folder` for each cloud asked that can serve; with none asked, for the best cloud.

    Raises InputError for a cloud that there is not.
    """
    _check(clouds)
    asked = tuple(sorted(set(clouds) or set(spec.where.clouds)))
    workload = derive(spec)
    catalogs = {catalog.cloud: catalog for catalog in load_asked(narrowed(spec, asked))}
    groups: list[tuple[str, ...]] = [(cloud,) for cloud in asked] or [tuple(catalogs)]
    stacks: list[Stack] = []
    refusals: list[Refused] = []
    for group in groups:
        selection = select(spec, workload, tuple(catalogs[cloud] for cloud in group))
        if selection.chosen is None:
            refusals.append(Refused(cloud=", ".join(group), message=refusal(selection)))
            continue
        cloud = selection.chosen.type.cloud
        if find_cloud(cloud).kind != "full":
            refusals.append(Refused(cloud=cloud, message="selects, but does not generate yet"))
            continue
        blueprint = draw(spec, workload, selection, spec_file)
        try:
            view = importlib.import_module(f"generator.clouds.{cloud}.view").view(blueprint)
        except InputError as error:  # what this cloud's services cannot do; another cloud may serve all the same
            said = (f"{row.message} ({row.hint})" if row.hint else row.message for row in error.problems)
            refusals.append(Refused(cloud=cloud, message="; ".join(said)))
            continue
        stacks.append(Stack(cloud=cloud, folder=folder / cloud, title=view.title, files=render(blueprint, view)))
    return Outcome(stacks=tuple(stacks), refusals=tuple(refusals))


def narrowed(spec: Spec, clouds: tuple[str, ...]) -> Spec:
    """The spec with only these clouds to choose from, when any are named."""
    return msgspec.structs.replace(spec, where=msgspec.structs.replace(spec.where, clouds=clouds)) if clouds else spec


def refusal(selection: Selection) -> str:
    """Why nothing was chosen, and what would have to change."""
    said = [row.message for row in selection.relax]
    if not said:  # no single limit is in the way: what is missing is missing of the types themselves
        first = {row.reason: row for row in reversed(selection.rejected)}
        said = [
            f"{row.instance_type}: {row.message} (needs {row.would_need})" if row.would_need else row.message
            for row in sorted(first.values(), key=lambda row: REASONS.index(row.reason))
        ]
    return f"nothing fits: {'; '.join(said)}" if said else "nothing fits"


def stale_folders(folder: Path, outcome: Outcome) -> tuple[Path, ...]:
    """Stacks beside the spec, by their manifest, that the spec leads to no longer."""
    made = {stack.folder for stack in outcome.stacks}
    return tuple(
        folder / cloud for cloud in cloud_ids() if (folder / cloud / MANIFEST).is_file() and folder / cloud not in made
    )


def _check(clouds: tuple[str, ...]) -> None:
    problems = []
    for cloud in clouds:
        if cloud not in cloud_ids():
            near = difflib.get_close_matches(cloud, cloud_ids(), n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"these are built: {', '.join(cloud_ids())}"
            problems.append(Problem(message=f"--cloud: there is no cloud '{cloud}'", hint=hint))
    if problems:
        raise InputError(*problems)
