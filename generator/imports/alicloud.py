"""Alibaba Cloud: from the gathered catalog and the two price lists to the tables of `generator/clouds/alicloud/`.

Run `python -m generator.imports.alicloud PATH_TO_SHARED_DATA`. Kept by hand beside the written tables are
`card_families.csv` (which accelerator a family carries, or why that is not known) and `regions.csv`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from generator.clouds import CLOUDS
from generator.imports import alicloud_storage, instances, tables

FOLDER = CLOUDS / "alicloud"
LIST_2025 = ("P-2025", "2025-09")
LIST_2024 = ("P-2024", "2024-10")

# Dates of the sources that have one; the product pages are copies without a date (about 2026).
SOURCE_DATES = {
    "L-2026": "2026-01-31",
    "N-2026": "2026-08-22",
    "P-2024": "2024-10-09",
    "P-2025": "2025-09",
    "A-2023": "2023-06",
    "K-GPU": "2026-07-23",
    "B-2026": "2026-09-28",
    "Z-2026": "2026-08-17",
    "W-2026": "2026",
    "O-2021": "2021-07-19",
    "S-PERF": "2021",
    "S-CPFS": "2025-12-05",
    "S-SPOT": "2021",
}
RDMA_KINDS = {"eRDMA": "erdma", "RoCE": "roce", "none": "none"}
# Cards on which RDMA interfaces must be spread: stated beside the RDMA figure or the network figure of the family.
_NICS = re.compile(r"\b\d+ x (\d)\b|\b(\d) (?:physical NICs|dual-port)")


def families(catalog: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Every family entry with the one that describes it: those that only the API shows follow their documented one."""
    described = {entry["family"]: entry for entry in catalog["families"] + catalog["cpu_families"]}
    for part in ("families", "api_only_families", "cpu_families"):
        for entry in catalog[part]:
            yield entry, described.get(entry["family"], entry)


def nics(entry: dict[str, Any]) -> int | None:
    """Network cards that carry RDMA, where a note of the family states them."""
    if entry["rdma"]["kind"] not in ("eRDMA", "RoCE"):
        return None
    notes = [entry["rdma"]["note"] or "", *(note for note in entry["notes"] if note.startswith("network "))]
    match = _NICS.search("; ".join(notes))
    return int(match[1] or match[2]) if match else None


def family_row(entry: dict[str, Any], card: dict[str, Any] | None) -> dict[str, Any]:
    """The row of a family; a card without NVLink leaves PCIe as the only link."""
    link = entry.get("interconnect") or {"kind": "none", "gpu_to_gpu_gbyte_s": None}
    interconnect = instances.interconnect(link["kind"], card)
    rdma = entry["rdma"]
    return {
        "family": entry["family"],
        "bare_metal": entry["virtualization"] == "bare_metal",
        "cpu_arch": entry.get("cpu_arch") or ("arm64" if "arm64" in entry["cpu"] else "x86_64"),
        "interconnect": interconnect,
        "nvlink_gbytes_s": link["gpu_to_gpu_gbyte_s"] if interconnect == "nvlink" else None,
        "rdma": RDMA_KINDS.get(rdma["kind"] or ""),
        "rdma_gbps": rdma["gbps"] or None,
        "rdma_nics": nics(entry),
        "hpc_cluster": bool(rdma.get("hpc_cluster_required")),
        "disk_kinds": entry["disk_categories"],
        "boot_mode": entry.get("boot_mode"),
        "spot": entry.get("spot"),
        "source": entry["sources"],
        "note": "; ".join(entry["notes"]),
    }


def measured(catalog: dict[str, Any]) -> dict[str, int]:
    """MiB that the driver shows of a card or slice: the lowest of a whole-card family, each slice type by itself."""
    lowest: dict[str, int] = {
        row["what"]: int(row["mib"])
        for row in tables.read_table(Path(__file__).with_name("measured_memory.csv"))
        if row["cloud"] == "alicloud"
    }
    for entry, described in families(catalog):
        for kind in entry["types"]:
            shown = re.search(r"(\d+) MiB", kind.get("measured_nvidia_smi") or "")
            if shown:
                what = kind["id"] if described["gpu"]["virtualized"] else entry["family"]
                lowest[what] = min(lowest.get(what, sys.maxsize), int(shown[1]))
    return lowest


def type_row(
    kind: dict[str, Any],
    entry: dict[str, Any],
    described: dict[str, Any],
    card: dict[str, Any] | None,
    lowest: dict[str, int],
) -> dict[str, Any]:
    """The row of one instance type; `gpu_usable_gib` only where it was measured."""
    gpu = described.get("gpu") or {}
    is_slice = bool(gpu.get("virtualized"))
    count = kind.get("gpu_count") or 0
    memory = kind.get("gpu_memory_gb")
    if is_slice:
        count = 1  # the API counts some slices as 0 GPUs
    if count and memory is None and card is not None:
        memory = card["mem_gb"]
    mib = lowest.get(kind["id"]) if is_slice else lowest.get(entry["family"])
    fraction = kind.get("gpu_fraction")
    live = kind["in_live_list_2026_01"]
    return {
        "id": kind["id"],
        "family": entry["family"],
        "status": entry["status"],
        "vcpus": kind["vcpu"],
        "ram_gib": kind["memory_gib"],
        "gpus": count,
        "is_slice": is_slice,
        "gpu_memory_gib": memory,
        "gpu_total_gib": memory * count if memory else None,
        "gpu_usable_gib": mib / 1024 if mib and count else None,
        "slice_fraction": float(Fraction(fraction)) if fraction else None,
        "network_gbps": kind["network_gbps"],
        "local_nvme_gib": kind.get("local_nvme_gib"),
        "disk_iops": kind["disk_iops"],
        "disk_mbps": kind["disk_bw_mbyte_s"],
        "source": sorted({*entry["sources"][:1], *(["L-2026"] if live else [])}),
        "date": SOURCE_DATES["L-2026"] if live else None,
    }


def offers(catalog: dict[str, Any], prices: dict[str, dict[str, str]]) -> Iterator[dict[str, Any]]:
    """One row per type and region: the list of 2025-09, else that of 2024-10, else seen there without a price."""
    for entry, _ in families(catalog):
        for kind in entry["types"]:
            older = kind["price_cny_hour_2024_10"] or {}
            newer = {region: rows[kind["id"]] for region, rows in prices.items() if kind["id"] in rows}
            seen = entry.get("regions_seen_2026") or []
            for region in sorted({*older, *newer, *seen}):
                row = {"region": region, "instance_type": kind["id"], "currency": "CNY"}
                zones = [zone for zone in entry.get("zones") or [] if zone.startswith(region)]
                row["zone"] = zones[0] if len(zones) == 1 else ""
                if float(newer.get(region, 0)) > 0:
                    row |= {"price": newer[region], "source": LIST_2025[0], "date": LIST_2025[1]}
                elif older.get(region):
                    row |= {"price": older[region], "source": LIST_2024[0], "date": LIST_2024[1]}
                else:
                    source = LIST_2025[0] if region in newer else entry["sources"][-1]
                    row |= {"currency": "", "source": source, "date": SOURCE_DATES[source]}
                yield row


def other_types(
    catalog: dict[str, Any], prices: dict[str, dict[str, str]], known: set[str]
) -> Iterator[dict[str, Any]]:
    """Types that exist but are not described here: only that they exist, and where a list prices them."""
    listed: dict[str, list[str]] = {name: [] for name in catalog["excluded_from_catalog"]["ids"]}
    for region, rows in prices.items():
        for name in rows:
            listed.setdefault(name, []).append(region)
    for name, regions in listed.items():
        if name not in known:
            source = LIST_2025[0] if regions else "L-2026"
            yield {"id": name, "regions": sorted(regions), "source": source, "date": SOURCE_DATES[source]}


# Sources of our own reading, beside those of the gathered catalog.
MORE_SOURCES = {
    "S-EXTREME": ("alibabacloud.com/help/en/nas/latest/extreme-nas-file-system", "2024-04-09"),
    "S-NASLIM": ("alibabacloud.com/help/doc-detail/122195.htm, limits of NAS", "2025-02-24"),
    "S-CPFSNFS": ("help.aliyun.com, CPFS-NFS client, performance table", "2026-02"),
    "S-OSS": ("help.aliyun.com/zh/oss/user-guide, storage classes", ""),
}


def source_rows(catalog: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Key, title and date of every source."""
    for key, title in catalog["sources"].items():
        yield {"key": key, "title": instances.source_title(title), "date": SOURCE_DATES.get(key, "")}
    for key, (title, date) in MORE_SOURCES.items():
        yield {"key": key, "title": title, "date": date}


def main(shared: Path) -> None:
    """Write the tables of instance types and offers, then those of storage."""
    catalog = tables.read_yaml(shared / "catalog" / "alicloud.yaml")
    prices = json.loads((shared / "prices" / "alicloud-2025-09.json").read_text(encoding="utf-8"), parse_float=str)
    gpus = {gpu["name"]: gpu for gpu in tables.read_yaml(shared / "sizing-validation.yaml")["gpus"]}
    with_gpu = (entry["family"] for entry, described in families(catalog) if "gpu" in described)
    cards = tables.check_families(with_gpu, FOLDER / "card_families.csv")
    card = {name: gpus[row["gpu"]] for name, row in cards.items() if row["gpu"]}
    described = {row["family"]: row for _, row in families(catalog)}
    rows = list(offers(catalog, prices))
    instances.check_regions(FOLDER, rows)
    lowest = measured(catalog)
    types = [type_row(kind, e, d, card.get(e["family"]), lowest) for e, d in families(catalog) for kind in e["types"]]
    known = {row["id"] for row in types}

    write = tables.write_table
    write(FOLDER / "sources.csv", instances.SOURCE_COLUMNS, source_rows(catalog))
    write(
        FOLDER / "families.csv",
        instances.FAMILY_COLUMNS,
        [family_row(e, card.get(name)) for name, e in described.items()],
    )
    write(FOLDER / "instance_types.csv", instances.TYPE_COLUMNS, types)
    write(FOLDER / "offers.csv", instances.OFFER_COLUMNS, rows)
    write(FOLDER / "other_types.csv", instances.OTHER_COLUMNS, other_types(catalog, prices, known))
    hints = instances.hint_rows(tables.read_yaml(shared / "prices" / "prices.yaml"), "alicloud", known)
    write(FOLDER / "price_hints.csv", instances.HINT_COLUMNS, hints)
    alicloud_storage.main(shared)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
