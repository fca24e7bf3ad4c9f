"""Alibaba Cloud: disks, file systems, bucket classes and prices of storage to `generator/clouds/alicloud/`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.clouds import CLOUDS
from generator.imports import storage, tables

FOLDER = CLOUDS / "alicloud"

# What a price row calls a thing -> (kind, id, level) of our tables; what is not here is not a price that we use.
PRICED = {
    "OSS standard LRS": ("bucket", "Standard", "LRS"),
    "OSS standard ZRS": ("bucket", "Standard", "ZRS"),
    "OSS public egress, off-peak": ("bandwidth", "oss_egress", "off-peak"),
    "OSS public egress, peak": ("bandwidth", "oss_egress", "peak"),
    "cloud_essd PL1": ("disk", "cloud_essd", "PL1"),
    "public traffic": ("bandwidth", "public_traffic", None),
    "standard snapshot": ("snapshot", "standard", None),
    "NAS general capacity type": ("file_system", "standard", "Capacity"),
}
# The note of the NAS row says that CPFS starts at 3.6 TiB for about 5,040 CNY a month: 1.4 CNY per GB and month.
CPFS_HINT = {"kind": "file_system", "id": "cpfs", "level": None, "amount": "1.4", "per": "gib_month"}

# https://help.aliyun.com/zh/oss/user-guide/overview-53: shortest billed stay of each class, in days
BUCKETS = (("Standard", 0), ("IA", 30), ("Archive", 60), ("ColdArchive", 180), ("DeepColdArchive", 180))

STEP = "step not stated in any page read; the limits page counts files by 1,200 GiB, and the tested 3,600 is 3 of it"
NFS = "mounted over its NFS service, 600 MB/s a client"
CPFS = {"id": "cpfs", "kind": "parallel", "media": "ssd", "min_gib": 3600, "step_gib": 1200, "max_gib": 1048576} | {
    "step_stated": False,
    "mbps_per_client": 600,
}
EXTREME_SIZES = {"id": "extreme", "kind": "nas", "media": "ssd", "min_gib": 100, "step_gib": 100, "max_gib": 262144} | {
    "step_stated": False
}
EXTREME = (
    "150 MB/s up to 500 GiB, 300 to 2 TiB, 600 to 4 TiB, 900 to 8 TiB, then 1200; the line is its floor; step assumed"
)
ELASTIC = "grows with its content, no capacity is given; no bandwidth formula was read"
FILE_SYSTEMS: tuple[dict[str, Any], ...] = (
    CPFS | {"level": "advance_100", "mbps_per_tib": 100, "source": "S-NAS S-CPFS S-CPFSNFS", "note": f"{STEP}; {NFS}"},
    CPFS | {"level": "advance_200", "mbps_per_tib": 200, "source": "S-NAS S-CPFS S-CPFSNFS", "note": f"{STEP}; {NFS}"},
    CPFS
    | {
        "level": "economic",
        "mbps_per_tib": 50,
        "choosable": False,
        "source": "S-NAS",
        "note": f"50 MB/s is third-party; {STEP}",
    },
    CPFS
    | {"id": "cpfsse", "level": "advance_100", "mbps_per_tib": 100, "choosable": False, "source": "S-NAS"}
    | {"note": f"zone-redundant: needs three vSwitches in three zones; {STEP}"},
    {"id": "bmcpfs", "kind": "parallel", "media": "ssd", "min_gib": 10240, "step_gib": 10240, "max_gib": 1048576}
    | {
        "mbps_per_tib": 400,
        "choosable": False,
        "source": "S-CPFS",
        "note": "Lingjun nodes only; writes at 200 MB/s per TiB",
    },
    EXTREME_SIZES
    | {"level": "standard", "mbps_per_tib": 150, "mbps_max": 1200, "source": "S-EXTREME", "note": EXTREME},
    EXTREME_SIZES
    | {
        "level": "advance",
        "choosable": False,
        "source": "S-EXTREME",
        "note": "up to 4000 MB/s in some regions; no formula was read; step assumed",
    },
    {
        "id": "standard",
        "level": "Performance",
        "kind": "nas",
        "media": "ssd",
        "min_gib": 1,
        "step_gib": 1,
        "max_gib": 1048576,
    }
    | {"source": "S-NASLIM", "note": ELASTIC},
    {
        "id": "standard",
        "level": "Premium",
        "kind": "nas",
        "media": "ssd",
        "min_gib": 1,
        "step_gib": 1,
        "max_gib": 1048576,
    }
    | {"source": "S-NASLIM", "note": ELASTIC},
    {
        "id": "standard",
        "level": "Capacity",
        "kind": "nas",
        "media": "hdd",
        "min_gib": 1,
        "step_gib": 1,
        "max_gib": 10485760,
    }
    | {"source": "S-NASLIM", "note": ELASTIC},
)

# A kind that the SDK names and the gathered catalog does not.
LOCAL_SSD = {"id": "ephemeral_ssd", "media": "nvme", "status": "legacy", "persistent": False, "choosable": False} | {
    "source": "S-SDK", "note": "local SSD of old types"
}  # fmt: skip

# Kinds that selection leaves alone, and why.
NOT_CHOOSABLE = {
    "cloud": "spinning disk, being phased out",
    "cloud_essd_entry": "only with the u1 and e families; its speed is known from third parties only",
    "cloud_regional_disk_auto": "zone-redundant; no speed was read",
    "elastic_ephemeral_disk_standard": "not sold with most families; no speed was read",
    "elastic_ephemeral_disk_premium": "not sold with most families; no speed was read",
}


def media(text: str) -> str:
    """The media class of a disk from the catalog's words."""
    words = text.lower()
    if "hdd" in words:
        return "hdd"
    if "hybrid" in words:
        return "hybrid"
    return "nvme" if "local nvme" in words else "ssd"


def disk_row(disk: dict[str, Any]) -> dict[str, Any]:
    """The row of one disk kind and level; AutoPL's baseline counts, its provisioned IOPS come on top."""
    low, high = disk["size_gib"] or (None, None)
    system_low, system_high = disk["system_size_gib"] or (None, None)
    known_from_others = disk["id"] == "cloud_auto"
    mbps = disk["third_party"]["mbyte_s_baseline"] if known_from_others else disk["mbyte_s"]
    notes = [disk.get("note"), NOT_CHOOSABLE.get(disk["id"])]
    if known_from_others:
        notes.append("at least 3,000 IOPS; provisioned IOPS on top; MB/s from a third party, undated")
    return {
        "id": disk["id"],
        "level": disk.get("performance_level"),
        "media": media(disk["media"]),
        "status": disk["status"],
        "min_gib": low,
        "max_gib": high,
        "system_min_gib": system_low,
        "system_max_gib": system_high,
        "step_gib": 1 if low else None,
        "persistent": "ephemeral" not in disk["id"] and "local" not in disk["id"],
        "choosable": disk["id"] not in NOT_CHOOSABLE,
        "source": disk["sources"],
        "note": "; ".join(note for note in notes if note),
        **storage.speed(disk["iops"], mbps),
    }


def price_rows(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """List prices of storage and network, and hints (no region) for what has nothing better."""
    for row in rows:
        if row["cloud"] != "alicloud" or row["id"] not in PRICED or storage.is_discount(row):
            continue
        kind, name, level = PRICED[row["id"]]
        priced = row | {"kind": kind, "id": name, "level": level, "region": storage.price_region(row["region"])}
        yield priced
        if name == "standard" and kind == "file_system":
            yield priced | CPFS_HINT


def main(shared: Path) -> None:
    """Write disks.csv, file_systems.csv, bucket_classes.csv and storage_prices.csv."""
    catalog = tables.read_yaml(shared / "catalog" / "alicloud.yaml")
    prices = tables.read_yaml(shared / "prices" / "prices.yaml")
    buckets = [{"id": name, "min_days": days, "source": "S-OSS"} for name, days in BUCKETS]
    disks = [disk_row(disk) for disk in catalog["block_storage"]["disks"]]
    write = tables.write_table
    write(FOLDER / "disks.csv", storage.DISK_COLUMNS, [*disks, LOCAL_SSD])
    write(
        FOLDER / "file_systems.csv",
        storage.FILE_SYSTEM_COLUMNS,
        [{"choosable": True, "step_stated": True} | row for row in FILE_SYSTEMS],
    )
    write(FOLDER / "bucket_classes.csv", storage.BUCKET_COLUMNS, buckets, sort=False)
    write(FOLDER / "storage_prices.csv", storage.PRICE_COLUMNS, storage.newest(price_rows(prices), "CNY", FOLDER))
