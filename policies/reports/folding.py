"""Resources of which the same is said, as one entry: N equal machines need reading once."""

from __future__ import annotations

from collections import Counter

import msgspec

from policies.finding import SCALE, Finding, Report

ORDER = ("error", *SCALE, "waived")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """The findings that all these resources of one type share, the worst first."""

    type: str
    names: tuple[str, ...]
    places: tuple[str, ...]
    findings: tuple[Finding, ...]


def fold(report: Report) -> tuple[Entry, ...]:
    """The findings grouped by resource and the groups folded, the entries with the worst findings first."""
    by_resource: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_resource.setdefault(finding.resource, []).append(finding)
    groups: dict[tuple[object, ...], list[list[Finding]]] = {}
    for findings in by_resource.values():
        findings.sort(key=lambda finding: (ORDER.index(finding.verdict), finding.rule, finding.property or ""))
        likeness = tuple(
            (entry.rule, entry.verdict, entry.property, entry.message, entry.cure, entry.waiver) for entry in findings
        )
        groups.setdefault((_type(findings[0]), likeness), []).append(findings)
    entries = [
        Entry(
            type=_type(members[0][0]),
            names=tuple(findings[0].name for findings in members),
            places=tuple(dict.fromkeys(place for findings in members if (place := _place(findings[0])))),
            findings=tuple(members[0]),
        )
        for members in groups.values()
    ]
    return tuple(sorted(entries, key=lambda entry: (ORDER.index(entry.findings[0].verdict), entry.type, entry.names)))


def counts(report: Report) -> dict[str, int]:
    """How many findings there are of each verdict that occurs, from worst to mildest."""
    found = Counter(finding.verdict for finding in report.findings)
    return {verdict: found[verdict] for verdict in ORDER if found[verdict]}


def _type(finding: Finding) -> str:
    parts = finding.resource.split("::")
    return parts[-2].rsplit("$", 1)[-1] if len(parts) > 2 else "waiver"


def _place(finding: Finding) -> str | None:
    if finding.file is None:
        return None
    return finding.file if finding.line is None else f"{finding.file}:{finding.line}"
