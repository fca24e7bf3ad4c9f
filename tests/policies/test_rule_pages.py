"""The rules' pages: whole, fresh, in both languages, and with examples that do what the page says."""

import importlib.metadata
import re
from collections.abc import Iterator
from email.message import Message as Metadata
from typing import Any

import msgspec
import pytest
import yaml

from generator.program.values import UNKNOWN
from generator.resources import STACK_TYPE, Resource, StackState
from policies.judge import judge
from policies.rule_pages import EXAMPLES, PAGES, WORDS, find_example, page, page_address, pages, said
from policies.rules import our_rules
from policies.ruling import Rule

RULES = pytest.mark.parametrize("rule", our_rules(), ids=lambda rule: rule.id)
REFERENCE = re.compile(r"\$\{([\w-]+)\.\w+\}")


def urn(name: str, kind: str) -> str:
    """The name that the engine would give a resource."""
    return f"urn:pulumi:dev::p::{kind}::{name}"


def referred(value: Any) -> Iterator[str]:
    """The resources that a value refers to."""
    if isinstance(value, str):
        yield from REFERENCE.findall(value)
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from referred(item)


def unresolved(value: Any) -> Any:
    """A value as a preview has it: what comes from another resource is unknown."""
    if isinstance(value, dict):
        return {key: unresolved(item) for key, item in value.items()}
    if isinstance(value, list):
        return [unresolved(item) for item in value]
    return UNKNOWN if isinstance(value, str) and REFERENCE.search(value) else value


def state(program: str) -> StackState:
    """The stack that a program in Pulumi YAML describes."""
    told = yaml.safe_load(program)
    entries = told.get("resources") or told["steps"]
    resources = [Resource(urn=urn("p-dev", STACK_TYPE), type=STACK_TYPE, name="p-dev", inputs={})]
    for name, entry in entries.items():
        given = entry.get("properties") or {}
        resources.append(
            Resource(
                urn=urn(name, entry["type"]),
                type=entry["type"],
                name=name,
                inputs=unresolved(given),
                property_dependencies={
                    key: tuple(urn(other, entries[other]["type"]) for other in referred(value))
                    for key, value in given.items()
                    if list(referred(value))
                },
                protect=(entry.get("options") or {}).get("protect", False),
                op=entry.get("op"),
                replace_keys=tuple(entry.get("replaceReasons") or ()),
            )
        )
    return StackState(
        project="p",
        stack="dev",
        source="example",
        resources=tuple(resources),
        config={"alicloud:region": "cn-beijing"},
        outputs=told.get("outputs") or {},
    )


@RULES
def test_examples_do_what_the_page_says(rule: Rule) -> None:
    """The failing example draws the worst verdict of the rule, the passing one none of it and no denial of any."""
    example = find_example(rule.id)
    assert example is not None
    fails = judge(state(example.fails), today="2026-11-30").findings
    assert {finding.verdict for finding in fails if finding.rule == rule.id} == {rule.severity}
    passes = judge(state(example.passes), today="2026-11-30").findings
    assert [finding for finding in passes if finding.rule == rule.id or finding.verdict in {"deny", "error"}] == []


def test_examples_have_rules() -> None:
    """No example is left over."""
    assert {path.name for path in EXAMPLES.iterdir()} == {f"{rule.id}.yaml.diff" for rule in our_rules()}


@RULES
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_page_is_whole(rule: Rule, lang: str) -> None:
    """Every page has its headings in their order, and something below each."""
    text = page(rule, lang)
    names = ("what", "why", "source", "passes", "fails", "cure", "waive", "opposed")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [WORDS[lang][name] for name in names]
    assert [part for part in text.split("\n## ") if len(part.strip().splitlines()) < 1] == []
    assert all(said(rule, lang))
    assert rule.doubt is not None
    if lang == "zh":
        assert all(any(ord(letter) > 0x2E80 for letter in part) for part in said(rule, lang))


def test_pages_are_fresh() -> None:
    """docs/rules has a page for each rule, as its file says today, and no other: `python -m policies.rule_pages`."""
    wanted = pages()
    assert set(PAGES.rglob("*.md")) == set(wanted)
    assert [path.name for path, text in wanted.items() if path.read_text(encoding="utf-8") != text] == []


def test_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page stands where the package says that its documentation is; else in the checkout; else nowhere."""
    told = Metadata()
    monkeypatch.setattr(importlib.metadata, "metadata", lambda _: told)
    assert (page_address("ST001") or "").endswith("/docs/rules/ST001.md")
    assert page_address("XX001") is None
    told["Project-URL"] = "Documentation, https://docs.example.com/trainform/"
    assert page_address("ST001") == "https://docs.example.com/trainform/rules/ST001.md"


def test_a_rule_without_example_has_a_page() -> None:
    """A rule of a person's own has a page too, without what it lacks."""
    own = msgspec.structs.replace(our_rules()[0], id="TM001", zh="", doubt=None, opposed=None)
    assert "Passing example" not in page(own, "en")
    assert "Cure" in page(own, "en")
    assert "## 修复" in page(own, "zh")
