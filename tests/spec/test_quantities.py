"""Amounts with units: what is read, what is refused, and that reading turns writing round."""

import contextlib
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.spec import quantities
from generator.spec.quantities import QuantityError, Range

PARSERS = (
    quantities.parse_size,
    quantities.parse_duration,
    quantities.parse_count,
    quantities.parse_number,
    quantities.parse_money,
    quantities.parse_count_range,
    quantities.parse_size_range,
    quantities.parse_least_count,
    quantities.parse_least_size,
    quantities.parse_timetable,
)
WHOLE = st.integers(0, 10**12)
DECIMALS = st.decimals(0, 10**9, places=3)


@given(number=DECIMALS, unit=st.sampled_from(sorted(quantities.BYTES)))
def test_a_size_is_its_number_times_its_unit(number: Decimal, unit: str) -> None:
    """Any decimal and unit gives the bytes that they mean, in GiB."""
    exact = Fraction(number) * quantities.BYTES[unit] / 2**30
    assert quantities.parse_size(f"{number:f}{unit}") == pytest.approx(float(exact), rel=1e-12)


@given(number=DECIMALS, unit=st.sampled_from(sorted(quantities.SECONDS)))
def test_a_duration_is_its_number_times_its_unit(number: Decimal, unit: str) -> None:
    """Any decimal and unit gives the seconds that they mean; minutes and hours are shares of them."""
    text = f"{number:f}{unit}"
    seconds = quantities.parse_duration(text)
    assert seconds == pytest.approx(float(number) * quantities.SECONDS[unit], rel=1e-12)
    assert quantities.parse_minutes(text) == seconds / 60
    assert quantities.parse_hours(text) == seconds / 3600


@given(number=WHOLE)
def test_a_count_is_read_however_it_is_written(number: int) -> None:
    """Plain, with thousands set off, and in thousands: the same number."""
    assert quantities.parse_count(str(number)) == number
    assert quantities.parse_count(f"{number:_}") == number
    assert quantities.parse_count(f"{number:,}") == number
    assert quantities.parse_count(f"{number}K") == 1000 * number


@given(seconds=st.integers(1, 10**8))
def test_a_duration_that_is_written_reads_back(seconds: int) -> None:
    """`format_duration` loses nothing of whole seconds."""
    assert quantities.parse_duration(quantities.format_duration(seconds)) == seconds


@given(number=st.integers(1, 999), unit=st.sampled_from(sorted(quantities.COUNTS)))
def test_a_round_count_that_is_written_reads_back(number: int, unit: str) -> None:
    """`format_count` keeps three digits."""
    count = number * quantities.COUNTS[unit]
    assert quantities.parse_count(quantities.format_count(count)) == count


@given(amount=DECIMALS, currency=st.sampled_from(quantities.CURRENCIES))
def test_money_keeps_its_digits(amount: Decimal, currency: str) -> None:
    """Money is decimal: what was written is what is counted."""
    money = quantities.parse_money(f"{amount:f} {currency}")
    assert (money.amount, money.currency) == (amount, currency)


@given(one=st.integers(1, 10**6), two=st.integers(1, 10**6))
def test_a_range_holds_its_ends(one: int, two: int) -> None:
    """`a..b` is from a to b when a is not above b; `>=`, `<=` and a plain number are the other forms."""
    low, high = sorted((one, two))
    assert quantities.parse_count_range(f"{low}..{high}") == Range(low=low, high=high)
    assert quantities.parse_count_range(f">={low}") == Range(low=low)
    assert quantities.parse_count_range(f"<= {high}") == Range(high=high)
    assert quantities.parse_count_range(str(low)) == Range(low=low, high=low)
    assume(low < high)
    with pytest.raises(QuantityError, match="begins above its end"):
        quantities.parse_count_range(f"{high}..{low}")


@given(text=st.text(max_size=30), parse=st.sampled_from(PARSERS))
def test_no_text_makes_a_parser_stumble(text: str, parse: object) -> None:
    """Every text is either an amount or a QuantityError."""
    with contextlib.suppress(QuantityError):
        parse(text)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("parse", "text", "message", "hint"),
    [
        (quantities.parse_size, "180", "has no unit", "GiB"),
        (quantities.parse_size, "180G", "'G' is not a unit of a size", "GiB"),
        (quantities.parse_size, "180gib", "'gib' is not a unit", "did you mean '180GiB'?"),
        (quantities.parse_size, "-1GiB", "is negative", "180GiB"),
        (quantities.parse_size, "20min", "'min' is not a unit of a size", "TiB"),
        (quantities.parse_duration, "20", "has no unit", "min"),
        (quantities.parse_duration, "20 minutes", "'minutes' is not a unit", "min"),
        (quantities.parse_duration, "1:30", "is not a duration", "20min"),
        (quantities.parse_count, "010", "is not a count", "1.2M"),
        (quantities.parse_count, "0x10", "is not a count", "1.2M"),
        (quantities.parse_count, "1.5", "is not a whole number", "1.2M"),
        (quantities.parse_count, "2billion", "'billion' is not a unit", "K, M, B, T"),
        (quantities.parse_number, "0.5x", "is not a number", "without a unit"),
        (quantities.parse_number, "nan", "is not a number", "0.5"),
        (quantities.parse_number, "inf", "is not a number", "0.5"),
        (quantities.parse_money, "5000", "has no currency", "5000 CNY"),
        (quantities.parse_money, "5000 EUR", "'EUR' is not a unit", "CNY, USD"),
        (quantities.parse_count_range, "1..", "has only one end", "1..4"),
        (quantities.parse_count_range, "1-4", "is not a count", "1.2M"),
        (quantities.parse_least_count, "8", "is not a lower limit", ">=8"),
        (quantities.parse_least_size, "<=64GiB", "is not a lower limit", ">=64GiB"),
        (quantities.parse_timetable, "9 to 5", "is not a timetable", "Mon-Fri"),
        (quantities.parse_timetable, "Fri-Mon 09:00-19:00", "over the end of the week", "earlier day"),
        (quantities.parse_timetable, "Mon-Fri 22:00-06:00", "does not end after it begins", "same day"),
        (quantities.parse_timetable, "Mon-Fri 09:00-25:00", "is not a timetable", "Mon-Fri"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_write(parse: object, text: str, message: str, hint: str) -> None:
    """A refused amount names the fault and shows the right form."""
    with pytest.raises(QuantityError, match=r".*") as caught:
        parse(text)  # type: ignore[operator]
    assert message in str(caught.value)
    assert hint in caught.value.hint


def test_a_count_may_have_an_exponent() -> None:
    """`3e11` is how people write tokens."""
    assert quantities.parse_count("3e11") == 300_000_000_000


def test_a_week_has_the_hours_of_its_days() -> None:
    """Five days of ten hours are fifty."""
    hours = quantities.parse_timetable("Mon-Fri 09:00-19:00")
    assert (hours.days, hours.start, hours.stop, hours.per_week) == ((1, 2, 3, 4, 5), "09:00", "19:00", 50)
    assert quantities.parse_timetable("Sun 08:30-10:00").per_week == 1.5


def test_durations_are_written_in_the_largest_whole_unit() -> None:
    """Twenty minutes are 20min, not 1200s."""
    assert [quantities.format_duration(s) for s in (1200, 3600, 90, 86400, 1209600)] == [
        "20min",
        "1h",
        "90s",
        "1d",
        "2w",
    ]
