"""Templates read like the file that they become, and print nothing that has not been made into source."""

import re
from pathlib import Path

import jinja2
import pytest

from generator.stack.templating import TEMPLATES, environment, only_code, render_text

ALL = sorted(TEMPLATES.rglob("*.jinja"))
LONGEST = 60


def shown(path: Path) -> str:
    return str(path.relative_to(TEMPLATES))


def test_a_bare_value_is_refused() -> None:
    """Only what a filter has made into source is printed."""
    made = environment().from_string("x = {{ value }}")
    with pytest.raises(TypeError, match="filter"):
        made.render(value="'; import os #")
    with pytest.raises(TypeError, match="filter"):
        only_code(1)


def test_an_unknown_name_is_refused() -> None:
    """A template that asks for what the view has not fails, and prints no empty text."""
    for kind in ("py", "comment", "sh", "md", "name"):
        with pytest.raises((jinja2.UndefinedError, TypeError)):
            environment().from_string(f"{{{{ nothing | {kind} }}}}").render()


@pytest.mark.parametrize("path", ALL, ids=shown)
def test_a_template_is_small_and_has_only_holes(path: Path) -> None:
    """At most 60 lines; holes, `for` over a tuple, `if` on presence: no arithmetic, no assignment, no macro."""
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST
    tags = re.findall(r"\{%-?\s*(\w+)", text)
    assert set(tags) <= {"if", "elif", "else", "endif", "for", "endfor", "include", "raw", "endraw"}
    for expression in re.findall(r"\{\{(.*?)\}\}", re.sub(r"\{% raw %\}.*?\{% endraw %\}", "", text, flags=re.DOTALL)):
        assert not re.search(r"[-+*/%~]", re.sub(r'"[^"]*"', "", expression)), expression


def test_every_template_is_used() -> None:
    """No template is left over: each is included by another one or rendered by name."""
    sources = [path.read_text(encoding="utf-8") for path in ALL]
    sources += [path.read_text(encoding="utf-8") for path in (TEMPLATES.parent / "generator").rglob("*.py")]
    text = "\n".join(sources)
    unused = []
    for path in sorted(TEMPLATES.rglob("*")):
        if path.is_dir() or "__pycache__" in path.parts:
            continue
        stem = path.name.removesuffix(".jinja").removesuffix(".py").removesuffix(".md")
        ends = (f'"{shown(path)}"', f"/{path.name}", f'("{stem}"', f'"{stem}"', f'"{stem.removeprefix("trainform-")}"')
        if not any(end in text for end in ends):
            unused.append(shown(path))
    assert unused == []


def test_rendering_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A template becomes text in memory; the disk is the writer's business."""
    monkeypatch.chdir(tmp_path)
    assert "systemctl enable" in render_text("shared/startup/trainform-setup.jinja", None, steps=["a"], enabled=["b"])
    assert list(tmp_path.iterdir()) == []
