"""What no table can say of legal values on Alibaba Cloud: RDMA against the type, and the names of zones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.catalog.offers import InstanceType
from generator.legality.field_checks import found
from generator.legality.table_forms import Illegal

# cn-beijing-i, cn-wuhan-lr-a, but ap-southeast-1a, us-east-1b: no dash after a digit
ZONE_PATTERN = r"([a-z]{2}-[a-z]+(?:-lr)?|[a-z]{2}-[a-z]+-\d+)-?[a-z]"
ZONE_FIELDS = ("availabilityZone", "zoneId", "zoneIds[]")

# ECS SDK 7.11.8, CreateDisk.PerformanceLevel: PL1 when absent
DEFAULT_LEVELS = {"cloud_essd": "PL1"}

TRAFFIC_MODES = ("networkInterfaceTrafficMode", "networkInterfaces[].networkInterfaceTrafficMode")
ERDMA_SOURCE = "ECS user guide, elastic RDMA interfaces: only where EriQuantity > 0"
CLUSTER_SOURCE = "ECS user guide, super computing clusters (scc)"


def check(token: str, inputs: Mapping[str, Any], kinds: tuple[InstanceType, ...]) -> Iterator[Illegal]:
    """RDMA switches that the named types cannot take; a type of which no source says that it has RDMA is left alone."""
    del token
    for path in TRAFFIC_MODES:
        for where, _, mode in found(inputs, path):
            for kind in kinds:
                if mode == "HighPerformance" and kind.rdma in ("none", "roce"):
                    message = f"{where}: {kind.id} has no elastic RDMA interface"
                    yield Illegal(field=where, message=message, wanted="Standard", source=ERDMA_SOURCE, subject="rdma")
    cluster = inputs.get("hpcClusterId")
    for kind in kinds:
        if cluster and not kind.hpc_cluster and kind.rdma is not None:
            message = f"hpcClusterId: {kind.id} is no super computing cluster type and gets no RDMA from an HPC cluster"
            yield Illegal(field="hpcClusterId", message=message, wanted=None, source=CLUSTER_SOURCE, subject="rdma")
        if not cluster and kind.hpc_cluster:
            message = f"hpcClusterId: {kind.id} starts only in an HPC cluster"
            yield Illegal(
                field="hpcClusterId",
                message=message,
                wanted="an HPC cluster's id",
                source=CLUSTER_SOURCE,
                subject="rdma",
            )
