"""`python -m generator.sizing.validate FILE [--json OUT]`: sizing against measured rows, one by one and per family."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import yaml

from generator.errors import InputError, Place, Problem
from generator.sizing.row_format import Row
from generator.sizing.scores import Score, bracket_scores, score, summarize

HEADINGS = ("family", "rows", "mean", "median", "bias", "<=10%", "<=20%", "under bound")


def load_rows(path: Path) -> tuple[Row, ...]:
    """The rows of a file in the shared format; InputError names the row and field that are wrong."""
    try:
        content: Any = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    except OSError as error:
        raise InputError(Problem(message=f"cannot read {str(path)!r}: {error.strerror}")) from None
    except UnicodeDecodeError:
        raise InputError(Problem(message=f"{str(path)!r} is not text in UTF-8", where=Place(file=str(path)))) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = Place(file=str(path), line=mark.line + 1, column=mark.column + 1) if mark else Place(file=str(path))
        raise InputError(Problem(message="not YAML", where=place, hint=str(getattr(error, "problem", "")))) from None
    if not isinstance(content, dict) or not isinstance(content.get("rows"), list):
        hint = "a mapping with a list `rows`, as tests/data/measurements.yaml is"
        raise InputError(Problem(message="no list of rows", where=Place(file=str(path)), hint=hint))
    rows, problems = [], []
    for number, entry in enumerate(content["rows"], 1):
        try:
            rows.append(msgspec.convert(entry, Row, strict=False))
        except msgspec.ValidationError as error:
            name = entry.get("id", number) if isinstance(entry, dict) else number
            problems.append(Problem(message=f"row {name!r}: {error}", where=Place(file=str(path))))
    if problems:
        raise InputError(*problems)
    return tuple(rows)


def predictions_json(scores: tuple[Score, ...]) -> list[dict[str, Any]]:
    """What `--json` writes: one entry a row, figures in the row's own unit, `reason` where there is no prediction."""
    return [msgspec.to_builtins(one.prediction) for one in scores]


def report(scores: tuple[Score, ...]) -> str:
    """Tables for a terminal: memory and throughput per family, brackets, and rows without a prediction."""
    lines: list[str] = []
    for title, memory in (("peak memory", True), ("throughput and run time", False)):
        lines += ["", title, table_line(HEADINGS)]
        group = [one for one in scores if one.memory is memory and one.error is not None]
        for name in sorted({one.prediction.family for one in group}):
            lines.append(family_line(name, [one for one in group if one.prediction.family == name]))
        lines.append(family_line("all", group))
    brackets = bracket_scores(scores)
    lines += [
        "",
        f"batch brackets: {brackets.inside} of {brackets.rows} right",
        f"batches that ran out of memory: {brackets.refused} of {brackets.oom_rows} refused",
        "",
        "rows without a prediction",
    ]
    lines += [f"  {one.row.id}: {one.prediction.reason}" for one in scores if one.prediction.reason is not None]
    out = Counter(one.unscored for one in scores if one.unscored is not None and one.prediction.reason is None)
    lines += ["", "rows predicted but not scored", *(f"  {count} x {reason}" for reason, count in sorted(out.items()))]
    return "\n".join(lines[1:])


def table_line(cells: tuple[str, ...]) -> str:
    """One line of a table: the first cell left, the others right aligned."""
    return f"{cells[0]:24}" + "".join(f"{cell:>13}" for cell in cells[1:])


def family_line(name: str, scores: list[Score]) -> str:
    """One family's figures as a line of the table."""
    total = summarize(scores)
    if total is None:
        return table_line((name, "0", *("-",) * 6))
    shares = (total.mean_error, total.median_error, total.bias, total.within_10, total.within_20, total.under_bound)
    return table_line((name, str(total.rows), *(f"{100 * share:.1f}%" for share in shares)))


def main(arguments: list[str] | None = None) -> int:
    """The command line of this module: prints the report; 2 when the file is wrong, else 0."""
    from generator.cli import describe  # noqa: PLC0415 (importing this module for its functions needs no command line)

    parser = argparse.ArgumentParser(prog="python -m generator.sizing.validate", description=__doc__)
    parser.add_argument("file", type=Path, help="rows in the format of tests/data/measurements.yaml")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the prediction of every row to this file")
    asked = parser.parse_args(arguments)
    try:
        scores = score(load_rows(asked.file))
        if asked.json is not None:
            write_json(scores, asked.json)
    except InputError as error:
        for problem in error.problems:
            sys.stderr.write(describe(problem) + "\n")
        return 2
    sys.stdout.write(report(scores) + "\n")
    return 0


def write_json(scores: tuple[Score, ...], path: Path) -> None:
    """Write every row's prediction to a file; InputError when it cannot be written."""
    try:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(predictions_json(scores)), indent=1) + b"\n")
    except OSError as error:
        raise InputError(Problem(message=f"cannot write {str(path)!r}: {error.strerror}")) from None


if __name__ == "__main__":
    raise SystemExit(main())
