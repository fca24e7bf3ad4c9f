"""What writing a stack's files over an older folder of it would mean for a stack that is up."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from generator.errors import InputError
from generator.preview import MissingSdkError, preview
from generator.replacement.steps import Step, foretold_steps
from generator.resources import StackState
from generator.stack.templating import StackFile
from generator.stack.writer import MANIFEST, compare


class Foretold(msgspec.Struct, frozen=True, kw_only=True):
    """The steps and the stack as it is; or why nothing can be foretold."""

    steps: tuple[Step, ...] = ()
    existing: StackState | None = None
    untold: str = ""


def foretell(files: tuple[StackFile, ...], folder: Path) -> Foretold | None:
    """The steps of the next `pulumi up` once `folder` holds these files.

    None where there is no stack of ours, nothing changes, or a person's edits forbid writing.
    """
    if not (folder / MANIFEST).is_file():
        return None
    changes = compare(files, folder)
    if changes.edited or not changes.any:
        return None
    with tempfile.TemporaryDirectory() as name:
        staged = _staged(files, Path(name))
        with ThreadPoolExecutor(2) as both:
            told = [both.submit(preview, place) for place in (folder, staged)]
        try:
            old, new = (future.result() for future in told)
        except MissingSdkError as missing:
            return Foretold(untold=missing.install)
        except InputError as error:
            return Foretold(untold=error.problems[0].message)
    return Foretold(steps=foretold_steps(old, new), existing=old)


def _staged(files: Iterable[StackFile], folder: Path) -> Path:
    for file in files:
        (folder / file.name).write_text(file.text, encoding="utf-8", newline="\n")
    return folder
