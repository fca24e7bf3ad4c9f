"""The committed stacks are what their specs lead to, and what they claim to be."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from generator.facts.reader import tags_of
from generator.legality import check_resource
from generator.program.values import UNKNOWN
from generator.resources import StackState
from generator.spec import load_spec
from generator.stack.generation import generate
from generator.stack.writer import differences, write
from policies.judge import judge
from tests.stacks.conftest import FOLDERS, ROOT, SPECS, state_of

TODAY = "2026-11-30"


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT / "stacks"))


@pytest.mark.parametrize("path", SPECS, ids=shown)
def test_a_golden_stack_is_what_its_spec_leads_to(path: Path, request: pytest.FixtureRequest) -> None:
    """Generated anew in memory, each spec gives the committed folder, byte for byte."""
    outcome = generate(load_spec(path), path.name, path.parent)
    assert outcome.refusals == ()
    assert outcome.stacks
    for stack in outcome.stacks:
        if request.config.getoption("--update-golden", default=False):
            write(stack.files, stack.folder)
        diff = differences(stack.files, stack.folder)
        refresh = f"{sys.executable} -m pytest tests/stacks --update-golden"
        assert diff == "", f"\n{diff}\nread the diff; if it is meant: {refresh}"


def test_every_folder_has_a_spec() -> None:
    """No golden stack is left behind when its spec goes or names another cloud."""
    wanted = {
        path.parent / stack.cloud
        for path in SPECS
        for stack in generate(load_spec(path), path.name, path.parent).stacks
    }
    assert set(FOLDERS) == wanted


@pytest.fixture(params=FOLDERS, ids=shown)
def folder(request: pytest.FixtureRequest) -> Path:
    """One golden stack after the other."""
    path: Path = request.param
    return path


@pytest.fixture
def state(folder: Path) -> StackState:
    """Its preview."""
    return state_of(folder)


def test_it_runs_and_no_rule_denies(folder: Path, state: StackState) -> None:
    """Under the embedded preview no rule denies or fails, and what is unknown hangs on the zone alone."""
    report = judge(state, today=TODAY, base=str(folder))
    assert report.checked.resources > 10
    assert [finding for finding in report.findings if finding.verdict in {"deny", "error"}] == []
    unknown = [finding for finding in report.findings if finding.verdict == "unknown"]
    assert [finding for finding in unknown if "zone" not in f"{finding.property} {finding.message}".lower()] == []


def test_each_warning_is_explained(folder: Path, state: StackState) -> None:
    """A rule that warns of a golden stack is named, with why it was built so, in SELECTION.md."""
    report = judge(state, today=TODAY, base=str(folder))
    text = (folder / "SELECTION.md").read_text(encoding="utf-8")
    notes = text.partition("## Warnings that are meant")[2]
    assert {
        finding.rule for finding in report.findings if finding.verdict == "warn" and finding.rule not in notes
    } == set()


def test_its_values_go_together(folder: Path, state: StackState) -> None:
    """The cloud's own tables of what goes together find nothing to object to."""
    region = next(value for key, value in state.config.items() if key.endswith(":region"))
    for resource in state.resources:
        if resource.custom:
            assert check_resource(folder.name, resource.type, resource.inputs, region) == (), resource.name


def test_what_is_unknown_is_the_cloud_s_to_say(state: StackState) -> None:
    """No input of ours is unknown but the zone, and ids and addresses that other resources give."""
    for resource in state.resources:
        for key, value in resource.inputs.items():
            if value is UNKNOWN:
                given = key in resource.property_dependencies and resource.property_dependencies[key]
                assert given or "zone" in key.lower(), (resource.name, key)


# Buckets, file systems and disks of their own, by what every cloud calls them.
DISK = re.compile(r":(EcsDisk|Storage|Volume|Cds)$")
KEPT = re.compile(r":(Bucket|BosBucket|FileSystem|Turbo|Cfs|EcsDisk|Storage|Volume|Cds)$")


def test_data_outlives_a_destroy(state: StackState) -> None:
    """Buckets, file systems and disks of their own are protected."""
    lasting = [resource for resource in state.resources if KEPT.search(resource.type)]
    serving = any(tags_of(resource.inputs.get("tags")).get("trainform-role") == "infer" for resource in state.resources)
    copies = [
        resource
        for resource in lasting
        if DISK.search(resource.type) and (serving or resource.inputs["tags"]["trainform-role"] == "cache")
    ]
    assert not any(resource.protect for resource in copies)
    kept = [resource for resource in lasting if resource not in copies]
    assert all(resource.protect for resource in kept)
    readme = (ROOT / state.source / "README.md").read_text(encoding="utf-8")
    for resource in kept:
        assert f"{resource.type}::{resource.name}$" in readme


# Machines, and what describes the members of a pool.
NODES = (
    "ecs/instance:Instance",
    "ess/scalingConfiguration:ScalingConfiguration",
    "Instance/instance:Instance",
    "index/instance:Instance",
    "Ecs/instance:Instance",
    "Bms/instance:Instance",
    "As/group:Group",
)


def test_tags_say_what_the_job_is(state: StackState) -> None:
    """Everything that takes tags bears the job's; facts of the workload stand on nodes only."""
    for resource in state.resources:
        tags = resource.inputs.get("tags")
        if isinstance(tags, list):  # some resources list them
            tags = {tag["key"]: tag["value"] for tag in tags}
        if tags:
            assert tags["trainform-job"] == state.project
            node = resource.type.endswith(NODES)
            workload = {key for key in tags if key.startswith("trainform-")} - {"trainform-job", "trainform-role"}
            assert bool(workload) == node, resource.name
            assert len(tags) <= 10


def test_no_file_holds_a_price_or_a_date_of_making(folder: Path) -> None:
    """What moves stands in SELECTION.md alone; code changes only when the design does."""
    for path in folder.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "CNY" not in text
        assert "trainform 0." not in text


def test_every_resource_has_its_reason(folder: Path) -> None:
    """Right above each resource stands a comment."""
    for path in folder.glob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if re.search(rf"\b{folder.name}\.(?:\w+\.)?(?!\w+Args\()[A-Z]\w+\($", line):
                assert lines[number - 1].lstrip().startswith("#"), f"{path}:{number + 1}"


def test_pulumi_yaml_is_declared_and_documented(folder: Path) -> None:
    """Every value that the program asks for is declared with a description, and the README's example names it."""
    project = yaml.safe_load((folder / "Pulumi.yaml").read_text(encoding="utf-8"))
    readme = (folder / "README.md").read_text(encoding="utf-8")
    settings = (folder / "settings.py").read_text(encoding="utf-8")
    for key, declared in project["config"].items():
        if ":" in key:
            assert set(declared) == {"value"}
        else:
            assert declared["description"]
            assert f"      {project['name']}:{key}: " in readme
            assert f'"{key}"' in settings
    example = readme.partition("    config:\n")[2].partition("\n\n")[0]
    assert set(yaml.safe_load(example)) == {f"{project['name']}:{key}" for key in project["config"] if ":" not in key}


def test_types_are_strict(folder: Path) -> None:
    """`mypy --strict` against the provider's own types finds nothing, a folder at a time with one cache."""
    # By its path from the root: modules of one name in two folders would else share an entry of the cache.
    path = folder.relative_to(ROOT)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--explicit-package-bases",
         "--cache-dir", ".mypy_cache/stacks", str(path)],
        cwd=ROOT, env={**os.environ, "MYPYPATH": str(path)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


HASHES = """
import hashlib, sys
from pathlib import Path
from generator.stack.generation import generate
from generator.spec import load_spec
for path in sys.argv[1:]:
    for stack in generate(load_spec(Path(path)), "spec.yaml", Path("x")).stacks:
        print(hashlib.sha256("".join(f.name + f.text for f in stack.files).encode()).hexdigest())
"""


def test_the_same_spec_gives_the_same_bytes() -> None:
    """Three runs with three seeds of Python's hashes agree on every byte of every stack."""
    answers = {
        subprocess.run(
            [sys.executable, "-c", HASHES, *map(str, SPECS)],
            env=os.environ | {"PYTHONHASHSEED": seed}, cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }  # fmt: skip
    assert len(answers) == 1
    assert len(next(iter(answers)).split()) == len(FOLDERS)
    assert all(len(line) == len(hashlib.sha256().hexdigest()) for line in next(iter(answers)).split())
