"""Values become text in one way each, and come back as they were."""

import ast
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml as pyyaml
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stack.literals import (
    block,
    comment,
    expandable,
    md,
    name,
    names,
    plain,
    py,
    remark,
    sh,
    tick,
    word,
    yaml,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
DATA = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=12
)


@given(DATA, st.integers(0, 3), st.integers(0, 120))
def test_python_source_evaluates_back(value, depth, room) -> None:
    """`py` of plain data is source whose value is the data, whatever the indent and the room."""
    assert ast.literal_eval(py(value, 4 * depth, room)) == value


@settings(max_examples=1, deadline=None)
@given(st.lists(DATA, min_size=150, max_size=150))
def test_ruff_would_not_change_it(tmp_path_factory, values) -> None:
    """The formatter is an oracle, not a step: what `py` writes is already formatted."""
    file = tmp_path_factory.mktemp("py") / "values.py"
    file.write_text("".join(f"value = {py(value, 0, 110)}\n" for value in values), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--diff", "--line-length", "120", str(file)],
        capture_output=True,
        text=True,
    )
    assert done.stdout == ""


def test_what_has_no_literal_is_refused() -> None:
    """NaN, infinity and objects have no source; none is made up."""
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="no literal"):
            py(value)
    with pytest.raises(TypeError):
        py(Path("x"))


@given(TEXT)
def test_a_comment_stays_one_comment(text) -> None:
    """Whatever the text, the line after a comment is the next line of the program."""
    source = f"# {comment(text)}\nvalue = 1\n"
    assert ast.dump(ast.parse(source)) == ast.dump(ast.parse("value = 1\n"))
    wrapped = f"{remark(text, 4)}\nvalue = 1\n" if comment(text) else "value = 1\n"
    assert [ast.unparse(node) for node in ast.parse(wrapped.replace("\n    #", "\n#")).body] == ["value = 1"]


@given(TEXT)
def test_a_docstring_cannot_be_left(text) -> None:
    """A text inside triple quotes is one string constant."""
    body = ast.parse(f'"""x {comment(text)}."""\n').body
    assert len(body) == 1
    assert isinstance(body[0].value, ast.Constant)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40))
def test_a_shell_word_is_one_word(text) -> None:
    """The shell reads back what was quoted, as one word."""
    assert shlex.split(sh(text)) == [text]


def test_a_shell_expands_only_what_the_contract_names() -> None:
    """`$TRAINFORM_DATA_DIR` is the folder; any other dollar, backtick or semicolon is a character."""
    words = ["--data=$TRAINFORM_DATA_DIR/train", "${TRAINFORM_DATA_DIR}", "$(reboot)", "`reboot`", "$HOME", "a;b", ""]
    script = "printf '%s\\n' " + expandable(words, ["TRAINFORM_DATA_DIR"])
    environment = {"TRAINFORM_DATA_DIR": "/data dir", "HOME": "/root", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "--data=/data dir/train",
        "/data dir",
        "$(reboot)",
        "`reboot`",
        "$HOME",
        "a;b",
        "",
    ]


@given(DATA)
def test_a_yaml_scalar_reads_back(value) -> None:
    """YAML reads what was written, and nothing else."""
    text = yaml({"key": value})
    assert pyyaml.safe_load(text) == {"key": value}


def test_a_block_reads_back() -> None:
    """Lines of a block literal are the lines of the file; what YAML would fold or misread is refused."""
    text = "#!/bin/bash\nif true; then\n  echo '$x: - {}'\n\nfi\n"
    assert pyyaml.safe_load(f"content: |\n{block(text)}\n") == {"content": text}
    for wrong in ("no newline", " leading\n", "\nempty\n", "bell\x07\n"):
        with pytest.raises(ValueError, match="block literal"):
            block(wrong)


@pytest.mark.parametrize("text", ["a|b", "<img src=x>", "[x](javascript:y)", "# head", "*b* _i_", "line\nbreak"])
def test_markdown_is_text(text) -> None:
    """A value cannot end a table cell, open a link, a heading or HTML, nor break its line."""
    escaped = md(text)
    assert "\n" not in escaped
    for sign in "|<>[]#*":
        assert escaped.count(sign) == escaped.count(f"\\{sign}")


def test_markdown_keeps_names_readable() -> None:
    """Underscores inside a name are no markup, and code between backticks stays code."""
    assert md("qwen2_5_7b uses `pulumi up`") == "qwen2_5_7b uses `pulumi up`"
    assert md("one ` alone") == "one ' alone"
    assert tick("a`b|c") == "`a'b\\|c`"


def test_names_and_words_are_checked() -> None:
    """Where a value becomes a name or a part of one, anything else is refused."""
    assert names(["JOB", "ZONE"]) == "JOB, ZONE"
    assert word("gpu-idle") == "gpu-idle"
    assert plain("a\nb") == "a\nb"
    for call, value in ((name, "a b"), (name, "class"), (word, "a_b"), (word, ""), (plain, "a\x1b")):
        with pytest.raises(ValueError, match=r".+"):
            call(value)
