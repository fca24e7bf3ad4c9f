"""How a stack reaches the disk: compared first, whole or not at all, and never over what a person has edited."""

from __future__ import annotations

import ctypes
import difflib
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec

from generator.errors import InputError, Place, Problem
from generator.stack.templating import StackFile

MANIFEST = "manifest.json"
RENAME_EXCHANGE = 2  # linux/fs.h
RENAME_SWAP = 2  # macOS sys/stdio.h
AT_FDCWD = -100
CACHES = ("__pycache__", ".mypy_cache", ".ruff_cache")  # worth nothing: not carried over


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """What writing would change, by file name; `edited` are files of ours that a person has changed since."""

    created: tuple[str, ...]
    updated: tuple[str, ...]
    removed: tuple[str, ...]
    edited: tuple[str, ...]
    unchanged: tuple[str, ...]

    @property
    def any(self) -> bool:
        """True when the folder is not yet what it should be."""
        return bool(self.created or self.updated or self.removed or self.edited)


def with_manifest(files: Iterable[StackFile]) -> tuple[StackFile, ...]:
    """The files and the manifest that lists them with their SHA-256, by name."""
    ordered = sorted(files)
    listed = {file.name: digest(file.text) for file in ordered}
    text = json.dumps({"written_by": "trainform generate", "sha256": listed}, indent=2) + "\n"
    return (*ordered, StackFile(name=MANIFEST, text=text))


def digest(text: str) -> str:
    """SHA-256 of a text in UTF-8, as hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def compare(files: Iterable[StackFile], folder: Path) -> Changes:
    """What `write` would change; a file that stands in the way and is not ours counts as edited."""
    listed = read_manifest(folder)
    wanted = {file.name: file.text for file in with_manifest(files)}
    groups: dict[str, list[str]] = {"created": [], "updated": [], "removed": [], "edited": [], "unchanged": []}
    for name, text in wanted.items():
        there = _read(folder / name)
        if there is None:
            groups["created"].append(name)
        elif there == text:
            groups["unchanged"].append(name)
        elif name == MANIFEST or listed.get(name) == digest(there):
            groups["updated"].append(name)
        else:
            groups["edited"].append(name)
    for name, known in listed.items():
        there = _read(folder / name)
        if name not in wanted and there is not None:
            groups["removed" if digest(there) == known else "edited"].append(name)
    return Changes(**{key: tuple(sorted(names)) for key, names in groups.items()})


def differences(files: Iterable[StackFile], folder: Path) -> str:
    """A unified diff from what lies in the folder to what would be written; empty when nothing differs."""
    wanted = {file.name: file.text for file in with_manifest(files)}
    names = sorted(wanted | dict.fromkeys(read_manifest(folder), ""))
    lines: list[str] = []
    for name in names:
        there, text = _read(folder / name) or "", wanted.get(name, "")
        if there != text:
            path = (folder / name).as_posix()
            lines += difflib.unified_diff(
                there.splitlines(), text.splitlines(), path, f"{path} (generated)", lineterm=""
            )
    return "".join(f"{line}\n" for line in lines)


def read_manifest(folder: Path) -> dict[str, str]:
    """Names and hashes of what an earlier run wrote; empty without a manifest; InputError when it is none of ours."""
    text = _read(folder / MANIFEST)
    if text is None:
        return {}
    try:
        listed = json.loads(text)["sha256"]
        names = {str(name): str(value) for name, value in listed.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        hint = "restore it, or remove it when nothing in the folder was edited by hand"
        raise InputError(
            Problem(message="not a manifest of ours", where=Place(file=str(folder / MANIFEST)), hint=hint)
        ) from None
    if any(Path(name).name != name or name in {"", ".", ".."} for name in names):
        message = "names a file outside its folder"
        raise InputError(Problem(message=message, where=Place(file=str(folder / MANIFEST))))
    return names


def write(files: Iterable[StackFile], folder: Path) -> Changes:
    """Makes the folder hold these files; what is not ours stays. InputError, and nothing changed, over edited files."""
    files = tuple(files)
    clear_leftovers(folder)
    changes = compare(files, folder)
    if changes.edited:
        hint = "move your change into the spec, or set the file aside (rename it), then generate again"
        places = [folder / name for name in changes.edited]
        raise InputError(
            *(
                Problem(message="was edited by hand and is not overwritten", where=Place(file=str(path)), hint=hint)
                for path in places
            )
        )
    if not changes.any:
        return changes
    gone = {MANIFEST, *changes.updated, *changes.removed, *changes.unchanged}
    exchange(with_manifest(files), folder, gone=gone)
    return changes


def exchange(files: Iterable[StackFile], folder: Path, *, gone: Collection[str] = ()) -> None:
    """Makes the folder hold these files in one step; whatever else lies there stays, but for the names in `gone`.

    The new folder is built beside the old one and takes its place, so that a kill leaves one or the other whole.
    """
    files = tuple(files)
    clear_leftovers(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    built = Path(tempfile.mkdtemp(prefix=_prefix(folder), dir=folder.parent))
    try:
        built.chmod(0o755)
        if folder.exists():
            _carry_over(folder, built, {*gone, *(file.name for file in files)})
        for file in files:
            _write_file(built / file.name, file.text)
        _replace(built, folder)
    finally:
        shutil.rmtree(built, ignore_errors=True)


def clear_leftovers(folder: Path) -> None:
    """Removes what a killed run left half built; brings the old folder back when it was killed between two renames."""
    aside = folder.parent / f"{_prefix(folder)}old"
    if aside.exists() and not folder.exists():
        aside.rename(folder)
    for path in folder.parent.glob(f"{_prefix(folder)}*"):
        shutil.rmtree(path, ignore_errors=True)


def _prefix(folder: Path) -> str:
    return f".{folder.name}.trainform-"


def _read(path: Path) -> str | None:
    """The text of a file; None when there is none. What is no text differs from every text."""
    try:
        return path.read_bytes().decode(errors="surrogateescape")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError:
        return "\udcff"


def _carry_over(source: Path, target: Path, ours: set[str]) -> None:
    """Links whatever is not ours (stack config, a virtual environment) into the new folder."""
    for entry in _entries(source):
        if entry.name in ours or entry.name in CACHES:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.copytree(entry, target / entry.name, symlinks=True, copy_function=_link)
        else:
            _link(str(entry), str(target / entry.name))


def _entries(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.iterdir())


def _link(source: str, target: str) -> str:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:  # a file system without hard links
        shutil.copy2(source, target, follow_symlinks=False)
    return target


def _write_file(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    if path.suffix == ".sh":
        path.chmod(0o755)


def _replace(built: Path, folder: Path) -> None:
    """Puts `built` in the place of `folder`; afterwards `built` holds the old folder, if there was one."""
    if not folder.exists():
        built.rename(folder)
    elif not _exchange(built, folder):
        aside = folder.parent / f"{_prefix(folder)}old"
        folder.rename(aside)
        built.rename(folder)
        shutil.rmtree(aside, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Swaps two folders in one step; False where the system cannot."""
    library = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(one), os.fsencode(other)
    if sys.platform == "linux" and hasattr(library, "renameat2"):
        return bool(library.renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) == 0)
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        return bool(library.renamex_np(first, second, RENAME_SWAP) == 0)
    return False
