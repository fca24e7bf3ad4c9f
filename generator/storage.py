"""Which storage a job gets: system disk, a place for the data that meets the read need, and where checkpoints go."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Literal

import msgspec

from generator.catalog import Catalog, Disk, FileSystem, InstanceType
from generator.sizing.estimate import StorageNeed
from generator.workload import Workload

# The documents' floor for a node (D2-23: 200 GB of SSD); an image, its layers and the toolkit take IMAGE_GIB of it (ours).
SYSTEM_GIB = 200
IMAGE_GIB = 80
# Free space beside the data: unpacking, an index, the next version (ours).
HEADROOM = 1.2
# A level that stops below this is no place for training data: PL0, entry and hybrid disks (D0-47: PL1 class or better).
TRAINING_IOPS = 20_000
# No source gives the rate of a node's own NVMe drives; one drive of that class reads at least this fast.
LOCAL_NVME_MBPS = 2000.0
SMALL_READ_KIB = 256  # a file is read in pieces of this size, with one more request to open it

Place = Literal["disk", "file_system", "nas", "local", "bucket"]
# What one GiB costs for one hour, by (kind, product, level); None where no list tells.
PriceOf = Callable[[str, str, str | None], Decimal | None]


class StorageChoice(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of storage of the stack with the numbers it follows from. `mbps` is what it gives (one node's share of a disk)."""

    kind: Literal["disk", "file_system", "nas", "bucket", "local"]
    role: Literal["system", "data", "ckpt", "raw", "cache", "archive"]
    size_gib: int
    level: str | None  # "PL1", "advance_200", a bucket class
    mbps: float | None
    disk: Disk | None = None
    file_system: FileSystem | None = None
    per_node: bool = False
    reason: str = ""

    @property
    def product(self) -> str | None:
        """The cloud's own name of what is bought: a disk kind, a file system product, a bucket class."""
        if self.disk:
            return self.disk.id
        if self.file_system:
            return self.file_system.id
        return self.level if self.kind == "bucket" else None


class StoragePlan(msgspec.Struct, frozen=True, kw_only=True):
    """All storage of one candidate, or the `problem` that no storage solves, with what was assumed."""

    choices: tuple[StorageChoice, ...] = ()
    assumptions: tuple[str, ...] = ()
    problem: str | None = None


class _Job(msgspec.Struct, frozen=True, kw_only=True):
    """What placing needs to know: the job, its need, and the machine with what its cloud sells beside it."""

    workload: Workload
    need: StorageNeed
    type: InstanceType
    nodes: int
    catalog: Catalog
    region: str
    price_of: PriceOf

    @property
    def data_gib(self) -> int:
        return math.ceil(self.need.data_gib * HEADROOM)

    @property
    def checkpoints_gib(self) -> int:
        return math.ceil(self.need.kept_gib)

    @property
    def node_read_mbps(self) -> float:
        return self.need.read_mbps / self.nodes

    @property
    def node_iops(self) -> float:
        """Requests a second on one node: each file is opened once and read in pieces."""
        files = self.workload.data.files if self.workload.data else None
        file_kib = self.need.data_gib * 1024**2 / files if files else SMALL_READ_KIB
        return self.need.files_per_s / self.nodes * (1 + math.ceil(file_kib / SMALL_READ_KIB))


def plan_storage(
    workload: Workload,
    need: StorageNeed,
    instance_type: InstanceType,
    nodes: int,
    catalog: Catalog,
    region: str,
    price_of: PriceOf = lambda _kind, _product, _level: None,
) -> StoragePlan:
    """The cheapest storage that meets the need (MB/s, files/s, GiB) on this machine in this region, each piece with its reason."""
    job = _Job(
        workload=workload, need=need, type=instance_type, nodes=nodes, catalog=catalog, region=region, price_of=price_of
    )
    system = _system_disk(job)
    if isinstance(system, str):
        return StoragePlan(problem=system)
    choices = [system]
    assumptions: list[str] = []
    if workload.data is not None:
        placed = _place_data(job)
        if isinstance(placed, str):
            return StoragePlan(problem=placed)
        choices += placed
        if workload.data.source is None:
            choices.append(
                _bucket(job, "raw", math.ceil(need.data_gib), "the data set is put here once and staged in from here")
            )
        if any(choice.kind == "local" for choice in placed):
            assumptions.append(f"local NVMe reads {LOCAL_NVME_MBPS:,.0f} MB/s: no source gives its rate")
    saved = _place_checkpoints(job, choices)
    if isinstance(saved, str):
        return StoragePlan(problem=saved)
    return StoragePlan(choices=tuple(choices + saved), assumptions=tuple(assumptions))


def disk_mbps(disk: Disk, size_gib: int) -> float | None:
    """MB/s of one disk of this size, `min(base + per_gib x GiB, max)`; None where no source tells."""
    return _linear(disk.mbps_base, disk.mbps_per_gib, disk.mbps_max, size_gib)


def disk_iops(disk: Disk, size_gib: int) -> float | None:
    """IOPS of one disk of this size, by the same formula; None where no source tells."""
    return _linear(disk.iops_base, disk.iops_per_gib, disk.iops_max, size_gib)


def usable_disks(catalog: Catalog, instance_type: InstanceType) -> tuple[Disk, ...]:
    """Persistent SSD disks this type takes, current kinds and slow levels first; where no source lists its kinds, the cloud's current ones."""
    kinds = instance_type.disk_kinds
    fitting = (
        disk
        for disk in catalog.disks
        if disk.media in {"ssd", "nvme"}
        and disk.choosable
        and disk.persistent
        and disk.mbps_max is not None
        and (disk.id in kinds if kinds else disk.status == "current")
    )
    return tuple(
        sorted(
            fitting,
            key=lambda disk: (
                disk.status != "current",
                disk.mbps_max or 0,
                disk.iops_max or 0,
                disk.level is None,
                disk.id,
                disk.level or "",
            ),  # fmt: skip
        )
    )


def smallest_size(disk: Disk, size_gib: float, mbps: float, iops: float) -> int | None:
    """The smallest legal size of this disk that holds `size_gib` and gives MB/s and IOPS; None when none does."""
    wanted = max(size_gib, disk.min_gib)
    for need, base, per_gib, most in (
        (mbps, disk.mbps_base, disk.mbps_per_gib, disk.mbps_max),
        (iops, disk.iops_base, disk.iops_per_gib, disk.iops_max),
    ):
        if need <= 0:
            continue
        if most is None or need > most:
            return None
        if need > (base or 0):
            if not per_gib:
                return None
            wanted = max(wanted, (need - (base or 0)) / per_gib)
    step = max(disk.step_gib, 1)
    size = disk.min_gib + math.ceil((math.ceil(wanted) - disk.min_gib) / step) * step
    return size if size <= disk.max_gib else None


def _linear(base: float | None, per_gib: float | None, most: float | None, size_gib: int) -> float | None:
    if most is None:
        return None
    return min((base if base is not None else most) + (per_gib or 0) * size_gib, most)


def _system_disk(job: _Job) -> StorageChoice | str:
    weights = 0 if job.workload.data is None and job.workload.model is None else job.need.weights_gib
    wanted = max(SYSTEM_GIB, math.ceil((IMAGE_GIB + 1.5 * weights) / 10) * 10)
    for disk in usable_disks(job.catalog, job.type):
        least, most = disk.system_min_gib, disk.system_max_gib
        if least is None or most is None or wanted > most:
            continue
        size = max(wanted, least)
        reason = f"{size} GiB: {IMAGE_GIB} for the image and its layers"
        reason += (
            f", {weights:.0f} of weights once and a half"
            if wanted > SYSTEM_GIB
            else f", at least {SYSTEM_GIB} of SSD (D2-23)"
        )
        return StorageChoice(
            kind="disk", role="system", size_gib=size, level=disk.level, mbps=disk_mbps(disk, size), disk=disk,
            per_node=True, reason=reason,
        )  # fmt: skip
    kinds = ", ".join(job.type.disk_kinds) or "unknown kinds"
    return f"no SSD system disk of {wanted} GiB for this type: it takes {kinds}"


def _place_data(job: _Job) -> list[StorageChoice] | str:
    """The first place that meets the need, cheapest first; the user's own place when one is named."""
    data = job.workload.data
    assert data is not None
    refusals = []
    for place in (data.on,) if data.on != "auto" else _places(job):
        placed = _PLACES[place](job)
        if not isinstance(placed, str):
            return placed
        refusals.append(placed)
    return "; ".join(refusals)


def _places(job: _Job) -> tuple[Place, ...]:
    """Places in the order of what they add to the bill: the node's own drives, disks, then file systems."""
    if job.workload.task == "preprocess":
        return ("bucket",)
    if job.workload.checkpoint and job.workload.checkpoint.to == "file_system":
        return ("file_system",)  # it is paid for anyway
    if job.nodes > 1 and job.workload.task != "infer":
        return ("local", "file_system", "nas")
    if job.workload.task == "develop":
        return ("disk", "file_system")  # work must outlive the machine
    return ("local", "disk", "file_system")


def _need_text(job: _Job) -> str:
    files = f", {job.need.files_per_s:,.0f} files/s" if job.need.files_per_s else ""
    return f"{job.need.read_mbps:,.0f} MB/s{files}"


def _place_on_local(job: _Job) -> list[StorageChoice] | str:
    have = job.type.local_nvme_gib
    wanted = job.data_gib + (job.checkpoints_gib if _checkpoints_at(job, "local") else 0)
    if have < wanted:
        return f"local NVMe holds {have:,.0f} GiB, the data wants {wanted:,}"
    if job.node_read_mbps > LOCAL_NVME_MBPS:
        return f"local NVMe is taken to read {LOCAL_NVME_MBPS:,.0f} MB/s, {job.node_read_mbps:,.0f} are needed on each node"
    reason = (
        f"{wanted:,} GiB of {have:,.0f} GiB that come with the node; {_need_text(job)} needed; staged in at each start"
    )
    return [
        StorageChoice(
            kind="local", role="data", size_gib=wanted, level=None, mbps=LOCAL_NVME_MBPS, per_node=True, reason=reason
        )
    ]


def _place_on_disk(job: _Job, role: Literal["data", "cache"] = "data") -> list[StorageChoice] | str:
    wanted = job.data_gib + (job.checkpoints_gib if _checkpoints_at(job, "disk") else 0)
    if role == "cache":
        wanted = math.ceil(wanted / job.nodes)
    mbps, iops = job.node_read_mbps, job.node_iops
    if _checkpoints_at(job, "disk"):
        mbps = max(mbps, job.need.checkpoint_mbps / job.nodes)
    ceiling_mbps, ceiling_iops = job.type.disk_mbps or math.inf, job.type.disk_iops or math.inf
    if mbps > ceiling_mbps or iops > ceiling_iops:
        return (
            f"{job.type.id} takes at most {ceiling_mbps:,.0f} MB/s and {ceiling_iops:,.0f} IOPS from its disks, "
            f"{mbps:,.0f} MB/s and {iops:,.0f} IOPS are needed"
        )
    options = []
    for disk in usable_disks(job.catalog, job.type):
        if job.workload.task != "develop" and (disk.iops_max or 0) < TRAINING_IOPS:
            continue
        size = smallest_size(disk, wanted, mbps, iops)
        if size is not None:
            options.append((disk, size))
    if not options:
        best = max((disk_mbps(disk, disk.max_gib) or 0 for disk in usable_disks(job.catalog, job.type)), default=0)
        return f"no disk of this type gives {mbps:,.0f} MB/s and {iops:,.0f} IOPS: the fastest gives {best:,.0f} MB/s"
    disk, size = _cheapest(options, lambda option: job.price_of("disk", option[0].id, option[0].level))
    slower = [other for other in usable_disks(job.catalog, job.type) if (other.mbps_max or 0) < (disk.mbps_max or 0)]
    reason = (
        f"{_need_text(job)} needed, {wanted:,} GiB with head-room; {size:,} GiB give {disk_mbps(disk, size):,.0f} MB/s"
    )
    if slower and mbps > (slower[-1].mbps_max or 0):
        reason += f"; {slower[-1].level or slower[-1].id} stops at {slower[-1].mbps_max:,.0f} MB/s"
    return [
        StorageChoice(
            kind="disk",
            role=role,
            size_gib=size,
            level=disk.level,
            mbps=disk_mbps(disk, size),
            disk=disk,
            per_node=True,
            reason=reason,
        )  # fmt: skip
    ]


def _file_system(job: _Job, kind: Literal["parallel", "nas"], size_gib: int, mbps: float) -> StorageChoice | str:
    options = []
    fastest = 0.0
    for system in job.catalog.file_systems:
        sold = not system.regions or job.region in system.regions
        if system.kind != kind or system.media == "hdd" or not (sold and system.choosable and system.mbps_per_tib):
            continue
        size = max(system.min_gib, size_gib, math.ceil(mbps / system.mbps_per_tib * 1024))
        size = system.min_gib + math.ceil((size - system.min_gib) / system.step_gib) * system.step_gib
        fastest = max(fastest, system.mbps_max or 0)
        if (system.max_gib is None or size <= system.max_gib) and (system.mbps_max is None or mbps <= system.mbps_max):
            options.append((system, size))
    name = "parallel file system" if kind == "parallel" else "SSD file storage"
    if not options:
        why = (
            f"the fastest gives {fastest:,.0f} MB/s, {mbps:,.0f} are needed"
            if fastest
            else f"none is sold in {job.region}"
        )
        return f"no {name}: {why}"
    system, size = _cheapest(options, lambda option: job.price_of("file_system", option[0].id, option[0].level))
    rate = size / 1024 * (system.mbps_per_tib or 0)
    reason = f"{mbps:,.0f} MB/s and {size_gib:,} GiB needed; {size:,} GiB x {system.mbps_per_tib:,.0f} MB/s per TiB give {rate:,.0f} MB/s"
    return StorageChoice(
        kind="file_system" if kind == "parallel" else "nas", role="data", size_gib=size, level=system.level,
        mbps=min(rate, system.mbps_max or rate), file_system=system, reason=reason,
    )  # fmt: skip


def _place_on_file_system(job: _Job, kind: Literal["parallel", "nas"] = "parallel") -> list[StorageChoice] | str:
    saves = _checkpoints_at(job, "file_system")
    size = job.data_gib + (job.checkpoints_gib if saves else 0)
    placed = _file_system(job, kind, size, max(job.need.read_mbps, job.need.checkpoint_mbps if saves else 0))
    return placed if isinstance(placed, str) else [placed]


def _place_on_bucket(job: _Job) -> list[StorageChoice] | str:
    """Read from the bucket: preprocessing nodes keep their share on a disk, others stream."""
    if job.workload.task == "preprocess":
        return _place_on_disk(job, "cache")
    return []


_PLACES: dict[Place, Callable[[_Job], list[StorageChoice] | str]] = {
    "local": _place_on_local,
    "disk": _place_on_disk,
    "file_system": _place_on_file_system,
    "nas": lambda job: _place_on_file_system(job, "nas"),
    "bucket": _place_on_bucket,
}


def _checkpoints_at(job: _Job, place: str) -> bool:
    return job.workload.checkpoint is not None and job.workload.checkpoint.to == place


def _place_checkpoints(job: _Job, chosen: list[StorageChoice]) -> list[StorageChoice] | str:
    """What checkpoints need beyond the data's place, which already counts them when they share it."""
    checkpoint = job.workload.checkpoint
    if checkpoint is None or checkpoint.existing or job.checkpoints_gib == 0:
        return []
    what = f"{checkpoint.keep} checkpoints of {job.need.checkpoint_gib:,.1f} GiB"
    if checkpoint.to == "bucket":
        return [_bucket(job, "ckpt", job.checkpoints_gib, f"{what}, which must outlive the nodes")]
    kind = {"file_system": "file_system", "disk": "disk", "local": "local"}[checkpoint.to]
    if any(choice.kind == kind and choice.role == "data" for choice in chosen):
        return []
    if checkpoint.to == "file_system":
        placed = _file_system(job, "parallel", job.checkpoints_gib, job.need.checkpoint_mbps)
        return placed if isinstance(placed, str) else [msgspec.structs.replace(placed, role="ckpt")]
    if checkpoint.to == "local":
        if job.type.local_nvme_gib < job.checkpoints_gib:
            return f"local NVMe holds {job.type.local_nvme_gib:,.0f} GiB, {what} want {job.checkpoints_gib:,}"
        return [
            StorageChoice(
                kind="local",
                role="ckpt",
                size_gib=job.checkpoints_gib,
                level=None,
                mbps=LOCAL_NVME_MBPS,
                per_node=True,
                reason=f"{what}; lost with the node",
            )  # fmt: skip
        ]
    for disk in usable_disks(job.catalog, job.type):
        size = smallest_size(disk, job.checkpoints_gib, job.need.checkpoint_mbps / job.nodes, 0)
        if size is not None:
            return [
                StorageChoice(
                    kind="disk",
                    role="ckpt",
                    size_gib=size,
                    level=disk.level,
                    mbps=disk_mbps(disk, size),
                    disk=disk,
                    per_node=True,
                    reason=f"{what}, written at {job.need.checkpoint_mbps:,.0f} MB/s",
                )  # fmt: skip
            ]
    return f"no disk of this type takes {what} at {job.need.checkpoint_mbps:,.0f} MB/s"


def _bucket(job: _Job, role: Literal["ckpt", "raw"], size_gib: int, reason: str) -> StorageChoice:
    """A bucket of the class without a shortest stay, first by name."""
    classes = sorted(job.catalog.bucket_classes, key=lambda row: (row.min_days, row.id))
    level = classes[0].id if classes else None
    return StorageChoice(kind="bucket", role=role, size_gib=size_gib, level=level, mbps=None, reason=reason)


def _cheapest(options: list[tuple], price: Callable[[tuple], Decimal | None]) -> tuple:  # type: ignore[type-arg]
    """The cheapest option where all are priced, else the slowest level that is enough: lists rise with the level."""
    prices = [price(option) for option in options]
    if all(amount is not None for amount in prices):
        return min(zip(prices, options, strict=True), key=lambda pair: (pair[0] * pair[1][1], pair[1][1]))[1]  # type: ignore[operator]
    return min(options, key=lambda option: option[1])
