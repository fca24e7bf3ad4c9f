"""The CrossGuard door: the real analyzer process says what `check` says."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import json_format, struct_pb2
from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc

from generator.facts.remedies import remedied_rules
from generator.preview import preview
from generator.program.values import SECRET, SECRET_SIGNATURE, SIGNATURE_KEY, wire
from generator.resources import Resource, StackState
from policies.judge import judge
from policies.pack import spoken
from policies.rules import FOLDER, load_rules, our_rules
from tests.rules.drafts import (
    A10,
    A100_ERDMA,
    DISK,
    DISK_ATTACHMENT,
    PLAIN_IMAGE,
    POLICY,
    POLICY_ATTACHMENT,
    TRAIN,
    Draft,
    node,
)

ROOT = Path(__file__).parents[2]


@contextlib.contextmanager
def started(**environment: str) -> Iterator[analyzer_pb2_grpc.AnalyzerStub]:
    """The pack as the engine starts it, with these variables besides."""
    command = [sys.executable, "-u", "-m", "pulumi.policy", "127.0.0.1:1", str(FOLDER.parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd="/", env=os.environ | environment) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield analyzer_pb2_grpc.AnalyzerStub(channel)
        process.kill()


@pytest.fixture(scope="module")
def analyzer() -> Iterator[analyzer_pb2_grpc.AnalyzerStub]:
    """The pack of our rules."""
    with started() as stub:
        yield stub


def struct(values: dict[str, Any]) -> struct_pb2.Struct:
    """Properties as the engine sends them: secrets with their value, unknowns as the sentinel."""
    found = struct_pb2.Struct()
    found.update(_sent(values))
    return found


def _sent(value: Any) -> Any:
    if value is SECRET:
        return {SIGNATURE_KEY: SECRET_SIGNATURE, "value": "hunter2"}
    if isinstance(value, dict):
        return {key: _sent(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_sent(item) for item in value]
    return wire(value)


def provider(state: StackState, resource: Resource) -> analyzer_pb2.AnalyzerProviderResource | None:
    """The default provider of a resource, with the region that the config gives."""
    package = resource.type.partition(":")[0]
    region = state.config.get(f"{package}:region")
    if region is None:
        return None
    urn = f"urn:pulumi:{state.stack}::{state.project}::pulumi:providers:{package}::default"
    return analyzer_pb2.AnalyzerProviderResource(
        type=f"pulumi:providers:{package}", properties=struct({"region": region}), urn=urn, name="default"
    )


def analyze(stub: analyzer_pb2_grpc.AnalyzerStub, state: StackState) -> list[tuple[str, str, str, int]]:
    """Policy, message, resource and level of all that the pack says, asked as the engine asks."""
    diagnostics = []
    for resource in state.resources:
        request = analyzer_pb2.AnalyzeRequest(
            type=resource.type, properties=struct(resource.inputs), urn=resource.urn, name=resource.name
        )
        if (found := provider(state, resource)) is not None:
            request.provider.CopyFrom(found)
        diagnostics += stub.Analyze(request).diagnostics
    requests = []
    for resource in state.resources:
        # What the provider computes is unknown in the outputs, whatever the program said of it.
        outputs = resource.outputs or {"spotStrategy": "04da6b54-80e4-46f7-96ec-b56ff0331ba9"} | resource.inputs
        request = analyzer_pb2.AnalyzerResource(
            type=resource.type, properties=struct(outputs), urn=resource.urn, name=resource.name
        )
        for key, urns in resource.property_dependencies.items():
            request.propertyDependencies[key].urns.extend(urns)
        request.dependencies.extend(resource.dependencies)
        request.options.protect = resource.protect
        if (found := provider(state, resource)) is not None:
            request.provider.CopyFrom(found)
        requests.append(request)
    diagnostics += stub.AnalyzeStack(analyzer_pb2.AnalyzeStackRequest(resources=requests)).diagnostics
    return sorted(
        (entry.policyName.removesuffix("-advice"), entry.message, entry.urn, entry.enforcementLevel)
        for entry in diagnostics
    )


def expected(state: StackState) -> list[tuple[str, str, str, int]]:
    """The same from the offline door: denials are mandatory, all else is advice."""
    return sorted(
        (
            finding.rule,
            f"{spoken(finding)}",
            finding.resource,
            analyzer_pb2.MANDATORY if finding.verdict in {"deny", "error"} else analyzer_pb2.ADVISORY,
        )
        for finding in judge(state).findings
    )


def told(found: list[tuple[str, str, str, int]]) -> list[tuple[str, str, int]]:
    """Without the words, which the SDK frames with the policy's description."""
    return [(rule, urn, level) for rule, _, urn, level in found]


def faulty() -> Draft:
    """A stack with many faults, secrets and unknowns."""
    draft = Draft(outputs={"gpu_memory_bound_gib": 60.0, "run_hours": 30})
    two = TRAIN | {"trainform-nodes": "2"}
    first = node(draft, "first", tags=two, imageId=PLAIN_IMAGE, userData=SECRET, spotStrategy="SpotAsPriceGo")
    node(draft, "second", instanceType="ecs.gn7i-xlarge", tags=two, dataDisks=[{"category": "cloud", "size": 100}])
    node(draft, "third", instanceType=A100_ERDMA, tags={}, password=SECRET)
    node(draft, "plain", instanceType=A10)
    daily = draft.add(POLICY, "daily")
    disk, other = draft.add(DISK, "disk", size=100), draft.add(DISK, "other", category="cloud_essd")
    draft.add(DISK_ATTACHMENT, "disk", diskId=disk, instanceId=first)
    draft.add(POLICY_ATTACHMENT, "other", diskId=other, autoSnapshotPolicyId=daily)
    return draft


def test_both_doors_agree(analyzer: analyzer_pb2_grpc.AnalyzerStub) -> None:
    """Rule by rule, resource by resource and level by level the pack says what `check` says."""
    state = faulty().state()
    found, wanted = analyze(analyzer, state), expected(state)
    assert told(found) == told(wanted)
    assert all(any(message in entry[1] for entry in found) for _, message, _, _ in wanted)
    assert len(wanted) > 10


def test_asked_again_after_a_change(analyzer: analyzer_pb2_grpc.AnalyzerStub) -> None:
    """A second run in the same process is judged by what it shows."""
    assert analyze(analyzer, faulty().state()) != []
    clean = Draft()
    disk = {
        "category": "cloud_essd",
        "performanceLevel": "PL1",
        "size": 100,
        "encrypted": True,
        "zoneId": "cn-beijing-l",
    }
    clean.add(DISK, "disk", **disk)
    assert told(analyze(analyzer, clean.state())) == told(expected(clean.state())) == []


def test_secrets_stay_closed(analyzer: analyzer_pb2_grpc.AnalyzerStub) -> None:
    """No message holds what a secret holds."""
    assert "hunter2" not in json.dumps(analyze(analyzer, faulty().state()))


@pytest.mark.parametrize("folder", sorted((ROOT / "stacks").glob("*/*/Pulumi.yaml")), ids=lambda path: path.parts[-3])
def test_generated_stacks(analyzer: analyzer_pb2_grpc.AnalyzerStub, folder: Path) -> None:
    """On the stacks that we write the doors agree, and nothing is denied."""
    state = preview(folder.parent)
    found = analyze(analyzer, state)
    assert told(found) == told(expected(state))
    assert analyzer_pb2.MANDATORY not in [level for *_, level in found]


def test_what_the_pack_tells_of_itself(analyzer: analyzer_pb2_grpc.AnalyzerStub) -> None:
    """Every rule is a policy with its level, source and cure; those that deny have their advice beside them."""
    from google.protobuf import empty_pb2

    told_policies = {entry.name: entry for entry in analyzer.GetAnalyzerInfo(empty_pb2.Empty()).policies}
    names = {rule.id for rule in our_rules()} | {f"{rule.id}-advice" for rule in our_rules() if rule.severity == "deny"}
    assert set(told_policies) == names | {"inputs"} | {f"{rule}-remedy" for rule in remedied_rules()}
    for rule in our_rules():
        policy = told_policies[rule.id]
        level = analyzer_pb2.MANDATORY if rule.severity == "deny" else analyzer_pb2.ADVISORY
        assert policy.enforcementLevel == level
        assert policy.description == rule.title.en
        assert policy.remediation_steps
        assert policy.framework.reference == " ".join(rule.why)


def test_rules_of_a_persons_own() -> None:
    """The pack takes a folder of rules as `check --rules` does, and says of them what `check` says."""
    folder = ROOT / "tests" / "data" / "own_rules"
    state = faulty().state()
    with started(TRAINFORM_RULES=str(folder)) as stub:
        found = [entry for entry in told(analyze(stub, state)) if entry[0] == "TM001"]
    wanted = judge(state, load_rules(folder)).findings
    assert sorted(found) == sorted((entry.rule, entry.resource, analyzer_pb2.ADVISORY) for entry in wanted) != []


def test_levels_by_configuration(analyzer: analyzer_pb2_grpc.AnalyzerStub) -> None:
    """The pack's configuration sets the level of one rule, or switches it off."""
    state = faulty().state()
    off = analyzer_pb2.PolicyConfig(enforcementLevel=analyzer_pb2.DISABLED)
    milder = analyzer_pb2.PolicyConfig(enforcementLevel=analyzer_pb2.ADVISORY)
    analyzer.Configure(analyzer_pb2.ConfigureAnalyzerRequest(policyConfig={"ST001": off, "SP001": milder}))
    try:
        found = analyze(analyzer, state)
        assert "ST001" not in {rule for rule, _, _, level in found if level == analyzer_pb2.MANDATORY}
        assert {level for rule, _, _, level in found if rule == "SP001"} == {analyzer_pb2.ADVISORY}
    finally:
        analyzer.Configure(analyzer_pb2.ConfigureAnalyzerRequest(policyConfig={}))


def test_remedies_are_off_until_asked_for(analyzer: analyzer_pb2_grpc.AnalyzerStub) -> None:
    """A remedy changes nothing by itself; switched on it sets the input and keeps secrets secret."""
    inputs = {"category": "cloud_essd", "size": 100, "diskName": SECRET}
    urn = "urn:pulumi:dev::p::alicloud:ecs/ecsDisk:EcsDisk::disk"
    token = "alicloud:ecs/ecsDisk:EcsDisk"
    request = analyzer_pb2.AnalyzeRequest(type=token, properties=struct(inputs), urn=urn, name="disk")
    assert list(analyzer.Remediate(request).remediations) == []
    on = analyzer_pb2.PolicyConfig(enforcementLevel=analyzer_pb2.REMEDIATE)
    analyzer.Configure(analyzer_pb2.ConfigureAnalyzerRequest(policyConfig={"ST008-remedy": on}))
    try:
        found = analyzer.Remediate(request).remediations
    finally:
        analyzer.Configure(analyzer_pb2.ConfigureAnalyzerRequest(policyConfig={}))
    assert [entry.policyName for entry in found] == ["ST008-remedy"]
    changed = json_format.MessageToDict(found[0].properties)
    assert changed["performanceLevel"] == "PL1"
    assert changed["diskName"] == {SIGNATURE_KEY: SECRET_SIGNATURE, "value": "hunter2"}
