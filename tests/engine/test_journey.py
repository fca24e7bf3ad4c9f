"""The journey of every golden stack on the real engine: preview, up, no change, refresh, and what a destroy leaves."""

import subprocess
import time
from pathlib import Path

import pytest

from generator.resources import parse_stack
from policies.judge import judge
from tests.engine.live_stack import ROOT, STACK, Answer, LiveStack

pytestmark = pytest.mark.slow

STACKS = sorted(path.parent for path in ROOT.glob("stacks/*/*/manifest.json"))


def shown(folder: Path) -> str:
    return f"{folder.parent.name}/{folder.name}"


@pytest.fixture
def step(record_property):
    """Runs one step of a stack's journey and notes how long it took, for the table."""

    def take(stack: str, name: str, act, *arguments: str) -> Answer:
        started = time.monotonic()
        answer = act(*arguments)
        seconds = f"{time.monotonic() - started:.1f} s"
        record_property("step", (stack, name, seconds if answer.code == 0 else "FAILED"))
        assert answer.code == 0, answer.said
        return answer

    return take


@pytest.mark.parametrize("folder", STACKS, ids=shown)
def test_a_golden_stack_lives_its_whole_life(folder: Path, live_stack, step) -> None:
    """Preview, up, no change, refresh, no change again; then destroy leaves what the README says, and it can go too."""
    name, stack = shown(folder), live_stack(folder)
    step(name, "init", stack.init)
    previewed = parse_stack(step(name, "preview", stack.preview).out.encode(), name)[0]
    assert {resource.op for resource in previewed.resources} == {"create"}
    assert [finding.message for finding in judge(previewed).findings if finding.verdict in {"deny", "error"}] == []
    step(name, "up", stack.up)
    assert {item.type for item in stack.cloud.items()} == {
        entry.type for entry in previewed.resources if is_cloud(entry)
    }
    step(name, "unchanged", stack.unchanged)
    step(name, "refresh", stack.refresh, "--expect-no-changes")
    step(name, "still unchanged", stack.unchanged)
    step(name, "destroy", stack.destroy, "--exclude-protected")
    left = {(item.type, item.id) for item in stack.cloud.items()}
    protected = {entry.urn for entry in previewed.resources if entry.protect}
    assert {urn for urn in protected if urn in urns(stack)} == protected
    assert left == held_up(stack, protected)
    for command in removal(folder):
        done = subprocess.run(
            command, shell=True, cwd=stack.folder, env=stack.environment, capture_output=True, text=True, check=False
        )
        record = Answer(code=done.returncode, out=done.stdout, err=done.stderr)
        assert record.code == 0, f"{command}\n{record.said}"
    assert stack.cloud.items() == []


def is_cloud(resource) -> bool:
    """Whether a resource is made in the cloud, not by Pulumi itself."""
    return not resource.type.startswith("pulumi:")


def urns(stack: LiveStack) -> set[str]:
    """What the engine still has on record."""
    return {entry["urn"] for entry in stack.export()["deployment"].get("resources", [])}


def held_up(stack: LiveStack, protected: set[str]) -> set[tuple[str, str]]:
    """The protected resources and all that they stand on, as the engine has them on record."""
    entries = {entry["urn"]: entry for entry in stack.export()["deployment"].get("resources", [])}
    wanted, found = set(protected), set()
    while wanted:
        urn = wanted.pop()
        if urn not in found:
            found.add(urn)
            wanted |= set(entries[urn].get("dependencies", []))
    return {(entries[urn]["type"], entries[urn]["id"]) for urn in found}


def removal(folder: Path) -> list[str]:
    """The commands under the README's heading on what stays after a destroy, made fit for a run without a terminal."""
    text = (folder / "README.md").read_text(encoding="utf-8").partition("## What stays after a destroy")[2]
    commands = [line.strip() for line in text.partition("\n## ")[0].splitlines() if line.startswith("    ")]
    return [command + (f" --yes --stack {STACK}" if command == "pulumi destroy" else "") for command in commands]
