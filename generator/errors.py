"""What a person is told when the input is wrong: one Problem per fault, all of them at once."""

from __future__ import annotations

import msgspec


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a file: path as the user wrote it, line and column from 1, and the text of that line."""

    file: str
    line: int | None = None
    column: int | None = None
    text: str | None = None


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
