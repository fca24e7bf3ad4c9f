"""Which change of an input makes a resource anew, from the providers' published schemas.

    python -m generator.imports.replacements PATH

PATH holds `provider-facts/<cloud>.yaml`. Written: `clouds/<cloud>/replacements.csv` of the clouds whose schema tells
what forces a replacement. Those of the others (Huawei Cloud publishes no schema, that of Baidu AI Cloud is silent) are
typed by hand from the providers' documentation and from what was provoked, and are left alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

from generator.clouds import CLOUDS
from generator.imports.tables import read_yaml, write_table

COLUMNS = ("type", "replaces", "updates", "otherwise", "source")


def import_cloud(told: Path) -> None:
    """Write the table of the cloud that a file of facts is named after, if it tells of any replacement."""
    document = read_yaml(told)
    source = f"{document['provider']} provider schema {document['version']}"
    resources = document["resources"]
    if not any(facts.get("replace") for facts in resources.values()):
        return
    rows = [
        {"type": kind, "replaces": "; ".join(facts.get("replace", ())), "otherwise": "update", "source": source}
        for kind, facts in resources.items()
    ]
    write_table(CLOUDS / told.stem / "replacements.csv", COLUMNS, rows)


if __name__ == "__main__":
    for file in sorted(Path(sys.argv[1], "provider-facts").glob("*.yaml")):
        import_cloud(file)
