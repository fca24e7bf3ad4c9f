"""The user's own engine: what a person is told when `pulumi preview` cannot work."""

import csv
import json
import re
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.program import engine

TROUBLE = Path(__file__).resolve().parents[2] / "docs" / "troubleshooting.md"
STACK = {"urn": "urn:pulumi:dev::job::pulumi:pulumi:Stack::job-dev", "type": "pulumi:pulumi:Stack", "custom": False}


@pytest.fixture
def pulumi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A `pulumi` on PATH that tells a version and then says and does as it is told."""

    def install(version: str = "v3.276.0", out: str = "", err: str = "", code: int = 0) -> Path:
        (tmp_path / "out").write_text(out)
        (tmp_path / "err").write_text(err)
        script = f"""#!/bin/sh
        if [ "$1" = version ]; then echo {version}; exit 0; fi
        echo "$@" > {tmp_path}/asked; cat {tmp_path}/out; cat {tmp_path}/err >&2; exit {code}
        """
        (tmp_path / "pulumi").write_text(script)
        (tmp_path / "pulumi").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
        return tmp_path

    return install


def told(folder: Path, stack: str | None = None) -> str:
    """Everything that a failed preview tells a person."""
    with pytest.raises(InputError) as raised:
        engine.preview(folder, stack)
    return "\n".join(f"{problem.message} / {problem.hint}" for problem in raised.value.problems)


def diagnosed(*messages: str) -> str:
    """A preview's JSON that failed with these messages."""
    entries = [{"message": f"error: {message}\n", "severity": "error"} for message in messages]
    return json.dumps({"steps": [], "diagnostics": entries})


def test_a_good_preview_is_read_as_a_stack(pulumi) -> None:
    """The JSON of a preview that went well becomes the same kind of stack as the embedded preview gives."""
    document = {"steps": [{"op": "create", "urn": STACK["urn"], "newState": STACK}], "changeSummary": {"create": 1}}
    folder = pulumi(out=json.dumps(document))
    assert engine.preview(folder, "dev").project == "job"
    assert (folder / "asked").read_text().split() == ["preview", "--json", "--non-interactive", "--stack", "dev"]


def test_no_pulumi_is_told_with_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `pulumi` on PATH the message says where it comes from, and that the embedded preview needs none."""
    monkeypatch.setenv("PATH", str(tmp_path))
    said = told(tmp_path)
    assert "no `pulumi` on PATH" in said
    assert "our preview needs none" in said


@pytest.mark.parametrize(
    ("version", "old"), [("v3.100.0", True), ("v2.999.0", True), ("v3.231.0", False), ("v4.0.1", False)]
)
def test_an_old_engine_is_told_before_it_is_run(pulumi, version: str, old: bool) -> None:
    """An engine older than the SDKs ask for is refused by its number, and nothing is run on it."""
    folder = pulumi(version=version, err="error: no stack named 'dev' found", code=6)
    assert ("older than 3.231" in told(folder)) == old
    assert (folder / "asked").exists() != old


def test_something_else_called_pulumi_is_told(pulumi) -> None:
    """A `pulumi` that tells no version is not trusted to preview."""
    assert "tells no version, but 'hello'" in told(pulumi(version="hello"))


# What the engine says (CLI 3.276), and words of the cure that a person must then see.
with (Path(__file__).parents[1] / "data" / "engine_failures.csv").open(encoding="utf-8", newline="") as table:
    FAILURES = {row["name"]: row for row in csv.DictReader(table)}


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("place", ["diagnostics", "standard error"])
def test_a_known_failure_is_told_with_its_cure(pulumi, name: str, place: str) -> None:
    """Each failure that the engine is known for is told in our words with what to do, wherever the engine said it."""
    words = FAILURES[name]["words"]
    spoken = {"out": diagnosed(words)} if place == "diagnostics" else {"err": f"error: {words}\n"}
    said = told(pulumi(code=1, **spoken))
    assert FAILURES[name]["cure"] in said
    assert "Traceback" not in said


def test_every_known_failure_is_tried_and_documented() -> None:
    """No pattern of the table is without a test, and docs/troubleshooting.md has the cure of each."""
    text = TROUBLE.read_text(encoding="utf-8")
    for failure in engine.FAILURES:
        assert any(re.search(failure.pattern, row["words"]) for row in FAILURES.values()), failure.pattern
        assert re.sub(r"\{\d(!r)?\}", "…", failure.message) in text, failure.message


def test_an_unknown_failure_keeps_the_engines_words(pulumi) -> None:
    """What we do not know is told as the engine told it, without its traceback."""
    trace = "the program raised:\nTraceback (most recent call last):\n  File ...\nZeroDivisionError: division by zero"
    said = told(pulumi(out=diagnosed(trace, "an unhandled error occurred: exit code 1"), code=255))
    assert said == "ZeroDivisionError: division by zero / None"


def test_a_failure_without_words_is_told(pulumi) -> None:
    """An engine that fails and says nothing does not pass for a preview."""
    assert "said nothing" in told(pulumi(code=1))


def test_an_engine_that_waits_for_ever_is_stopped(pulumi, monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview that does not end is stopped, and the message names the likely reason."""
    folder = pulumi()
    (folder / "pulumi").write_text('#!/bin/sh\nif [ "$1" = version ]; then echo v3.276.0; else exec sleep 60; fi\n')
    monkeypatch.setattr(engine, "TIME_LIMIT_S", 1.0)
    assert "did not end within 1 s" in told(folder)
