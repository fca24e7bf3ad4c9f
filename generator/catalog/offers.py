"""What a cloud sells, all clouds alike: instance types, offers of them with a price, and the storage beside them."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec


class Price(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A list price: `amount` per `per`, with its source and the date of the list (None: undated).

    `per` is hour, month or year of the whole machine or gateway; gib_hour, gib_month of storage; gb of traffic.
    """

    amount: Decimal
    currency: str
    date: str | None
    source: str
    charge: Literal["on_demand", "spot", "month", "year"] = "on_demand"
    per: str = "hour"


class InstanceType(msgspec.Struct, frozen=True, kw_only=True):
    """One instance type of one cloud as its maker describes it, whatever the region."""

    cloud: str
    id: str
    family: str
    vcpus: int
    ram_gib: float
    cpu_arch: Literal["x86_64", "arm64"]
    gpu: str | None  # canonical accelerator name; None for CPU types and for an unknown card
    gpu_note: str | None  # why `gpu` is None although there is a card
    gpus: int
    gpu_memory_gib: float | None  # nominal, one card or the slice
    gpu_usable_gib: float | None  # what the driver shows, one card
    slice_fraction: float | None  # share of the card a vGPU sells; None for whole cards and where unknown
    is_slice: bool
    interconnect: Literal["nvlink", "pcie", "none"] | None  # between the node's cards
    nvlink_gbytes_s: float | None
    network_gbps: float | None
    rdma: str | None  # erdma | roce | infiniband | none; None: not known
    rdma_gbps: float | None
    rdma_nics: int | None
    hpc_cluster: bool  # must join an HPC cluster object
    local_nvme_gib: float
    disk_kinds: tuple[str, ...]  # () where the source lists none
    disk_iops: int | None  # the type's own ceiling
    disk_mbps: float | None
    boot_mode: str | None  # UEFI where the type boots only so
    bare_metal: bool
    status: str
    orderable: bool
    spot: bool | None
    source: str
    note: str | None
    date: str | None = None  # of the newest source
    gpu_total_gib: float | None = None  # nominal, all cards of the node
    gpu_usable_source: str | None = None  # where `gpu_usable_gib` comes from

    @property
    def gpu_label(self) -> str | None:
        """The card as people read it: `A10`, or `A10 slice` where a vGPU sells a part of it."""
        return f"{self.gpu} slice" if self.gpu is not None and self.is_slice else self.gpu


class Offer(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One type in one region (and zone where known) at one price; `price` None means unpriced.

    Quota, `sold`, `spot_sold` and the spot price come from an overlay only: `sold` False means that this account cannot
    have it, `spot_sold` overrules what the type says of spot.
    """

    type: InstanceType
    region: str
    zone: str | None
    price: Price | None
    spot_price: Price | None = None
    quota: int | None = None  # most nodes the account may have
    sold: bool = True
    spot_sold: bool | None = None
    term_prices: tuple[Price, ...] = ()  # by the month or year
    source: str = ""  # who says that the type is sold here


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """A region of a cloud; `zones` are those that some source names."""

    id: str
    title: str
    mainland: bool
    zones: tuple[str, ...]


class Disk(msgspec.Struct, frozen=True, kw_only=True):
    """A disk kind at one level: legal sizes and what it gives, `min(base + per_gib x GiB, cap)`."""

    cloud: str
    id: str
    level: str | None
    media: Literal["hdd", "hybrid", "ssd", "nvme"]
    status: str
    min_gib: int
    max_gib: int
    system_min_gib: int | None
    system_max_gib: int | None
    step_gib: int
    iops_base: float | None
    iops_per_gib: float | None
    iops_max: float | None
    mbps_base: float | None
    mbps_per_gib: float | None
    mbps_max: float | None
    persistent: bool
    source: str
    choosable: bool = (
        True  # False: legal, but not for the nodes that we choose (comes with few types, or too little is known)
    )
    note: str | None = None


class FileSystem(msgspec.Struct, frozen=True, kw_only=True):
    """A file system product: `parallel` ones serve many nodes at once; MB/s grow with TiB."""

    cloud: str
    id: str  # the cloud's name of the product, `cpfs`
    level: str | None  # the cloud's storage type, `advance_200`
    kind: Literal["parallel", "nas"]
    media: Literal["hdd", "ssd"] | None  # None: not stated
    min_gib: int
    step_gib: int
    max_gib: int | None
    mbps_per_tib: float | None
    mbps_max: float | None
    regions: tuple[str, ...]  # () where no source limits them
    source: str
    note: str | None
    refused_below_gib: int | None = None  # where two sources differ on the minimum: the smaller one
    step_stated: bool = True  # False: the step is inferred, or sources differ
    mbps_per_client: float | None = None  # the most that one node gets; None: not stated
    choosable: bool = True  # False: legal, but not for one job in one zone on plain nodes, or too little is known


class BucketClass(msgspec.Struct, frozen=True, kw_only=True):
    """A storage class of the cloud's object store; `min_days` is the shortest billed stay."""

    cloud: str
    id: str
    min_days: int
    source: str


class StoragePrice(msgspec.Struct, frozen=True, kw_only=True):
    """A list price of storage or network: `kind` is disk, file_system, bucket, bandwidth, snapshot, nat or eip."""

    kind: str
    id: str
    level: str | None
    region: str | None  # None: a hint for every region
    price: Price


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where figures were read: what it is, and of which date (None: a copy without one)."""

    key: str
    title: str
    date: str | None


class Catalog(msgspec.Struct, frozen=True, kw_only=True):
    """All that one cloud sells and some source tells."""

    cloud: str
    as_of: str
    regions: tuple[Region, ...]
    types: tuple[InstanceType, ...]
    offers: tuple[Offer, ...]
    disks: tuple[Disk, ...]
    file_systems: tuple[FileSystem, ...]
    bucket_classes: tuple[BucketClass, ...]
    storage_prices: tuple[StoragePrice, ...]
    sources: tuple[Source, ...] = ()
