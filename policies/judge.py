"""The offline door: every rule on every fact of a stack. The CrossGuard door calls this too, so verdicts agree."""

from __future__ import annotations

import datetime as dt
import importlib
import traceback
from collections.abc import Iterable, Iterator

import msgspec

from generator.catalog.capabilities import find_capability
from generator.clouds import Cloud, cloud_ids, find_cloud
from generator.facts import Facts, read_sized, root_resource
from generator.facts.cures import cure
from generator.resources import StackState
from policies.finding import Checked, Finding, NotApplicable, Report
from policies.rules import our_rules
from policies.ruling import Message, Rule, Ruling

# Facts that one resource has from another which refers to it, or to which it refers: a machine's timetable, a group's
# template. A stream of events hides who refers to whom: that such a thing is missing, it cannot tell.
JOINED = frozenset(
    {
        "Alarm.nodes",
        "Disk.node",
        "Node.ends",
        "Node.monitoring",
        "Node.spot_fallback",
        "Node.stops_by_schedule",
    }
)
HIDDEN = Message(
    en="{said}; not certain: this form of a preview hides which resource refers to which",
    zh="{said}；无法确定：此形式的预览不显示资源之间的引用",
)


def judge(
    state: StackState, rules: tuple[Rule, ...] | None = None, lang: str = "en", today: str | None = None, base: str = ""
) -> Report:
    """What the rules (default: ours) say of a stack. `today` is an ISO date, default the clock's.

    `base` is the folder that the files of the program lie in, as the user named it.
    """
    chosen = our_rules() if rules is None else rules
    findings: list[Finding] = []
    skipped: list[NotApplicable] = []
    judged = 0
    for cloud in _clouds(state):
        facts = _facts(state, cloud, today or dt.datetime.now(tz=dt.UTC).date().isoformat())
        judged += sum(resource.type.partition(":")[0] in cloud.token_packages for resource in state.resources)
        for rule in chosen:
            for entry in _apply(rule, facts, cloud, state, lang, base):
                if isinstance(entry, Finding):
                    findings.append(entry)
                else:
                    skipped.append(entry)
    return Report(
        findings=tuple(sorted(set(findings), key=_order)),
        checked=Checked(resources=judged, rules=len(chosen)),
        not_applicable=tuple(dict.fromkeys(skipped)),
    )


def _order(finding: Finding) -> tuple[str, str, str, str]:
    return finding.resource, finding.rule, finding.property or "", finding.message


def _clouds(state: StackState) -> Iterator[Cloud]:
    packages = {resource.type.partition(":")[0] for resource in state.resources}
    for cloud_id in cloud_ids():
        cloud = find_cloud(cloud_id)
        if packages & {*cloud.token_packages}:
            yield cloud


def _facts(state: StackState, cloud: Cloud, today: str) -> Facts:
    reader = importlib.import_module(f"generator.clouds.{cloud.id}.facts")
    return Facts(reader.read_facts(state), read_sized(state), today)


def _apply(
    rule: Rule, facts: Facts, cloud: Cloud, state: StackState, lang: str, base: str
) -> Iterator[Finding | NotApplicable]:
    if not any(facts.of(kind) for kind in rule.subjects):
        kinds = ", ".join(kind.__name__ for kind in rule.subjects)
        reason = f"no {kinds} in the stack" if lang != "zh" else f"栈中没有 {kinds}"
        yield NotApplicable(rule=rule.id, cloud=cloud.id, reason=reason)
        return
    if rule.capability and (row := find_capability(cloud.id, rule.capability)).can == "no":
        yield NotApplicable(rule=rule.id, cloud=cloud.id, reason=row.reason)
        return
    try:
        found = list(_spoken(rule, _certain(rule, rule.check(facts), state), cloud, lang, base))
    except Exception as error:  # noqa: BLE001  (a broken rule is a finding, not the end of the run)
        found = [_raised(rule, error, state, lang)]
    yield from found


def _certain(rule: Rule, rulings: Iterable[Ruling], state: StackState) -> Iterator[Ruling]:
    """The rulings; those that miss something are `unknown` where the state hides what it could be joined to."""
    weak = state.references_hidden and not JOINED.isdisjoint(rule.needs)
    for ruling in rulings:
        if weak and ruling.verdict in {"warn", "info"}:
            message = Message(en=_hidden(ruling, "en"), zh=_hidden(ruling, "zh"))
            yield msgspec.structs.replace(ruling, verdict="unknown", message=message)
        else:
            yield ruling


def _hidden(ruling: Ruling, lang: str) -> str:
    """The ruling's sentence with the doubt; filled already, so that what looks like a place in it is none."""
    said = HIDDEN.text(lang, {"said": ruling.message.text(lang, ruling.values)})
    return said.replace("{", "{{").replace("}", "}}")


def _spoken(
    rule: Rule, rulings: Iterable[Ruling], cloud: Cloud, lang: str, base: str
) -> Iterator[Finding | NotApplicable]:
    for ruling in rulings:
        message = ruling.message.text(lang, ruling.values)
        if ruling.verdict == "skip":
            yield NotApplicable(rule=rule.id, cloud=cloud.id, reason=message)
            continue
        resource = ruling.fact.resource
        path, text = cure(ruling.fact, ruling.field, ruling.wanted, lang, ruling.values)
        yield Finding(
            rule=rule.id,
            verdict=ruling.verdict,
            severity=rule.severity,
            resource=resource.urn,
            name=resource.name,
            property=path,
            message=message,
            cure=text,
            why=" ".join(rule.why),
            file=f"{base.rstrip('/')}/{resource.file}" if base and resource.file else resource.file,
            line=resource.line,
        )


def _raised(rule: Rule, error: Exception, state: StackState, lang: str) -> Finding:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    root = root_resource(state) or state.resources[0]
    failed, mend = ("规则本身出错", "修复") if lang == "zh" else ("the rule itself failed", "mend")
    return Finding(
        rule=rule.id,
        verdict="error",
        severity=rule.severity,
        resource=root.urn,
        name=root.name,
        property=None,
        message=f"{failed}: {type(error).__name__}: {error} ({frame.name}, line {frame.lineno})",
        cure=f"{mend} {rule.file}",
        why=" ".join(rule.why),
    )
