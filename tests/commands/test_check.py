"""`trainform check`, `preview` and `policies`: what is printed, and with which exit code."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from generator.cli import trainform
from generator.errors import InputError
from generator.program.values import wire
from policies.rules import FOLDER
from tests.rules.drafts import Draft, node

ROOT = Path(__file__).parents[2]
STACK = ROOT / "stacks" / "qwen2_5_7b_sft" / "alicloud"


def as_export(draft: Draft) -> str:
    """A draft as `pulumi stack export` would write it; the region is the provider's."""
    region = draft.config["alicloud:region"]
    provider = "urn:pulumi:dev::p::pulumi:providers:alicloud::default"
    resources: list[dict[str, Any]] = [
        {"urn": provider, "type": "pulumi:providers:alicloud", "inputs": {"region": region}}
    ]
    resources += [
        {
            "urn": resource.urn,
            "type": resource.type,
            "inputs": wire(resource.inputs),
            "outputs": resource.outputs,
            "provider": f"{provider}::id",
            "propertyDependencies": resource.property_dependencies,
        }
        for resource in draft.state().resources
    ]
    return json.dumps({"version": 3, "deployment": {"resources": resources}})


def run(*arguments: str, given: str = "") -> Result:
    """A command line in this process."""
    return CliRunner().invoke(trainform, list(arguments), input=given)


def sound() -> Draft:
    """A stack of which nothing bad is said but advice."""
    draft = Draft()
    disk = {
        "category": "cloud_essd",
        "performanceLevel": "PL1",
        "size": 100,
        "encrypted": True,
        "zoneId": "cn-beijing-l",
    }
    draft.add("ecs/ecsDisk:EcsDisk", "disk", **disk)
    return draft


def slow_nodes() -> Draft:
    """Eleven equal machines with a hard disk."""
    draft = Draft()
    for rank in range(11):
        node(draft, f"node-{rank}", systemDiskCategory="cloud", tags={"trainform-role": "infer"})
    return draft


def test_finding_in_json() -> None:
    """The JSON holds the documented fields of a finding."""
    draft = Draft()
    node(draft, systemDiskCategory="cloud")
    result = run("check", "-", "--format", "json", given=as_export(draft))
    report = json.loads(result.output)
    assert set(report) == {"findings", "checked", "not_applicable"}
    finding = next(entry for entry in report["findings"] if entry["rule"] == "ST002")
    told = ("rule", "verdict", "severity", "message", "cure", "why", "waiver")
    assert set(finding) == {*told, "resource", "name", "property", "file", "line"}
    assert (finding["verdict"], finding["property"], finding["name"]) == ("deny", "systemDiskCategory", "node")
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("fail_on", "draft", "code"),
    [
        ("deny", slow_nodes(), 1),
        ("deny", sound(), 0),
        ("unknown", sound(), 0),
    ],
)
def test_exit_code(fail_on: str, draft: Draft, code: int) -> None:
    """A finding at the level or above is 1, none is 0."""
    assert run("check", "-", "--fail-on", fail_on, given=as_export(draft)).exit_code == code


@pytest.mark.parametrize(("fail_on", "code"), [("deny", 0), ("warn", 1), ("info", 1), ("unknown", 1)])
def test_threshold(fail_on: str, code: int) -> None:
    """A warning fails only from `warn` down."""
    draft = Draft()
    node(draft, "cpu", instanceType="ecs.g7.2xlarge", securityGroups=["sg-1"])
    assert run("check", "-", "--fail-on", fail_on, given=as_export(draft)).exit_code == code


def test_equal_findings_are_folded() -> None:
    """Eleven machines with the same fault are one entry that names the ends, and the cure is an edit."""
    result = run("check", "-", given=as_export(slow_nodes()))
    assert "11 x node-0, node-1 ... node-10" in result.output
    assert result.output.count("system disk: kind cloud is a hard disk") == 1
    assert "cure: systemDiskCategory: cloud_essd" in result.output


def test_nothing_to_check() -> None:
    """No resource of a cloud that we know is exit 2, alone or beside others."""
    empty = as_export(Draft())
    alone = run("check", "-", given=empty)
    assert alone.exit_code == 2
    assert "nothing was checked" in alone.output


def test_two_paths(tmp_path: Path) -> None:
    """Several inputs make one report; one of them with nothing to check is exit 2 all the same."""
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    first.write_text(as_export(sound()))
    second.write_text(as_export(slow_nodes()))
    report = json.loads(run("check", str(first), str(second), "--format", "json").output)
    assert report["checked"]["resources"] == 12
    second.write_text(as_export(Draft()))
    assert run("check", str(first), str(second)).exit_code == 2


def test_stack_folder() -> None:
    """A stack that we generated has nothing denied, and its places are files of the folder."""
    result = run("check", str(STACK), "--format", "json")
    report = json.loads(result.output)
    assert result.exit_code == 0
    assert report["checked"]["resources"] > 10
    assert all(Path(entry["file"]).is_file() for entry in report["findings"] if entry["file"])


def test_output_file(tmp_path: Path) -> None:
    """The report goes where it is told to, with the same exit code."""
    result = run("check", "-", "--output", str(tmp_path / "r.txt"), given=as_export(slow_nodes()))
    assert result.exit_code == 1
    assert "ST002" in (tmp_path / "r.txt").read_text(encoding="utf-8")
    assert "ST002" not in result.output


def test_chinese() -> None:
    """Messages and cures exist in Chinese."""
    result = run("check", "-", "--lang", "zh", given=as_export(slow_nodes()))
    assert "系统盘：类型 cloud 是机械硬盘" in result.output


@pytest.mark.parametrize(("arguments", "code"), [(["--format", "xml"], 2), (["--fail-on", "never"], 2), ([], 2)])
def test_wrong_options(arguments: list[str], code: int) -> None:
    """What no option takes is exit 2."""
    assert run("check", *arguments).exit_code == code


def test_bad_input_changes_nothing(tmp_path: Path) -> None:
    """A file that is no stack is refused, and the output is not written."""
    output = tmp_path / "r.txt"
    with pytest.raises(InputError):
        trainform.main(["check", str(tmp_path), "--output", str(output)], standalone_mode=False)
    assert not output.exists()


def test_preview_in_text_and_json() -> None:
    """Preview lists the resources, the equal ones folded, and gives the documented JSON."""
    text = run("preview", str(STACK))
    assert text.exit_code == 0
    assert "alicloud:ecs/instance:Instance  " in text.output
    resources = json.loads(run("preview", str(STACK), "--format", "json").output)["resources"]
    wanted = {"urn", "type", "name", "inputs", "dependencies", "property_dependencies", "protect", "line"}
    assert all(wanted <= set(resource) for resource in resources)


def steps(draft: Draft, ops: dict[str, str]) -> str:
    """A draft as `pulumi preview --json` of an update would write it: steps by name, `same` where none is given."""
    written = []
    for resource in draft.state().resources:
        op = ops.get(resource.name, "same")
        state = {
            "urn": resource.urn,
            "type": resource.type,
            "inputs": wire(resource.inputs),
            "protect": resource.protect,
        }
        reasons = {"replaceReasons": ["zoneId"]} if op == "replace" else {}
        written.append({"op": op, "urn": resource.urn, "oldState" if op == "delete" else "newState": state} | reasons)
    return json.dumps({"config": draft.config, "steps": written, "changeSummary": {}, "duration": 1})


@pytest.mark.parametrize(
    ("form", "lang", "wanted"),
    [
        ("text", "en", "standard input: this update:\n  replaces disk (EcsDisk): zoneId; lost: the data disk"),
        ("json", "en", "standard input: this update:\n  replaces disk (EcsDisk): zoneId; lost: the data disk"),
        ("text", "zh", "standard input: 此次更新:\n  替换 disk (EcsDisk)：zoneId；将失去：数据盘"),
    ],
)
def test_an_update_is_told_before_anything_else(form: str, lang: str, wanted: str) -> None:
    """What is replaced and removed stands first; beside a report that a machine reads it goes to standard error."""
    draft = sound()
    node(draft, "old")
    result = run(
        "check", "-", "--format", form, "--lang", lang, given=steps(draft, {"disk": "replace", "old": "delete"})
    )
    assert result.exit_code == 1
    assert (result.output if form == "text" else result.stderr).startswith(wanted)
    assert ("removes old" if lang == "en" else "删除 old") in result.output
    if form == "json":
        assert [finding["rule"] for finding in json.loads(result.stdout)["findings"]].count("ST010") == 1


def test_an_update_that_changes_nothing_is_silent() -> None:
    """Neither a first preview nor one without a change has anything to tell beforehand."""
    assert "this update" not in run("check", "-", given=steps(sound(), {"disk": "create"})).output
    assert "this update" not in run("check", "-", given=steps(sound(), {})).output


def test_policies_prints_the_pack() -> None:
    """The folder that is printed is a policy pack."""
    folder = Path(run("policies").output.strip())
    assert folder == FOLDER.parent
    assert (folder / "PulumiPolicy.yaml").is_file()
    assert (folder / "__main__.py").is_file()


def test_waivers_beside_the_file(tmp_path: Path) -> None:
    """A waivers.yaml beside the input counts, one that is named counts instead, and an auditor sees through both."""
    draft = Draft()
    draft.add("ecs/ecsDisk:EcsDisk", "disk", category="cloud", size=100, encrypted=True, zoneId="cn-beijing-l")
    (tmp_path / "a.json").write_text(as_export(draft))
    waiver = {"rule": "ST001", "resource": "disk", "reason": "r", "owner": "o", "expires": "2027-01-31"}
    (tmp_path / "waivers.yaml").write_text(json.dumps([waiver]))
    (tmp_path / "none.yaml").write_text("[]")
    path, date = str(tmp_path / "a.json"), ("--today", "2026-11-30")
    assert run("check", path, *date).exit_code == 0
    assert "waived" in run("check", path, *date).output
    assert run("check", path, *date, "--no-waivers").exit_code == 1
    assert run("check", path, *date, "--waivers", str(tmp_path / "none.yaml")).exit_code == 1
    assert run("check", path, "--today", "2027-02-01").exit_code == 1


def test_baseline_lets_only_new_findings_fail(tmp_path: Path) -> None:
    """A baseline that is written makes the next run clean, and says when it no longer matches."""
    baseline = str(tmp_path / "b.json")
    assert run("check", "-", "--write-baseline", baseline, given=as_export(slow_nodes())).exit_code == 1
    assert run("check", "-", "--baseline", baseline, given=as_export(slow_nodes())).exit_code == 0
    after = run("check", "-", "--baseline", baseline, given=as_export(sound()))
    assert "match nothing any more" in after.output


def test_own_rules(tmp_path: Path) -> None:
    """A folder of a person's rules works beside ours; a broken file, and an id of ours, are named."""
    own = ROOT / "tests" / "data" / "own_rules"
    result = run("check", "-", "--rules", str(own), "--format", "json", given=as_export(slow_nodes()))
    found = [entry for entry in json.loads(result.output)["findings"] if entry["rule"] == "TM001"]
    assert len(found) == 11
    assert found[0]["cure"] == "tags: team = who pays"
    (tmp_path / "broken.py").write_text("raise RuntimeError('no')")
    (tmp_path / "empty.py").write_text("ID = 'X1'\n")
    with pytest.raises(InputError) as caught:
        trainform.main(["check", "x", "--rules", str(tmp_path)], standalone_mode=False)
    assert [problem.message.partition(" SEVERITY")[0] for problem in caught.value.problems] == [
        "is no rule: no",
        "is no rule: it lacks",
    ]


def test_a_rule_that_raises(tmp_path: Path) -> None:
    """It becomes an error finding, the others go on, and the exit code is 2."""
    text = (ROOT / "tests" / "data" / "own_rules" / "tm001_team_tag.py").read_text(encoding="utf-8")
    broken = text.replace('if "team" not in node.tags', "if node.tags[3]")
    (tmp_path / "tm001.py").write_text(broken.replace("TM001", "TM009"), encoding="utf-8")
    result = run("check", "-", "--rules", str(tmp_path), "--format", "json", given=as_export(slow_nodes()))
    findings = json.loads(result.output)["findings"]
    assert [
        entry["message"].startswith("the rule itself failed: KeyError")
        for entry in findings
        if entry["rule"] == "TM009"
    ] == [True]
    assert "ST002" in {entry["rule"] for entry in findings}
    assert result.exit_code == 2
