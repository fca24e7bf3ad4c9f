"""Baidu AI Cloud: disks, file systems, bucket classes and prices of storage to `generator/clouds/baiducloud/`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.clouds import CLOUDS
from generator.imports import storage, tables

FOLDER = CLOUDS / "baiducloud"

PRICED = {
    "BOS standard": ("bucket", "STANDARD", None),
    "BOS infrequent access": ("bucket", "STANDARD_IA", None),
    "BOS cold": ("bucket", "COLD", None),
    "BOS archive": ("bucket", "ARCHIVE", None),
    "BOS public egress, off-peak": ("bandwidth", "bos_egress", "off-peak"),
    "BOS public egress, peak": ("bandwidth", "bos_egress", "peak"),
    "CFS performance type": ("file_system", "cfs", "ssd"),
    "CFS capacity type": ("file_system", "cfs", "cap"),
}
BUCKETS = (("STANDARD", 0), ("STANDARD_IA", 30), ("COLD", 90), ("ARCHIVE", 180))

# The notes' section 3.3: each id of the API with the name under which the performance page prints its formulas.
DISKS: tuple[tuple[str, str, str | None, int, bool], ...] = (
    ("hdd", "hdd", "hdd", 5, False),
    ("HDD_Throughput", "hdd", "HDD_Throughput", 5, False),
    ("sata", "hdd", None, 5, False),
    ("std1", "hdd", None, 5, False),
    ("hp1", "hybrid", "hp1 (= ssd)", 5, True),
    ("ssd", "hybrid", "hp1 (= ssd)", 5, False),
    ("cloud_hp1", "ssd", "cloud_hp1 (= premium_ssd)", 50, True),
    ("premium_ssd", "ssd", "cloud_hp1 (= premium_ssd)", 50, False),
    ("enhanced_ssd_pl0", "ssd", None, 50, False),
    ("enhanced_ssd_pl1", "ssd", None, 50, False),
    ("enhanced_ssd_pl2", "ssd", None, 50, False),
    ("enhanced_ssd_pl3", "ssd", None, 50, False),
)
LOCAL = (("local", "hdd"), ("local-hdd", "hdd"), ("local-ssd", "ssd"), ("local-nvme", "nvme"))
NO_SPEED = "no speed by level was read"
SAME = {"ssd": "another name of hp1", "premium_ssd": "another name of cloud_hp1"}
PFS = "no resource of the provider makes it; from a third party's copy of the page"


def disk_rows(catalog: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The CDS kinds with their formulas where the page prints them, and the local kinds that come with a type."""
    printed = {disk["id"]: disk for disk in catalog["block_storage"]["types"]}
    for name, media, page, least, choosable in DISKS:
        formulas = printed[page] if page else {"iops_formula": None, "mb_s_formula": None}
        yield {
            "id": name,
            "media": media,
            "status": "current",
            "min_gib": least,
            "max_gib": 32765,
            "system_min_gib": 40,
            "system_max_gib": 2048,
            "step_gib": 1,
            "persistent": True,
            "choosable": choosable,
            "source": "bd-cds-perf bd-tf",
            "note": SAME.get(name) or (None if page else NO_SPEED),
            **storage.speed(formulas["iops_formula"], formulas["mb_s_formula"]),
        }
    for name, media in LOCAL:
        yield {"id": name, "media": media, "status": "comes with the type", "persistent": False, "choosable": False} | {
            "source": "bd-tf"
        }


def file_system_rows(catalog: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """CFS, and the PFS tiers that only the API can make."""
    elastic = {"kind": "nas", "min_gib": 1, "step_gib": 1, "max_gib": 10485760, "step_stated": True}
    note = "grows with its content, no capacity is given; no bandwidth was read"
    yield elastic | {"id": "cfs", "level": "cap", "media": "hdd", "choosable": True, "source": "bd-tf", "note": note}
    only = f"{note}; the provider takes cap only"
    yield elastic | {"id": "cfs", "level": "ssd", "media": "ssd", "choosable": False, "source": "bd-tf", "note": only}
    for tier in catalog["file_storage"]["pfs"]:
        rate, cap = tier["mb_s_formula"].removeprefix("min(").removesuffix(")").split("*TB, ")
        yield {
            "id": "pfs",
            "level": tier["tier"].partition(" ")[2],
            "kind": "parallel",
            "min_gib": round(tier["min_tb"] * 1024),
            "step_gib": round(tier["step_tb"] * 1024),
            "step_stated": True,
            "max_gib": round(tier["max_tb"] * 1024),
            "mbps_per_tib": int(rate),
            "mbps_max": int(cap),
            "choosable": False,
            "source": "bd-pfs-ecer",
            "note": PFS,
        }


def price_rows(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """List prices of storage and network; a row without a region is a hint."""
    for row in rows:
        if row["cloud"] == "baiducloud" and row["id"] in PRICED and not storage.is_discount(row):
            kind, name, level = PRICED[row["id"]]
            yield row | {"kind": kind, "id": name, "level": level, "region": storage.price_region(row["region"])}


def main(shared: Path) -> None:
    """Write disks.csv, file_systems.csv, bucket_classes.csv and storage_prices.csv."""
    catalog = tables.read_yaml(shared / "catalog" / "baiducloud.yaml")
    prices = tables.read_yaml(shared / "prices" / "prices.yaml")
    buckets = [{"id": name, "min_days": days, "source": "bd-bos"} for name, days in BUCKETS]
    write = tables.write_table
    write(FOLDER / "disks.csv", storage.DISK_COLUMNS, disk_rows(catalog))
    write(FOLDER / "file_systems.csv", storage.FILE_SYSTEM_COLUMNS, file_system_rows(catalog))
    write(FOLDER / "bucket_classes.csv", storage.BUCKET_COLUMNS, buckets, sort=False)
    write(FOLDER / "storage_prices.csv", storage.PRICE_COLUMNS, storage.newest(price_rows(prices), "CNY", FOLDER))
