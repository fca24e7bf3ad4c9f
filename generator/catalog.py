"""Offers of all clouds alike: what a type is, where it is sold, what it costs, and the storage beside it."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """A list price: `amount` per `per`, with its source and the date of the list (None: undated)."""

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


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One type in one region (and zone where known) at one price; `price` None means unpriced."""

    type: InstanceType
    region: str
    zone: str | None
    price: Price | None
    spot_price: Price | None = None
    quota: int | None = None  # most nodes the account may have, from an overlay


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


class FileSystem(msgspec.Struct, frozen=True, kw_only=True):
    """A file system product: `parallel` ones serve many nodes at once; MB/s grow with TiB."""

    cloud: str
    id: str  # the cloud's name of the product, `cpfs`
    level: str | None  # the cloud's storage type, `advance_200`
    kind: Literal["parallel", "nas"]
    media: Literal["hdd", "ssd"]
    min_gib: int
    step_gib: int
    max_gib: int | None
    mbps_per_tib: float | None
    mbps_max: float | None
    regions: tuple[str, ...]  # () where no source limits them
    source: str
    note: str | None


class BucketClass(msgspec.Struct, frozen=True, kw_only=True):
    """A storage class of the cloud's object store; `min_days` is the shortest billed stay."""

    cloud: str
    id: str
    min_days: int
    source: str


class StoragePrice(msgspec.Struct, frozen=True, kw_only=True):
    """A list price of storage or network: `kind` disk | file_system | bucket | nat | eip, `id` and `level` as in the tables above."""

    kind: str
    id: str
    level: str | None
    region: str | None  # None: a hint for every region
    price: Price


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
