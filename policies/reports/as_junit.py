"""The report as JUnit XML, which every CI draws: a test case a rule and resource, failures for denials and warnings."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from policies.finding import Finding, Report
from policies.rules import our_rules


def render(report: Report, lang: str) -> str:
    """The report as one suite a rule; a rule of which nothing is said is one case that passes."""
    del lang  # the judge has already chosen the words
    said: dict[str, list[Finding]] = {rule.id: [] for rule in our_rules()}
    for finding in report.findings:
        said.setdefault(finding.rule, []).append(finding)
    root = ET.Element("testsuites", name="trainform")
    totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for rule, findings in sorted(said.items()):
        suite = ET.SubElement(root, "testsuite", name=rule)
        counts = dict.fromkeys(totals, 0)
        for finding in findings:
            counts["tests"] += 1
            counts[_case(suite, finding)] += 1
        if not findings:
            counts["tests"] += 1
            ET.SubElement(suite, "testcase", classname=rule, name="every resource")
        for name, number in counts.items():
            suite.set(name, str(number))
            totals[name] += number
    for name, number in totals.items():
        root.set(name, str(number))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ET.Element, finding: Finding) -> str:
    """Add a case; which of the suite's counts it adds to."""
    name = finding.name if finding.property is None else f"{finding.name} {finding.property}"
    case = ET.SubElement(suite, "testcase", classname=finding.rule, name=_legal(name))
    if finding.file is not None:
        case.set("file", finding.file)
    if finding.line is not None:
        case.set("line", str(finding.line))
    text = _legal(f"{finding.message}\n{finding.cure}\n{finding.resource}\n{finding.why}")
    if finding.verdict == "error":
        ET.SubElement(case, "error", message=_legal(finding.message), type="error").text = text
        return "errors"
    if finding.verdict in {"deny", "warn"}:
        ET.SubElement(case, "failure", message=_legal(finding.message), type=finding.verdict).text = text
        return "failures"
    ET.SubElement(case, "skipped", message=_legal(f"{finding.verdict}: {finding.waiver or finding.message}"))
    return "skipped"


def _legal(text: str) -> str:
    """The text without the control characters that XML forbids."""
    return "".join(letter for letter in text if letter >= " " or letter in "\n\t")
