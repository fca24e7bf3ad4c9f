"""The embedded preview and the real engine tell of the same stack, and the guardrails say the same at every door."""

import json
from pathlib import Path
from typing import Any

import msgspec
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


class Forms(msgspec.Struct, frozen=True, kw_only=True):
    """One stack in every form there is, and what the policy pack said of it inside the engine."""

    folder: StackState
    preview: StackState
    stream: StackState
    export: StackState
    policed: Answer


@pytest.fixture(scope="module", params=[*STACKS, DENIED, ENGINE], ids=shown)
def forms(
    request: pytest.FixtureRequest, cli: Path, pulumi_home: Path, tmp_path_factory: pytest.TempPathFactory
) -> Forms:
    """A stack previewed by both engines, brought up and exported, once for all tests."""
    stack = LiveStack(cli, pulumi_home, request.param, tmp_path_factory.mktemp("agreement"))
    assert stack.init().code == 0
    previewed = read(stack.preview())
    policed = stack.run("preview", "--json", "--stack", STACK, "--policy-pack", str(PACK), env=STREAM)
    folder = preview(stack.folder, stack=STACK)
    up = stack.up()
    assert up.code == 0, up.said
    export = read(stack.run("stack", "export", "--stack", STACK))
    return Forms(folder=folder, preview=previewed, stream=read(policed), export=export, policed=policed)


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


def test_both_previews_tell_of_the_same_resources(forms: Forms) -> None:
    """Same resources, inputs (with the provider's defaults), dependencies, parents, secrets, protection, outputs."""
    ours, theirs = resources_of(forms.folder), resources_of(forms.preview)
    assert ours.keys() == theirs.keys()
    for urn, resource in ours.items():
        assert resource == theirs[urn], urn
    assert forms.folder.outputs == forms.stream.outputs  # the other form does not show them


def test_the_folder_and_the_export_have_the_same_findings(forms: Forms) -> None:
    """Before and after `up`: no finding more, no finding less, and none that only the values made by `up` bring."""
    assert findings_of(forms.export) == findings_of(forms.folder)


SIZED = {rule.id for rule in our_rules() if any(need.startswith("SizedFacts.") for need in rule.needs)}


def test_the_preview_in_json_has_the_same_findings_but_of_sizes(forms: Forms) -> None:
    """Rules that need no sized fact say the very same; those that do judge by the tables alone or say `unknown`."""
    folder, found = findings_of(forms.folder), findings_of(forms.preview)
    assert [one for one in found if one[0] not in SIZED] == [one for one in folder if one[0] not in SIZED]
    assert {one[0] for one in set(found) - set(folder) if one[1] == "deny"} == set()


def test_the_event_stream_invents_nothing_and_says_what_it_cannot_see(forms: Forms) -> None:
    """No deny, warning or advice that the folder lacks; a deny or warning that is hidden there is `unknown` here."""
    folder, found = set(findings_of(forms.folder)), set(findings_of(forms.stream))
    assert {one for one in found - folder if one[1] != "unknown"} == set()
    unsure = {rule for rule, verdict, *_ in found if verdict == "unknown"}
    assert {rule for rule, verdict, *_ in folder - found if verdict in {"deny", "warn"}} <= unsure


def test_the_pack_inside_the_engine_gives_the_same_verdicts(forms: Forms) -> None:
    """Each finding of `check` is a violation of the pack, mandatory when it is a deny, on the same resource."""
    events = [json.loads(line).get("policyEvent") for line in forms.policed.out.splitlines()]
    violations = {
        (
            event["policyName"],
            event["enforcementLevel"],
            event["resourceUrn"],
            event["message"].strip().partition("\n")[2],
        )
        for event in events
        if event
    }
    deniers = {rule.id for rule in our_rules() if rule.severity == "deny"}
    expected = set()
    for finding in judge(forms.folder).findings:
        denied = finding.verdict == "deny"
        level = "mandatory" if denied else "advisory"
        advice = ADVICE if finding.rule in deniers and not denied else ""
        expected.add((finding.rule + advice, level, finding.resource, spoken(finding)))
    assert violations == expected
    assert (forms.policed.code != 0) == any(level == "mandatory" for _, level, _, _ in expected)


def test_a_deny_stops_up_before_anything_is_made(live_stack) -> None:
    """`pulumi up` previews first, and a mandatory violation ends it there: no resource exists, no money is spent."""
    stack = live_stack(DENIED)
    assert stack.init().code == 0
    answer = stack.run("up", "--yes", "--stack", STACK, "--policy-pack", str(PACK))
    assert answer.code != 0
    assert "ST002" in answer.said
    assert stack.cloud.items() == []
    assert stack.up().code == 0  # without the pack the cloud would have taken it
