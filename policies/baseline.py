"""Findings that were there before: a baseline, so that only new ones fail."""

from __future__ import annotations

from pathlib import Path

import msgspec

from generator.errors import InputError, Place, Problem
from policies.finding import Finding, Report


class Entry(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """One finding that is known: lines and words may change, these three may not."""

    rule: str
    resource: str
    property: str | None


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """All findings that were there on a date."""

    date: str
    known: tuple[Entry, ...]


def entry_of(finding: Finding) -> Entry:
    """What a baseline keeps of a finding."""
    return Entry(rule=finding.rule, resource=finding.resource, property=finding.property)


def write_baseline(report: Report, today: str) -> bytes:
    """The baseline of a report, sorted, so that it reads well in a diff."""
    found = {entry_of(finding) for finding in report.findings if finding.verdict not in {"waived", "error"}}
    known = sorted(found, key=lambda entry: (entry.rule, entry.resource, entry.property or ""))
    return msgspec.json.format(msgspec.json.encode(Baseline(date=today, known=tuple(known))), indent=2) + b"\n"


def read_baseline(file: Path) -> Baseline:
    """The baseline of a file; InputError when it is none."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Baseline)
    except (OSError, msgspec.MsgspecError) as error:
        hint = "`trainform check PATH --write-baseline FILE` writes one"
        raise InputError(Problem(message=f"is no baseline: {error}", where=Place(file=str(file)), hint=hint)) from None


def apply_baseline(report: Report, baseline: Baseline) -> tuple[Report, tuple[Entry, ...]]:
    """The report with known findings marked as waived, and the entries that nothing matches any more."""
    known = set(baseline.known)
    findings = tuple(
        msgspec.structs.replace(finding, verdict="waived", waiver=f"known since {baseline.date}")
        if entry_of(finding) in known and finding.verdict not in {"waived", "error"}
        else finding
        for finding in report.findings
    )
    met = {entry_of(finding) for finding in report.findings}
    gone = tuple(entry for entry in baseline.known if entry not in met)
    return msgspec.structs.replace(report, findings=findings), gone
