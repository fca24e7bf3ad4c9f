"""The user's own Pulumi engine: runs `pulumi preview` on a stack folder and says in plain words why it could not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import msgspec

from generator.clouds import cloud_ids, find_cloud
from generator.errors import InputError, Place, Problem
from generator.resources import StackState, parse_stack

OLDEST = (3, 231)  # the engine that the SDK of Alibaba Cloud, the most demanding of the four, asks for (its metadata)
TIME_LIMIT_S = 900.0  # a first preview may have to download plugins


class Failure(msgspec.Struct, frozen=True):
    """One way in which the engine fails: its own words, what they mean, the cure; `{0}` is the first group found."""

    pattern: str
    message: str
    cure: str


# Pulumi's words are those of 3.276; docs/troubleshooting.md has the same failures, and those of the clouds.
FAILURES = (
    Failure(
        r"no resource plugin 'pulumi-resource-([\w-]+)' found in the workspace at version v?([^\s\"]+)",
        "the plugin {0} {1}, which this stack's SDK asks for, is not installed: another version does not serve",
        "pulumi plugin install resource {0} {1}",
    ),
    Failure(
        r"passphrase must be set with PULUMI_CONFIG_PASSPHRASE",
        "the stack's secrets are kept by a passphrase, and none is set",
        "export PULUMI_CONFIG_PASSPHRASE_FILE=FILE with the passphrase in FILE, or PULUMI_CONFIG_PASSPHRASE",
    ),
    Failure(
        r"incorrect passphrase",
        "the passphrase is not the one that this stack was made with",
        "set PULUMI_CONFIG_PASSPHRASE to the passphrase of `pulumi stack init`; it cannot be recovered",
    ),
    Failure(
        r"currently locked by|Another update is currently in progress",
        "the stack is locked: another `pulumi` works on it, or one was stopped before it could unlock",
        "wait for the other run; when there is none: pulumi cancel, then pulumi refresh",
    ),
    Failure(
        r"no stack named '([^']+)' found",
        "there is no stack {0!r} in the state backend",
        "pulumi stack init {0}, or `pulumi stack ls` for those there are",
    ),
    Failure(
        r"no stack selected",
        "no stack is selected in this folder",
        "name one: --stack NAME, or make one: pulumi stack init NAME",
    ),
    Failure(
        r"PULUMI_ACCESS_TOKEN must be set for login|please run `pulumi login`",
        "Pulumi does not know where to keep the state",
        "pulumi login file://DIRECTORY, or an object store with an S3 interface; the stack's README shows both",
    ),
    Failure(
        r"unable to open state directory \"?([^\"\s]+)",
        "the state backend {0} cannot be opened",
        "make the directory, or name another one: pulumi login file://DIRECTORY",
    ),
    Failure(
        r"ModuleNotFoundError: No module named '([\w.]+)'",
        "the program's Python has no module {0!r}",
        "in the stack's folder: python -m venv .venv && .venv/bin/pip install -r requirements.txt, and activate it",
    ),
    Failure(
        r"[Mm]issing required configuration variable '([^']+)'",
        "the config value {0!r} is not set",
        "pulumi config set {0} VALUE; the stack's README lists what it needs",
    ),
    Failure(
        r"failed to load language plugin python|no language plugin 'pulumi-language-python'",
        "this `pulumi` has no Python language host beside it",
        "install Pulumi from its own archive or installer, which brings pulumi-language-python",
    ),
)


class Diagnostic(msgspec.Struct, frozen=True):
    """One message of the engine."""

    message: str = ""
    severity: str = ""


class Diagnostics(msgspec.Struct, frozen=True):
    """The part of `pulumi preview --json` that tells what went wrong."""

    diagnostics: tuple[Diagnostic, ...] = ()


def preview(folder: Path, stack: str | None = None) -> StackState:
    """The stack as the installed engine previews it; InputError, with the cure, when it cannot.

    A preview changes neither the state nor the cloud. Plugins, credentials and the passphrase are the user's own.
    """
    cli = find_cli()
    check_version(cli)
    command = [cli, "preview", "--json", "--non-interactive", *(["--stack", stack] if stack else [])]
    code, output, errors = _run(command, folder)
    if code:
        raise InputError(*explain(output, errors, folder))
    return parse_stack(output.encode(), str(folder))[0]


def find_cli() -> str:
    """The `pulumi` on PATH; InputError when there is none."""
    cli = shutil.which("pulumi")
    if cli is None:
        hint = "install Pulumi (https://www.pulumi.com/docs/install/), or leave out --engine: our preview needs none"
        raise InputError(Problem(message="there is no `pulumi` on PATH", hint=hint))
    return cli


def check_version(cli: str) -> None:
    """InputError when this `pulumi` is older than the SDKs of our stacks allow, or tells no version."""
    _, output, errors = _run([cli, "version"], Path.cwd())
    found = re.search(r"v?(\d+)\.(\d+)\.\d+", output)
    oldest = ".".join(str(part) for part in OLDEST)
    if found is None:
        said = (output + errors).strip().splitlines()[:1]
        raise InputError(Problem(message=f"`{cli} version` tells no version, but {said[0] if said else 'nothing'!r}"))
    if (int(found[1]), int(found[2])) < OLDEST:
        message = f"pulumi {found[0]} is older than {oldest}, which the SDKs of the stacks ask for"
        raise InputError(Problem(message=message, hint=f"install Pulumi {oldest} or newer"))


def explain(output: str, errors: str, folder: Path) -> tuple[Problem, ...]:
    """Why a preview failed: one problem for each failure that we know, else the engine's own words."""
    said = [*_diagnostics(output), errors.strip()]
    where = Place(file=str(folder))
    known: dict[str, Problem] = {}
    for failure in FAILURES:
        found = re.search(failure.pattern, "\n".join(said))
        if found:
            groups = found.groups()
            cure = failure.cure.format(*groups) + _server(failure, groups)
            problem = Problem(message=failure.message.format(*groups), where=where, hint=cure)
            known.setdefault(problem.message, problem)
    if known:
        return tuple(known.values())
    words = list(dict.fromkeys(_last_words(text) for text in said if text))
    telling = [text for text in words if not text.startswith("an unhandled error occurred")] or words
    return tuple(Problem(message=text, where=where) for text in telling or ["`pulumi preview` failed and said nothing"])


def _server(failure: Failure, groups: tuple[str, ...]) -> str:
    """Where a plugin is found that Pulumi's own server does not have."""
    if failure is not FAILURES[0]:
        return ""
    servers = {find_cloud(cloud_id).id: find_cloud(cloud_id).plugin_server for cloud_id in cloud_ids()}
    server = servers.get(groups[0], "")
    return f" --server {server}" if server else ""


def _diagnostics(output: str) -> list[str]:
    try:
        told = msgspec.json.decode(output, type=Diagnostics)
    except msgspec.MsgspecError:
        return [output.strip()]
    return [entry.message.strip() for entry in told.diagnostics if entry.severity == "error"]


def _last_words(text: str) -> str:
    """A message without the traceback before it, and without the engine's `error:`."""
    lines = text.strip().splitlines()
    line = lines[-1] if any(line.startswith("Traceback") for line in lines) else text.strip()
    return line.removeprefix("error: ").strip()


def _run(command: list[str], folder: Path) -> tuple[int, str, str]:
    environment = {**os.environ, "PULUMI_SKIP_UPDATE_CHECK": "true"}
    try:
        done = subprocess.run(  # noqa: S603  (the user's own `pulumi`, without a shell)
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        message = f"`{' '.join(command[1:3])}` did not end within {TIME_LIMIT_S:g} s"
        hint = "does a plugin wait for the network? set the provider's region and credentials, see the stack's README"
        raise InputError(Problem(message=message, where=Place(file=str(folder)), hint=hint)) from None
    except OSError as error:
        raise InputError(Problem(message=f"cannot run {command[0]}: {error.strerror}")) from None
    return done.returncode, done.stdout, done.stderr
