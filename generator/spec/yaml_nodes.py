"""YAML text as nodes that know their line and column; aliases, tags and second documents are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import yaml

from generator.errors import InputError, Place, Problem
from generator.spec.quantities import quote

MOST_BYTES = 1 << 20
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Scalar(msgspec.Struct, frozen=True, kw_only=True):
    """A single value as written; `plain` when it stands without quotes."""

    text: str
    plain: bool
    place: Place

    @property
    def empty(self) -> bool:
        """True for nothing at all, `~` and `null`."""
        return self.plain and self.text.lower() in ("", "~", "null")

    @property
    def truth(self) -> bool | None:
        """The truth value that YAML sees in it, else None."""
        return TRUTH.get(self.text.lower()) if self.plain else None


class Sequence(msgspec.Struct, frozen=True, kw_only=True):
    """A list."""

    items: tuple[Node, ...]
    place: Place


class Mapping(msgspec.Struct, frozen=True, kw_only=True):
    """Keys and values in their order; a key may stand twice."""

    items: tuple[tuple[Node, Node], ...]
    place: Place


Node = Scalar | Sequence | Mapping


def read_yaml(path: Path) -> Node | None:
    """The document of a file, None when it is empty; InputError when it cannot be read as one plain YAML document."""
    name = str(path)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise _refusal(name, f"no such file: {name}", "trainform init writes a starter") from None
    except OSError as error:
        raise _refusal(name, f"cannot read {name}: {(error.strerror or 'input error').lower()}") from None
    if len(content) > MOST_BYTES:
        raise _refusal(name, f"{name} has {len(content)} bytes, more than the {MOST_BYTES} that a spec may have")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = Problem(
            message=f"byte 0x{content[error.start]:02x} is not UTF-8",
            where=Place(file=name, line=line),
            hint="save the file as UTF-8",
        )
        raise InputError(problem) from None
    return _Reader(name, text).document()


def _refusal(name: str, message: str, hint: str | None = None) -> InputError:
    return InputError(Problem(message=message, where=Place(file=name), hint=hint))


def _printable(line: str) -> str:
    """The line as a terminal may show it: one column a character, so that a caret finds its place."""
    return "".join(char if char.isprintable() else " " for char in line)


class _Reader:
    """Turns the parser's events into nodes; the parser itself bounds the nesting."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.lines = [_printable(line) for line in text.splitlines()]
        self.text = text
        self.problems: list[Problem] = []

    def document(self) -> Node | None:
        """The one document; all refusals at once."""
        try:
            root = self._read(iter(yaml.parse(self.text, Loader=LOADER)))
        except yaml.reader.ReaderError as error:
            line = self.text.count("\n", 0, error.position) + 1
            message = "a control character stands here, which YAML does not allow"
            raise InputError(Problem(message=message, where=self._place(line, None))) from None
        except yaml.MarkedYAMLError as error:
            raise InputError(self._syntax_problem(error)) from None
        except RecursionError:
            raise _refusal(self.name, "the values are nested too deeply") from None
        if self.problems:
            raise InputError(*self.problems)
        return root

    def _place(self, line: int, column: int | None) -> Place:
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else None
        return Place(file=self.name, line=line, column=column, text=text)

    def _mark(self, event: Any) -> Place:
        return self._place(event.start_mark.line + 1, event.start_mark.column + 1)

    def _syntax_problem(self, error: yaml.MarkedYAMLError) -> Problem:
        mark = error.problem_mark or error.context_mark
        if mark and error.context_mark and mark.line >= len(self.lines):  # the end: show what was never closed
            mark = error.context_mark
        where = self._place(mark.line + 1, mark.column + 1) if mark else Place(file=self.name)
        reason = " ".join(part for part in (error.problem, error.context) if part)
        hint = "indent with spaces" if "\\t" in reason else "text with ': ', '#', '%' or brackets needs quotes"
        return Problem(message=f"not valid YAML: {_printable(reason)}", where=where, hint=hint)

    def _read(self, events: Any) -> Node | None:
        documents: list[Node] = []
        for event in events:
            if isinstance(event, yaml.NodeEvent):
                if documents:
                    self._refuse(event, "a second document begins here", "keep one document, without '---' inside")
                    break
                documents.append(self._node(event, events))
        return documents[0] if documents else None

    def _node(self, event: Any, events: Any) -> Node:
        place = self._mark(event)
        if isinstance(event, yaml.AliasEvent):
            self._refuse(event, f"alias '*{event.anchor}' is not allowed in a spec", "write the value out")
            return Scalar(text="", plain=False, place=place)
        if event.tag is not None:
            self._refuse(event, f"tag {quote(event.tag)} is not allowed in a spec", "write a plain value")
        if isinstance(event, yaml.SequenceStartEvent):
            return Sequence(items=tuple(self._children(events, yaml.SequenceEndEvent)), place=place)
        if isinstance(event, yaml.MappingStartEvent):
            children = tuple(self._children(events, yaml.MappingEndEvent))
            return Mapping(items=tuple(zip(children[::2], children[1::2], strict=True)), place=place)
        return Scalar(text=event.value, plain=event.style in (None, ""), place=place)

    def _children(self, events: Any, end: type) -> list[Node]:
        children = []
        for event in events:
            if isinstance(event, end):
                break
            children.append(self._node(event, events))
        return children

    def _refuse(self, event: Any, message: str, hint: str) -> None:
        self.problems.append(Problem(message=message, where=self._mark(event), hint=hint))
