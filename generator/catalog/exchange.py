"""Refreshes the tables of one cloud on disk: reads, merges, lints, and only then puts all of them in place at once."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from generator.catalog import read_catalog
from generator.catalog.folders import VARIABLE, own_catalog, tables_folder
from generator.catalog.invariants import judge, problems, read_exceptions
from generator.catalog.listing import Ask, Listing, Reading
from generator.catalog.offers import Region
from generator.catalog.refresh import Table, merge, read_tables, table_texts
from generator.catalog.refresh_changes import Changes, compare
from generator.clouds import CLOUDS, catalogued_clouds, find_cloud
from generator.errors import InputError, Place, Problem
from generator.spelling import did_you_mean
from generator.stack.templating import StackFile
from generator.stack.writer import exchange


class Refreshed(msgspec.Struct, frozen=True, kw_only=True):
    """What a refresh found: the folder of the tables, what changes there, what the API does not tell."""

    folder: Path
    changes: Changes
    notes: tuple[str, ...]
    texts: dict[str, str]

    def write(self) -> None:
        """Puts the new tables in place, all in one step; whatever else lies in the folder stays."""
        exchange([StackFile(name=name, text=text) for name, text in self.texts.items()], self.folder)


def find_reading(cloud_id: str) -> Reading:
    """How the API of this cloud is read; InputError for a cloud that is none, and where its SDK is not installed."""
    if cloud_id not in catalogued_clouds():
        hint = did_you_mean(cloud_id, catalogued_clouds()) or f"one of {', '.join(catalogued_clouds())}"
        raise InputError(Problem(message=f"{cloud_id!r} is not a cloud", hint=hint))
    reading: Reading = importlib.import_module(f"generator.clouds.{cloud_id}.refresh").READING
    missing = [name for name in reading.modules if importlib.util.find_spec(name) is None]
    if missing:
        message = f"the SDK that reads {cloud_id} is not installed: no module {', '.join(missing)}"
        raise InputError(Problem(message=message, hint="pip install 'trainform[refresh]'"))
    return reading


def check_currency(cloud_id: str, reading: Reading, currency: str | None) -> None:
    """InputError for a currency that the cloud does not bill in, and for one where the API says it itself."""
    billed = tuple(dict.fromkeys((find_cloud(cloud_id).currency, "USD")))
    if currency is not None and reading.names_currency:
        raise InputError(
            Problem(message=f"the API of {cloud_id} names the currency itself", hint="leave out --currency")
        )
    if currency is not None and currency not in billed:
        hint = f"one of {', '.join(billed)}"
        raise InputError(Problem(message=f"{currency!r} is no currency that {cloud_id} bills in", hint=hint))


def target_folder(cloud_id: str, into: Path | None) -> Path:
    """Where the refreshed tables go: `--into`, else TRAINFORM_CATALOG, else the package; InputError if not writable."""
    chosen = into or own_catalog()
    folder = (chosen or CLOUDS) / cloud_id
    standing = folder if folder.exists() else next((one for one in folder.parents if one.exists()), Path("/"))
    if not standing.is_dir():
        raise InputError(Problem(message="is no folder", where=Place(file=str(standing))))
    around = [standing, folder.parent] if folder.exists() else [standing]
    if not all(os.access(one, os.W_OK) for one in around):
        hint = f"name a folder of yours with --into DIR, and let {VARIABLE}=DIR be set for every command"
        raise InputError(Problem(message="cannot be written", where=Place(file=str(folder)), hint=hint))
    return folder


def check_regions(cloud_id: str, named: tuple[str, ...], known: tuple[Region, ...]) -> tuple[str, ...]:
    """The regions to read, all that the catalog has when none is named; InputError for one that it has not."""
    ids = [region.id for region in known]
    strange = [name for name in named if name not in ids]
    if strange:
        raise InputError(
            *(
                Problem(message=f"{name!r} is not a region of {cloud_id}", hint=did_you_mean(name, ids))
                for name in strange
            )
        )
    return tuple(dict.fromkeys(named)) or tuple(ids)


def refresh(
    cloud_id: str,
    *,
    regions: tuple[str, ...],
    into: Path | None,
    endpoint: str | None,
    currency: str | None,
    day: str,
    tell: Callable[[str], None],
) -> Refreshed:
    """Reads the API of a cloud and makes the new tables, which hold the catalog's invariants; writes nothing.

    InputError when a call fails to the end, when a region lost all its types, and when an invariant is broken.
    """
    reading = find_reading(cloud_id)
    check_currency(cloud_id, reading, currency)
    folder = target_folder(cloud_id, into)
    present = folder if (folder / "instance_types.csv").exists() else tables_folder(cloud_id)
    catalog = read_catalog(present, cloud_id)
    asked = check_regions(cloud_id, regions, catalog.regions)
    families = frozenset(kind.family for kind in catalog.types)
    ask = Ask(regions=asked, families=families, endpoint=endpoint, currency=currency, tell=tell)
    with _unlogged():
        listing = reading.read(ask)
    _check_listing(listing, asked)
    old = read_tables(present)
    new = _checked(merge(old, listing, reading, day), cloud_id, folder)
    return Refreshed(folder=folder, changes=compare(old, new, day), notes=listing.notes, texts=table_texts(new))


@contextlib.contextmanager
def _unlogged() -> Iterator[None]:
    """Keeps the SDKs from logging requests and answers, which may hold what is secret; failures are told by `call`."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _check_listing(listing: Listing, asked: tuple[str, ...]) -> None:
    """An answer without any type is one that these credentials may not see, not a region without machines."""
    sold = {offer.region for offer in listing.offers}
    empty = [region for region in asked if region not in sold]
    if empty:
        hint = "see that the account may use the region and read its types, or leave it out with --region"
        raise InputError(
            *(
                Problem(message=f"{region}: the API lists no type for sale; nothing was changed", hint=hint)
                for region in empty
            )
        )


def _checked(tables: dict[str, Table], cloud_id: str, folder: Path) -> dict[str, Table]:
    """The tables without the exceptions that nothing needs any more; InputError when they break an invariant."""
    with tempfile.TemporaryDirectory() as name:
        staged = Path(name)
        for file, text in table_texts(tables).items():
            (staged / file).write_text(text, encoding="utf-8", newline="")
        try:
            catalog = read_catalog(staged, cloud_id)
        except (msgspec.ValidationError, KeyError, ValueError, ArithmeticError):
            message = "the API's answer does not fit the tables; nothing was changed"
            raise InputError(Problem(message=message)) from None
        exceptions = tables.get("lint_exceptions")
        if exceptions is not None:
            _, used = judge(catalog, read_exceptions(staged / "lint_exceptions.csv"))
            rows = tuple(
                row for row in exceptions.rows if (row["invariant"], row["instance_type"], row["region"]) in used
            )
            tables["lint_exceptions"] = exceptions.with_rows(rows)
            (staged / "lint_exceptions.csv").write_text(
                table_texts(tables)["lint_exceptions.csv"], encoding="utf-8", newline=""
            )
        found = problems(catalog, staged)
    if found:
        exceptions_file = folder / "lint_exceptions.csv"
        hint = f"the catalog stays as it was; where the cloud really lists it so, say why in {exceptions_file}"
        raise InputError(*found, Problem(message="the lint refuses what the API lists", hint=hint))
    return tables
