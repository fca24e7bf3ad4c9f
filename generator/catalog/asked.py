"""The catalogs that a spec asks for: its clouds, or all that are built, with the user's own prices over them."""

from __future__ import annotations

from generator.catalog import Catalog, load_catalog
from generator.clouds import cloud_ids
from generator.spec import Spec


def load_asked(spec: Spec) -> tuple[Catalog, ...]:
    """One catalog a cloud, by id. Raises InputError when the prices file is wrong."""
    catalogs = [load_catalog(cloud) for cloud in sorted(spec.where.clouds or cloud_ids())]
    if spec.prices is None:
        return tuple(catalogs)
    from generator.catalog.overlay import apply_overlay  # noqa: PLC0415 - few specs have one

    path = spec.source.folder / spec.prices
    return tuple(apply_overlay(catalog, path) for catalog in catalogs)
