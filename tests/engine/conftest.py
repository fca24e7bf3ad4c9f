"""The engine of these tests, made once; what is left out without one is said in one line; the table stack x step."""

import os
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from tests.engine.install import NoEngineError, find_cli
from tests.engine.live_stack import LiveStack, home

REQUIRED = "TRAINFORM_REQUIRE_ENGINE"  # set by .ci/run: without an engine the tests then fail
LEFT_OUT = "left out, the real Pulumi engine:"


@pytest.fixture(scope="session")
def cli() -> Path:
    """The Pulumi CLI; without one the test is skipped, or fails where the engine is required."""
    try:
        return find_cli()
    except NoEngineError as error:
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(f"{REQUIRED}=1, but {error}")
        pytest.skip(f"{LEFT_OUT} {error}")


@pytest.fixture(scope="session")
def pulumi_home(cli: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PULUMI_HOME whose plugins are the pretend clouds."""
    return home(tmp_path_factory.mktemp("pulumi"), cli)


@pytest.fixture
def live_stack(cli: Path, pulumi_home: Path, tmp_path: Path):
    """Makes a stack of a program's folder on the real engine, with a pretend cloud of its own."""
    made: list[Path] = []

    def make(program: Path) -> LiveStack:
        folder = tmp_path / f"live-{len(made)}"
        folder.mkdir()
        made.append(folder)
        return LiveStack(cli, pulumi_home, program, folder)

    yield make
    for folder in made:
        shutil.rmtree(folder)


def pytest_terminal_summary(terminalreporter) -> None:
    """One line for what was left out, and the table of every step that a stack went through."""
    reports = [report for kind in ("passed", "failed", "skipped") for report in terminalreporter.stats.get(kind, [])]
    left_out = {str(report.longrepr) for report in reports if report.skipped and LEFT_OUT in str(report.longrepr)}
    if left_out:
        terminalreporter.write_line(LEFT_OUT + left_out.pop().split(LEFT_OUT)[1].rstrip("')"))
    table = journeys([value for report in reports for name, value in report.user_properties if name == "step"])
    for line in table:
        terminalreporter.write_line(line)


def journeys(steps: list[tuple[str, str, str]]) -> list[str]:
    """The steps of each stack's journey as a table: a row a stack, a column a step, and how each went."""
    names = list(dict.fromkeys(name for _, name, _ in steps))
    rows: dict[str, dict[str, str]] = defaultdict(dict)
    for stack, name, words in steps:
        rows[stack][name] = words
    lines = [["stack", *names], *([stack, *(rows[stack].get(name, "-") for name in names)] for stack in sorted(rows))]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    if not steps:
        return []
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
