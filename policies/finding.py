"""What is said of a stack: one finding a fault, and the report of all of them."""

from __future__ import annotations

from typing import Literal

import msgspec

Verdict = Literal["deny", "warn", "info", "unknown", "waived", "error"]
# From worst to mildest: what `--fail-on` compares. `error` and `waived` are not on the scale.
SCALE: tuple[Verdict, ...] = ("deny", "warn", "info", "unknown")


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One verdict on one resource (CONTRACTS section 5): what is wrong, the exact cure, and the source of the rule."""

    rule: str
    verdict: Verdict
    severity: Literal["deny", "warn", "info"]
    resource: str  # URN
    name: str
    property: str | None
    message: str
    cure: str
    why: str  # document row, or "ours"
    file: str | None = None
    line: int | None = None
    waiver: str | None = None


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """How much was looked at."""

    resources: int
    rules: int


class NotApplicable(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that had nothing to judge on a cloud's resources, and why."""

    rule: str
    cloud: str
    reason: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All that is said of one or several stacks."""

    findings: tuple[Finding, ...]
    checked: Checked
    not_applicable: tuple[NotApplicable, ...]


def merged(reports: tuple[Report, ...]) -> Report:
    """One report of several stacks; rules count once."""
    return Report(
        findings=tuple(finding for report in reports for finding in report.findings),
        checked=Checked(
            resources=sum(report.checked.resources for report in reports),
            rules=max((report.checked.rules for report in reports), default=0),
        ),
        not_applicable=tuple(dict.fromkeys(entry for report in reports for entry in report.not_applicable)),
    )


def exit_code(report: Report, fail_on: Verdict) -> int:
    """0 clean, 1 a finding at `fail_on` or above, 2 a rule that raised or nothing that was checked."""
    verdicts = {finding.verdict for finding in report.findings}
    if report.checked.resources == 0 or "error" in verdicts:
        return 2
    return int(any(verdict in verdicts for verdict in SCALE[: SCALE.index(fail_on) + 1]))
