"""Where the data lies during the run: the cheapest place that reads fast enough, or the one that the user names."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import msgspec

from generator.catalog import FileSystem
from generator.catalog.disks import disk_mbps, smallest_size, usable_disks
from generator.selection.storage_choice import NoPlaceError, StorageChoice, StorageJob, cheapest, disk_choice

LEAST_DATA_GIB = 40  # smaller disks save nothing and are slow (ours)
# A level that stops below this is no place for training data: PL0, entry and hybrid disks (D0-47: PL1 class or better).
TRAINING_IOPS = 20_000
# No source gives the rate of a node's own NVMe drives; one drive of that class reads at least this fast (assumed).
LOCAL_NVME_MBPS = 2000.0

Place = Literal["disk", "file_system", "nas", "local", "bucket"]
FileSystemKind = Literal["parallel", "nas"]


def place_data(job: StorageJob) -> tuple[StorageChoice, ...]:
    """The storage of the data set: the user's place, else the first of `data_places` that meets the need.

    Raises NoPlaceError with the numbers of each place tried.
    """
    data = job.workload.data
    if data is None:
        return ()
    refusals: list[str] = []
    for room in (job.rate_room, 1.0):  # head-room is wanted, the need decides
        tight = msgspec.structs.replace(job, rate_room=room)
        refusals = []
        for place in (data.on,) if data.on != "auto" else data_places(job):
            try:
                return _PLACES[place](tight)
            except NoPlaceError as problem:
                refusals.append(str(problem))
    raise NoPlaceError("; ".join(refusals))


def data_places(job: StorageJob) -> tuple[Place, ...]:
    """Places in the order of what they add to the bill: the node's own drives, disks, then file systems."""
    workload = job.workload
    if workload.task == "preprocess":
        return ("bucket",)
    if job.saves_to("file_system"):
        return ("file_system",)  # it is paid for anyway
    if workload.task == "develop":
        return ("disk", "file_system")  # work must outlive the machine
    if job.nodes > 1 and workload.task != "infer":
        return ("local", "file_system", "nas")  # nodes of one job read the same files (ST004)
    return ("local", "disk", "file_system")


def choose_file_system(job: StorageJob, kind: FileSystemKind, size_gib: int, mbps: float) -> StorageChoice:
    """The cheapest (else smallest) file system of this kind that holds and reads enough, at a legal size."""
    options = []
    fastest = 0.0
    for system in job.catalog.file_systems:
        sold = not system.regions or job.region in system.regions
        if system.kind != kind or system.media == "hdd" or not (sold and system.choosable and system.mbps_per_tib):
            continue
        wanted = max(system.min_gib, size_gib, math.ceil(mbps / system.mbps_per_tib * 1024))
        size = system.min_gib + math.ceil((wanted - system.min_gib) / system.step_gib) * system.step_gib
        ceiling = _ceiling_mbps(system, job.nodes)
        fastest = max(fastest, ceiling)
        if size <= (system.max_gib or math.inf) and mbps <= ceiling:
            options.append((system, size))
    if not options:
        name = "parallel file system" if kind == "parallel" else "SSD file storage"
        if fastest:
            nodes = "1 node" if job.nodes == 1 else f"{job.nodes} nodes"
            raise NoPlaceError(f"no {name} holds {size_gib:,} GiB and gives {mbps:,.0f} MB/s to {nodes}")
        raise NoPlaceError(f"no {name} of known speed is sold in {job.region}")
    options.sort(key=lambda option: (option[1], option[0].mbps_per_tib or 0, option[0].id, option[0].level or ""))
    system, size = cheapest(options, lambda option: job.price_of("file_system", option[0].id, option[0].level))
    per_tib = system.mbps_per_tib or 0.0
    rate = min(size / 1024 * per_tib, _ceiling_mbps(system, job.nodes))
    return StorageChoice(
        kind="file_system" if kind == "parallel" else "nas",
        role="data",
        size_gib=size,
        level=system.level,
        mbps=rate,
        file_system=system,
        reason=f"{job.read_text} needed, {math.ceil(mbps):,} MB/s and {size_gib:,} GiB with head-room; "
        f"{size:,} GiB x {per_tib:,.0f} MB/s per TiB give {rate:,.0f} MB/s",
    )


def _ceiling_mbps(system: FileSystem, nodes: int) -> float:
    """What the product gives at most, and these clients can take."""
    per_client = system.mbps_per_client
    return min(system.mbps_max or math.inf, math.inf if per_client is None else per_client * nodes)


def _on_local(job: StorageJob) -> tuple[StorageChoice, ...]:
    have = job.type.local_nvme_gib
    wanted = job.data_gib + (job.checkpoints_gib if job.saves_to("local") else job.staged_gib)
    if have < wanted:
        raise NoPlaceError(f"local NVMe holds {have:,.0f} GiB, the data wants {wanted:,}")
    if job.node_read_mbps > LOCAL_NVME_MBPS:
        raise NoPlaceError(f"local NVMe reads {LOCAL_NVME_MBPS:,.0f} MB/s, a node needs {job.node_read_mbps:,.0f}")
    reason = f"{job.read_text} needed, {wanted:,} GiB of {have:,.0f} that come with the node; staged in at each start"
    return (
        StorageChoice(
            kind="local",
            role="data",
            size_gib=wanted,
            level=None,
            mbps=LOCAL_NVME_MBPS,
            per_node=True,
            reason=reason,
        ),
    )


def _on_disk(job: StorageJob, role: Literal["data", "cache"] = "data") -> tuple[StorageChoice, ...]:
    """A disk on each node; as a cache each node holds its share only."""
    data = math.ceil(job.data_gib / job.nodes) if role == "cache" else job.data_gib
    wanted = max(LEAST_DATA_GIB, data + (job.checkpoints_gib if job.saves_to("disk") else job.staged_gib))
    mbps = max(job.node_read_mbps, job.need.checkpoint_mbps / job.nodes if job.saves_to("disk") else 0)
    iops = job.node_iops
    row = job.type
    if mbps > (row.disk_mbps or math.inf) or iops > (row.disk_iops or math.inf):
        raise NoPlaceError(
            f"this type takes at most {row.disk_mbps or math.inf:,.0f} MB/s and {row.disk_iops or math.inf:,.0f} IOPS "
            f"from its disks, {mbps:,.0f} MB/s and {iops:,.0f} IOPS are needed"
        )
    disks = usable_disks(job.catalog, row)
    good = [disk for disk in disks if job.workload.task == "develop" or (disk.iops_max or 0) >= TRAINING_IOPS]
    options = [(disk, size) for disk in good if (size := smallest_size(disk, wanted, mbps, iops)) is not None]
    if not options:
        best = max((disk_mbps(disk, disk.max_gib) or 0 for disk in good), default=0)
        raise NoPlaceError(
            f"no disk of this type gives {mbps:,.0f} MB/s and {iops:,.0f} IOPS: the fastest gives {best:,.0f} MB/s"
        )
    disk, size = cheapest(options, lambda option: job.price_of("disk", option[0].id, option[0].level))
    given = disk_mbps(disk, size) or 0
    reason = f"{job.read_text} needed, {math.ceil(mbps):,} MB/s and {wanted:,} GiB with head-room; "
    reason += f"{size:,} GiB give {given:,.0f} MB/s"
    slower = max(
        (other for other in disks if (other.mbps_max or 0) < mbps), key=lambda d: d.mbps_max or 0, default=None
    )
    if slower:
        reason += f"; {slower.level or slower.id} stops at {slower.mbps_max:,.0f} MB/s"
    return (disk_choice(disk, size, role, reason),)


def _on_file_system(job: StorageJob, kind: FileSystemKind = "parallel") -> tuple[StorageChoice, ...]:
    saves = job.saves_to("file_system")
    size = job.data_gib + (job.checkpoints_gib if saves else 0)
    return (choose_file_system(job, kind, size, max(job.read_mbps, job.need.checkpoint_mbps if saves else 0)),)


def _on_bucket(job: StorageJob) -> tuple[StorageChoice, ...]:
    """Read from the bucket: preprocessing nodes keep their share on a disk, others stream."""
    return _on_disk(job, "cache") if job.workload.task == "preprocess" else ()


_PLACES: dict[Place, Callable[[StorageJob], tuple[StorageChoice, ...]]] = {
    "local": _on_local,
    "disk": _on_disk,
    "file_system": _on_file_system,
    "nas": lambda job: _on_file_system(job, "nas"),
    "bucket": _on_bucket,
}
