"""A stack on the real engine: a copy of a program's folder with a backend of its own, the pretend cloud behind it."""

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import yaml

from generator.stack.config import read_project, stack_config
from tests.pretend_cloud.cloud import PretendCloud
from tests.pretend_cloud.facts import providers, words

ROOT = Path(__file__).resolve().parents[2]
STACK = "dev"


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What one run of the CLI said."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Everything a person would see; of a preview in JSON only its messages."""
        messages = [entry["message"] for entry in self.json().get("diagnostics", [])] if self.out[:1] == "{" else []
        return "".join(messages) + self.err if messages else self.out + self.err

    def json(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.out)


def zones(cloud: str, region: str) -> tuple[str, ...]:
    """Two zones or more of a region: the catalog's, where it knows them, else names of their form."""
    with (ROOT / "generator" / "clouds" / cloud / "regions.csv").open(encoding="utf-8", newline="") as file:
        known = {row["id"]: row["zones"].split() for row in csv.DictReader(file)}
    return (*known[region], *words(providers()[cloud].zones.format(region=region)))


def executable(file: Path, *command: str) -> None:
    """A file that runs a command of ours, with the checkout on its path."""
    file.parent.mkdir(parents=True, exist_ok=True)
    words = " ".join(f"'{word}'" for word in command)
    file.write_text(f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec {words} \"$@\"\n", encoding="utf-8")
    file.chmod(0o755)


def home(folder: Path, cli: Path) -> Path:
    """A PULUMI_HOME with the pretend clouds as plugins and, for a CLI that brings no language host, ours beside it."""
    for cloud, facts in providers().items():
        name = f"pulumi-resource-{facts.plugin}"
        plugin = folder / "plugins" / f"resource-{facts.plugin}-v{facts.plugin_version}" / name
        executable(plugin, sys.executable, "-m", "tests.pretend_cloud.plugin", cloud)
    if shutil.which("pulumi-language-python") is None:
        executable(folder / "bin" / "pulumi-language-python", sys.executable, "-m", "tests.engine.language_host")
        link(cli, folder / "bin" / "pulumi")  # The CLI warns of a host that does not lie beside it.
    return folder


def link(file: Path, place: Path) -> None:
    """The same file at another place: a symbolic link would not do, the CLI follows it to find what lies beside it."""
    try:
        place.hardlink_to(file)
    except OSError:
        shutil.copy2(file, place)


class LiveStack:
    """One stack of one program; every method is a command of the CLI."""

    def __init__(self, cli: Path, pulumi_home: Path, program: Path, folder: Path) -> None:
        beside_host = pulumi_home / "bin" / "pulumi"
        self.cli = beside_host if beside_host.exists() else cli
        self.folder = folder / "program"
        self.cloud = PretendCloud(program.name, folder / "cloud.json")
        shutil.copytree(program, self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "backend").mkdir()
        search = [str(pulumi_home / "bin"), str(Path(sys.executable).parent), str(self.cli.parent), os.environ["PATH"]]
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("PULUMI_", "COV_"))},
            "PATH": os.pathsep.join(search),
            "PULUMI_HOME": str(pulumi_home),
            "PULUMI_BACKEND_URL": (folder / "backend").as_uri(),
            "PULUMI_CONFIG_PASSPHRASE": "only for tests",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "TRAINFORM_PRETEND_CLOUD": str(self.cloud.file),
        }

    def run(self, *arguments: str, env: dict[str, str] | None = None) -> Answer:
        """Any command of the CLI in the program's folder, for three minutes at most."""
        done = subprocess.run(
            [str(self.cli), *arguments, "--non-interactive"],
            cwd=self.folder,
            env={**self.environment, **(env or {})},
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        return Answer(code=done.returncode, out=done.stdout, err=done.stderr)

    def init(self) -> Answer:
        """Make the stack, with example values for what only a person can give, and a zone of the stack's region."""
        project = read_project(self.folder)
        given = stack_config(project, None, {}).plain
        region = given[f"{self.cloud.cloud}:region"]
        asked = [key for key, said in project.declared.items() if not {"value", "default"} & set(said)]
        values = {f"{project.name}:{key}": given[f"{project.name}:{key}"] for key in asked}
        if "zone" in asked:
            values[f"{project.name}:zone"] = zones(self.cloud.cloud, region)[0]
        self.configure(values)
        return self.run("stack", "init", STACK)

    def configure(self, values: dict[str, Any]) -> None:
        """Set config values of the stack, as `pulumi config set` would."""
        file = self.folder / f"Pulumi.{STACK}.yaml"
        settings = yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else {}
        settings["config"] = settings.get("config", {}) | values
        file.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")

    def preview(self, *arguments: str) -> Answer:
        """The preview as one JSON document."""
        return self.run("preview", "--json", "--stack", STACK, *arguments)

    def unchanged(self) -> Answer:
        """A preview that fails when anything would change."""
        return self.run("preview", "--diff", "--expect-no-changes", "--stack", STACK)

    def up(self, *arguments: str) -> Answer:
        """Create, change and delete until the cloud is what the program says."""
        return self.run("up", "--yes", "--skip-preview", "--stack", STACK, *arguments)

    def refresh(self, *arguments: str) -> Answer:
        """Read what exists back into the state."""
        return self.run("refresh", "--yes", "--skip-preview", "--stack", STACK, *arguments)

    def destroy(self, *arguments: str) -> Answer:
        """Delete what is not protected."""
        return self.run("destroy", "--yes", "--skip-preview", "--stack", STACK, *arguments)

    def export(self) -> Any:
        """The stack's state as the CLI exports it."""
        return self.run("stack", "export", "--stack", STACK).json()
