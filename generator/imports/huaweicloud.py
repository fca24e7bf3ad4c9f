"""Huawei Cloud: from the gathered catalog and price rows to the tables of `generator/clouds/huaweicloud/`.

Run `python -m generator.imports.huaweicloud PATH_TO_SHARED_DATA`. Kept by hand beside the written tables are
`card_families.csv` and `statuses.csv`. A flavor whose vCPU no source prints gets them by the naming rule, which holds
for 287 of the 300 rows that print both; a flavor whose number of cards is not known is listed, not described.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.clouds import CLOUDS
from generator.imports import huaweicloud_storage, instances, tables

FOLDER = CLOUDS / "huaweicloud"
BY_NAME = "naming-rule"
TITLES = {
    "cn-north-1": "China (Beijing 1)",
    "cn-north-2": "China (Beijing 2)",
    "cn-north-4": "China (Beijing 4)",
    "cn-north-9": "China (Ulanqab 1)",
    "cn-north-11": "China (Ulanqab 11)",
    "cn-north-12": "China (Beijing 12)",
    "cn-east-2": "China (Shanghai 2)",
    "cn-east-3": "China (Shanghai 1)",
    "cn-east-4": "China (East 2)",
    "cn-east-5": "China (Qingdao)",
    "cn-south-1": "China (Guangzhou)",
    "cn-south-2": "China (Shenzhen)",
    "cn-south-4": "China (Guangzhou friendly user)",
    "cn-southwest-2": "China (Guiyang 1)",
    "cn-southwest-3": "China (Southwest 3)",
    "ap-southeast-4": "Indonesia (Jakarta)",
    "la-north-2": "Mexico City 2",
}
# What the price rows call a region that is not its id.
REGIONS = {"AP-Jakarta": "ap-southeast-4"}
# The one 910B server with full figures states its links in words: 8 x 200G RDMA, HCCS of 392 GB/s between the chips.
KAT2 = {"interconnect": "nvlink", "nvlink_gbytes_s": 392, "rdma": "roce", "rdma_gbps": 1600, "rdma_nics": 8}


def figures(kind: dict[str, Any]) -> tuple[int, float, bool] | None:
    """vCPU, GiB and whether they follow from the name; None when neither a source nor the name tells."""
    if kind["vcpu"] is not None and kind["memory_gib"] is not None:
        return kind["vcpu"], kind["memory_gib"], False
    if kind.get("vcpu_by_name") is not None and kind.get("memory_gib_by_name") is not None:
        return kind["vcpu_by_name"], kind["memory_gib_by_name"], True
    return None


def described(kind: dict[str, Any], *, with_gpu: bool) -> bool:
    """Whether enough is known of a flavor to choose it: processors, memory, and for accelerators their number."""
    return figures(kind) is not None and (not with_gpu or kind["gpu_count"] is not None)


def family_row(entry: dict[str, Any], card: dict[str, Any] | None) -> dict[str, Any]:
    """The row of a family."""
    link, rdma = entry.get("interconnect"), entry["rdma"]
    interconnect = instances.interconnect(link["kind"], card) if link else "none"
    notes = [*entry["notes"], *([f"evidence in China: {entry['cn_evidence']}"] if entry["cn_evidence"] else [])]
    row = {
        "family": entry["family"],
        "bare_metal": entry["virtualization"] == "bare_metal",
        "cpu_arch": "arm64" if entry["cpu_arch"] == "aarch64" else "x86_64",
        "interconnect": interconnect,
        "nvlink_gbytes_s": link["gpu_to_gpu_gbyte_s"] if link and interconnect == "nvlink" else None,
        "rdma": rdma["kind"],
        "rdma_gbps": rdma["gbps"],
        "rdma_nics": rdma.get("nics"),
        "hpc_cluster": False,
        "spot": entry["spot"],
        "source": entry["sources"],
        "note": "; ".join(notes),
    }
    return row | (KAT2 if entry["family"] == "physical.kat2ne" else {})


def slice_fraction(kind: dict[str, Any], card: dict[str, Any] | None) -> float | None:
    """The share of a vGPU profile such as A40-8Q: its memory over the card's."""
    return kind["gpu_memory_gb"] / card["mem_gb"] if kind.get("vgpu") and card else None


def assured(value: float | dict[str, float | None] | None) -> float | None:
    """The assured figure where the page prints an assured and a maximum one, else the one that it prints."""
    if not isinstance(value, dict):
        return value
    return value["assured"] if value["assured"] is not None else value["max"]


def type_row(
    kind: dict[str, Any], entry: dict[str, Any], card: dict[str, Any] | None, dates: dict[str, str]
) -> dict[str, Any]:
    """The row of one flavor."""
    vcpus, ram_gib, by_name = figures(kind) or (0, 0, False)
    count = kind.get("gpu_count") or 0
    memory = kind.get("gpu_memory_gb") or (card["mem_gb"] if card and count else None)
    gbps = assured(kind.get("disk_bw_gbps"))
    nvme = (kind.get("local_nvme_count") or 0) * (kind.get("local_nvme_gib_each") or 0)
    source = (kind.get("src") or entry["sources"])[0]
    return {
        "id": kind["id"],
        "family": entry["family"],
        "status": entry["status"],
        "vcpus": vcpus,
        "ram_gib": ram_gib,
        "gpus": count,
        "is_slice": bool(kind.get("vgpu")),
        "gpu_memory_gib": memory if count else None,
        "gpu_total_gib": memory * count if memory and count else None,
        "slice_fraction": slice_fraction(kind, card),
        "network_gbps": kind.get("network_gbps"),
        "local_nvme_gib": nvme,
        "disk_iops": assured(kind.get("disk_iops")),
        "disk_mbps": gbps * 125 if gbps else None,
        "source": [source, BY_NAME] if by_name else source,
        "date": dates.get(source),
    }


def list_rows(rows: list[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """The newest hourly list price by flavor and region; a running server's rate may hold more than that."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        wanted = row["cloud"] == "huaweicloud" and row["kind"] == "instance" and row["per"] == "hour" and row["region"]
        if not wanted or "test fixture" in row["source"]:
            continue
        key = (row["id"], REGIONS.get(row["region"], row["region"]))
        if key not in found or (row["date"] or "") > (found[key]["date"] or ""):
            found[key] = row
    return found


def price_source(row: dict[str, Any]) -> str:
    """The key of the source of a price row."""
    return (
        "H-JKT"
        if "huawei-cloud-pricing-tool" in row["source"]
        else "H-LAN"
        if row["region"] == "la-north-2"
        else "H-CN"
    )


def offers(
    kind: dict[str, Any], entry: dict[str, Any], priced: dict[tuple[str, str], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """One row per flavor and region: priced by its newest row, or seen there without a price."""
    seen = set(entry["regions_cn"] or ())
    for region in sorted(seen | {region for name, region in priced if name == kind["id"]}):
        row = {"region": region, "zone": "", "instance_type": kind["id"]}
        price = priced.get((kind["id"], region))
        if price is None:
            yield row | {"source": "community-deepjump", "date": "2026-07-22"}
        else:
            yield row | {
                "price": price["amount"],
                "currency": price["currency"],
                "date": price["date"],
                "source": price_source(price),
            }


def main(shared: Path) -> None:
    """Write the tables of instance types, offers and regions, then those of storage."""
    catalog = tables.read_yaml(shared / "catalog" / "huaweicloud.yaml")
    prices = tables.read_yaml(shared / "prices" / "prices.yaml")
    gpus = {gpu["name"]: gpu for gpu in tables.read_yaml(shared / "sizing-validation.yaml")["gpus"]}
    entries = catalog["families"] + catalog["cpu_families"]
    kept = {
        entry["family"]: [
            kind
            for kind in entry["types"]
            if described(kind, with_gpu="gpu" in entry) and not kind["id"].startswith("modelarts.vm.cpu")
        ]
        for entry in entries
    }
    entries = [entry for entry in entries if kept[entry["family"]]]
    with_gpu = [entry["family"] for entry in entries if "gpu" in entry]
    cards = tables.check_families(with_gpu, FOLDER / "card_families.csv")
    card = {name: gpus[row["gpu"]] for name, row in cards.items() if row["gpu"]}
    priced = list_rows(prices)
    dates = {key: str(source["date"] or "") for key, source in catalog["sources"].items()}
    types = [type_row(kind, e, card.get(e["family"]), dates) for e in entries for kind in kept[e["family"]]]
    known = {row["id"] for row in types}
    rows = [row for entry in entries for kind in kept[entry["family"]] for row in offers(kind, entry, priced)]
    sources = [
        {
            "key": key,
            "title": "; ".join(str(s[part]) for part in ("title", "repo", "path", "url") if s.get(part)),
            "date": dates[key],
        }
        for key, s in catalog["sources"].items()
    ]
    sources += [
        {"key": BY_NAME, "title": "vCPU and memory by the documented naming rule of flavors, AB.C.D"},
        {"key": "H-CN", "title": "github ringochen06/deepjump, plan that read the purchase pages", "date": "2026-07"},
        {
            "key": "H-JKT",
            "title": "github Kahar90/huawei-cloud-pricing-tool @db1a033, price sheet of Jakarta",
            "date": "2026-03-25",
        },
        {"key": "H-LAN", "title": "price discovery notes for la-north-2, answers of the BSS API", "date": "2026-06-01"},
    ]
    others = [
        {
            "id": kind["id"],
            "regions": entry["regions_cn"] or [],
            "source": entry["sources"][0],
            "date": dates[entry["sources"][0]],
        }
        for entry in catalog["families"] + catalog["cpu_families"]
        for kind in entry["types"]
        if kind["id"] not in known
    ]
    described_ids = known | {row["id"] for row in others}
    others += [
        {"id": name, "regions": [region], "source": price_source(row), "date": row["date"]}
        for (name, region), row in priced.items()
        if name not in described_ids
    ]
    mainland = set(catalog["regions"]["cn"])
    regions = [{"id": k, "title": v, "mainland": k in mainland, "source": "sdk-regions"} for k, v in TITLES.items()]
    sources += [
        {"key": "sdk-regions", "title": catalog["regions"]["source"]},
        {
            "key": "cce_10_0613",
            "title": "CCE user manual, EVS types; support.huaweicloud.com/intl/en-us/usermanual-cce",
            "date": "2025",
        },
        {"key": "sfsturbo_01_0005", "title": "support.huaweicloud.com/productdesc-sfsturbo/sfsturbo_01_0005.html"},
        {"key": "obs_03_0166", "title": "support.huaweicloud.com/productdesc-obs/obs_03_0166.html"},
    ]

    write = tables.write_table
    write(FOLDER / "sources.csv", instances.SOURCE_COLUMNS, sources)
    write(FOLDER / "regions.csv", ("id", "title", "mainland", "zones", "source"), regions)
    write(FOLDER / "families.csv", instances.FAMILY_COLUMNS, [family_row(e, card.get(e["family"])) for e in entries])
    write(FOLDER / "instance_types.csv", instances.TYPE_COLUMNS, types)
    write(FOLDER / "offers.csv", instances.OFFER_COLUMNS, rows)
    write(FOLDER / "other_types.csv", instances.OTHER_COLUMNS, others)
    instances.check_regions(FOLDER, rows)
    huaweicloud_storage.main(shared)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
