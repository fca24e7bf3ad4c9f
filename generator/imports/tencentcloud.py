"""Tencent Cloud: from the gathered catalog and price rows to the tables of `generator/clouds/tencentcloud/`.

Run `python -m generator.imports.tencentcloud PATH_TO_SHARED_DATA`. Kept by hand beside the written tables are
`card_families.csv` and `statuses.csv`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from generator.clouds import CLOUDS
from generator.imports import instances, tables, tencentcloud_storage

FOLDER = CLOUDS / "tencentcloud"
LIST = ("T-P22", "2022-05-20")
USD_LIST = ("T-PRICE", "2023-06-30")
SOURCE_DATES = {
    "T-GPU": "2023-06-30",
    "T-CPU": "2023-06-30",
    "T-CBS": "2023-07-10",
    "T-P22": "2022-05-20",
    "T-PRICE": "2023-06-30",
    "T-BMSPEC": "2023-06-30",
    "T-TKE": "2026-08-17",
    "T-BM": "2026-08-06",
    "T-SCR": "2026-06-15",
    "T-HPC": "2026",
}
TITLES = {
    "ap-bangkok": "Bangkok",
    "ap-beijing": "Beijing",
    "ap-chengdu": "Chengdu",
    "ap-chongqing": "Chongqing",
    "ap-guangzhou": "Guangzhou",
    "ap-hongkong": "Hong Kong",
    "ap-jakarta": "Jakarta",
    "ap-mumbai": "Mumbai",
    "ap-nanjing": "Nanjing",
    "ap-seoul": "Seoul",
    "ap-shanghai": "Shanghai",
    "ap-singapore": "Singapore",
    "ap-tokyo": "Tokyo",
    "eu-frankfurt": "Frankfurt",
    "eu-moscow": "Moscow",
    "na-ashburn": "Virginia",
    "na-siliconvalley": "Silicon Valley",
    "sa-saopaulo": "Sao Paulo",
}
MAINLAND = {"ap-beijing", "ap-chengdu", "ap-chongqing", "ap-guangzhou", "ap-nanjing", "ap-shanghai"}
CITIES = {
    "广州": "ap-guangzhou",
    "上海": "ap-shanghai",
    "北京": "ap-beijing",
    "南京": "ap-nanjing",
    "成都": "ap-chengdu",
    "重庆": "ap-chongqing",
    "香港": "ap-hongkong",
    "新加坡": "ap-singapore",
}
DIGITS = {name: number for number, name in enumerate("一二三四五六七八九", start=1)}
# Regions in which the page says that the vGPU sizes of GN7 are not sold.
NO_SLICES = {
    "ap-singapore", "ap-bangkok", "ap-jakarta", "ap-mumbai", "ap-seoul", "ap-tokyo", "eu-frankfurt", "na-ashburn",
}  # fmt: skip
UEFI_FAMILIES = {"PNV6", "HCCPNV6"}


def region_of(zone: str) -> str:
    """The region of a zone: ap-guangzhou-6 is in ap-guangzhou."""
    return zone.rpartition("-")[0]


def listed_zone(note: str) -> str | None:
    """The zone that a row of the price list names in Chinese."""
    match = re.search(r"zone in the list: (\D+?)([一二三四五六七八九])区", note)
    return f"{CITIES[match[1]]}-{DIGITS[match[2]]}" if match and match[1] in CITIES else None


def family_row(entry: dict[str, Any], card: dict[str, Any] | None) -> dict[str, Any]:
    """The row of a family; CPU families have neither cards nor RDMA."""
    link, rdma = entry.get("interconnect"), entry.get("rdma") or {"kind": "none", "gbps": None, "note": ""}
    kind = rdma["kind"]
    interconnect = instances.interconnect(link["kind"], card) if link else "none"
    nics = re.search(r"\b(\d) x 100GE", rdma["note"] or "")
    notes = [*entry.get("notes", ()), *([entry["spec_depth"]] if "spec_depth" in entry else ())]
    return {
        "family": entry["family"],
        "bare_metal": entry.get("virtualization") == "bare_metal",
        "cpu_arch": "x86_64",
        "interconnect": interconnect,
        "nvlink_gbytes_s": link["gpu_to_gpu_gbyte_s"] if link and interconnect == "nvlink" else None,
        "rdma": None if kind is None else "none" if kind == "none" else "roce",
        "rdma_gbps": rdma["gbps"] or None,
        "rdma_nics": int(nics[1]) if nics else None,
        "hpc_cluster": bool(rdma.get("hpc_cluster_required")),
        "boot_mode": "UEFI" if entry["family"] in UEFI_FAMILIES else None,
        "spot": entry.get("spot"),
        "source": entry["sources"],
        "note": "; ".join(notes),
    }


def status_of(kind: dict[str, Any], entry: dict[str, Any]) -> str:
    """What the sources say of sale; a type whose id is not whole cannot be ordered whatever they say."""
    if not kind.get("api_id_known", True):
        return "incomplete_id"
    if "status" in entry:
        return str(entry["status"])
    return "current_2023" if "T-CPU" in entry["sources"] else "tool_list_only"


def type_row(kind: dict[str, Any], entry: dict[str, Any], card: dict[str, Any] | None) -> dict[str, Any]:
    """The row of one instance type."""
    fraction = kind.get("gpu_fraction")
    count = 1 if fraction else kind.get("gpu_count") or 0
    memory = kind.get("gpu_memory_gb") or (card["mem_gb"] if card and count else None)
    source = entry["sources"][0]
    return {
        "id": kind["id"],
        "family": entry["family"],
        "status": status_of(kind, entry),
        "vcpus": kind["vcpu"],
        "ram_gib": kind["memory_gib"],
        "gpus": count,
        "is_slice": fraction is not None,
        "gpu_memory_gib": memory if count else None,
        "gpu_total_gib": memory * count if memory and count else None,
        "slice_fraction": float(Fraction(fraction)) if fraction else None,
        "network_gbps": kind["network_gbps"],
        "local_nvme_gib": instances.local_nvme_gib(kind.get("local_nvme_gb")),
        "disk_iops": kind.get("disk_iops"),
        "disk_mbps": kind.get("disk_bw_mbyte_s"),
        "source": source,
        "date": SOURCE_DATES.get(source),
    }


def zones_of(kind: dict[str, Any], entry: dict[str, Any], rows: list[dict[str, Any]]) -> set[str]:
    """The zones in which some source has the type: the page of 2023 and the price list of 2022."""
    zones = {*(entry.get("zones_2023") or ()), *(entry.get("zones_2022_05") or ())}
    if entry["family"] == "GN7" and kind.get("gpu_fraction"):
        zones = {zone for zone in zones if region_of(zone) not in NO_SLICES}
    return zones | {zone for row in rows if (zone := listed_zone(row["note"] or ""))}


def offers(entry: dict[str, Any], priced: dict[str, list[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    """One row per type and zone (region, where no zone is known), at the yuan list's price, else the dollar list's."""
    for kind in entry["types"]:
        rows = priced.get(kind["id"], [])
        prices = {(row["region"], row["currency"]): row for row in rows}
        zones = zones_of(kind, entry, rows)
        places = [(region_of(zone), zone) for zone in sorted(zones)]
        places += [
            (region, "") for region in sorted({row["region"] for row in rows} - {region_of(zone) for zone in zones})
        ]
        for region, zone in places:
            row = {"region": region, "zone": zone, "instance_type": kind["id"]}
            found = prices.get((region, "CNY")) or prices.get((region, "USD"))
            if found is None:
                source = next((key for key in entry["sources"] if key in SOURCE_DATES), entry["sources"][0])
                yield row | {"source": source, "date": SOURCE_DATES.get(source)}
            else:
                source, date = LIST if found["currency"] == "CNY" else USD_LIST
                yield row | {"price": found["amount"], "currency": found["currency"], "source": source, "date": date}


def list_rows(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Hourly list prices by type: rows of the two lists, per machine, with a region."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        wanted = row["cloud"] == "tencentcloud" and row["kind"] == "instance" and row["per"] == "hour" and row["region"]
        if wanted and row["date"] in (LIST[1], USD_LIST[1]):
            found.setdefault(row["id"], []).append(row)
    return found


def other_types(
    catalog: dict[str, Any], priced: dict[str, list[dict[str, Any]]], known: set[str]
) -> Iterator[dict[str, Any]]:
    """Types that exist but are not described: in the price list, or named without vCPU and memory."""
    for name, rows in priced.items():
        if name not in known:
            regions = sorted({row["region"] for row in rows})
            yield {"id": name, "regions": regions, "source": LIST[0], "date": LIST[1]}
    for entry in catalog["families"]:
        for kind in entry["types"]:
            if kind["id"] not in known:
                source = entry["sources"][0]
                yield {"id": kind["id"], "regions": [], "source": source, "date": SOURCE_DATES.get(source)}


def region_rows(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every region with the zones that some source names."""
    zones: dict[str, set[str]] = {name: set() for name in TITLES}
    for row in rows:
        zones[row["region"]] |= {row["zone"]} - {""}
    for name, title in TITLES.items():
        source = ["T-GPU", "T-P22"] if name in MAINLAND else ["T-GPU"]
        yield {"id": name, "title": title, "mainland": name in MAINLAND, "zones": sorted(zones[name]), "source": source}


def main(shared: Path) -> None:
    """Write the tables of instance types, offers and regions, then those of storage."""
    catalog = tables.read_yaml(shared / "catalog" / "tencentcloud.yaml")
    prices = tables.read_yaml(shared / "prices" / "prices.yaml")
    gpus = {gpu["name"]: gpu for gpu in tables.read_yaml(shared / "sizing-validation.yaml")["gpus"]}
    entries = [
        entry | {"types": [kind for kind in entry["types"] if kind["vcpu"] is not None]}
        for entry in catalog["families"] + catalog["cpu_families"]
    ]
    entries = [entry for entry in entries if entry["types"]]
    with_gpu = [entry["family"] for entry in entries if "gpu" in entry]
    cards = tables.check_families(with_gpu, FOLDER / "card_families.csv")
    card = {name: gpus[row["gpu"]] for name, row in cards.items() if row["gpu"]}
    priced = list_rows(prices)
    rows = [row for entry in entries for row in offers(entry, priced)]
    types = [type_row(kind, entry, card.get(entry["family"])) for entry in entries for kind in entry["types"]]
    known = {row["id"] for row in types}
    named = catalog["sources"] | {"T-COS": "tencentcloud.com/document/product/436/30925, storage classes of COS"}
    titles = ({"key": k, "title": instances.source_title(v), "date": SOURCE_DATES.get(k)} for k, v in named.items())

    write = tables.write_table
    write(FOLDER / "sources.csv", instances.SOURCE_COLUMNS, titles)
    write(FOLDER / "regions.csv", ("id", "title", "mainland", "zones", "source"), region_rows(rows))
    write(FOLDER / "families.csv", instances.FAMILY_COLUMNS, [family_row(e, card.get(e["family"])) for e in entries])
    write(FOLDER / "instance_types.csv", instances.TYPE_COLUMNS, types)
    write(FOLDER / "offers.csv", instances.OFFER_COLUMNS, rows)
    write(FOLDER / "other_types.csv", instances.OTHER_COLUMNS, other_types(catalog, priced, known))
    instances.check_regions(FOLDER, rows)
    hints = instances.hint_rows(prices, "tencentcloud", known)
    write(FOLDER / "price_hints.csv", instances.HINT_COLUMNS, hints)
    tencentcloud_storage.main(shared)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
