"""What a run says of the engine before its closing lines: what was left out, and how each stack's journey went.

`tests/conftest.py` takes the hook from here: of several workers only the controller prints, and it loads no other.
"""

from collections import defaultdict

import pytest

LEFT_OUT = "left out, the real Pulumi engine:"


def pytest_terminal_summary(terminalreporter) -> None:
    """One line for what was left out, and the table of every step that a stack went through."""
    told = [report for kind in ("passed", "failed", "skipped") for report in terminalreporter.stats.get(kind, [])]
    reports = [report for report in told if isinstance(report, pytest.TestReport)]  # a file left out whole has no test
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
