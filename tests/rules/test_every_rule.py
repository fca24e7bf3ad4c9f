"""What holds of every rule file, so that none can be forgotten."""

import ast
import csv
import string
from pathlib import Path

import pytest

from generator import facts
from generator.clouds import cloud_ids
from generator.facts import Fact
from generator.facts.cures import CLOUDS
from policies.rules import FOLDER, our_rules
from policies.ruling import Message, Rule

RULES = our_rules()
TESTS = Path(__file__).parent


def messages(rule: Rule) -> dict[str, Message]:
    """The sentences that a rule file holds."""
    return {name: value for name, value in rule.check.__globals__.items() if isinstance(value, Message)}


def places(text: str) -> set[str]:
    """The places of a sentence that values fill."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_file_is_a_rule_with_a_test() -> None:
    """Each rule file is loaded, is called like its id, and has a test of its name; no test is left over."""
    files = {path.stem for path in FOLDER.glob("[!_]*.py")}
    assert files == {Path(rule.file).stem for rule in RULES}
    assert files == {path.stem.removeprefix("test_") for path in TESTS.glob("test_[a-z][a-z]0*.py")}
    for rule in RULES:
        assert Path(rule.file).stem.startswith(rule.id.lower() + "_")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_is_whole(rule: Rule) -> None:
    """A rule has its headings, its rows or `ours`, both languages with the same values, and facts that exist."""
    assert rule.doc.startswith(f"{rule.id}: ")
    assert [heading for heading in ("What: ", "Why: ", "Cure: ") if heading not in rule.doc] == []
    assert rule.why
    assert rule.source
    for name, message in messages(rule).items():
        assert places(message.en) == places(message.zh), name
        assert any(ord(letter) > 0x2E80 for letter in message.zh), name
    for need in rule.needs:
        kind, _, field = need.partition(".")
        struct = getattr(facts, kind)
        assert field in struct.__struct_fields__ or isinstance(getattr(struct, field), property), need


def wishes(path: Path) -> set[tuple[str, str]]:
    """Field and wanted state of every ruling that a file makes, by its source."""
    found = set()
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in {"deny", "warn", "info", "unknown", "say"}:
            values = [argument.value if isinstance(argument, ast.Constant) else None for argument in call.args]
            if len(values) >= 4 and isinstance(values[1], str) and isinstance(values[3], str):
                found.add((values[1], values[3]))
    return found


@pytest.mark.parametrize("cloud", cloud_ids())
def test_every_wish_has_its_cure(cloud: str) -> None:
    """Whatever a rule wants, the cloud's table says how it is set; and it says nothing that no rule wants."""
    files = [*FOLDER.glob("[!_]*.py"), *FOLDER.parent.glob("*.py")]
    wanted = {wish for path in files for wish in wishes(path)} | {("value", "legal"), ("value", "absent")}
    with (CLOUDS / cloud / "cures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    told = {(row["field"], row["wanted"]) for row in rows if row["carrier"] == "*"}
    told |= {("type", "nearest")}
    assert wanted | {("type", "nearest")} == told
    assert all(places(row["en"]) == places(row["zh"]) for row in rows)


def test_no_rule_names_a_cloud_or_a_property() -> None:
    """A rule speaks of facts: the clouds' own words stand in their folders."""
    words = [path.name for path in CLOUDS.iterdir() if path.is_dir()] + [
        "systemDisk",
        "instanceType",
        "vswitch",
        "resource.inputs",
    ]
    for path in FOLDER.glob("[!_]*.py"):
        text = path.read_text(encoding="utf-8")
        assert [word for word in words if word in text] == [], path.name


def test_facts_are_kinds_that_some_rule_reads() -> None:
    """No kind of fact is made that no rule reads."""
    kinds = {kind.__name__ for kind in vars(facts).values() if isinstance(kind, type) and issubclass(kind, Fact)}
    used = {need.partition(".")[0] for rule in RULES for need in rule.needs}
    assert kinds - {"Fact"} <= used
