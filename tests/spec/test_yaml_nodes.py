"""YAML as nodes with places: what a spec may not use is refused where it stands."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.errors import InputError, Problem
from generator.spec.yaml_nodes import MOST_BYTES, Mapping, Scalar, read_yaml


def read(tmp_path: Path, content: str | bytes) -> object:
    file = tmp_path / "spec.yaml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_yaml(file)


def refusals(tmp_path: Path, content: str | bytes) -> tuple[Problem, ...]:
    with pytest.raises(InputError) as caught:
        read(tmp_path, content)
    return caught.value.problems


def test_every_node_knows_its_place(tmp_path: Path) -> None:
    """Line and column count from 1, in characters, and the source line is kept."""
    root = read(tmp_path, "名: 甲 # 注释\nb: [1, 'x']\n")
    assert isinstance(root, Mapping)
    (_, first), (_, second) = root.items
    assert isinstance(first, Scalar)
    assert (first.text, first.place.line, first.place.column, first.place.text) == ("甲", 1, 4, "名: 甲 # 注释")
    assert (second.place.line, second.place.column) == (2, 4)


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        ("a: &x 1\nb: *x", "alias '*x' is not allowed", 2),
        ("a: &x [*x]", "alias '*x' is not allowed", 1),
        ("a: !!python/object/apply:os.system [reboot]", "is not allowed in a spec", 1),
        ("a: 1\n---\nb: 2", "a second document begins here", 3),
        ("a: b: c", "not valid YAML", 1),
        ("a:\n\tb: 1", "not valid YAML", 2),
        ("a: [1, 2", "not valid YAML", 1),
        ("a: 1\nb: \x07", "control character", 2),
        (b"a: 1\nb: \xff", "byte 0xff is not UTF-8", 2),
        ("a: " + "[" * 5000, "not valid YAML", 1),
    ],
)
def test_what_a_spec_may_not_use_is_refused_in_place(
    tmp_path: Path, content: str | bytes, message: str, line: int
) -> None:
    """Aliases (and so bombs), tags, second documents and broken text are each one clear problem."""
    problem = refusals(tmp_path, content)[0]
    assert message in problem.message
    assert problem.where is not None
    assert problem.where.line == line


def test_an_alias_bomb_costs_nothing(tmp_path: Path) -> None:
    """Nine levels of nine aliases are refused one by one, not unfolded."""
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    assert len(refusals(tmp_path, "\n".join(lines))) == 81


def test_deep_nesting_is_a_message(tmp_path: Path) -> None:
    """Brackets within what the parser takes, but deeper than we read, are refused without a traceback."""
    assert refusals(tmp_path, "a: " + "[" * 900 + "]" * 900)[0].message == "the values are nested too deeply"


def test_a_file_that_is_no_spec_is_a_message(tmp_path: Path) -> None:
    """A missing file, a folder, and a file beyond all sense."""
    with pytest.raises(InputError, match="no such file"):
        read_yaml(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="cannot read"):
        read_yaml(tmp_path)
    assert "more than" in refusals(tmp_path, b"#" * (MOST_BYTES + 1))[0].message


@pytest.mark.parametrize("content", ["", "# only a comment\n", "\ufeff"])
def test_an_empty_file_is_no_document(tmp_path: Path, content: str) -> None:
    """Nothing, or comments alone, or a byte-order mark alone."""
    assert read(tmp_path, content) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(content=st.one_of(st.binary(max_size=200), st.text(alphabet="ab:-[]{}&*!|>'\"\n\t #%@`,?~", max_size=60)))
def test_no_bytes_make_the_reader_stumble(tmp_path: Path, content: str | bytes) -> None:
    """Every content is a tree, nothing, or an InputError."""
    with contextlib.suppress(InputError):
        read(tmp_path, content)


def test_source_lines_are_safe_to_print(tmp_path: Path) -> None:
    """A control sequence in the file never reaches the terminal through a message."""
    where = refusals(tmp_path, 'a: "\x1b[2J"')[0].where
    assert where is not None
    assert where.text is not None
    assert where.text.isprintable()
