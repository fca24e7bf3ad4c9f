"""What no table can say of legal values on Tencent Cloud: RDMA by the cluster, lists of disks, the names of zones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.catalog.offers import InstanceType
from generator.legality.table_forms import Illegal

ZONE_PATTERN = r"([a-z]{2}-[a-z]+(?:-[a-z]+)?)-\d+"  # ap-guangzhou-6, ap-shanghai-fsi-1
ZONE_FIELDS = ("availabilityZone", "zone", "zones[]")
DEFAULT_LEVELS: dict[str, str] = {}

CLUSTER_SOURCE = "bare-metal guide: an HCC instance names its cluster, RDMA works inside one cluster and zone (T-HCC)"

ATTACHMENT = "tencentcloud:Cbs/snapshotPolicyAttachment:SnapshotPolicyAttachment"
ATTACHMENT_SOURCE = "provider 0.2.3"


def check(token: str, inputs: Mapping[str, Any], kinds: tuple[InstanceType, ...]) -> Iterator[Illegal]:
    """Cluster types outside a cluster, and other types in one, which gives them no RDMA."""
    if token == ATTACHMENT:
        yield from _check_attachment(inputs)
    cluster = inputs.get("hpcClusterId")
    for kind in kinds:
        if cluster and not kind.hpc_cluster and kind.rdma is not None:
            message = f"hpcClusterId: {kind.id} is no cluster type and gets no RDMA from a cluster"
            yield Illegal(field="hpcClusterId", message=message, wanted=None, source=CLUSTER_SOURCE, subject="rdma")
        if not cluster and kind.hpc_cluster:
            message = f"hpcClusterId: {kind.id} starts only in a cluster"
            yield Illegal(
                field="hpcClusterId", message=message, wanted="a cluster's id", source=CLUSTER_SOURCE, subject="rdma"
            )


def _check_attachment(inputs: Mapping[str, Any]) -> Iterator[Illegal]:
    """One disk stands in `storageId`; `storageIds` takes two or more; one of the two fields, never both."""
    one, several = inputs.get("storageId"), inputs.get("storageIds")
    if one is not None and several is not None:
        message, wanted = "storageIds: it must not stand beside storageId", None
    elif isinstance(several, list | tuple) and len(several) < 2:
        message, wanted = "storageIds: it takes two disks or more", "storageId for one disk"
    elif one is None and several is None:
        message, wanted = "storageIds: no disk is named", "storageId for one disk, storageIds for more"
    else:
        return
    yield Illegal(field="storageIds", message=message, wanted=wanted, source=ATTACHMENT_SOURCE, subject="disk")
