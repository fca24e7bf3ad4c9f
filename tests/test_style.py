"""Format, lint and strict types of everything a person wrote or we generated."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str) -> str:
    """What a tool prints; empty when it is content."""
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_everything_is_formatted() -> None:
    """`ruff format` would change nothing, in the product, its tests and the generated stacks."""
    assert run("ruff", "format", "--check", ".") == ""


def test_the_linter_is_content() -> None:
    """`ruff check` with every rule on, less those that pyproject.toml explains."""
    assert run("ruff", "check", ".") == ""


def test_types_are_strict() -> None:
    """`mypy --strict` finds nothing in the packages."""
    assert run("mypy") == ""
