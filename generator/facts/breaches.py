"""What the cloud's tables of legal values refuse in a stack, as facts for rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.facts import Breach
from generator.facts.reader import StackReader
from generator.legality import check_resource
from generator.program.values import Unknown


def read_breaches(reader: StackReader, region_of: Mapping[str, str | Unknown | None]) -> Iterator[Breach]:
    """Every illegal value of the stack's resources of this cloud. `region_of` holds each one's region by URN."""
    for resource in reader.resources:
        region = region_of[resource.urn]
        token = f"{reader.cloud.id}:{resource.type.partition(':')[2]}"
        for illegal in check_resource(
            reader.cloud.id, token, resource.inputs, region if isinstance(region, str) else None
        ):
            yield Breach(
                resource=resource,
                cloud=reader.cloud.id,
                region=region,
                paths={"value": illegal.field},
                subject=illegal.subject,
                grave=illegal.level == "deny",
                said=illegal.message,
                legal=illegal.wanted,
            )
