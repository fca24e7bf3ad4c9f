"""Where each resource of a stack stands, by whatever tells: provider, config, zone, or the only region of all zones."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from generator.facts.reader import StackReader
from generator.legality import zone_region
from generator.program.values import UNKNOWN, Unknown
from generator.resources import Resource

Region = str | Unknown | None


def read_regions(reader: StackReader, zones_of: Callable[[Resource], Iterable[object]]) -> dict[str, Region]:
    """The region of each resource by URN; `zones_of` gives the zones that the cloud reads from a resource, best first.

    UNKNOWN where neither provider nor config nor a zone tells, and the zones of the stack name several regions or none.
    """
    by_zone = {resource.urn: _region_of_zones(reader.cloud.id, zones_of(resource)) for resource in reader.resources}
    everywhere = {region for region in by_zone.values() if region is not None}
    only = everywhere.pop() if len(everywhere) == 1 else UNKNOWN
    return {
        resource.urn: told if (told := reader.region(resource)) is not None else by_zone[resource.urn] or only
        for resource in reader.resources
    }


def _region_of_zones(cloud_id: str, zones: Iterable[object]) -> str | None:
    """The region that the first of these says which is a zone's name."""
    named = (zone_region(cloud_id, zone) for zone in zones if isinstance(zone, str))
    return next((region for region in named if region), None)
