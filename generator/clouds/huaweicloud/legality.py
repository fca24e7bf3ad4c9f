"""What no table can say of legal values on Huawei Cloud: the names of zones. RDMA comes by the flavor, no switch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.catalog.offers import InstanceType
from generator.legality.table_forms import Illegal

ZONE_PATTERN = r"([a-z]{2}-[a-z]+-\d+)[a-z]"  # cn-north-4a
ZONE_FIELDS = ("availabilityZone", "availabilityZones[]")
DEFAULT_LEVELS: dict[str, str] = {}


def check(token: str, inputs: Mapping[str, Any], kinds: tuple[InstanceType, ...]) -> Iterator[Illegal]:
    """Nothing beyond the tables."""
    del token, inputs, kinds
    yield from ()
