"""The rules as policies of Pulumi's CrossGuard. The judge gives the verdicts here too, so both doors agree.

A stack policy is shown outputs, in which what a program left out is filled in or unknown; a rule judges what was asked
for. So one resource policy keeps the inputs as they pass by, and the stack policies judge those. The SDK opens secrets
before policies see them; here they stay closed, as they are in `pulumi preview --json`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pulumi_policy.policy
from pulumi.runtime.config import CONFIG
from pulumi_policy import (
    EnforcementLevel,
    Policy,
    PolicyComplianceFramework,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
    StackValidationArgs,
    StackValidationPolicy,
)
from pulumi_policy.deserialize import deserialize_properties
from pulumi_policy.policy import PolicyProviderResource, PolicyResource
from pulumi_policy.secret import Secret

from generator.facts.remedies import remedied_rules, remedy
from generator.program.values import SECRET, plain
from generator.resources import STACK_TYPE, Resource, StackState
from policies.finding import Finding
from policies.judge import judge
from policies.rule_pages import page_address
from policies.rules import our_rules
from policies.ruling import Rule

SEVERITIES = {"deny": Severity.HIGH, "warn": Severity.MEDIUM, "info": Severity.LOW}
ADVICE, REMEDY = "-advice", "-remedy"


def keep_secrets(properties: dict[str, Any], proxy_secrets: bool = False) -> Any:
    """The SDK's own reading of properties, with secrets still marked as such."""
    opened = deserialize_properties(properties, proxy_secrets=True)
    return opened if proxy_secrets else raw(opened)


def raw(value: Any) -> Any:
    """What a proxy of the SDK stands before, without the checks it makes at each access."""
    target = value["__target"] if type(value).__name__.endswith("Proxy") else value
    if isinstance(target, Mapping):
        return {key: raw(item) for key, item in target.items()}
    if isinstance(target, list):
        return [raw(item) for item in target]
    return target


def closed(value: Any) -> Any:
    """A value as rules see it: SECRET for secrets, UNKNOWN for the engine's unknown."""
    if isinstance(value, Secret):
        return SECRET
    if isinstance(value, dict):
        return {key: closed(item) for key, item in value.items() if key != "__internal"}
    if isinstance(value, list):
        return [closed(item) for item in value]
    return plain(value)


class Session:
    """What one run of the engine has shown so far, and what the judge said of it."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self.inputs: dict[str, dict[str, Any]] = {}
        self._asked: set[str] = set()
        self._findings: tuple[Finding, ...] = ()

    def keep(self, args: ResourceValidationArgs, report: ReportViolation) -> None:
        """Remember the inputs of a resource; nothing is reported."""
        del report
        self.inputs[args.urn] = closed(raw(args.props))

    def findings(self, policy: str, args: StackValidationArgs) -> tuple[Finding, ...]:
        """All findings on the stack; judged once for all policies, and anew when a policy asks again."""
        if not self._asked or policy in self._asked:
            self._asked.clear()
            self._findings = judge(self.state(args), self.rules).findings
        self._asked.add(policy)
        return self._findings

    def state(self, args: StackValidationArgs) -> StackState:
        """The stack as the engine shows it, with the inputs that were kept."""
        resources = [self.resource(entry) for entry in args.resources]
        providers = [entry.provider for entry in args.resources if entry.provider is not None]
        known = {resource.urn for resource in resources}
        resources += [provider_resource(entry) for entry in {entry.urn: entry for entry in providers}.values()]
        told = {resource.urn: resource for resource in resources}
        roots = [entry for entry in args.resources if entry.resource_type == STACK_TYPE]
        parts = next(iter(known)).split("::") if known else ["urn:pulumi:", ""]
        return StackState(
            project=parts[1],
            stack=parts[0].removeprefix("urn:pulumi:"),
            source="policy pack",
            resources=tuple(sorted(told.values(), key=lambda resource: resource.urn)),
            config={key: plain(value) for key, value in CONFIG.get().items()},
            outputs=closed(raw(roots[0].props)) if roots else {},
        )

    def resource(self, entry: PolicyResource) -> Resource:
        """One resource; outputs stand in for inputs that the engine did not show."""
        return Resource(
            urn=entry.urn,
            type=entry.resource_type,
            name=entry.name,
            inputs=self.inputs.get(entry.urn) or closed(raw(entry.props)),
            dependencies=tuple(other.urn for other in entry.dependencies),
            property_dependencies={
                key: tuple(other.urn for other in others) for key, others in entry.property_dependencies.items()
            },
            parent=entry.parent.urn if entry.parent is not None else None,
            provider=f"{entry.provider.urn}::" if entry.provider is not None else None,
            protect=entry.opts.protect,
            ignore_changes=tuple(entry.opts.ignore_changes),
        )


def provider_resource(entry: PolicyProviderResource) -> Resource:
    """The provider of some resource as a resource, for its region."""
    return Resource(urn=entry.urn, type=entry.resource_type, name=entry.name, inputs=closed(raw(entry.props)))


def policies(rules: tuple[Rule, ...] | None = None) -> list[Policy]:
    """The policies of the pack: a mandatory one for what a rule denies, an advisory one for what it says besides."""
    vars(pulumi_policy.policy)["deserialize_properties"] = keep_secrets
    chosen = our_rules() if rules is None else rules
    session = Session(chosen)
    found: list[Policy] = [
        ResourceValidationPolicy(
            name="inputs", description="Keeps what was asked for; reports nothing.", validate=session.keep
        )
    ]
    found += [_remedy(rule) for rule in chosen if rule.id in remedied_rules()]
    for rule in chosen:
        if rule.severity == "deny":
            found.append(_policy(session, rule, rule.id, EnforcementLevel.MANDATORY, _denied))
            found.append(_policy(session, rule, rule.id + ADVICE, EnforcementLevel.ADVISORY, _advised))
        else:
            found.append(_policy(session, rule, rule.id, EnforcementLevel.ADVISORY, _any))
    return found


def _remedy(rule: Rule) -> ResourceValidationPolicy:
    """The cure of a rule where it is certain, made by the engine; off until the pack's configuration asks for it."""

    def remediate(args: ResourceValidationArgs) -> Any:
        given = raw(args.props)  # with secrets still marked, so that they go back as secrets
        changes = remedy(rule.id, args.resource_type, closed(given))
        return given | changes if changes else None

    return ResourceValidationPolicy(
        name=rule.id + REMEDY,
        description=f"Cures what {rule.id} finds: {rule.title.en}.",
        remediate=remediate,
        enforcement_level=EnforcementLevel.DISABLED,
    )


def _denied(finding: Finding) -> bool:
    return finding.verdict in {"deny", "error"}


def _advised(finding: Finding) -> bool:
    return not _denied(finding)


def _any(finding: Finding) -> bool:
    return bool(finding.verdict)


def _policy(
    session: Session, rule: Rule, name: str, level: EnforcementLevel, wanted: Callable[[Finding], bool]
) -> StackValidationPolicy:
    def validate(args: StackValidationArgs, report: ReportViolation) -> None:
        for finding in session.findings(name, args):
            if finding.rule == rule.id and wanted(finding):
                report(spoken(finding), finding.resource)

    return StackValidationPolicy(
        name=name,
        description=rule.title.en,
        validate=validate,
        enforcement_level=level,
        display_name=f"{name}: {rule.title.en}",
        severity=SEVERITIES[rule.severity],
        framework=PolicyComplianceFramework(name="trainform", reference=" ".join(rule.why), specification=rule.source),
        tags=["deep-learning", rule.id[:2]],
        remediation_steps=rule.doc.partition("Cure: ")[2].strip(),
        url=page_address(rule.id),
    )


def spoken(finding: Finding) -> str:
    """A finding as one line: verdict, message, cure."""
    return f"{finding.verdict}: {finding.message}. {finding.cure}"
