"""All storage of one candidate: system disk, the data's place, the bucket it comes from, and where checkpoints go."""

from __future__ import annotations

import math

import msgspec

from generator.catalog import Catalog, InstanceType
from generator.catalog.disks import smallest_size, usable_disks
from generator.clouds import owns_url
from generator.selection.data_places import LOCAL_NVME_MBPS, choose_file_system, place_data
from generator.selection.storage_choice import NoPlaceError, PriceOf, Role, StorageChoice, StorageJob, disk_choice
from generator.sizing.estimate import StorageNeed
from generator.workload import Workload

__all__ = ["StorageChoice", "StoragePlan", "plan_storage"]

# The documents' floor for a node (D2-23: 200 GB of SSD); an image, its layers and the toolkit take a part of it (ours).
SYSTEM_GIB = 200
IMAGE_GIB = 80
WEIGHTS_SHARE = 1.5  # downloaded weights, and what unpacking or converting them takes beside (ours)


class StoragePlan(msgspec.Struct, frozen=True, kw_only=True):
    """All storage of one candidate, or the `problem` that no storage solves, with what was assumed."""

    choices: tuple[StorageChoice, ...] = ()
    assumptions: tuple[str, ...] = ()
    problem: str | None = None


def plan_storage(
    workload: Workload,
    need: StorageNeed,
    instance_type: InstanceType,
    nodes: int,
    catalog: Catalog,
    region: str,
    price_of: PriceOf = lambda _kind, _product, _level: None,
) -> StoragePlan:
    """The cheapest storage that meets the need on these machines in this region, each piece with its reason."""
    job = StorageJob(
        workload=workload,
        need=need,
        type=instance_type,
        nodes=nodes,
        catalog=catalog,
        region=region,
        price_of=price_of,
    )
    try:
        data = place_data(job)
        choices = (_system_disk(job, data), *data, *_source(job), *_place_checkpoints(job, data))
    except NoPlaceError as problem:
        return StoragePlan(problem=str(problem))
    assumed = f"local NVMe reads {LOCAL_NVME_MBPS:,.0f} MB/s: no source gives its rate"
    return StoragePlan(
        choices=choices, assumptions=(assumed,) if any(choice.kind == "local" for choice in choices) else ()
    )


def _system_disk(job: StorageJob, data: tuple[StorageChoice, ...]) -> StorageChoice:
    """The system disk, with room for the image, the weights, and checkpoints that have no other disk to start from."""
    weights = job.need.weights_gib if job.workload.model is not None else 0.0
    staged = 0 if any(choice.kind in {"disk", "local"} for choice in data) else job.staged_gib
    wanted = max(SYSTEM_GIB, math.ceil((IMAGE_GIB + WEIGHTS_SHARE * weights + staged) / 10) * 10)
    for disk in usable_disks(job.catalog, job.type):
        if disk.system_min_gib is not None and wanted <= (disk.system_max_gib or 0):
            size = max(wanted, disk.system_min_gib)
            rest = "SSD of 200 at least (D2-23)"
            if wanted > SYSTEM_GIB:
                rest = f"{weights:.0f} of weights x {WEIGHTS_SHARE:g}"
                rest += f", {staged} for two checkpoints on their way to the bucket" if staged else ""
            return disk_choice(disk, size, "system", f"{IMAGE_GIB} GiB for the image and its layers, {rest}")
    kinds = ", ".join(job.type.disk_kinds) or "unknown kinds"
    raise NoPlaceError(f"no SSD system disk of {wanted} GiB for this type: it takes {kinds}")


def _source(job: StorageJob) -> tuple[StorageChoice, ...]:
    """The bucket that the data comes from, unless the user names one of this cloud that exists."""
    data = job.workload.data
    if data is None or (data.source is not None and owns_url(job.type.cloud, data.source)):
        return ()
    size = math.ceil(job.need.data_gib)
    return (_bucket(job, "raw", size, "the data set is put here once; the nodes stage it in from here"),)


def _bucket(job: StorageJob, role: Role, size_gib: int, reason: str) -> StorageChoice:
    """A bucket of the class with the shortest billed stay, the first of the table among equals."""
    classes = sorted(job.catalog.bucket_classes, key=lambda row: row.min_days)
    level = classes[0].id if classes else None
    return StorageChoice(kind="bucket", role=role, size_gib=size_gib, level=level, mbps=None, reason=reason)


def _place_checkpoints(job: StorageJob, data: tuple[StorageChoice, ...]) -> tuple[StorageChoice, ...]:
    """What checkpoints need beyond the data's place, which already counts them when they share it."""
    checkpoint, size = job.workload.checkpoint, job.checkpoints_gib
    if checkpoint is None or size == 0 or any(choice.kind == checkpoint.to for choice in data):
        return ()
    if checkpoint.existing and owns_url(job.type.cloud, checkpoint.existing):
        return ()
    what = f"{checkpoint.keep} checkpoints of {job.need.checkpoint_gib:,.1f} GiB"
    mbps = job.need.checkpoint_mbps
    if checkpoint.to == "bucket":
        return (_bucket(job, "ckpt", size, f"{what}, which must outlive the nodes"),)
    if checkpoint.to == "file_system":
        return (msgspec.structs.replace(choose_file_system(job, "parallel", size, mbps), role="ckpt"),)
    if checkpoint.to == "local":
        return (_local_checkpoints(job, what),)
    for disk in usable_disks(job.catalog, job.type):
        legal = smallest_size(disk, size, mbps / job.nodes, 0)
        if legal is not None:
            return (disk_choice(disk, legal, "ckpt", f"{what}, written at {mbps:,.0f} MB/s"),)
    raise NoPlaceError(f"no disk of this type takes {what} at {mbps:,.0f} MB/s")


def _local_checkpoints(job: StorageJob, what: str) -> StorageChoice:
    if job.type.local_nvme_gib < job.checkpoints_gib:
        raise NoPlaceError(f"local NVMe holds {job.type.local_nvme_gib:,.0f} GiB, {what} want {job.checkpoints_gib:,}")
    return StorageChoice(
        kind="local",
        role="ckpt",
        size_gib=job.checkpoints_gib,
        level=None,
        mbps=LOCAL_NVME_MBPS,
        per_node=True,
        reason=f"{what}; lost with the node",
    )
