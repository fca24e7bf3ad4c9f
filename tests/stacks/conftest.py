"""Golden stacks: the option that refreshes them, and one preview of each for all tests."""

import functools
from pathlib import Path

import pytest

from generator.preview import preview
from generator.resources import StackState

ROOT = Path(__file__).resolve().parents[2]
SPECS = sorted((ROOT / "stacks").glob("*/spec.yaml"))
FOLDERS = sorted(path.parent for path in (ROOT / "stacks").glob("*/*/manifest.json"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden` writes what the specs lead to now; read the diff before it is committed."""
    parser.addoption("--update-golden", action="store_true", help="write the golden stacks anew")


@functools.cache
def state_of(folder: Path) -> StackState:
    """The embedded preview of a golden stack, run once a session."""
    return preview(folder)
