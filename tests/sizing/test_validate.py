"""Sizing against measured rows: the command, the split, the targets, and a page that cannot rot."""

import csv
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.errors import InputError
from generator.sizing.accuracy import LEAST_ROWS, TABLE, accuracy, find_accuracy
from generator.sizing.accuracy_page import NEVER_MEASURED, PAGE, ROWS, errors_table, note, page
from generator.sizing.predict import predict
from generator.sizing.profiles import find_profile
from generator.sizing.row_format import Row, read_table, row_sources
from generator.sizing.scores import Score, bracket_scores, score, summarize
from generator.sizing.validate import load_rows, main, report
from tests.sizing.jobs import job, machines

LIMITS = Path(__file__).with_name("accuracy_limits.csv")


@pytest.fixture(scope="module")
def scores() -> tuple[Score, ...]:
    return score(load_rows(ROWS))


def held_memory(scores: tuple[Score, ...]) -> list[Score]:
    return [one for one in scores if one.memory and one.part == "held" and one.error is not None]


def test_the_rows_are_carried_with_their_sources(scores: tuple[Score, ...]) -> None:
    """All 1,068 rows are there, each with an id of its own and a source that has a profile and a part."""
    assert len(scores) == 1068
    assert len({one.row.id for one in scores}) == 1068
    assert {one.row.source for one in scores} == set(row_sources())
    for source in row_sources().values():
        assert find_profile(source.profile)


def test_no_work_is_on_both_sides(scores: tuple[Score, ...]) -> None:
    """Sources of one work share a part, rows held back have no value, and 150 rows and more are not tuned on."""
    works: dict[str, set[str]] = {}
    for source in row_sources().values():
        works.setdefault(source.work, set()).add(source.part)
    assert all(len(parts) == 1 for parts in works.values())
    assert sum(one.part == "held" and one.error is not None for one in scores) >= 150
    assert sum(one.row.holdout for one in scores) >= 20
    assert all(one.row.value is None for one in scores if one.row.holdout)


def test_rows_held_back_are_predicted_too(scores: tuple[Score, ...]) -> None:
    """Rows without a value get a prediction all the same, or the reason why not."""
    held_back = [one for one in scores if one.row.holdout]
    assert sum(one.prediction.predicted is not None for one in held_back) >= 18
    assert all((one.prediction.predicted is None) != (one.prediction.reason is None) for one in scores)


def test_memory_meets_its_targets_on_the_part_not_tuned_on(scores: tuple[Score, ...]) -> None:
    """Mean at most 8 %, median at most 6 %, 95 % under the bound, and the bound at most 1.25 x the measurement."""
    total = summarize(held_memory(scores))
    assert total is not None
    assert total.mean_error <= 0.08
    assert total.median_error <= 0.06
    assert total.under_bound >= 0.95
    assert total.margin is not None
    assert total.margin <= 1.25


def test_what_ran_out_of_memory_is_refused(scores: tuple[Score, ...]) -> None:
    """For every batch that ran out of memory the verdict is "does not fit", and nearly all brackets are right."""
    total = bracket_scores(scores)
    assert total.oom_rows >= 36
    assert total.refused == total.oom_rows
    assert total.inside >= total.rows - 1


def test_no_error_is_worse_than_it_was(scores: tuple[Score, ...]) -> None:
    """Rows, mean error and cover of each family and part stay within committed limits, replaced by better ones only."""
    with LIMITS.open(encoding="utf-8", newline="") as file:
        limits = {(line["kind"], line["part"], line["family"]): line for line in csv.DictReader(file)}
    groups: dict[tuple[str, str, str], list[Score]] = {}
    for one in scores:
        if one.error is not None:
            kind = "memory" if one.memory else "throughput"
            for family in (one.prediction.family, "all"):
                groups.setdefault((kind, one.part, family), []).append(one)
    assert set(groups) == set(limits)
    for key, group in groups.items():
        total = summarize(group)
        assert total is not None
        assert total.rows >= int(limits[key]["rows"]), key
        assert total.mean_error <= float(limits[key]["mean_error"]), key
        assert total.under_bound >= float(limits[key]["covered"]), key


def test_the_page_and_the_shipped_table_are_current(scores: tuple[Score, ...]) -> None:
    """ACCURACY.md and accuracy.csv are what `python -m generator.sizing.accuracy_page` writes today."""
    assert PAGE.read_text(encoding="utf-8") == page(scores)
    assert TABLE.read_text(encoding="utf-8") == errors_table(scores)


def test_every_row_that_is_far_off_is_explained(scores: tuple[Score, ...]) -> None:
    """A memory row more than 15 % off has a note, and each note is of some row."""
    far = [one.row.id for one in scores if one.memory and one.error is not None and abs(one.error) > 0.15]
    assert [row for row in far if note(row) == "not known"] == []
    used = {note(one.row.id) for one in scores}
    assert {line["note"] for line in read_table("row_notes.csv")} <= used


def test_a_family_without_rows_is_not_validated() -> None:
    """Ascend and Kunlun have no rows; a family under 5 rows has no error; others have both."""
    for name in (*NEVER_MEASURED, "no such family"):
        assert accuracy(name).rows < LEAST_ROWS
        assert accuracy(name).error is None
    workload = job("llama-2-7b", method="lora")
    known = find_accuracy(workload, machines("A100-SXM-80").gpu)
    assert known.rows >= LEAST_ROWS
    assert known.error is not None
    assert find_accuracy(workload, machines("Ascend910B1").gpu).rows == 0
    assert find_accuracy(job("resnet50", image_size=224)).rows >= LEAST_ROWS


def test_the_command_prints_and_writes(
    scores: tuple[Score, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints errors per family and writes one entry a row with exactly the promised keys."""
    out = tmp_path / "out.json"
    assert main([str(ROWS), "--json", str(out)]) == 0
    printed = capsys.readouterr().out
    assert printed.strip() == report(scores).strip()
    assert "llm qlora" in printed
    assert "its source states no batch" in printed
    entries = json.loads(out.read_text())
    assert [entry["id"] for entry in entries] == [one.row.id for one in scores]
    keys = {"id", "family", "metric", "unit", "predicted", "low", "high", "bound", "reason"}
    assert all(set(entry) == keys for entry in entries)
    for entry in entries:
        if entry["predicted"] is not None:
            assert entry["low"] <= entry["predicted"] <= entry["high"]


def test_a_prediction_is_in_the_rows_own_unit() -> None:
    """GB, GiB and MiB of the same row are the same bytes; a sum over cards counts each."""
    row = next(row for row in load_rows(ROWS) if row.id == "qwen1-7B-lora-s2048-mem")
    gigabytes = predict(row).predicted
    assert gigabytes is not None
    for unit, size in (("GiB", 2**30), ("MiB (nvidia-smi)", 2**20)):
        other = predict(msgspec.structs.replace(row, unit=unit)).predicted
        assert other == pytest.approx(gigabytes * 1e9 / size)
    assert predict(msgspec.structs.replace(row, unit="furlongs")).reason == "unit 'furlongs' is not known"


def test_a_row_of_an_unknown_source_takes_the_usual_framework() -> None:
    """A source that the table lacks is predicted with the framework a spec would get; a card may be an alias."""
    row = next(row for row in load_rows(ROWS) if row.id == "qwen1-7B-lora-s2048-mem")
    known = predict(msgspec.structs.replace(row, source="llama-factory-wiki-performan")).predicted
    new = predict(
        msgspec.structs.replace(row, source="hearsay", hardware=row.hardware | {"gpu": "A100-80GB"})
    ).predicted
    assert known is not None
    assert new == pytest.approx(known, rel=0.1)
    assert score([msgspec.structs.replace(row, source="hearsay")])[0].part == "held"


def test_what_a_row_cannot_say_is_a_reason() -> None:
    """Unknown tasks, cards, models, sources and unreadable fields are reasons, never tracebacks."""
    row = next(row for row in load_rows(ROWS) if row.id == "qwen1-7B-lora-s2048-mem")

    def reason(**changes: Any) -> str:
        return str(predict(msgspec.structs.replace(row, **changes)).reason)

    assert "no job" in reason(task="poetry")
    assert "'Abacus' is not in the table" in reason(hardware=row.hardware | {"gpu": "Abacus"})
    assert "'x' is not in the zoo" in reason(workload=row.workload | {"model": "x"})
    assert "cannot read its fields" in reason(hardware={"gpu": "A10", "count": "many", "nodes": 1})
    assert "no sequence length" in reason(workload={k: v for k, v in row.workload.items() if k != "seq_len"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rows: [", "not YAML"),
        ("- 1", "no list of rows"),
        ("rows: 3", "no list of rows"),
        ("rows: [{id: a}, 7]", "row 'a'"),
        ("rows: [{id: a, task: t, metric: m, unit: u, workload: 3, hardware: {}, source: s}]", "row 'a'"),
        ("", "no list of rows"),
    ],
)
def test_a_wrong_file_is_told_with_its_place(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is no rows is exit 2 with the file and the fault, and nothing is written."""
    path, out = tmp_path / "rows.yaml", tmp_path / "out.json"
    path.write_text(text)
    assert main([str(path), "--json", str(out)]) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()
    with pytest.raises(InputError):
        load_rows(tmp_path / "none.yaml")


def test_rows_that_are_no_measurement_are_not_scored(scores: tuple[Score, ...]) -> None:
    """Estimates and claimed minimums are predicted or refused, and never counted."""
    kinds = [one for one in scores if one.row.kind is not None]
    assert len(kinds) == 41
    assert all(one.error is None for one in kinds)
    assert all(one.error is None for one in scores if one.row.saturated)


def test_an_empty_file_of_rows_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No rows give an empty report, not a division by zero."""
    path = tmp_path / "rows.yaml"
    path.write_text("rows: []")
    assert main([str(path)]) == 0
    assert "peak memory" in capsys.readouterr().out


def test_every_row_names_its_fields_as_the_format_does() -> None:
    """A row of the file is a Row with nothing lost that sizing reads."""
    row = next(row for row in load_rows(ROWS) if row.bracket and row.bracket["oom_batch"])
    assert isinstance(row, Row)
    assert row.bracket is not None
    assert predict(row).bound is not None
