"""The report for people at a terminal: by resource, equal ones folded, each finding with its cure as an edit."""

from __future__ import annotations

from policies.finding import Report
from policies.reports.folding import counts, fold
from policies.reports.naming import name_all

WORDS = {
    "en": {
        "cure": "cure",
        "clean": "no findings",
        "checked": "checked {resources} resources by {rules} rules",
        "more": "more on a rule: trainform explain {rule}",
    },
    "zh": {
        "cure": "修改",
        "clean": "没有发现问题",
        "checked": "已按 {rules} 条规则检查 {resources} 个资源",
        "more": "规则详情：trainform explain {rule} --lang zh",
    },
}


def render(report: Report, lang: str) -> str:
    """The report as text."""
    words = WORDS[lang]
    lines: list[str] = []
    entries = fold(report)
    for entry in entries:
        names = name_all(entry.names)
        place = f"  {entry.places[0]}" if entry.places else ""
        lines.append(f"{names}  ({entry.type}){place}")
        for finding in entry.findings:
            lines.append(f"  {finding.verdict:<7} {finding.rule}  {finding.message}  [{finding.why}]")
            if finding.verdict == "waived":
                lines.append(f"          {finding.waiver}")
            elif finding.cure:
                lines.append(f"          {words['cure']}: {finding.cure}")
        lines.append("")
    total = counts(report)
    summary = ", ".join(f"{number} {verdict}" for verdict, number in total.items()) or words["clean"]
    checked = words["checked"].format(resources=report.checked.resources, rules=report.checked.rules)
    more = [words["more"].format(rule=entry.findings[0].rule) for entry in entries[:1]]
    return "\n".join([*lines, f"{summary}; {checked}", *more]) + "\n"
