"""What a Pulumi JSON tells: preview, stream of events, export; and what is none of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.program.values import SECRET, UNKNOWN
from generator.resources import parse_stack, read_stack

SENTINEL = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
KIND = "alicloud:ecs/instance:Instance"
URN = f"urn:pulumi:dev::p::{KIND}::node"
ROOT = "urn:pulumi:dev::p::pulumi:pulumi:Stack::p-dev"
SIGNATURE = "4dabf18193072939515e22adb298388d"
CLOSED = {SIGNATURE: "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "v1:hunter2"}


def state(urn: str = URN, **more: Any) -> dict[str, Any]:
    """A resource as the engine writes it."""
    return {"urn": urn, "type": urn.split("::")[2], "custom": True, "inputs": {}} | more


def preview(*steps: dict[str, Any], **more: Any) -> bytes:
    """`pulumi preview --json`."""
    return json.dumps({"steps": list(steps), "duration": 1, "changeSummary": {}} | more).encode()


def step(op: str, new: dict[str, Any] | None, urn: str = URN) -> dict[str, Any]:
    """A step of a preview."""
    return {"op": op, "urn": urn, "newState": new, "oldState": None, "detailedDiff": None}


def export(*resources: dict[str, Any], version: int = 3) -> bytes:
    """`pulumi stack export`."""
    return json.dumps({"version": version, "deployment": {"manifest": {}, "resources": list(resources)}}).encode()


def message(data: bytes) -> str:
    """The message that these bytes lead to."""
    with pytest.raises(InputError) as caught:
        parse_stack(data, "x.json")
    return caught.value.problems[0].message


def test_preview() -> None:
    """Inputs, references, place and stack of a resource are read; a stack trace is not."""
    told = state(
        inputs={"vswitchId": SENTINEL, "systemDiskSize": 40, "list": [SENTINEL, 1]},
        propertyDependencies={"vswitchId": ["urn:pulumi:dev::p::a:b/c:D::sw"], "none": None},
        dependencies=["urn:pulumi:dev::p::a:b/c:D::sw"],
        sourcePosition="project:///nodes.py#50,4",
        stackTrace=[{"sourcePosition": "project:///nodes.py#50"}],
        protect=True,
    )
    found = parse_stack(preview(step("create", told), config={"alicloud:region": "cn-beijing"}), "p.json")
    assert [(entry.project, entry.stack, entry.source) for entry in found] == [("p", "dev", "p.json")]
    resource = found[0].resources[0]
    assert resource.inputs == {"vswitchId": UNKNOWN, "systemDiskSize": 40, "list": [UNKNOWN, 1]}
    assert resource.property_dependencies["vswitchId"] == ("urn:pulumi:dev::p::a:b/c:D::sw",)
    assert (resource.name, resource.file, resource.line, resource.protect) == ("node", "nodes.py", 50, True)
    assert found[0].config == {"alicloud:region": "cn-beijing"}


@pytest.mark.parametrize("op", ["create", "update", "replace", "create-replacement", "import", "refresh", "same"])
def test_judged_steps(op: str) -> None:
    """Steps that leave a resource behind are read."""
    assert len(parse_stack(preview(step(op, state())), "x")[0].resources) == 1


@pytest.mark.parametrize("op", ["delete", "delete-replaced", "read", "discard", "remove-pending-replace"])
def test_other_steps(op: str) -> None:
    """Steps that take it away, or only look, are not."""
    assert parse_stack(preview(step(op, state())), "x")[0].resources == ()


def test_secrets_are_not_kept() -> None:
    """A secret leaves no trace, in either form it is written."""
    hidden = {"a": "[secret]", "b": CLOSED, "c": {"d": [CLOSED]}, "plain": "x"}
    for data in (preview(step("create", state(inputs=hidden))), export(state(inputs=hidden))):
        resource = parse_stack(data, "x")[0].resources[0]
        assert resource.inputs == {"a": SECRET, "b": SECRET, "c": {"d": [SECRET]}, "plain": "x"}
        assert "hunter2" not in repr(resource)


def test_text_with_an_unknown_part() -> None:
    """A text made with an unknown part is unknown as a whole."""
    told = state(inputs={"name": f"node-{SENTINEL}-x"})
    assert parse_stack(preview(step("create", told)), "x")[0].resources[0].inputs == {"name": UNKNOWN}


@pytest.mark.parametrize("version", [3, 4])
def test_export(version: int) -> None:
    """An export has stack outputs, and resources that a replacement left behind are not read."""
    root = state(ROOT, outputs={"trainform": {"run_hours": 3}})
    found = parse_stack(export(root, state(), state(delete=True), version=version), "x")
    assert len(found[0].resources) == 2
    assert found[0].outputs == {"trainform": {"run_hours": 3}}


def test_stream() -> None:
    """The streaming form gives config, resources and outputs."""
    lines = [
        {"sequence": 0, "preludeEvent": {"config": {"alicloud:region": "cn-beijing"}}},
        {"sequence": 1, "resourcePreEvent": {"metadata": {"op": "create", "urn": URN, "type": KIND, "new": state()}}},
        {"sequence": 2, "policyEvent": {"resourceUrn": URN, "message": "no"}},
        {
            "sequence": 3,
            "resOutputsEvent": {"metadata": {"op": "create", "urn": ROOT, "new": state(ROOT, outputs={"a": 1})}},
        },
        {"sequence": 4, "summaryEvent": {"resourceChanges": {"create": 1}}},
    ]
    found = parse_stack("\n".join(json.dumps(line) for line in lines).encode(), "x")[0]
    assert [entry.urn for entry in found.resources] == [URN, ROOT]
    assert (found.outputs, found.config) == ({"a": 1}, {"alicloud:region": "cn-beijing"})


def test_order_does_not_depend_on_the_file() -> None:
    """Resources come in the order of their URNs."""
    names = [URN + suffix for suffix in "cab"]
    found = parse_stack(preview(*(step("create", state(urn), urn) for urn in names)), "x")
    assert [entry.urn for entry in found[0].resources] == sorted(names)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (preview(step("create", state()))[:-20], "ends in the middle"),
        (b'{"a": 1,, }', "not valid JSON"),
        (b"error: no stack selected", "no JSON"),
        (b"{}", "neither a Pulumi preview nor a stack export"),
        (b"[]", "of another shape"),
        (b'{"steps": 3}', "of another shape"),
        (b'{"planned_values": {}, "resource_changes": []}', "Terraform plan"),
        (b'{"a": 1}\n{"b": 2}', "not those of a Pulumi preview"),
        ('{"steps": []}'.encode("utf-16"), "UTF-16"),
        (export(state("no-urn::p::t::n")), "no Pulumi URN"),
        (preview(diagnostics=[{"severity": "error", "message": "no plugin\n"}]), "failed: no plugin"),
    ],
)
def test_what_is_no_stack(data: bytes, words: str) -> None:
    """Each kind of wrong input is told apart."""
    assert words in message(data)


def test_byte_order_mark() -> None:
    """A byte order mark is no fault."""
    assert len(parse_stack(b"\xef\xbb\xbf" + export(state()), "x")[0].resources) == 1


def test_missing_file(tmp_path: Path) -> None:
    """A file that is not there is a message with its name."""
    with pytest.raises(InputError) as caught:
        read_stack(tmp_path / "none.json")
    assert "none.json" in caught.value.problems[0].message


@pytest.mark.parametrize("cut", range(0, 400, 7))
def test_truncated_anywhere(cut: int) -> None:
    """However short a preview is cut, there is a message and no crash."""
    data = preview(step("create", state(inputs={"a": ["b", {"c": "[secret]"}]})), step("same", state(ROOT), ROOT))
    with pytest.raises(InputError):
        parse_stack(data[: min(cut, len(data) - 1)], "x")
