"""How a template becomes text: Jinja that prints nothing but `Code` and knows no undefined name."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from generator.stack.literals import (
    Code,
    block,
    comment,
    expandable,
    md,
    name,
    names,
    plain,
    prose,
    py,
    remark,
    sh,
    tick,
    word,
    words,
    yaml,
)

if TYPE_CHECKING:
    import jinja2

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


class StackFile(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """One file of a stack: its name (never a path) and its whole text."""

    name: str
    text: str


def only_code(value: object) -> Code:
    """What Jinja may print; TypeError for a value that no filter has made into source."""
    if not isinstance(value, Code):
        raise TypeError(f"{value!r} must pass a filter such as `| py` or `| comment` before it is printed")
    return value


@functools.cache
def environment() -> jinja2.Environment:
    """The one Jinja environment, with a filter for each kind of text that a value may become."""
    import jinja2  # noqa: PLC0415  (only writing pays for it)

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        finalize=only_code,
        autoescape=False,  # noqa: S701  (no HTML: `finalize` refuses whatever has not been made into source)
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        comment_start_string="{=#",  # `{#` is shell: the length of an array
        comment_end_string="#=}",
    )
    for kind in (block, comment, expandable, md, name, names, plain, prose, py, remark, sh, tick, word, words, yaml):
        made.filters[kind.__name__] = kind
    return made


def render_text(template: str, view: object, **more: Any) -> str:
    """The text of one template (its path under templates/) with the fields of `view` as its names."""
    names = {name: getattr(view, name) for name in getattr(view, "__struct_fields__", ())}
    return environment().get_template(template).render(names | more)
