"""The forms of a report: every finding is in each, nothing leaks, and each is what its readers expect."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import msgspec
import pytest

from generator.program.values import SECRET
from policies.finding import Finding, Report
from policies.reports import formats, render
from policies.rule_pages import page
from policies.rules import our_rules
from tests.rules.drafts import Draft, node

EVIL = "<script>`|[x](y)@all\x01"


def report() -> Report:
    """A report with every verdict, on a stack with a secret, and with a name that is no plain text."""
    draft = Draft()
    node(draft, "node", systemDiskCategory="cloud", password=SECRET, tags={})
    found = draft.report()
    first = found.findings[0]
    more = (
        msgspec.structs.replace(first, verdict="waived", waiver="because (ml, until 2027-01-31)"),
        msgspec.structs.replace(first, verdict="error", message="the rule itself failed"),
        msgspec.structs.replace(first, name=EVIL, message=EVIL, property="a", cure=EVIL),
    )
    return msgspec.structs.replace(found, findings=(*found.findings, *more))


def test_forms() -> None:
    """These are all forms there are, text first."""
    assert formats() == ("text", "json", "junit", "markdown", "sarif")


@pytest.mark.parametrize("form", formats())
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_finding_is_there(form: str, lang: str) -> None:
    """No form leaves a rule out, and an empty report is one too."""
    text = render(report(), form, lang)
    assert text.endswith("\n")
    assert [finding.rule for finding in report().findings if finding.rule not in text] == []
    assert render(msgspec.structs.replace(report(), findings=()), form, lang)


def sarif(findings: tuple[Finding, ...] | None = None) -> dict[str, object]:
    """The only run of the SARIF form."""
    found = report() if findings is None else msgspec.structs.replace(report(), findings=findings)
    run: dict[str, object] = json.loads(render(found, "sarif"))["runs"][0]
    return run


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_sarif_has_the_form_of_the_standard(lang: str) -> None:
    """Every object has the members that the standard asks for, and no other; every rule leads to its page."""
    form = json.loads((Path(__file__).parents[1] / "data" / "sarif_form.json").read_text(encoding="utf-8"))
    document = json.loads(render(report(), "sarif", lang))
    assert [error.message for error in jsonschema.Draft202012Validator(form).iter_errors(document)] == []
    rules = {rule["id"]: rule for rule in document["runs"][0]["tool"]["driver"]["rules"]}
    for rule in our_rules():
        assert rules[rule.id]["helpUri"].endswith(f"/rules/{rule.id}.md")
        assert rules[rule.id]["help"]["markdown"] == page(rule, lang)


def test_sarif_is_what_code_hosts_read() -> None:
    """Levels are of the standard, rules are referred to by their index, places and fingerprints are there."""
    document = json.loads(render(report(), "sarif"))
    assert document["version"] == "2.1.0"
    run = document["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} >= {rule.id for rule in our_rules()}
    assert {rule["defaultConfiguration"]["level"] for rule in rules} <= {"error", "warning", "note"}
    assert len(run["results"]) == len(report().findings)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note", "none"}
        assert result["kind"] == "fail" or result["level"] == "none"
        place = result["locations"][0]
        assert place["physicalLocation"]["artifactLocation"]["uri"] == "__main__.py"
        assert place["physicalLocation"]["region"]["startLine"] == 1
    waived = [result for result in run["results"] if "suppressions" in result]
    assert [result["suppressions"][0]["justification"] for result in waived] == ["because (ml, until 2027-01-31)"]
    assert run["invocations"][0]["executionSuccessful"] is False


def test_fingerprint_outlives_lines_and_words() -> None:
    """A finding that moves or is worded anew keeps its fingerprint; one of another property has its own."""
    first = report().findings[0]
    moved = msgspec.structs.replace(first, line=99, message="other words")
    other = msgspec.structs.replace(first, property="other")
    prints = [
        str(result["partialFingerprints"])
        for result in sarif((first, moved, other))["results"]  # type: ignore[attr-defined]
    ]
    assert prints[0] == prints[1] != prints[2]


def test_junit_counts() -> None:
    """The XML is well formed and its counts are those of its cases."""
    root = ET.fromstring(render(report(), "junit").split("\n", 1)[1])
    verdicts = [finding.verdict for finding in report().findings]
    assert int(root.get("failures", "")) == sum(verdict in {"deny", "warn"} for verdict in verdicts)
    assert int(root.get("errors", "")) == verdicts.count("error") == len(root.findall(".//error"))
    assert int(root.get("skipped", "")) == sum(verdict in {"info", "unknown", "waived"} for verdict in verdicts)
    assert int(root.get("tests", "")) == len(root.findall(".//testcase"))


def test_markdown_keeps_text_text() -> None:
    """The summary comes first, details are folded, and no name becomes markup or calls people."""
    text = render(report(), "markdown")
    assert text.index("| ⛔ deny |") < text.index("<details>")
    assert text.count("<details>") == text.count("</details>")
    assert "<script>" not in text
    assert "@all" not in text
    assert "[x](y)" not in text
