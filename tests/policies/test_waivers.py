"""Waivers: who decided what, why and until when; and the baseline."""

import json
from pathlib import Path

import msgspec
import pytest

from generator.errors import InputError
from generator.spec import load_spec
from generator.stack.generation import generate
from policies.baseline import apply_baseline, read_baseline, write_baseline
from policies.finding import Report, exit_code
from policies.rules import our_rules
from policies.waivers import Waiver, apply_waivers, read_comments, read_waivers
from tests.rules.drafts import DISK, TODAY, Draft

ROOT = Path(__file__).parents[2]
KNOWN = frozenset(rule.id for rule in our_rules())
WAIVER = {"rule": "ST001", "resource": "disk", "reason": "scratch", "owner": "ml", "expires": "2027-01-31"}


def report(*names: str) -> Report:
    """A report on disks of these names, each a hard disk."""
    draft = Draft()
    for name in names or ("disk",):
        draft.add(DISK, name, category="cloud", size=100, encrypted=True, zoneId="cn-beijing-l")
    return draft.report()


def waiver(**changes: str) -> Waiver:
    """The waiver with some fields changed."""
    return Waiver(**(WAIVER | changes), file="waivers.yaml")


def verdicts(found: Report) -> list[tuple[str, str, str]]:
    """Rule, resource and verdict of all findings."""
    return [(entry.rule, entry.name, entry.verdict) for entry in found.findings]


def file_with(folder: Path, *entries: object) -> Path:
    """A waivers.yaml with these entries (JSON is YAML)."""
    file = folder / "waivers.yaml"
    file.write_text(json.dumps(entries))
    return file


def test_waived() -> None:
    """A waived finding stays in the report with its reason, and fails nothing."""
    found = apply_waivers(report(), (waiver(),), TODAY)
    assert verdicts(found) == [("ST001", "disk", "waived")]
    assert found.findings[0].waiver == "scratch (ml, until 2027-01-31)"
    assert exit_code(found, "unknown") == 0


@pytest.mark.parametrize("resource", ["disk", "di*", "urn:pulumi:dev::p::alicloud:ecs/ecsDisk:EcsDisk::disk"])
def test_by_name_pattern_or_urn(resource: str) -> None:
    """A resource is called by its name, a pattern, or its URN."""
    assert verdicts(apply_waivers(report(), (waiver(resource=resource),), TODAY)) == [("ST001", "disk", "waived")]


def test_only_what_it_names() -> None:
    """Another resource, or another rule of the same one, is not waived; the waiver is then told to be unused."""
    found = apply_waivers(report("disk", "other"), (waiver(),), TODAY)
    assert ("ST001", "other", "deny") in verdicts(found)
    unused = apply_waivers(report(), (waiver(rule="ST002"),), TODAY)
    assert verdicts(unused) == [("ST001", "disk", "deny"), ("ST002", "disk", "warn")]
    assert "no finding needs" in unused.findings[1].message


@pytest.mark.parametrize(("expires", "verdict"), [("2026-11-29", "deny"), (TODAY, "waived"), ("2026-12-01", "waived")])
def test_end(expires: str, verdict: str) -> None:
    """A waiver holds until the end of its day; afterwards the finding fails again, with that word."""
    found = apply_waivers(report(), (waiver(expires=expires),), TODAY)
    assert verdicts(found) == [("ST001", "disk", verdict)]
    assert ("expired" in found.findings[0].message) == (verdict == "deny")


def test_a_rule_that_raised_cannot_be_waived() -> None:
    """What was not judged cannot be excused."""
    broken = msgspec.structs.replace(report().findings[0], verdict="error")
    found = apply_waivers(msgspec.structs.replace(report(), findings=(broken,)), (waiver(),), TODAY)
    assert exit_code(found, "deny") == 2


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        *(({name: value for name, value in WAIVER.items() if name != gone}, f"'{gone}' is missing") for gone in WAIVER),
        (WAIVER | {"reason": "  "}, "'reason' is missing"),
        (WAIVER | {"rule": "ST999"}, "there is no rule 'ST999'"),
        (WAIVER | {"expires": "soon"}, "must be a date"),
        (WAIVER | {"until": "x"}, "'until' is no field"),
        ("ST001", "must be a mapping"),
    ],
)
def test_faults_of_a_file(tmp_path: Path, entry: object, words: str) -> None:
    """Every field is required, and nothing else is one."""
    with pytest.raises(InputError) as caught:
        read_waivers(file_with(tmp_path, entry), KNOWN)
    assert words in caught.value.problems[0].message


def test_all_faults_at_once(tmp_path: Path) -> None:
    """All faults of all waivers are told together; what is no list, or no YAML, is one."""
    with pytest.raises(InputError) as caught:
        read_waivers(file_with(tmp_path, {}, WAIVER | {"rule": "X"}), KNOWN)
    assert len(caught.value.problems) == 6
    for text in ("rule: ST001", "- [", "\0"):
        (tmp_path / "w.yaml").write_text(text)
        with pytest.raises(InputError):
            read_waivers(tmp_path / "w.yaml", KNOWN)


def test_comment_beside_the_resource(tmp_path: Path) -> None:
    """A comment right above a resource waives a finding of it, and of nothing else."""
    (tmp_path / "__main__.py").write_text(
        "disk = Disk()\n"
        "# Holds what can be made again.\n"
        '# trainform: waive ST001 reason="scratch data" owner=ml expires=2027-01-31\n'
        "other = Disk()\n"
    )
    draft = Draft()
    for name in ("disk", "pad", "pad2", "other"):
        draft.add(DISK, name, category="cloud", size=100, encrypted=True, zoneId="cn-beijing-l")
    found = read_comments(draft.state(), tmp_path, KNOWN)
    assert [(entry.rule, entry.resource.rsplit("::", 1)[-1], entry.reason) for entry in found] == [
        ("ST001", "other", "scratch data")
    ]
    (tmp_path / "__main__.py").write_text("\n# trainform: waive ST001 owner=ml\nx\n")
    with pytest.raises(InputError) as caught:
        read_comments(draft.state(), tmp_path, KNOWN)
    assert {problem.message for problem in caught.value.problems} == {
        "waiver: 'reason' is missing",
        "waiver: 'expires' is missing",
    }


def test_baseline(tmp_path: Path) -> None:
    """What was there fails nothing, what is new does, and what is gone is told."""
    file = tmp_path / "baseline.json"
    file.write_bytes(write_baseline(report("disk", "gone"), TODAY))
    found, gone = apply_baseline(report("disk", "new"), read_baseline(file))
    assert verdicts(found) == [("ST001", "disk", "waived"), ("ST001", "new", "deny")]
    assert found.findings[0].waiver == f"known since {TODAY}"
    assert [entry.resource.rsplit("::", 1)[-1] for entry in gone] == ["gone"]
    assert write_baseline(report("gone", "disk"), TODAY) == file.read_bytes()


@pytest.mark.parametrize("text", ["", "{}", "[1]"])
def test_what_is_no_baseline(tmp_path: Path, text: str) -> None:
    """A file that is none is refused."""
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(InputError, match="is no baseline"):
        read_baseline(tmp_path / "b.json")


def test_waivers_of_a_spec(tmp_path: Path) -> None:
    """What a spec decides is written beside the stack in the form that check reads, and makes no other stack."""
    text = (ROOT / "stacks" / "text_prep" / "spec.yaml").read_text(encoding="utf-8")
    plain, with_waiver = tmp_path / "plain.yaml", tmp_path / "spec.yaml"
    plain.write_text(text, encoding="utf-8")
    with_waiver.write_text(
        f"{text}\nwaivers: [{json.dumps(WAIVER | {'reason': 'it is: scratch'})}]\n", encoding="utf-8"
    )
    files = [
        {
            file.name: file.text
            for file in generate(load_spec(spec), "spec.yaml", tmp_path, ("alicloud",)).stacks[0].files
        }
        for spec in (plain, with_waiver)
    ]
    (tmp_path / "waivers.yaml").write_text(files[1].pop("waivers.yaml"), encoding="utf-8")
    found = read_waivers(tmp_path / "waivers.yaml", KNOWN)
    assert [(entry.rule, entry.resource, entry.reason) for entry in found] == [("ST001", "disk", "it is: scratch")]
    assert files[0] == files[1]
