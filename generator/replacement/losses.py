"""What a resource takes with it when it goes: the data it holds, the machine that runs."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Literal

import msgspec

from generator.clouds import cloud_ids, find_cloud
from generator.facts import Bucket, Disk, Fact, FileSystem, Node
from generator.resources import StackState

Lost = Literal["disk", "file_system", "bucket", "pool", "node", "node_data"]


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """What is lost with one resource; `gib` is the size of a data disk, None where it has none or nobody knows it."""

    lost: Lost
    gib: float | None = None


def losses(state: StackState) -> dict[str, Loss]:
    """What would be lost with each resource that holds data or runs, by URN; all others can be made anew."""
    found: dict[str, Loss] = {}
    packages = {resource.type.partition(":")[0] for resource in state.resources}
    for cloud_id in cloud_ids():
        if packages & {*find_cloud(cloud_id).token_packages}:
            facts = importlib.import_module(f"generator.clouds.{cloud_id}.facts").read_facts(state)
            for urn, loss in _losses(facts):
                found.setdefault(urn, loss)
    return found


def _losses(facts: tuple[Fact, ...]) -> Iterator[tuple[str, Loss]]:
    inner = {
        fact.resource.urn: fact
        for fact in facts
        if isinstance(fact, Disk) and fact.use == "data" and fact.persistent and fact.deleted_with_node is not False
    }
    for fact in facts:
        urn = fact.resource.urn
        if isinstance(fact, Disk) and fact.standalone:
            yield urn, Loss(lost="disk", gib=fact.size_gib if isinstance(fact.size_gib, int | float) else None)
        elif isinstance(fact, FileSystem):
            yield urn, Loss(lost="file_system")
        elif isinstance(fact, Bucket):
            yield urn, Loss(lost="bucket")
        elif isinstance(fact, Node):
            yield urn, Loss(lost="pool" if fact.pool else "node_data" if urn in inner else "node")
