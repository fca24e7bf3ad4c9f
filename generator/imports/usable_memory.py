"""The lowest memory figure that the driver shows of each card, to `generator/sizing/usable_memory.csv`.

Run `python -m generator.imports.usable_memory PATH_TO_SHARED_DATA`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from generator.clouds import CLOUDS
from generator.imports import alicloud, tables

TARGET = CLOUDS.parent / "sizing" / "usable_memory.csv"

# Cards that no Alibaba Cloud family shows: what nvidia-smi printed in public reports, read 2026-11-30; and cards that
# are the same chip with a slower link as one that was measured.
OTHER_CARDS = (
    ("H20-96", 97871, "nvidia-smi in public reports", "2026-11-30"),
    ("H100-SXM-80", 81559, "nvidia-smi in public reports", "2026-11-30"),
    ("H800-SXM", 81559, "nvidia-smi in public reports", "2026-11-30"),
    ("L40S", 46068, "nvidia-smi in public reports", "2026-11-30"),
    ("A40", 46068, "nvidia-smi in public reports", "2026-11-30"),
    ("L4", 23034, "nvidia-smi in public reports", "2026-11-30"),
    ("H100-PCIE-80", 81559, "nvidia-smi in public reports", "2026-11-30"),
    ("H200-SXM-141", 143771, "nvidia-smi in public reports", "2026-11-30"),
    ("A6000", 49140, "nvidia-smi in public reports", "2026-11-30"),
    ("RTX3090", 24268, "nvidia-smi in public reports", "2026-11-30"),
    ("RTX4090", 24564, "nvidia-smi in public reports", "2026-11-30"),
    ("A800-SXM-80", 81251, "as A100-SXM-80: the same chip and memory", "2026-07-23"),
    ("A800-PCIE-80", 81251, "as A100-SXM-80: the same chip and memory", "2026-07-23"),
    ("A100-PCIE-80", 81251, "as A100-SXM-80: the same chip and memory", "2026-07-23"),
    ("A100-PCIE-40", 40537, "as A100-SXM-40: the same chip and memory", "2026-07-23"),
    ("A800-PCIE-40", 40537, "as A100-SXM-40: the same chip and memory", "2026-07-23"),
    ("V100-PCIE-16", 16160, "as V100-SXM-16: the same chip and memory", "2026-07-23"),
    ("V100-PCIE-32", 32510, "as V100-SXM-32: the same chip and memory", "2026-07-23"),
)


def main(shared: Path) -> None:
    """Write one row per card: the lowest figure, who printed it, when."""
    cards = {row["family"]: row["gpu"] for row in tables.read_table(alicloud.FOLDER / "card_families.csv")}
    types = tables.read_table(alicloud.FOLDER / "instance_types.csv")
    slices = {row["family"] for row in types if row["is_slice"] == "yes"}
    catalog = tables.read_yaml(shared / "catalog" / "alicloud.yaml")
    rows: dict[str, dict[str, object]] = {}
    for family, mib in alicloud.measured(catalog).items():
        gpu = cards.get(family)
        if gpu and family not in slices and mib < int(str(rows.get(gpu, {"mib": sys.maxsize})["mib"])):
            rows[gpu] = {"gpu": gpu, "mib": mib, "source": f"driver on {family}", "date": "2026"}
    for gpu, mib, source, date in OTHER_CARDS:
        rows[gpu] = {"gpu": gpu, "mib": mib, "source": source, "date": date}
    tables.write_table(TARGET, ("gpu", "mib", "source", "date"), rows.values())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
