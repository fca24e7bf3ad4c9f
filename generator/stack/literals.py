"""The only ways in which a value becomes text of a generated file: Python, comment, shell, YAML, Markdown."""

from __future__ import annotations

import json
import keyword
import math
import re
import shlex
import textwrap
from collections.abc import Iterable, Mapping
from decimal import Decimal

WIDTH = 120  # line length of a generated Python file
NOT_YAML = re.compile(r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
# Control characters, line ends, surrogates, and what turns the direction of reading.
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Code(str):
    """Text that may stand in a generated file as it is; the renderer prints nothing else."""

    __slots__ = ()


def quote(text: str) -> str:
    """A Python string literal in ruff's own style: double quotes unless that needs more escapes."""
    literal = repr(text)
    if literal[0] == '"' or '"' in text:
        return literal
    return '"' + literal[1:-1].replace("\\'", "'") + '"'


def number(value: float) -> str:
    """A float as plain decimals; ValueError for infinity and NaN, which have no literal."""
    if not math.isfinite(value):
        raise ValueError(f"{value} has no literal")
    text = repr(value)
    return text if "e" not in text else f"{Decimal(text):f}" + ("" if "." in f"{Decimal(text):f}" else ".0")


def source(value: object, indent: int, room: int) -> str:
    """Python source of plain data; a collection that does not fit into `room` columns stands one item a line."""
    if value is None or isinstance(value, bool | int):
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, str):
        return quote(value)
    pad = " " * (indent + 4)
    if isinstance(value, Mapping):
        brackets = "{}"
        items = [(f"{source(key, 0, 0)}: ", item) for key, item in value.items()]
    elif isinstance(value, list | tuple):
        brackets = "[]"
        items = [("", item) for item in value]
    else:
        raise TypeError(f"{type(value).__name__} has no literal")
    flat = ", ".join(key + source(item, 0, 10**6) for key, item in items)
    if not items or len(flat) + 2 <= room:
        return brackets[0] + flat + brackets[1]
    lines = [pad + key + source(item, indent + 4, WIDTH - len(pad) - len(key) - 1) + ",\n" for key, item in items]
    return brackets[0] + "\n" + "".join(lines) + " " * indent + brackets[1]


def py(value: object, indent: int = 0, room: int = 0) -> Code:
    """Python source that evaluates back to `value` (tuples become lists), one item a line unless it fits into `room`.

    Takes None, bool, int, finite float, str, list, tuple and mappings of these; TypeError for all else.
    """
    return Code(source(value, indent, room))


def comment(text: str) -> Code:
    """Text for a comment or docstring: one line, no control character, no way out of a triple-quoted string."""
    line = " ".join(UNPRINTABLE.sub(" ", text).split())
    return Code(line.replace("\\", "/").replace('"""', "'''"))


def remark(text: str, indent: int = 0) -> Code:
    """Whole comment lines, `# ` and all, wrapped to the width of the file; the template's line ends behind them."""
    lines = textwrap.wrap(comment(text), WIDTH - indent - 2, break_long_words=False, break_on_hyphens=False)
    return Code(("\n" + " " * indent).join(f"# {line}" for line in lines))


def prose(text: str) -> Code:
    """Lines of a docstring's body, wrapped to the width of the file."""
    return Code("\n".join(textwrap.wrap(comment(text), WIDTH, break_long_words=False, break_on_hyphens=False)))


def sh(word: object) -> Code:
    """One shell word, quoted where it must be; control characters but newline and tab are refused by ValueError."""
    text = str(word)
    if "\x00" in text:
        raise ValueError("a shell word cannot hold a NUL")
    return Code(shlex.quote(text))


def expandable(line: Iterable[str], variables: Iterable[str] = ()) -> Code:
    """Shell words in which `$NAME` and `${NAME}` of these variables are expanded and nothing else is."""
    known = frozenset(variables)
    return Code(" ".join(_expandable(word, known) for word in line))


def _expandable(word: str, known: frozenset[str]) -> str:
    pattern = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
    parts, end = [], 0
    for match in pattern.finditer(word):
        if (variable := match[1] or match[2]) in known:
            parts += [shlex.quote(word[end : match.start()]) if match.start() > end else "", f'"${{{variable}}}"']
            end = match.end()
    rest = word[end:]
    return "".join(parts) + (shlex.quote(rest) if rest or not parts else "")


def words(line: Iterable[object]) -> Code:
    """Shell words, one beside the other."""
    return Code(" ".join(sh(word) for word in line))


def yaml(value: object) -> Code:
    """A YAML flow scalar or collection: JSON, which is YAML, so that no value can become structure."""
    return Code(NOT_YAML.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(value, ensure_ascii=False)))


def md(text: object) -> Code:
    """Text for a Markdown paragraph or table cell: one line, escaped; `spans` in backticks stay code."""
    line = " ".join(UNPRINTABLE.sub(" ", str(text)).split())
    pieces = line.split("`")
    if len(pieces) % 2 == 0:  # a backtick without its twin
        pieces = [line.replace("`", "'")]
    return Code("".join(tick(piece) if number % 2 else _escaped(piece) for number, piece in enumerate(pieces)))


def _escaped(text: str) -> str:
    """Underscores inside a word are no markup; those at its edge, and the rest of Markdown's signs, are."""
    return re.sub(r"([\\*\[\]<>|#$~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))", r"\\\1", text)


def tick(text: object) -> Code:
    """Inline Markdown code; a backtick inside becomes a straight quote, a bar is escaped for tables."""
    line = " ".join(UNPRINTABLE.sub(" ", str(text)).split())
    return Code("`" + line.replace("`", "'").replace("|", "\\|") + "`")


def block(text: str, indent: int = 6) -> Code:
    """The lines of a YAML block literal (`|`), whose head stands in the template, or ValueError."""
    if not text.endswith("\n") or text.startswith((" ", "\n")) or UNPRINTABLE.search(text.replace("\n", "")):
        raise ValueError("a block literal needs printable lines that end in a newline and begin without a space")
    pad = " " * indent
    return Code("\n".join(pad + line if line else line for line in text.removesuffix("\n").split("\n")))


def name(identifier: str) -> Code:
    """A name of the program itself, such as an imported constant; ValueError for what is no identifier."""
    if not identifier.isidentifier() or keyword.iskeyword(identifier):
        raise ValueError(f"{identifier!r} is no identifier")
    return Code(identifier)


def names(identifiers: Iterable[str]) -> Code:
    """Several names, as an import lists them."""
    return Code(", ".join(name(identifier) for identifier in identifiers))


def word(text: str) -> Code:
    """A word of a-z, 0-9 and dashes inside a longer name; ValueError for anything else."""
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", text):
        raise ValueError(f"{text!r} is no plain word")
    return Code(text)


def plain(text: object) -> Code:
    """Lines of our own making, as they are (diagrams, commands, prose); ValueError for control characters."""
    if UNPRINTABLE.search(str(text).replace("\n", "")):
        raise ValueError(f"{text!r} is not printable")
    return Code(str(text))
