"""The embedded preview and the real engine tell of the same stack, and the guardrails say the same at every door."""

import json
from typing import Any

import pytest

from generator.preview import preview
from generator.resources import Resource, StackState, parse_stack
from policies.finding import Finding
from policies.judge import judge
from policies.pack import ADVICE, spoken
from policies.rules import our_rules
from tests.engine.live_stack import ROOT, STACK, Answer, LiveStack
from tests.engine.test_journey import STACKS, shown
from tests.pretend_cloud.defaults import with_defaults
from tests.pretend_cloud.facts import providers

pytestmark = pytest.mark.slow

DENIED = ROOT / "tests" / "data" / "denied_stack" / "alicloud"
ENGINE = ROOT / "tests" / "data" / "engine_stack" / "alicloud"
PACK = ROOT / "policies"
STREAM = {"PULUMI_ENABLE_STREAMING_JSON_PREVIEW": "true"}


@pytest.fixture(params=[*STACKS, DENIED, ENGINE], ids=shown)
def stack(request: pytest.FixtureRequest, live_stack) -> LiveStack:
    """A stack that was never brought up, with its config."""
    stack: LiveStack = live_stack(request.param)
    assert stack.init().code == 0
    return stack


def read(answer: Answer) -> StackState:
    """What our reader makes of a preview or export."""
    return parse_stack(answer.out.encode(), "engine")[0]


def told(resource: Resource) -> dict[str, Any]:
    """What both previews must say alike of a resource; where it stands in the program is the engine's own way."""
    cloud = resource.type.partition(":")[0]
    inputs = with_defaults(cloud, resource.type, dict(resource.inputs)) if cloud in providers() else resource.inputs
    return {
        "inputs": inputs,
        "dependencies": sorted(resource.dependencies),
        "property_dependencies": {name: sorted(urns) for name, urns in resource.property_dependencies.items() if urns},
        "parent": resource.parent,
        "protect": resource.protect,
        "ignore_changes": resource.ignore_changes,
    }


def resources_of(state: StackState) -> dict[str, dict[str, Any]]:
    """All resources by URN, less the provider that the engine adds by itself."""
    return {entry.urn: told(entry) for entry in state.resources if not entry.type.startswith("pulumi:providers:")}


def findings_of(state: StackState) -> list[tuple[str, ...]]:
    """The findings, without the place in the program, which an export does not know."""
    return [told_of(finding) for finding in judge(state).findings]


def told_of(finding: Finding) -> tuple[str, ...]:
    return (
        finding.rule,
        finding.verdict,
        finding.resource,
        finding.property or "",
        finding.message,
        finding.cure or "",
    )


def test_both_previews_tell_of_the_same_resources(stack: LiveStack) -> None:
    """Same resources, inputs (with the provider's defaults), dependencies, parents, secrets, protection, outputs."""
    embedded, real = preview(stack.folder, stack=STACK), read(stack.preview())
    ours, theirs = resources_of(embedded), resources_of(real)
    assert ours.keys() == theirs.keys()
    for urn, resource in ours.items():
        assert resource == theirs[urn], urn
    streamed = read(stack.run("preview", "--json", "--stack", STACK, env=STREAM))
    assert embedded.outputs == streamed.outputs  # the other form does not show them


# What a form of the engine does not show, so that a rule which needs it can only say `unknown`.
HIDDEN = {
    "preview JSON": "the outputs of the stack, among them the sized facts",
    "streaming JSON": "what an input was computed from: whom a reference that is unknown until `up` means",
}


def test_the_folder_and_the_export_have_the_same_findings(stack: LiveStack) -> None:
    """Before and after `up`: no finding more, no finding less, and none that only the values made by `up` bring."""
    folder = findings_of(preview(stack.folder, stack=STACK))
    assert stack.up().code == 0
    assert findings_of(read(stack.run("stack", "export", "--stack", STACK))) == folder


@pytest.mark.parametrize("form", HIDDEN)
def test_the_engines_previews_have_the_findings_of_the_folder(stack: LiveStack, form: str) -> None:
    """Both JSON forms give the same findings, or `unknown` for the same rule and resource where they hide a fact."""
    folder = set(findings_of(preview(stack.folder, stack=STACK)))
    environment = STREAM if form == "streaming JSON" else None
    found = set(findings_of(read(stack.run("preview", "--json", "--stack", STACK, env=environment))))
    assert {verdict for _, verdict, *_ in found - folder} <= {"unknown"}
    unsure = {(rule, resource) for rule, verdict, resource, *_ in found if verdict == "unknown"}
    assert {(rule, resource) for rule, _, resource, *_ in folder - found} <= unsure


def test_the_pack_inside_the_engine_gives_the_same_verdicts(stack: LiveStack) -> None:
    """Each finding of `check` is a violation of the pack, mandatory when it is a deny, on the same resource."""
    answer = stack.run("preview", "--json", "--stack", STACK, "--policy-pack", str(PACK), env=STREAM)
    events = [event["policyEvent"] for event in map(json.loads, answer.out.splitlines()) if "policyEvent" in event]
    violations = {
        (
            event["policyName"],
            event["enforcementLevel"],
            event["resourceUrn"],
            event["message"].strip().partition("\n")[2],
        )
        for event in events
    }
    deniers = {rule.id for rule in our_rules() if rule.severity == "deny"}
    expected = set()
    for finding in judge(preview(stack.folder, stack=STACK)).findings:
        denied = finding.verdict == "deny"
        level = "mandatory" if denied else "advisory"
        advice = ADVICE if finding.rule in deniers and not denied else ""
        expected.add((finding.rule + advice, level, finding.resource, spoken(finding)))
    assert violations == expected
    assert (answer.code != 0) == any(level == "mandatory" for _, level, _, _ in expected)


def test_a_deny_stops_up_before_anything_is_made(live_stack) -> None:
    """`pulumi up` previews first, and a mandatory violation ends it there: no resource exists, no money is spent."""
    stack = live_stack(DENIED)
    assert stack.init().code == 0
    answer = stack.run("up", "--yes", "--stack", STACK, "--policy-pack", str(PACK))
    assert answer.code != 0
    assert "ST002" in answer.said
    assert stack.cloud.items() == []
    assert stack.up().code == 0  # without the pack the cloud would have taken it
