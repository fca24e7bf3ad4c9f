"""How far predictions are from measurements: per row, and summed up per family and part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean, median
from typing import Literal

import msgspec

from generator.sizing.predict import Prediction, predict
from generator.sizing.row_format import Row, row_source

# A row is out of scoring for one of these reasons, in this order; the text is what the page prints.
NOT_MEASURED = "no measurement (an estimate or a claimed minimum)"
NO_VALUE = "held back by the data: it carries no value"
SATURATED = "reading saturates: the batch was chosen to fill the card"
TABLE_ROW = "batch bracket: scored as a bracket"


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """One row against its prediction: `error` is predicted / measured - 1, or None with the reason in `unscored`."""

    row: Row
    prediction: Prediction
    part: Literal["tuned", "held"]
    error: float | None = None
    unscored: str | None = None

    @property
    def memory(self) -> bool:
        """True for peak memory, False for throughput and run time."""
        return self.row.metric.startswith("peak_mem")

    @property
    def under(self) -> bool:
        """True when the measurement is at or under the bound (memory) or within the interval (throughput)."""
        value, answer = self.row.value, self.prediction
        if value is None or answer.high is None or answer.low is None:
            return False
        return value <= answer.high * (1 + 1e-9) and (self.memory or value >= answer.low * (1 - 1e-9))


def score(rows: Iterable[Row]) -> tuple[Score, ...]:
    """Predict and score every row."""
    return tuple(_score(row) for row in rows)


def _score(row: Row) -> Score:
    answer = predict(row)
    part: Literal["tuned", "held"] = "held" if row.value is None else row_source(row).part
    if row.kind is not None:
        return Score(row=row, prediction=answer, part=part, unscored=NOT_MEASURED)
    if answer.predicted is None:
        return Score(row=row, prediction=answer, part=part, unscored=answer.reason)
    if row.value is None:
        return Score(row=row, prediction=answer, part=part, unscored=NO_VALUE)
    if row.bracket is not None:
        return Score(row=row, prediction=answer, part=part, unscored=TABLE_ROW)
    if row.saturated:
        return Score(row=row, prediction=answer, part=part, unscored=SATURATED)
    return Score(row=row, prediction=answer, part=part, error=answer.predicted / row.value - 1)


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Scored rows of one group: errors as fractions. `margin` is the mean of bound over measurement, memory alone."""

    rows: int
    mean_error: float
    median_error: float
    bias: float
    within_10: float
    within_20: float
    under_bound: float
    margin: float | None


def summarize(scores: Sequence[Score]) -> Summary | None:
    """Errors of a group; None when none of its rows is scored."""
    kept = [one for one in scores if one.error is not None]
    if not kept:
        return None
    errors = [one.error for one in kept if one.error is not None]
    sizes = [abs(error) for error in errors]
    margins = [one.prediction.bound / one.row.value for one in kept if one.prediction.bound and one.row.value]
    return Summary(
        rows=len(kept),
        mean_error=mean(sizes),
        median_error=median(sizes),
        bias=mean(errors),
        within_10=mean(size <= 0.1 for size in sizes),
        within_20=mean(size <= 0.2 for size in sizes),
        under_bound=mean(one.under for one in kept),
        margin=mean(margins) if margins else None,
    )


class Brackets(msgspec.Struct, frozen=True, kw_only=True):
    """Rows with a batch that ran and one that ran out of memory."""

    rows: int
    inside: int  # the largest batch by the central estimate lies in the bracket
    oom_rows: int  # rows with a batch that ran out of memory
    refused: int  # for which the verdict on that batch is "does not fit"


def bracket_scores(scores: Iterable[Score]) -> Brackets:
    """How brackets came out; the verdict on a batch is by the bound, as everywhere."""
    rows = inside = oom = refused = 0
    for one in scores:
        bracket, answer = one.row.bracket, one.prediction
        if bracket is None or answer.predicted is None or answer.bound is None:
            continue
        fits, fails = bracket.get("fits_batch") or 0, bracket.get("oom_batch")
        rows += 1
        inside += fits <= answer.predicted and (fails is None or answer.predicted < fails)
        oom += fails is not None
        refused += fails is not None and answer.bound < fails
    return Brackets(rows=rows, inside=inside, oom_rows=oom, refused=refused)
