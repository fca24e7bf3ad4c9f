"""Selections for tests: a spec by its values, chosen from the catalog or from an edited copy of it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from generator.catalog import Catalog, Offer, Price, load_catalog
from generator.selection import Selection, select
from generator.selection.candidate import Candidate, Rejection
from generator.spec import Spec
from generator.workload import derive
from tests.spec_files import load

# A small fine-tuning job that many cards can run; tests set what they are about.
JOB: dict[str, Any] = {
    "name": "job",
    "workload": {
        "task": "finetune",
        "model": "qwen2.5-7b",
        "method": "qlora",
        "sequence_length": 1024,
        "samples": 20000,
    },
    "data": {"size": "2GiB", "samples": 20000, "source": "oss://data/set"},
    "where": {"clouds": ["alicloud"]},
}


def spec_of(tmp_path: Path, values: dict[str, Any], base: dict[str, Any] | None = None) -> Spec:
    """The job with values set at dotted paths, as it loads."""
    return load(tmp_path, values, JOB if base is None else base)


def selected(
    tmp_path: Path,
    values: dict[str, Any] | None = None,
    *catalogs: Catalog,
    base: dict[str, Any] | None = None,
) -> Selection:
    """The selection of the job with values set; from Alibaba Cloud's catalog unless others are given."""
    spec = spec_of(tmp_path, values or {}, base)
    return select(spec, derive(spec), catalogs or (load_catalog("alicloud"),))


def candidates(selection: Selection) -> tuple[Candidate, ...]:
    """The chosen one and all runners-up, in order."""
    return (selection.chosen, *selection.runners_up) if selection.chosen else ()


def chosen(selection: Selection) -> Candidate:
    """The chosen candidate; a failure names the reasons when there is none."""
    assert selection.chosen is not None, [(row.instance_type, row.reason, row.message) for row in selection.rejected]
    return selection.chosen


def rejection(selection: Selection, instance_type: str) -> Rejection:
    """The first rejection of a type."""
    return next(row for row in selection.rejected if row.instance_type == instance_type)


def with_offers(change: Callable[[Offer], Offer | None], cloud: str = "alicloud") -> Catalog:
    """The catalog with each offer changed, or dropped where the change gives None."""
    catalog = load_catalog(cloud)
    offers = tuple(changed for offer in catalog.offers if (changed := change(offer)) is not None)
    return msgspec.structs.replace(catalog, offers=offers)


def priced(offer: Offer, amount: str | None, currency: str = "CNY") -> Offer:
    """The offer at another price; None is unpriced."""
    price = None if amount is None else Price(amount=Decimal(amount), currency=currency, date="2026-11", source="test")
    return msgspec.structs.replace(offer, price=price)
