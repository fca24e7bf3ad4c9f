"""Brings the providers' published schemas into `facts/<cloud>/schema.csv`.

Run as `python -m tests.pretend_cloud.import_facts PATH`; PATH holds `<cloud>.yaml`, one entry a resource type with the
inputs that are required. Only the types of `facts/<cloud>/resources.csv` are kept.
"""

import csv
import sys
from pathlib import Path

import yaml

from tests.pretend_cloud.facts import FACTS, rows

COLUMNS = ("type", "required", "deprecated", "source")


def import_facts(cloud: str, folder: Path) -> None:
    """Write the table of one cloud; types that the schema does not tell of are left out."""
    told = yaml.safe_load((folder / f"{cloud}.yaml").read_text(encoding="utf-8"))
    source = f"{told['provider']} provider schema {told['version']}"
    with (FACTS / cloud / "schema.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for kind in sorted(row["type"] for row in rows(cloud, "resources")):
            facts = told["resources"].get(kind)
            if facts is not None:
                table.writerow([kind, *("; ".join(facts.get(column, ())) for column in COLUMNS[1:3]), source])


if __name__ == "__main__":
    for known in sorted(path.name for path in FACTS.iterdir() if path.is_dir()):
        if (Path(sys.argv[1]) / f"{known}.yaml").exists():
            import_facts(known, Path(sys.argv[1]))
