"""What no table can say of legal values on Baidu AI Cloud: the names of zones, and what an EHC cluster takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.catalog.offers import InstanceType
from generator.legality.table_forms import Illegal

ZONE_PATTERN = r"cn-([a-z]{2,3})-[a-z]"  # cn-bj-a
ZONE_FIELDS = ("availabilityZone", "zoneName")
DEFAULT_LEVELS: dict[str, str] = {}

EHC_SOURCE = "EHC cluster list (bd-ehc-list): clusters hold RoCE servers of the ehc kind"


def check(token: str, inputs: Mapping[str, Any], kinds: tuple[InstanceType, ...]) -> Iterator[Illegal]:
    """An EHC cluster for a type that is no RoCE server of the ehc kind."""
    del token
    if inputs.get("ehcClusterId"):
        for kind in kinds:
            if not kind.id.startswith("ehc."):
                message = f"ehcClusterId: {kind.id} is no server of the ehc kind and gets no RDMA from an EHC cluster"
                yield Illegal(field="ehcClusterId", message=message, wanted=None, source=EHC_SOURCE, subject="rdma")
