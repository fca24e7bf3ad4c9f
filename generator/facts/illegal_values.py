"""Values in a stack that the cloud would refuse and of which no guardrail speaks: the preview fails on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from generator.clouds import cloud_ids, find_cloud
from generator.errors import Place, Problem, place_in
from generator.facts.reader import StackReader
from generator.legality import check_resource
from generator.legality.table_forms import Illegal
from generator.resources import Resource, StackState

# Guardrails tell these in their own words and with their own severity (ST007, NW004, SP006, IM002).
RULED = frozenset({"disk", "file_system", "rdma", "spot", "charge", "image"})


def illegal_values(state: StackState, folder: Path) -> tuple[Problem, ...]:
    """Every such value of the stack that was previewed in `folder`, with its place and what is legal."""
    return tuple(
        Problem(
            message=f"{resource.name!r} ({resource.type}): {illegal.message}",
            where=place_in(folder, resource.file, resource.line) if resource.file else Place(file=str(folder)),
            hint=f"{illegal.field}: {illegal.wanted}" if illegal.wanted else f"leave {illegal.field} out",
        )
        for resource, illegal in _unruled(state)
    )


def _unruled(state: StackState) -> Iterator[tuple[Resource, Illegal]]:
    for cloud_id in cloud_ids():
        reader = StackReader(state, find_cloud(cloud_id))
        for resource in reader.resources:
            region = reader.region(resource)
            token = f"{cloud_id}:{resource.type.partition(':')[2]}"
            for illegal in check_resource(
                cloud_id, token, resource.inputs, region if isinstance(region, str) else None
            ):
                if illegal.level == "deny" and illegal.subject not in RULED:
                    yield resource, illegal
