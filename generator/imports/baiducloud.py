"""Baidu AI Cloud: from the gathered catalog and price rows to the tables of `generator/clouds/baiducloud/`.

Run `python -m generator.imports.baiducloud PATH_TO_SHARED_DATA`. Kept by hand beside the written tables are
`card_families.csv` and `statuses.csv`. No source says where a type is sold, so that there is no offer: a person's own
prices (an overlay) open types and regions.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from generator.clouds import CLOUDS
from generator.imports import baiducloud_storage, instances, tables

FOLDER = CLOUDS / "baiducloud"
TITLES = {
    "bj": ("Beijing", True),
    "bd": ("Baoding", True),
    "gz": ("Guangzhou", True),
    "su": ("Suzhou", True),
    "fsh": ("Shanghai (finance)", True),
    "fwh": ("Wuhan (finance)", True),
    "hkg": ("Hong Kong", False),
    "sin": ("Singapore", False),
    "cd": ("Chengdu", True),
    "yq": ("Yangquan", True),
}


def split(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """A family as entries of one card each: lgn1 sells P4 and P40."""
    name = entry["family"].partition(" ")[0]
    cards = {kind.get("gpu_model") for kind in entry["types"]}
    if len(cards) <= 1:
        return [entry | {"family": name}]
    return [
        entry
        | {
            "family": f"{name}.{card.rpartition(' ')[2].lower()}",
            "types": [kind for kind in entry["types"] if kind["gpu_model"] == card],
        }
        for card in sorted(cards)
    ]


def rdma_of(entry: dict[str, Any]) -> tuple[str | None, int | None]:
    """Kind and number of RDMA cards of a family, from its types first."""
    for kind in entry["types"]:
        if kind.get("rdma"):
            return kind["rdma"]["kind"], kind["rdma"]["nics"]
    words = (entry.get("rdma") or {}).get("kind") or ""
    return next((name for name in ("infiniband", "roce") if name in words.lower()), None), None


def family_row(entry: dict[str, Any], card: dict[str, Any] | None) -> dict[str, Any]:
    """The row of a family; all processors of these examples are x86."""
    link = entry.get("interconnect")
    rdma, nics = rdma_of(entry)
    return {
        "family": entry["family"],
        "bare_metal": entry["virtualization"].startswith("bare_metal"),
        "cpu_arch": "x86_64",
        "interconnect": instances.interconnect(link["kind"], card) if link else "none",
        "rdma": rdma,
        "rdma_nics": nics,
        # RoCE servers of the ehc kind live in an EHC cluster; without one named, the zone's default cluster takes them
        "hpc_cluster": False,
        "spot": entry["spot"],
        "source": entry["sources"],
        "note": "; ".join(entry.get("notes", ())),
    }


def type_row(
    kind: dict[str, Any], entry: dict[str, Any], card: dict[str, Any] | None, dates: dict[str, str]
) -> dict[str, Any]:
    """The row of one spec; sizes of local disks are not known."""
    count = kind.get("gpu_count") or 0
    memory = kind.get("gpu_memory_gb") or (card["mem_gb"] if card and count else None)
    source = kind["src"][0]
    return {
        "id": kind["id"],
        "family": entry["family"],
        "status": entry["status"],
        "vcpus": kind["vcpu"],
        "ram_gib": kind["memory_gib"],
        "gpus": count,
        "is_slice": False,
        "gpu_memory_gib": memory if count else None,
        "gpu_total_gib": memory * count if memory and count else None,
        "network_gbps": kind["network_gbps"],
        "source": source,
        "date": dates.get(source),
    }


def main(shared: Path) -> None:
    """Write the tables of instance types and regions, then those of storage."""
    catalog = tables.read_yaml(shared / "catalog" / "baiducloud.yaml")
    gpus = {gpu["name"]: gpu for gpu in tables.read_yaml(shared / "sizing-validation.yaml")["gpus"]}
    entries = [part for entry in catalog["families"] + catalog["cpu_families"] for part in split(entry)]
    kept = {entry["family"]: [kind for kind in entry["types"] if kind["vcpu"] is not None] for entry in entries}
    entries = [entry for entry in entries if kept[entry["family"]]]
    cards = tables.check_families([e["family"] for e in entries if "gpu" in e], FOLDER / "card_families.csv")
    card = {name: gpus[row["gpu"]] for name, row in cards.items() if row["gpu"]}
    dates = {key: str(source["date"] or "") for key, source in catalog["sources"].items()}
    types = [type_row(kind, e, card.get(e["family"]), dates) for e in entries for kind in kept[e["family"]]]
    known = {row["id"] for row in types}
    others = [
        {"id": kind["id"], "regions": [], "source": kind["src"][0], "date": dates[kind["src"][0]]}
        for entry in catalog["cpu_families"] + [catalog["bbc_flavors"]]
        for kind in entry["types"]
        if kind["id"] not in known
    ]
    sources = [
        {
            "key": key,
            "title": "; ".join(str(s[part]) for part in ("title", "repo", "path", "pypi", "url") if s.get(part)),
            "date": dates[key],
        }
        for key, s in catalog["sources"].items()
    ]
    sources.append({"key": "bd-bos", "title": "cloud.baidu.com/doc/BOS, storage classes"})
    regions = [{"id": k, "title": title, "mainland": home, "source": "bd-tf"} for k, (title, home) in TITLES.items()]

    write = tables.write_table
    write(FOLDER / "sources.csv", instances.SOURCE_COLUMNS, sources)
    write(FOLDER / "regions.csv", ("id", "title", "mainland", "zones", "source"), regions)
    write(FOLDER / "families.csv", instances.FAMILY_COLUMNS, [family_row(e, card.get(e["family"])) for e in entries])
    write(FOLDER / "instance_types.csv", instances.TYPE_COLUMNS, types)
    write(FOLDER / "offers.csv", instances.OFFER_COLUMNS, ())
    write(FOLDER / "other_types.csv", instances.OTHER_COLUMNS, others)
    baiducloud_storage.main(shared)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
