"""What a person is told when the input is wrong: one Problem per fault, all of them at once."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a file: path as the user wrote it, line and column from 1, and the text of that line."""

    file: str
    line: int | None = None
    column: int | None = None
    text: str | None = None


def place_in(folder: Path, file: str, line: int | None) -> Place:
    """A line of a file below a folder, with its text where it can be read."""
    try:
        text = (folder / file).read_text(encoding="utf-8").splitlines()[(line or 0) - 1].rstrip()
    except (OSError, UnicodeDecodeError, IndexError):
        text = None
    return Place(file=str(folder / file), line=line, text=text)


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One fault: what is wrong, where, and what to do about it."""

    message: str
    where: Place | None = None
    hint: str | None = None


class InputError(Exception):
    """Every problem found in the input; only `cli.py` catches it (exit 2, nothing written)."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems
