"""Dates of lists and their age, by which commands judge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.catalog import load_catalog
from generator.clouds import cloud_ids
from generator.dates import age_years, last_day, old_text


@pytest.mark.parametrize(
    ("dated", "last"),
    [("2024", "2024-12-31"), ("2024-02", "2024-02-29"), ("2025-12", "2025-12-31"), ("2025-09-27",) * 2],
)
def test_the_last_day_of_a_date_counts(dated: str, last: str) -> None:
    """A list of a month may be of its last day, so that none is called older than it can be."""
    assert last_day(dated).isoformat() == last


def test_a_list_is_old_after_a_year() -> None:
    """Up to a year nothing is said; after it the years, to one decimal; an undated list has no age."""
    assert old_text("2025-12", "2026-12-01") == ""
    assert old_text("2025-11", "2026-12-01") == ", 1.0 years old"
    assert old_text("2022-05-20", "2026-12-01") == ", 4.5 years old"
    assert old_text(None, "2026-12-01") == ""


@given(st.dates(), st.dates())
def test_age_never_falls_with_time(one: object, other: object) -> None:
    """The later the day, the older the list; a list of the future has no age."""
    first, second = sorted((str(one), str(other)))
    assert age_years(second, first) == 0
    assert age_years("2020-01", first) <= age_years("2020-01", second)


@pytest.mark.parametrize("cloud", cloud_ids())
def test_every_price_list_has_a_date_that_can_be_read(cloud: str) -> None:
    """Each dated price of a catalog tells its age."""
    catalog = load_catalog(cloud)
    dates = {offer.price.date for offer in catalog.offers if offer.price} | {
        row.price.date for row in catalog.storage_prices
    }
    assert all(age_years(dated, "2030-01-01") > 0 for dated in dates if dated)
