"""Tencent Cloud: disks, file systems, bucket classes and prices of storage to `generator/clouds/tencentcloud/`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.clouds import CLOUDS
from generator.imports import storage, tables

FOLDER = CLOUDS / "tencentcloud"

# What a price row calls a thing -> (kind, id, level) of our tables.
PRICED = {
    "COS standard": ("bucket", "STANDARD", None),
    "COS infrequent access": ("bucket", "STANDARD_IA", None),
    "COS archive": ("bucket", "ARCHIVE", None),
    "COS deep archive": ("bucket", "DEEP_ARCHIVE", None),
    "COS public egress": ("bandwidth", "cos_egress", None),
    "CFS Turbo standard (TB)": ("file_system", "cfs", "TB"),
    "CFS Turbo performance (TP)": ("file_system", "cfs", "TP"),
    "CFS general standard (SD)": ("file_system", "cfs", "SD"),
    "CFS general performance (HP)": ("file_system", "cfs", "HP"),
    "disk snapshot": ("snapshot", "standard", None),
    "public traffic": ("bandwidth", "public_traffic", None),
    **{kind: ("disk", kind, None) for kind in ("CLOUD_PREMIUM", "CLOUD_BSSD", "CLOUD_SSD", "CLOUD_HSSD", "CLOUD_TSSD")},
}
# Groups of regions that the pages print together; regions that the catalog does not have are left out.
GROUPS = {
    "mainland China": ("mainland",),
    "United States": ("na-siliconvalley", "na-ashburn"),
    "Europe, South-East Asia": ("eu-frankfurt", "eu-moscow", "ap-singapore", "ap-bangkok", "ap-jakarta"),
    "Europe, South-East Asia, Taiwan, Macao": ("eu-frankfurt", "eu-moscow", "ap-singapore", "ap-bangkok", "ap-jakarta"),
    "Europe, South-East Asia, Hong Kong, Macao, Taiwan": (
        "eu-frankfurt", "eu-moscow", "ap-singapore", "ap-bangkok", "ap-jakarta", "ap-hongkong",
    ),
}  # fmt: skip

# https://www.tencentcloud.com/document/product/436/30925: shortest billed stay of each class, in days
BUCKETS = (("STANDARD", 0), ("STANDARD_IA", 30), ("INTELLIGENT_TIERING", 0), ("ARCHIVE", 90), ("DEEP_ARCHIVE", 180))

TURBO_CONFLICT = (
    "the page of 2023 starts higher than the SDK of 2026: below the SDK's figure refused, between them doubtful"
)
ELASTIC = "grows with its content, no capacity is given"
FILE_SYSTEMS: tuple[dict[str, Any], ...] = (
    {
        "level": "SD",
        "kind": "nas",
        "media": "hdd",
        "min_gib": 1,
        "step_gib": 1,
        "max_gib": 163840,
        "mbps_per_tib": 102.4 * storage.MIB,
    }
    | {"mbps_max": 300 * storage.MIB, "note": f"{ELASTIC}; the line leaves out the first 100 MiB/s"},
    {
        "level": "HP",
        "kind": "nas",
        "media": "ssd",
        "min_gib": 1,
        "step_gib": 1,
        "max_gib": 32768,
        "mbps_per_tib": 204.8 * storage.MIB,
    }
    | {"mbps_max": 1024 * storage.MIB, "note": f"{ELASTIC}; the line leaves out the first 200 MiB/s"},
    {
        "level": "TB",
        "kind": "parallel",
        "mbps_per_client": 10240 * storage.MIB,
        "min_gib": 40960,
        "refused_below_gib": 20480,
        "step_gib": 20480,
    }
    | {"step_stated": False, "mbps_per_tib": 102.4 * storage.MIB, "mbps_max": 100000 * storage.MIB}
    | {"note": f"{TURBO_CONFLICT}; the SDK's step is 10240; media not stated"},
    {
        "level": "TP",
        "kind": "parallel",
        "mbps_per_client": 10240 * storage.MIB,
        "media": "ssd",
        "min_gib": 20480,
        "refused_below_gib": 10240,
        "step_gib": 10240,
    }
    | {"mbps_per_tib": 204.8 * storage.MIB, "mbps_max": 100000 * storage.MIB, "note": TURBO_CONFLICT},
)

# The notes' section 5 and the block_storage limits: steps of 10 GiB, data disks from 20 GiB, system disks 20 to 2048.
SIZES = {"min_gib": 20, "max_gib": 32000, "system_min_gib": 20, "system_max_gib": 2048, "step_gib": 10}
NOT_CHOOSABLE = {
    "CLOUD_BASIC": "spinning disk, phased out",
    "CLOUD_TSSD": "sold only together with some instance types",
}


def disk_row(disk: dict[str, Any]) -> dict[str, Any]:
    """The row of one disk kind; extra performance that is paid apart does not count."""
    name, words = disk["id"], disk["media"].lower()
    media = "hybrid" if "hybrid" in words else "hdd" if "hdd" in words else "nvme" if "nvme" in words else "ssd"
    local = name.startswith("LOCAL")
    notes = [disk.get("note"), NOT_CHOOSABLE.get(name)]
    return {
        "id": name,
        "media": media,
        "status": disk["status"],
        "persistent": not local,
        "choosable": not local and name not in NOT_CHOOSABLE,
        "source": "T-CBS T-SDK",
        "note": "; ".join(note for note in notes if note),
        **({} if local else SIZES),
        **({"min_gib": 10, "max_gib": 16000, "system_max_gib": 500} if name == "CLOUD_BASIC" else {}),
        **storage.speed(disk["iops"], disk["mbyte_s"]),
    }


def price_rows(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """List prices of storage and network in regions that the catalog has."""
    known = {row["id"] for row in tables.read_table(FOLDER / "regions.csv")} | {"", "mainland"}
    for row in rows:
        if row["cloud"] != "tencentcloud" or row["id"] not in PRICED or storage.is_discount(row):
            continue
        kind, name, level = PRICED[row["id"]]
        printed = row["region"] or ""
        for region in GROUPS.get(printed, tuple(part.strip() for part in printed.split(","))):
            if region in known:
                yield row | {"kind": kind, "id": name, "level": level, "region": region}


def main(shared: Path) -> None:
    """Write disks.csv, file_systems.csv, bucket_classes.csv and storage_prices.csv."""
    catalog = tables.read_yaml(shared / "catalog" / "tencentcloud.yaml")
    prices = tables.read_yaml(shared / "prices" / "prices.yaml")
    defaults = {"id": "cfs", "choosable": True, "step_stated": True, "source": "T-CFS"}
    disks = [disk_row(disk) for disk in catalog["block_storage"]["disks"]]
    buckets = [{"id": name, "min_days": days, "source": "T-COS"} for name, days in BUCKETS]
    write = tables.write_table
    write(FOLDER / "disks.csv", storage.DISK_COLUMNS, disks)
    write(FOLDER / "file_systems.csv", storage.FILE_SYSTEM_COLUMNS, [defaults | row for row in FILE_SYSTEMS])
    write(FOLDER / "bucket_classes.csv", storage.BUCKET_COLUMNS, buckets, sort=False)
    write(FOLDER / "storage_prices.csv", storage.PRICE_COLUMNS, storage.newest(price_rows(prices), "CNY", FOLDER))
