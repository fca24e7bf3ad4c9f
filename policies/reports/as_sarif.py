"""The report as SARIF 2.1.0, for code hosts: a rule with its help, a result with its place and a stable fingerprint."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from policies.finding import Finding, Report
from policies.rule_pages import page, page_address
from policies.rules import our_rules
from policies.ruling import Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"deny": "error", "warn": "warning", "info": "note", "unknown": "note", "error": "error", "waived": "note"}


def render(report: Report, lang: str) -> str:
    """The report as one SARIF run."""
    known = {rule.id: rule for rule in our_rules()}
    said = sorted({finding.rule for finding in report.findings} | set(known))
    rules = [_rule(name, known.get(name), lang) for name in said]
    results = [_result(finding, said.index(finding.rule)) for finding in report.findings]
    driver = {"name": "trainform", "rules": rules}
    failed = any(finding.verdict == "error" for finding in report.findings)
    invocation = {"executionSuccessful": not failed and report.checked.resources > 0}
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "results": results,
        "columnKind": "unicodeCodePoints",
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(name: str, rule: Rule | None, lang: str) -> dict[str, Any]:
    if rule is None:
        return {"id": name, "defaultConfiguration": {"level": "warning"}}
    title = rule.title.zh if lang == "zh" else rule.title.en
    address = page_address(rule.id)
    return {
        "id": rule.id,
        "name": rule.file.rpartition("/")[2].removesuffix(".py"),
        "shortDescription": {"text": title},
        "fullDescription": {"text": rule.doc.partition("\n\n")[2].strip()},
        "help": {"text": rule.doc.strip(), "markdown": page(rule, lang)},
        **({"helpUri": address} if address else {}),
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {"tags": ["deep-learning", rule.id[:2]], "why": list(rule.why)},
    }


def fingerprint(finding: Finding) -> str:
    """What stays the same when lines move and words change: the rule, the resource and the property."""
    return hashlib.sha256("\0".join((finding.rule, finding.resource, finding.property or "")).encode()).hexdigest()


def _result(finding: Finding, index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": LEVELS[finding.verdict],
        "kind": "review" if finding.verdict == "unknown" else "fail",
        "message": {"text": f"{finding.name}: {finding.message}. {finding.cure}"},
        "locations": [_location(finding)],
        "partialFingerprints": {"ruleResourceProperty/v1": fingerprint(finding)},
        "properties": {"verdict": finding.verdict, "property": finding.property, "why": finding.why},
    }
    if finding.verdict == "unknown":
        result["level"] = "none"  # what SARIF asks of any kind but `fail`
    if finding.verdict == "waived":
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": finding.waiver}]
    return result


def _location(finding: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {
        "logicalLocations": [{"name": finding.name, "fullyQualifiedName": finding.resource, "kind": "resource"}]
    }
    if finding.file is not None:
        physical: dict[str, Any] = {"artifactLocation": {"uri": finding.file}}
        if finding.line is not None:
            physical["region"] = {"startLine": finding.line}
        place["physicalLocation"] = physical
    return place
