"""What people decided to live with: waivers with a reason, an owner and an end, in a file or beside the resource."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec
import yaml

from generator.errors import InputError, Place, Problem
from generator.resources import StackState
from policies.finding import Finding, Report

FIELDS = ("rule", "resource", "reason", "owner", "expires")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
# `# trainform: waive ST001 reason="scratch data" owner=ml expires=2027-01-31`, on the lines above a resource.
COMMENT = re.compile(r"#\s*trainform:\s*waive\s+(?P<rule>\S+)(?P<rest>.*)")
PART = re.compile(r"""(\w+)=(?:"([^"]*)"|(\S+))""")


class Waiver(msgspec.Struct, frozen=True, kw_only=True):
    """One decision: `resource` is a name (`*` and `?` allowed) or a URN; it holds to the end of the day `expires`."""

    rule: str
    resource: str
    reason: str
    owner: str
    expires: str
    file: str
    line: int | None = None

    def covers(self, finding: Finding) -> bool:
        """Whether this waiver speaks of a finding."""
        known = finding.resource == self.resource or fnmatchcase(finding.name, self.resource)
        return finding.rule == self.rule and known


def read_waivers(file: Path, rules: frozenset[str]) -> tuple[Waiver, ...]:
    """The waivers of a `waivers.yaml`; InputError with every fault, unknown rule ids among them."""
    try:
        entries = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.BaseLoader) or []  # noqa: S506  (texts only)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        where = Place(file=str(file), line=line)
        raise InputError(Problem(message=f"not valid YAML: {error.problem}", where=where)) from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(Problem(message=f"cannot be read: {error}", where=Place(file=str(file)))) from None
    if not isinstance(entries, list):
        raise InputError(Problem(message="must be a list of waivers", where=Place(file=str(file))))
    problems: list[Problem] = []
    waivers: list[Waiver] = []
    for number, entry in enumerate(entries, 1):
        faults = _faults(entry, rules)
        problems += [Problem(message=f"waiver {number}: {fault}", where=Place(file=str(file))) for fault in faults]
        if not faults:
            waivers.append(Waiver(**entry, file=str(file)))
    if problems:
        raise InputError(*problems)
    return tuple(waivers)


def _faults(entry: Any, rules: frozenset[str]) -> list[str]:
    if not isinstance(entry, dict):
        return ["must be a mapping"]
    faults = [f"{name!r} is missing" for name in FIELDS if not str(entry.get(name) or "").strip()]
    faults += [f"{name!r} is no field of a waiver" for name in entry if name not in FIELDS]
    if entry.get("rule") and entry["rule"] not in rules:
        faults.append(f"there is no rule {entry['rule']!r}")
    if entry.get("expires") and not DATE.fullmatch(str(entry["expires"])):
        faults.append(f"'expires' must be a date such as 2027-01-31, not {entry['expires']!r}")
    return faults


def waivers_of(state: StackState, folder: Path, rules: frozenset[str]) -> tuple[Waiver, ...]:
    """The waivers of a stack folder: those of its waivers.yaml, and those beside resources in its program."""
    file = folder / "waivers.yaml"
    written = read_waivers(file, rules) if file.is_file() else ()
    return written + read_comments(state, folder, rules)


def read_comments(state: StackState, folder: Path, rules: frozenset[str]) -> tuple[Waiver, ...]:
    """The waivers that stand as comments right above a resource in its program."""
    waivers: list[Waiver] = []
    problems: list[Problem] = []
    texts: dict[str, list[str]] = {}
    for resource in state.resources:
        if resource.file is None or resource.line is None:
            continue
        lines = texts.setdefault(resource.file, _lines(folder / resource.file))
        for number, match in _above(lines, resource.line):
            parts = {name: quoted or plain for name, quoted, plain in PART.findall(match["rest"])}
            entry = {"rule": match["rule"], "resource": resource.urn} | parts
            where = Place(file=str(folder / resource.file), line=number, text=lines[number - 1].strip())
            faults = _faults(entry, rules)
            problems += [Problem(message=f"waiver: {fault}", where=where) for fault in faults]
            if not faults:
                waivers.append(Waiver(**entry, file=str(folder / resource.file), line=number))
    if problems:
        raise InputError(*problems)
    return tuple(waivers)


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _above(lines: list[str], line: int) -> Iterator[tuple[int, re.Match[str]]]:
    """The waiving comments of the comment block that ends right above a line."""
    number = line - 1
    while 0 < number <= len(lines) and lines[number - 1].lstrip().startswith("#"):
        match = COMMENT.search(lines[number - 1])
        if match is not None:
            yield number, match
        number -= 1


def apply_waivers(report: Report, waivers: tuple[Waiver, ...], today: str) -> Report:
    """The report with waived findings marked; an expired waiver waives nothing, an unused one is a warning."""
    findings: list[Finding] = []
    used: set[Waiver] = set()
    for finding in report.findings:
        waiver = next((entry for entry in waivers if entry.covers(finding)), None)
        if waiver is None or finding.verdict == "error":
            findings.append(finding)
            continue
        used.add(waiver)
        if waiver.expires < today:
            message = f"{finding.message} (its waiver by {waiver.owner} expired on {waiver.expires})"
            findings.append(msgspec.structs.replace(finding, message=message))
        else:
            said = f"{waiver.reason} ({waiver.owner}, until {waiver.expires})"
            findings.append(msgspec.structs.replace(finding, verdict="waived", waiver=said))
    findings += [_unused(waiver) for waiver in dict.fromkeys(waivers) if waiver not in used]
    return msgspec.structs.replace(report, findings=tuple(findings))


def _unused(waiver: Waiver) -> Finding:
    return Finding(
        rule=waiver.rule,
        verdict="warn",
        severity="warn",
        resource=waiver.resource,
        name=waiver.resource.rsplit("::", 1)[-1],
        property=None,
        message="a waiver that no finding needs any more",
        cure=f"take it out of {waiver.file}",
        why="ours",
        file=waiver.file,
        line=waiver.line,
    )
