"""One piece of storage, and what has to be known to choose it: job, need, machine, and what is sold there."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Literal, TypeVar

import msgspec

from generator.catalog import Catalog, Disk, FileSystem, InstanceType
from generator.catalog.disks import disk_mbps
from generator.sizing.estimate import StorageNeed
from generator.workload import Workload

# Free space beside the data (unpacking, an index), and speed beyond the estimated need (ours).
HEADROOM = 1.2
STAGED_CHECKPOINTS = 2  # the one that is written, and the one that is copied out (ours)
SMALL_READ_KIB = 256  # a file is read in pieces of this size, with one more request to open it (ours)

Role = Literal["system", "data", "ckpt", "raw", "cache", "archive"]
Option = TypeVar("Option", tuple[Disk, int], tuple[FileSystem, int])
# What one GiB costs for one hour, by (kind, product, level); None where no list tells.
PriceOf = Callable[[str, str, str | None], Decimal | None]


class NoPlaceError(Exception):
    """No storage of this kind meets the need; the text has the numbers."""


class StorageChoice(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of storage with the numbers it follows from. `mbps` is what it gives (a disk: to its node)."""

    kind: Literal["disk", "file_system", "nas", "bucket", "local"]
    role: Role
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


class StorageJob(msgspec.Struct, frozen=True, kw_only=True):
    """What choosing storage needs to know. `need` is that of all nodes together."""

    workload: Workload
    need: StorageNeed
    type: InstanceType
    nodes: int
    catalog: Catalog
    region: str
    price_of: PriceOf
    rate_room: float = HEADROOM  # what is asked of MB/s and IOPS beyond the need

    @property
    def data_gib(self) -> int:
        """What the data takes with head-room, in tens."""
        return math.ceil(self.need.data_gib * HEADROOM / 10) * 10

    @property
    def checkpoints_gib(self) -> int:
        """What the kept checkpoints take."""
        return math.ceil(self.need.kept_gib)

    @property
    def staged_gib(self) -> int:
        """Checkpoints on their way to a bucket: a node writes one while the last is copied out, so two lie there."""
        return math.ceil(STAGED_CHECKPOINTS * self.need.checkpoint_gib) if self.saves_to("bucket") else 0

    @property
    def read_mbps(self) -> float:
        """What all nodes together shall be able to read, with head-room."""
        return self.need.read_mbps * self.rate_room

    @property
    def node_read_mbps(self) -> float:
        """What one node shall be able to read, with head-room."""
        return self.read_mbps / self.nodes

    @property
    def node_iops(self) -> float:
        """Requests a second on one node: each file is opened once and read in pieces."""
        files = self.workload.data.files if self.workload.data else None
        file_kib = self.need.data_gib * 1024**2 / files if files else SMALL_READ_KIB
        return self.rate_room * self.need.files_per_s / self.nodes * (1 + math.ceil(file_kib / SMALL_READ_KIB))

    @property
    def read_text(self) -> str:
        """The read need for a reason: `42 MB/s, 183 files/s`."""
        files = f", {self.need.files_per_s:,.0f} files/s" if self.need.files_per_s else ""
        rate = self.need.read_mbps
        return f"{rate:,.0f} MB/s{files}" if rate >= 1 else "under 1 MB/s"

    def saves_to(self, place: str) -> bool:
        """Whether checkpoints go to this kind of place."""
        return self.workload.checkpoint is not None and self.workload.checkpoint.to == place


def disk_choice(disk: Disk, size_gib: int, role: Role, reason: str) -> StorageChoice:
    """A disk of this size on each node."""
    return StorageChoice(
        kind="disk",
        role=role,
        size_gib=size_gib,
        level=disk.level,
        mbps=disk_mbps(disk, size_gib),
        disk=disk,
        per_node=True,
        reason=reason,
    )


def cheapest(options: list[Option], price: Callable[[Option], Decimal | None]) -> Option:
    """The cheapest (product, GiB) where all are priced, else the first: options stand in the order of their cost."""
    costs = [amount * option[1] for option in options if (amount := price(option)) is not None]
    return options[costs.index(min(costs))] if len(costs) == len(options) else options[0]
