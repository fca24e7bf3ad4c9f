"""The report as Markdown for a merge request: the summary first, the details folded."""

from __future__ import annotations

from policies.finding import Report
from policies.reports.folding import Entry, counts, fold
from policies.reports.naming import name_all
from policies.rule_pages import page_address

WORDS = {
    "en": {"clean": "Nothing found.", "checked": "Checked {resources} resources by {rules} rules.", "cure": "Cure"},
    "zh": {"clean": "没有发现问题。", "checked": "已按 {rules} 条规则检查 {resources} 个资源。", "cure": "修改"},
}
MARKS = {"error": "💥", "deny": "⛔", "warn": "⚠️", "info": "i", "unknown": "?", "waived": "✋"}


def render(report: Report, lang: str) -> str:
    """The report as Markdown."""
    words = WORDS[lang]
    total = counts(report)
    checked = words["checked"].format(resources=report.checked.resources, rules=report.checked.rules)
    if not total:
        return f"**trainform**: {words['clean']} {checked}\n"
    lines = ["| | |", "|---|---|", *(f"| {MARKS[verdict]} {verdict} | {number} |" for verdict, number in total.items())]
    lines += ["", checked, ""]
    for entry in fold(report):
        lines += _details(entry, words["cure"])
    return "**trainform**\n\n" + "\n".join(lines) + "\n"


def _details(entry: Entry, cure: str) -> list[str]:
    worst = entry.findings[0].verdict
    place = f" {_safe(entry.places[0])}" if entry.places else ""
    title = f"{MARKS[worst]} <b>{_safe(name_all(entry.names))}</b> ({_safe(entry.type)}){place}"
    lines = ["<details>", f"<summary>{title}</summary>", ""]
    for finding in entry.findings:
        lines.append(
            f"- **{finding.verdict} {_linked(finding.rule)}** {_safe(finding.message)} \\[{_safe(finding.why)}\\]"
        )
        if finding.waiver:
            lines.append(f"  - {_safe(finding.waiver)}")
        elif finding.cure:
            lines.append(f"  - {cure}: <code>{_safe(finding.cure)}</code>")
    return [*lines, "", "</details>", ""]


def _linked(rule: str) -> str:
    """A rule's id, as a link to its page where that has an address others can open."""
    address = page_address(rule) or ""
    return f"[{rule}]({address})" if address.startswith("http") else rule


def _safe(text: str) -> str:
    """Text that stays text: no markup of a name becomes markup of the comment."""
    for letter, code in (
        ("&", "&amp;"),
        ("<", "&lt;"),
        (">", "&gt;"),
        ("|", "\\|"),
        ("`", "'"),
        ("\n", " "),
        ("@", "&#64;"),
    ):
        text = text.replace(letter, code)
    return text.replace("[", "\\[").replace("]", "\\]")
