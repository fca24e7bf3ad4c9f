"""Starter specs: one file a scenario, each a spec that loads as it stands."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent


def preset_names() -> tuple[str, ...]:
    """Names of the presets, by their files."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def preset_title(preset: str) -> str:
    """The preset's name and scenario, as its first line says."""
    with (FOLDER / f"{preset}.yaml").open(encoding="utf-8") as file:
        return file.readline().removeprefix("# ").strip()


def preset_text(preset: str, name: str) -> str:
    """The starter spec of a preset for a job of this name; KeyError when there is no such preset."""
    if preset not in preset_names():
        raise KeyError(preset)
    text = (FOLDER / f"{preset}.yaml").read_text(encoding="utf-8")
    return re.sub(r"^name: .*$", f"name: {name}", text, count=1, flags=re.MULTILINE)
