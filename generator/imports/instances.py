"""Columns of the tables of instance types and offers, and what the clouds' imports of them have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from generator.imports import storage, tables

FAMILY_COLUMNS = (
    "family", "bare_metal", "cpu_arch", "interconnect", "nvlink_gbytes_s", "rdma", "rdma_gbps", "rdma_nics",
    "hpc_cluster", "disk_kinds", "boot_mode", "spot", "source", "note",
)  # fmt: skip
TYPE_COLUMNS = (
    "id", "family", "status", "vcpus", "ram_gib", "gpus", "is_slice", "gpu_memory_gib", "gpu_total_gib",
    "gpu_usable_gib", "slice_fraction", "network_gbps", "local_nvme_gib", "disk_iops", "disk_mbps", "source", "date",
)  # fmt: skip
OFFER_COLUMNS = ("region", "zone", "instance_type", "price", "currency", "date", "source")
OTHER_COLUMNS = ("id", "regions", "source", "date")
SOURCE_COLUMNS = ("key", "title", "date")
HINT_COLUMNS = ("instance_type", "charge", "amount", "currency", "per", "date", "source", "note")

GB_IN_GIB = 1e9 / 2**30
_COPY = re.compile(
    r"; stored cop(?:y|ies)\b|^stored cop(?:y|ies)(?:, address(?:es)? not recorded)?: |\(stored version \w+\) ?"
)


def source_title(title: str) -> str:
    """What a source is, without how its copy was kept."""
    return _COPY.sub("", title).replace("PyPI ", "Python package ").strip()


def check_regions(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """SystemExit when an offer names a region or zone that the hand-kept `regions.csv` lacks."""
    regions = {row["id"]: row["zones"].split() for row in tables.read_table(folder / "regions.csv")}
    lacking = {
        f"{row['region']} {row.get('zone') or ''}".strip()
        for row in rows
        if row["region"] not in regions or (row.get("zone") and row["zone"] not in regions[row["region"]])
    }
    if lacking:
        raise SystemExit(f"regions.csv lacks {', '.join(sorted(lacking))}")


def interconnect(kind: str | None, card: Mapping[str, Any] | None) -> str | None:
    """How the cards of a node are linked; a card without NVLink leaves PCIe as the only link."""
    if kind is None:
        return "pcie" if card is not None and card.get("nvlink_bidir_gbs") == 0 else None
    return {"nvlink": "nvlink", "nvswitch": "nvlink", "none": "none", "hccs": "nvlink"}.get(
        kind.split("_")[0].lower(), "pcie"
    )


def local_nvme_gib(text: str | None) -> float:
    """GiB of local NVMe from a text such as `4 x 3200 NVMe + 1 x 480 SATA`, sizes in GB."""
    found = re.findall(r"(\d+) x (\d+) NVMe", text or "")
    return round(sum(int(count) * int(size) for count, size in found) * GB_IN_GIB)


def hint_rows(rows: Iterable[Mapping[str, Any]], cloud: str, known: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Prices of a known type without a region: they hold nowhere, but a person may want to see them."""
    names = set(known)
    for row in rows:
        wanted = row["cloud"] == cloud and row["kind"] == "instance" and row["region"] is None and row["id"] in names
        if wanted and row["per"] in ("hour", "month", "year"):
            yield {**row, "instance_type": row["id"], "source": storage.source(row["source"])}
