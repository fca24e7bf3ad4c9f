"""The embedded preview: a stack folder's program run without the Pulumi CLI and without a network."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

from generator.clouds import cloud_ids, find_cloud
from generator.errors import InputError, Place, Problem, place_in
from generator.facts.illegal_values import illegal_values
from generator.resources import StackState, from_states
from generator.stack.config import Project, read_project, stack_config

TIME_LIMIT_S = 60.0


class MissingSdkError(InputError):
    """The program needs an SDK that is not installed; `install` is the line that brings it."""

    def __init__(self, problem: Problem, install: str) -> None:
        super().__init__(problem)
        self.install = install


class Answer(msgspec.Struct, frozen=True):
    """What the recorder says."""

    resources: list[dict[str, Any]]
    problems: list[dict[str, Any]]
    invokes: list[str]
    error: dict[str, Any] | None


def preview(
    folder: Path, config: dict[str, str] | None = None, stack: str | None = None, time_limit_s: float = TIME_LIMIT_S
) -> StackState:
    """Resources, config and outputs of the stack in `folder`; InputError with every problem of the program.

    `config` overrides single keys, `stack` names the `Pulumi.<stack>.yaml` to take values from; what neither gives has
    the default of `Pulumi.yaml`, an example value, or (the zone) is unknown. The program runs in a child process.
    """
    project = read_project(folder)
    values = stack_config(project, stack, config or {})
    answer = _run(project, values.plain, values.secret_keys, stack or "dev", time_limit_s)
    problems = [_problem(folder, entry["message"], entry["position"]) for entry in answer.problems]
    if answer.error is not None:
        problems.append(_program_error(project, answer))
    if problems:
        raise InputError(*problems)
    state = from_states(answer.resources, config=values.plain, source=str(folder), project=project.name)
    illegal = illegal_values(state, folder)
    if illegal:
        raise InputError(*illegal)
    return state


def _run(project: Project, config: dict[str, str], secret_keys: tuple[str, ...], stack: str, limit_s: float) -> Answer:
    request = {
        "folder": str(project.folder.resolve()),
        "main": project.main,
        "project": project.name,
        "stack": stack,
        "config": config,
        "secret_keys": secret_keys,
        "sdks": _sdks(),
    }
    # Nothing of Pulumi's own environment reaches the program: the answer must not depend on whose machine it is.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PULUMI_")}
    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "generator.program.recorder"],
        cwd=project.folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    where = Place(file=str(project.folder / project.main))
    try:
        output, printed = child.communicate(json.dumps(request).encode(), timeout=limit_s)
    except subprocess.TimeoutExpired:
        message = f"the program did not end within {limit_s:g} s"
        hint = "does it wait for a network, or loop?"
        raise InputError(Problem(message=message, where=where, hint=hint)) from None
    finally:
        _end(child)
    try:
        return msgspec.json.decode(output, type=Answer)
    except msgspec.DecodeError:
        last = printed.decode(errors="replace").strip().rpartition("\n")[2]
        message = f"the program ended the process (exit code {child.returncode})" + (f": {last}" if last else "")
        raise InputError(Problem(message=message, where=where)) from None


def _end(child: subprocess.Popen[bytes]) -> None:
    """The child and all that it started are gone, however it ended."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        child.kill()
    child.communicate()


def _sdks() -> dict[str, str]:
    clouds = [find_cloud(cloud_id) for cloud_id in cloud_ids()]
    return {package: cloud.sdk for cloud in clouds if cloud.sdk for package in cloud.token_packages}


def _problem(folder: Path, message: str, position: str | None) -> Problem:
    if position is None:
        return Problem(message=message, where=Place(file=str(folder)))
    file, _, line = position.removeprefix("project:///").partition("#")
    return Problem(message=message, where=place_in(folder, file, int(line)))


def _program_error(project: Project, answer: Answer) -> Problem:
    error = answer.error or {}
    where = (
        place_in(project.folder, error["file"], error["line"]) if "file" in error else Place(file=str(project.folder))
    )
    missing = error["missing_module"]
    for cloud_id in cloud_ids():
        cloud = find_cloud(cloud_id)
        if missing and missing == cloud.sdk:
            install = install_line(cloud.extra)
            message = f"the SDK of {cloud.title} is not installed"
            raise MissingSdkError(Problem(message=message, where=where, hint=install), install)
    if error["missing_config"]:
        message = f"the program needs the config value {error['missing_config']!r}"
        hint = "declare it in Pulumi.yaml with a default, or name a stack that has it: --stack NAME"
        return Problem(message=message, where=where, hint=hint)
    return Problem(message=f"the program raised {error['kind']}: {error['message']}", where=where, hint=_hint(answer))


def _hint(answer: Answer) -> str | None:
    if answer.invokes:
        asked = ", ".join(sorted(set(answer.invokes)))
        return f"it asks the cloud ({asked}): offline only the `_output` form is answered, with unknown"
    if answer.error and answer.error["missing_module"]:
        return "a preview runs the program with this Python: install what its requirements.txt names"
    return None


def install_line(extra: str) -> str:
    """How to install an extra, in a checkout and elsewhere."""
    checkout = (Path(__file__).parents[1] / "pyproject.toml").is_file()
    return f"pip install '{'.' if checkout else 'trainform'}[{extra}]'"
