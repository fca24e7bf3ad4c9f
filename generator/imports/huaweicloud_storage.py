"""Huawei Cloud: disks, file systems, bucket classes and prices of storage to `generator/clouds/huaweicloud/`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.clouds import CLOUDS
from generator.imports import storage, tables

FOLDER = CLOUDS / "huaweicloud"
REGIONS = {"AP-Jakarta": "ap-southeast-4"}

# First words of what a price row calls a thing -> (kind, id, level) of our tables.
PRICED = {
    "OBS standard": ("bucket", "STANDARD", None),
    "OBS infrequent access": ("bucket", "WARM", None),
    "OBS archive": ("bucket", "COLD", None),
    "EIP, dynamic BGP, by traffic": ("bandwidth", "public_traffic", None),
    "SSD (ultra-high I/O EVS)": ("disk", "SSD", None),
    **{f"{name} ({title})": ("disk", name, None) for name, title in (
        ("SAS", "High I/O"), ("SSD", "Ultra-High I/O"), ("GPSSD", "General Purpose SSD"), ("ESSD", "Extreme SSD"),
        ("GPSSD2", "General Purpose SSD V2"),
    )},
}  # fmt: skip
# https://support.huaweicloud.com/productdesc-obs/obs_03_0166.html: shortest billed stay of each class, in days
BUCKETS = (("STANDARD", 0), ("WARM", 30), ("COLD", 90))

SIZES = {"min_gib": 10, "max_gib": 32768, "system_min_gib": 10, "system_max_gib": 1024, "step_gib": 1}
NOT_CHOOSABLE = {
    "SATA": "end of sale",
    "GPSSD2": "IOPS and MB/s are chosen, at least 3,000 and 125, and paid apart",
    "ESSD2": "IOPS are chosen and paid apart; pay-per-use only",
}
# MB/s per TiB, media, GB/s at most, GiB at least
DENSITIES = (
    (20, "hdd", 8, 3686), (40, "hdd", 8, 1228), (125, "ssd", 20, 1228), (250, "ssd", 20, 1228), (500, "ssd", 80, 1228),
    (1000, "ssd", 80, 1228),
)  # fmt: skip
CONSTANT = "the same MB/s at every size: the line reaches its end at the smallest; step not stated"


def disk_row(disk: dict[str, Any]) -> dict[str, Any]:
    """The row of one EVS type; MiB/s become MB/s."""
    name = disk["id"]
    notes = dict.fromkeys((disk["status"], NOT_CHOOSABLE.get(name)))
    rates = {"iops_base": 100, "iops_per_gib": 1, "iops_max": 1000} if name == "SATA" else {}
    return {
        "id": name,
        # SAS is a class of spinning disks by its latency; the medium is not printed, and rules treat it as hybrid
        "media": {"SATA": "hdd", "SAS": "hybrid"}.get(name, "ssd"),
        "status": "current" if disk["status"].startswith("on sale") else disk["status"],
        "persistent": True,
        "choosable": name not in NOT_CHOOSABLE,
        "source": "cce_10_0613" if "cce_10_0613" in disk["source"] else "tf-hw",
        "note": "; ".join(note for note in notes if note and note != "on sale"),
        **SIZES,
        **rates,
        **storage.speed(disk["iops_formula"], disk["mib_s_formula"], storage.MIB),
    }


def file_system_rows() -> Iterator[dict[str, Any]]:
    """SFS Turbo by density, and the two kinds that do not grow."""
    for density, media, gbytes_s, least in DENSITIES:
        yield {"id": "HPC", "level": f"{density}M", "kind": "parallel", "media": media, "min_gib": least} | {
            "step_gib": 1228, "step_stated": True, "max_gib": 1048576, "mbps_per_tib": density,
            "mbps_max": gbytes_s * 1000, "note": "at least 150 MB/s at any size; steps of 1.2 TiB",
        }  # fmt: skip
    for name, media, mbps in (("STANDARD", "hdd", 150), ("PERFORMANCE", "ssd", 350)):
        yield {"id": name, "kind": "nas", "media": media, "min_gib": 500, "step_gib": 100, "step_stated": False} | {
            "max_gib": 32768, "mbps_per_tib": mbps / (500 / 1024), "mbps_max": mbps, "note": CONSTANT,
        }  # fmt: skip


def price_rows(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """List prices of storage and network in regions that the catalog has; a row without a region is a hint."""
    known = {row["id"] for row in tables.read_table(FOLDER / "regions.csv")} | {"", "mainland"}
    for row in rows:
        wanted = row["cloud"] == "huaweicloud" and row["id"] in PRICED and row["per"] != "gib_year"
        if not wanted or storage.is_discount(row):
            continue
        kind, name, level = PRICED[row["id"]]
        region = REGIONS.get(row["region"], storage.price_region(row["region"]))
        if region in known:
            yield row | {"kind": kind, "id": name, "level": level, "region": region}


def main(shared: Path) -> None:
    """Write disks.csv, file_systems.csv, bucket_classes.csv and storage_prices.csv."""
    catalog = tables.read_yaml(shared / "catalog" / "huaweicloud.yaml")
    prices = tables.read_yaml(shared / "prices" / "prices.yaml")
    disks = [disk_row(disk) for disk in catalog["block_storage"]["types"]]
    defaults = {"choosable": True, "source": "sfsturbo_01_0005"}
    buckets = [{"id": name, "min_days": days, "source": "obs_03_0166"} for name, days in BUCKETS]
    write = tables.write_table
    write(FOLDER / "disks.csv", storage.DISK_COLUMNS, disks)
    write(FOLDER / "file_systems.csv", storage.FILE_SYSTEM_COLUMNS, [defaults | row for row in file_system_rows()])
    write(FOLDER / "bucket_classes.csv", storage.BUCKET_COLUMNS, buckets, sort=False)
    write(FOLDER / "storage_prices.csv", storage.PRICE_COLUMNS, storage.newest(price_rows(prices), "CNY", FOLDER))
