"""A node in a folder: the user data that a golden stack sends, laid out below a root, with programs that stand in."""

from __future__ import annotations

import base64
import functools
import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import yaml

from tests.stacks.conftest import state_of

# Places of a node that are below the root here.
PLACES = re.compile(
    r"(?<![\w/.$}-])/(?=(?:etc|usr/local|run|data|scratch|shared|root|tmp|var/lib|var/log|sys|dev(?!/null))(?:[/\s\"':;,)]|$))"
)
# Inputs that carry it: of machines and templates, and of Baidu's node groups, which run it as a script.
USER_DATA = {"userData", "userDataRaw", "postUserScript", "post_user_script"}
# The bucket client: SCHEME://name is a folder below $BUCKETS.
BUCKET = """
at() { echo "$BUCKETS/${1#*://}"; }
bucket_put() { mkdir -p "$(at "$2")"; cp -r -- "$1." "$(at "$2")"; }
bucket_get() { mkdir -p "$2"; cp -r -- "$(at "$1")." "$2"; }
bucket_copy() {
  if [[ $1 == *://* ]]; then cp -- "$(at "$1")" "$2" && return; fi
  mkdir -p "$(dirname "$(at "$2")")"
  cp -- "$1" "$(at "$2")"
}
bucket_list() { [[ ! -d $(at "$1") ]] || find "$(at "$1")" -type f | sed "s|^$BUCKETS/|${1%%://*}://|"; }
bucket_remove() { rm -rf -- "$(at "$1")"; }
"""


@functools.cache
def user_data(folder: Path) -> bytes:
    """The cloud configuration of the first machine of a stack, as its program sends it."""
    text = next(text for row in state_of(folder).resources for text in _user_data_in(row.inputs))
    if text.startswith("#cloud-config"):
        return text.encode()
    sent = base64.b64decode(text, validate=True)
    if sent.startswith(b"#!"):  # a script that hands it to cloud-init
        sent = sent.partition(b"'TRAINFORM_END'\n")[2].partition(b"TRAINFORM_END\n")[0]
    return sent


def _user_data_in(value: object) -> Iterator[str]:
    """User data in the inputs of a machine or a template, however deep it stands there."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in USER_DATA and isinstance(inner, str):
                yield inner
            else:
                yield from _user_data_in(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _user_data_in(inner)


class Node:
    """The files of a stack's user data below `root`; `names` are programs that answer in place of the node's own."""

    def __init__(self, root: Path, folder: Path, buckets: Path, names: dict[str, str]) -> None:
        self.root, self.buckets = root, buckets
        self.files = {row["path"]: row["content"] for row in yaml.safe_load(user_data(folder))["write_files"]}
        self.stand_ins = root / "stand-ins"
        for place in (self.stand_ins, buckets, *(root / name for name in ("run", "dev/disk/by-label", "root", "tmp"))):
            place.mkdir(parents=True, exist_ok=True)
        for path, text in self.files.items():
            place = self.at(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(self.moved(text))
            place.chmod(0o755)
        self.at("/usr/local/lib/trainform-bucket").write_text(BUCKET)
        for name, text in names.items():
            self.stand_in(name, text)

    def at(self, path: str) -> Path:
        """Where a path of the node lies here."""
        return self.root / path.lstrip("/")

    def moved(self, text: str) -> str:
        """The text with the node's places below the root."""
        return PLACES.sub(lambda _: f"{self.root}/", text)

    def stand_in(self, name: str, text: str) -> None:
        """Puts a program in the place of the node's own; a text without a first line of its own is bash."""
        path = self.stand_ins / name
        path.write_text(text if text.startswith("#!") else f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        """What a unit's process finds."""
        path = f"{self.stand_ins}:{self.at('/usr/local/bin')}:{os.environ['PATH']}"
        return {"PATH": path, "BUCKETS": str(self.buckets), "ROOT": str(self.root)}

    @property
    def job(self) -> dict[str, str]:
        """The settings of job.env."""
        lines = self.at("/etc/trainform/job.env").read_text().splitlines()
        return dict(shlex.split(line)[1].partition("=")[::2] for line in lines)

    def run(self, script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs a script of the node to its end."""
        return subprocess.run(
            [str(self.at(f"/usr/local/bin/{script}")), *arguments],
            cwd=self.root,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            timeout=60,
        )


class Unit:
    """Runs trainform-job.service as systemd does: the steps before, the job in a group of its own, the steps after."""

    def __init__(self, node: Node) -> None:
        self.node = node
        text = node.at("/etc/systemd/system/trainform-job.service").read_text()
        self.lines = [line.partition("=")[::2] for line in text.splitlines() if "=" in line]
        for command in self.commands("ExecStartPre"):
            subprocess.run(shlex.split(command), env=node.environment, cwd=node.root, check=True, timeout=30)
        (start,) = self.commands("ExecStart")
        self.child = subprocess.Popen(
            shlex.split(start), env=node.environment, cwd=node.root, start_new_session=True, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def commands(self, key: str) -> list[str]:
        """The commands under a key of the unit, in order."""
        return [value for name, value in self.lines if name == key]

    def stop(self, seconds: float | None = None) -> None:
        """KillMode=mixed: SIGTERM to the main process, SIGKILL to the group when the time to stop is over."""
        (limit,) = self.commands("TimeoutStopSec")
        assert self.commands("KillMode") == ["mixed"]
        self.child.send_signal(signal.SIGTERM)
        try:
            self.child.wait(seconds or float(limit))
        except subprocess.TimeoutExpired:
            os.killpg(self.child.pid, signal.SIGKILL)

    def end(self) -> tuple[int, str]:
        """Waits for the job, takes the steps after it, and gives its exit code and what it said."""
        said, _ = self.child.communicate(timeout=60)
        told = {"EXIT_STATUS": str(self.child.returncode) if self.child.returncode >= 0 else "KILL"}
        for command in self.commands("ExecStopPost"):
            subprocess.run(
                shlex.split(command), env=self.node.environment | told, cwd=self.node.root, check=True, timeout=30
            )
        return self.child.returncode, said

    def kill(self) -> None:
        """Leaves nothing behind, whatever the test came to."""
        if self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)


def wait_for(path: Path, seconds: float = 20) -> None:
    """Returns when a file is there; AssertionError when it does not come."""
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f"{path.name} did not come"
        time.sleep(0.02)
