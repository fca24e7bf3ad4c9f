"""What no table can say of legal values on Baidu AI Cloud: zones, EHC clusters, what the rules of a bucket name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.catalog.offers import InstanceType
from generator.legality.field_checks import found
from generator.legality.table_forms import Illegal

ZONE_PATTERN = r"cn-([a-z]{2,3})-[a-z]"  # cn-bj-a
ZONE_FIELDS = ("availabilityZone", "zoneName", "zone")
DEFAULT_LEVELS: dict[str, str] = {}

BUCKET = "baiducloud:index/bosBucket:BosBucket"
EHC_SOURCE = "EHC cluster list (bd-ehc-list): clusters hold RoCE servers of the ehc kind"


def check(token: str, inputs: Mapping[str, Any], kinds: tuple[InstanceType, ...]) -> Iterator[Illegal]:
    """An EHC cluster for a type that is no RoCE server of the ehc kind; a rule for the objects of another bucket."""
    if inputs.get("ehcClusterId"):
        for kind in kinds:
            if not kind.id.startswith("ehc."):
                message = f"ehcClusterId: {kind.id} is no server of the ehc kind and gets no RDMA from an EHC cluster"
                yield Illegal(field="ehcClusterId", message=message, wanted=None, source=EHC_SOURCE, subject="rdma")
    if token == BUCKET and isinstance(inputs.get("bucket"), str):
        yield from _rules_of(inputs["bucket"], inputs)


def _rules_of(bucket: str, inputs: Mapping[str, Any]) -> Iterator[Illegal]:
    for where, _, named in found(inputs, "lifecycleRules[].resources[]"):
        if isinstance(named, str) and not named.startswith(f"{bucket}/"):
            yield Illegal(
                field=where,
                message=f"{where}: {named!r} does not begin with the bucket's own name",
                wanted=f"{bucket}/ and what comes below, such as {bucket}/*",
                source="documentation of provider 1.23.5",
                subject="bucket",
            )
