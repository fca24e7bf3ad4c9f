"""A stack folder's `Pulumi.yaml` and the config values a preview runs with, where a person has given none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import yaml

from generator.clouds import cloud_ids, find_cloud
from generator.errors import InputError, Place, Problem
from generator.program.values import STRING_SENTINEL

# What stands for a value that only a person can give, valid in form; also the example of a stack's README.
EXAMPLES: dict[str, str] = {
    "alarmContactGroup": "ml-oncall",
    "appId": "1250000000",
    "bucketSuffix": "example-0000",
    "releaseAt": "2030-01-01T00:00:00Z",
    "scheduleFrom": "2030-01-01T00:00:00Z",
    "scheduleUntil": "2030-03-01T00:00:00Z",
    "sshPublicKey": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExampleExam"
    " you@example.com",
}


class Project(msgspec.Struct, frozen=True, kw_only=True):
    """A `Pulumi.yaml`: the declared config as it stands there, and the file whose run is the program."""

    folder: Path
    name: str
    main: str
    declared: dict[str, Any]


class Values(msgspec.Struct, frozen=True, kw_only=True):
    """Config as Pulumi hands it to a program: every key with its namespace, every value a text."""

    plain: dict[str, str]
    secret_keys: tuple[str, ...]


class _Loader(yaml.SafeLoader):
    """Dates stay texts, as they do for Pulumi."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_project(folder: Path) -> Project:
    """The Pulumi project in `folder`; InputError when the folder is no stack of ours to run."""
    file = folder / "Pulumi.yaml"
    if not file.is_file():
        hint = "a stack folder holds Pulumi.yaml and __main__.py; `trainform generate` writes one"
        what = "is not a stack folder: it has no Pulumi.yaml" if folder.is_dir() else "does not exist"
        raise InputError(Problem(message=f"{str(folder)!r} {what}", hint=hint))
    document = _load(file)
    where = Place(file=str(file))
    runtime = document.get("runtime")
    language = runtime.get("name") if isinstance(runtime, dict) else runtime
    if language != "python":
        hint = "check the output of `pulumi preview --json` instead"
        raise InputError(
            Problem(message=f"the program's language is {language!r}, only Python runs here", where=where, hint=hint)
        )
    name, declared = document.get("name"), document.get("config") or {}
    if not isinstance(name, str) or not isinstance(declared, dict):
        raise InputError(Problem(message="needs a `name`, and `config` as a mapping", where=where))
    main = Path(str(document.get("main") or "."))
    if (folder / main).is_dir():
        main /= "__main__.py"
    if not (folder / main).is_file():
        raise InputError(Problem(message=f"the program {main.as_posix()!r} is missing", where=where))
    return Project(folder=folder, name=name, main=main.as_posix(), declared=declared)


def stack_config(project: Project, stack: str | None, overrides: dict[str, str]) -> Values:
    """The config of one run: overrides, else `Pulumi.<stack>.yaml`, else declared values and defaults, else examples.

    A text that nobody can guess, such as the zone, is the engine's unknown.
    """
    given = _stack_file(project, stack) if stack is not None else {}
    examples = EXAMPLES | _cloud_examples(project)
    plain: dict[str, str] = {}
    secret: list[str] = []
    problems: list[Problem] = []
    for key, declaration in project.declared.items():
        full = _full(project, key)
        block = declaration if isinstance(declaration, dict) else {"default": declaration}
        value = block.get("value", block.get("default"))
        if block.get("secret") is True:
            secret.append(full)
        if full in overrides or full in given:
            continue
        if value is not None:
            plain[full] = _text(value)
        elif block.get("type", "string") == "string":
            plain[full] = examples.get(full.partition(":")[2], STRING_SENTINEL)
        else:
            hint = "give it in Pulumi.<stack>.yaml and name the stack: --stack NAME"
            message = f"the config value {full!r} has no default"
            problems.append(Problem(message=message, where=Place(file=str(project.folder / "Pulumi.yaml")), hint=hint))
    if problems:
        raise InputError(*problems)
    for full, value in given.items():
        if isinstance(value, dict) and set(value) == {"secure"}:
            plain[full] = STRING_SENTINEL  # only the person's passphrase opens it
            secret.append(full)
        else:
            plain[full] = _text(value)
    plain |= {_full(project, key): value for key, value in overrides.items()}
    return Values(plain=plain, secret_keys=tuple(sorted(set(secret))))


def _cloud_examples(project: Project) -> dict[str, str]:
    """Examples that only the stack's cloud can give, such as an image's id; the provider's settings tell the cloud."""
    packages = {key.partition(":")[0] for key in project.declared if ":" in key}
    clouds = [find_cloud(cloud_id) for cloud_id in cloud_ids()]
    return {key: value for cloud in clouds if packages & {*cloud.token_packages} for key, value in cloud.example_config}


def _stack_file(project: Project, stack: str) -> dict[str, Any]:
    file = project.folder / f"Pulumi.{stack}.yaml"
    if "/" in stack or not file.is_file():
        names = sorted(path.name.split(".")[1] for path in project.folder.glob("Pulumi.*.yaml"))
        hint = f"there are: {', '.join(names)}" if names else "`pulumi stack init` and `pulumi config set` make it"
        raise InputError(Problem(message=f"no Pulumi.{stack}.yaml in {str(project.folder)!r}", hint=hint))
    config = _load(file).get("config") or {}
    if not isinstance(config, dict):
        raise InputError(Problem(message="`config` must be a mapping", where=Place(file=str(file))))
    return {_full(project, key): value for key, value in config.items()}


def _full(project: Project, key: str) -> str:
    return key if ":" in key else f"{project.name}:{key}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _load(file: Path) -> dict[str, Any]:
    try:
        document = yaml.load(file.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506  (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = Place(file=str(file), line=mark.line + 1 if mark else None, column=mark.column + 1 if mark else None)
        raise InputError(Problem(message=f"not valid YAML: {error.problem}", where=where)) from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(Problem(message=f"cannot be read: {error}", where=Place(file=str(file)))) from None
    if not isinstance(document, dict):
        raise InputError(Problem(message="must be a mapping", where=Place(file=str(file))))
    return document
