"""The files for CI services: they parse, and their shell lines end as the command's exit codes promise."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.commands.check import command
from tests.commands.test_check import as_export, slow_nodes, sound

ROOT = Path(__file__).parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
GITHUB = ROOT / ".github" / "workflows" / "guardrails.yml"
GITLAB = ROOT / "docs" / "ci" / "gitlab.yml"


def read(path: Path) -> Any:
    """A YAML file; its keys as text, since YAML 1.1 takes `on` for true."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)


def github_lines() -> str:
    """The script of the step that checks."""
    (step,) = (step for step in read(GITHUB)["jobs"]["check"]["steps"] if step.get("name") == "Check")
    return str(step["run"])


def gitlab_lines() -> str:
    """The script of the job."""
    return "\n".join(read(GITLAB)["trainform"]["script"])


def exit_code(lines: str, folder: Path, paths: str, fail_on: str) -> int:
    """What the lines end with, run as the services run them: bash that stops at the first failure."""
    told = {"PATHS": paths, "FAIL_ON": fail_on, "TRAINFORM_PATHS": paths, "TRAINFORM_FAIL_ON": fail_on}
    environment = os.environ | told | {"GITHUB_STEP_SUMMARY": str(folder / "summary")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(["bash", "-eo", "pipefail", "-c", lines], cwd=folder, env=environment, check=False).returncode


@pytest.mark.parametrize("lines", [github_lines(), gitlab_lines()], ids=["github", "gitlab"])
@pytest.mark.parametrize(
    ("path", "fail_on", "code"),
    [
        ("clean.json", "deny", 0),
        ("faulty.json", "deny", 1),
        ("clean.json faulty.json", "deny", 1),
        ("empty.json", "deny", 2),
        ("missing.json", "deny", 2),
    ],
)
def test_exit_codes(tmp_path: Path, lines: str, path: str, fail_on: str, code: int) -> None:
    """0 clean, 1 from the level on, 2 when nothing was checked or the input is wrong."""
    (tmp_path / "clean.json").write_text(as_export(sound()), encoding="utf-8")
    (tmp_path / "faulty.json").write_text(as_export(slow_nodes()), encoding="utf-8")
    (tmp_path / "empty.json").write_text(json.dumps({"version": 3, "deployment": {"resources": []}}), encoding="utf-8")
    assert exit_code(lines, tmp_path, path, fail_on) == code


@pytest.mark.parametrize("lines", [github_lines(), gitlab_lines()], ids=["github", "gitlab"])
def test_options_exist(lines: str) -> None:
    """Every option that a file names is one of the command."""
    known = {name for parameter in command.params for name in parameter.opts}
    assert set(re.findall(r"--[a-z-]+", lines)) <= known


def test_nothing_of_a_caller_becomes_code() -> None:
    """Inputs reach the workflow's shell as variables only, never by substitution in a script."""
    steps = read(GITHUB)["jobs"]["check"]["steps"]
    assert [step["run"] for step in steps if "${{" in step.get("run", "")] == []


def test_hook() -> None:
    """The hook runs the command, and on the files that a stack is made of."""
    (hook,) = read(HOOKS)
    assert hook["entry"] == "trainform check"
    assert {"id", "name", "entry", "language"} <= set(hook)
    pattern = re.compile(hook["files"])
    assert all(
        pattern.search(f"stacks/job/{name}") for name in ("Pulumi.yaml", "nodes.py", "waivers.yaml", "launch.sh")
    )
    assert not pattern.search("README.md")
