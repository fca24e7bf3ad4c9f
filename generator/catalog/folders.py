"""Where a cloud's catalog tables lie: in the package, or in the folder that a person keeps refreshed ones in."""

from __future__ import annotations

import os
from pathlib import Path

from generator.clouds import CLOUDS
from generator.errors import InputError, Problem

# Names the folder that holds `CLOUD/*.csv`, as `trainform catalog refresh --into` writes it.
VARIABLE = "TRAINFORM_CATALOG"
# A folder of refreshed tables holds all of these, so that what was read together stays together.
TABLES = (
    "bucket_classes", "card_families", "disks", "families", "file_systems", "instance_types", "lint_exceptions",
    "offers", "other_types", "price_hints", "regions", "sources", "statuses", "storage_prices",
)  # fmt: skip


def own_catalog() -> Path | None:
    """The folder that TRAINFORM_CATALOG names; None where it is not set."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def tables_folder(cloud_id: str) -> Path:
    """The folder of this cloud's tables: refreshed ones where there are, else the package's.

    KeyError when there is no such cloud, InputError when TRAINFORM_CATALOG names no folder.
    """
    shipped = CLOUDS / cloud_id
    if not (shipped / "instance_types.csv").exists():
        raise KeyError(cloud_id)
    own = own_catalog()
    if own is None:
        return shipped
    if not own.is_dir():
        hint = f"`trainform catalog refresh --cloud {cloud_id} --into {own}` writes it; or unset {VARIABLE}"
        raise InputError(Problem(message=f"{VARIABLE} names {str(own)!r}, which is no folder", hint=hint))
    refreshed = own / cloud_id
    return refreshed if (refreshed / "instance_types.csv").exists() else shipped
