"""What runs on a node does what it says: its scripts are run here, with a folder in the place of a bucket."""

import os
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from generator.stack.startup import grace_seconds, option_lines
from generator.stack.templating import TEMPLATES
from tests.stacks.builds import DEVELOP, LORA, PREPARE, PRETRAIN, drawn, files_of

SCRIPTS = sorted(path for path in TEMPLATES.glob("*/startup/*") if path.suffix != ".jinja")
# Keys of cloud-init's own modules that we use (its reference, 24.x).
CLOUD_CONFIG = {"ssh_pwauth", "runcmd", "write_files"}
FILE_KEYS = {"path", "permissions", "content"}
POOL_BYTES = 16 * 1024  # user data of a scaling configuration
INSTANCE_BYTES = 32 * 1024  # user data of an instance

# The bucket client of the tests: oss://name is the folder $BUCKETS/name.
BUCKET = """
at() { echo "$BUCKETS/${1#oss://}"; }
bucket_put() { mkdir -p "$(at "$2")"; cp -r -- "$1." "$(at "$2")"; }
bucket_get() { mkdir -p "$2"; cp -r -- "$(at "$1")." "$2"; }
bucket_copy() {
  if [[ $1 == oss://* ]]; then cp -- "$(at "$1")" "$2" && return; fi
  mkdir -p "$(dirname "$(at "$2")")"
  cp -- "$1" "$(at "$2")"
}
bucket_list() {
  [[ ! -e $BUCKETS/broken ]] || return 1
  [[ ! -d $(at "$1") ]] || find "$(at "$1")" -type f | sed "s|^$BUCKETS/|oss://|"
}
bucket_remove() { rm -rf -- "$(at "$1")"; }
"""


class Node:
    """A node in a folder: scripts see its folder in place of /etc, /run, /usr/local and the data."""

    def __init__(self, root: Path, url: str, nodes: int = 1, rank: int = 0, name: str = "node-0") -> None:
        self.root, self.checkpoints, self.name = root / name, root / name / "checkpoints", name
        self.buckets = root / "buckets"
        for folder in (self.checkpoints, self.root / "run", self.root / "lib", self.root / "bin", self.buckets):
            folder.mkdir(parents=True, exist_ok=True)
        (self.root / "lib" / "trainform-bucket").write_text(BUCKET)
        job = {
            "TRAINFORM_CHECKPOINT_DIR": self.checkpoints,
            "NNODES": nodes,
            "CHECKPOINT_KEEP": 2,
            "BUCKETS": self.buckets,
        }
        (self.root / "job.env").write_text("".join(f"export {key}='{value}'\n" for key, value in job.items()))
        (self.root / "node.env").write_text(f"export NODE_RANK={rank}\nexport CHECKPOINT_URL={url}\n")
        hostname = self.root / "bin" / "hostname"
        hostname.write_text(f"#!/bin/sh\necho {name}\n")
        hostname.chmod(0o755)

    def run(self, script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        text = (TEMPLATES / script).read_text(encoding="utf-8")
        for place, own in (("/etc/trainform", "."), ("/run", "run"), ("/usr/local/lib", "lib")):
            text = text.replace(f"{place}/", f"{self.root / own}/")
        path = f"{self.root / 'bin'}:/usr/bin:/bin"
        return subprocess.run(
            ["bash", "-c", text, "script", *arguments], cwd=self.root, env={"PATH": path} | environment,
            capture_output=True, text=True,
        )  # fmt: skip

    def checkpoint(self, name: str, *, quiet: bool = True) -> Path:
        folder = self.checkpoints / name
        folder.mkdir()
        (folder / "model.pt").write_text(name)
        if quiet:
            past = time.time() - 600
            for path in (folder / "model.pt", folder):
                os.utime(path, (past, past))
        return folder

    def saved(self, url: str) -> set[str]:
        folder = self.buckets / url.removeprefix("oss://")
        return {path.name for path in folder.iterdir()} if folder.exists() else set()

    @property
    def resumes(self) -> str | None:
        file = self.root / "run" / "trainform-resume.env"
        return file.read_text().strip().rpartition("/")[2] if file.exists() else None


CHECKPOINTS = "shared/startup/trainform-checkpoints"
URL = "oss://ckpt/run"


def test_a_finished_checkpoint_is_copied_and_a_fresh_one_is_not(tmp_path: Path) -> None:
    """What nothing has written to for a minute is complete; what is being written waits."""
    node = Node(tmp_path, URL)
    node.checkpoint("step-1")
    node.checkpoint("step-2", quiet=False)
    done = node.run(CHECKPOINTS, "save")
    assert done.returncode == 0, done.stderr
    assert node.saved(URL) == {"step-1"}
    assert {path.name for path in (tmp_path / "buckets/ckpt/run/step-1").iterdir()} == {"model.pt", ".complete.node-0"}


@pytest.mark.parametrize(("status", "saved"), [("0", {"step-1"}), ("1", set()), ("TERM", set())])
def test_exit_code_0_means_saved(tmp_path: Path, status: str, saved: set[str]) -> None:
    """After a job that ended well its last checkpoint is copied at once; after one that did not, it is not trusted."""
    node = Node(tmp_path, URL)
    node.checkpoint("step-1", quiet=False)
    assert node.run(CHECKPOINTS, "finish", EXIT_STATUS=status).returncode == 0
    assert node.saved(URL) == saved


def test_a_new_node_resumes_from_the_newest_complete_one(tmp_path: Path) -> None:
    """A node that never saw the job brings back the newest, by number, that is complete."""
    first = Node(tmp_path, URL)
    for step in ("step-9", "step-10"):
        first.checkpoint(step)
        first.run(CHECKPOINTS, "save")
    (tmp_path / "buckets/ckpt/run/step-11").mkdir()
    (tmp_path / "buckets/ckpt/run/step-11/model.pt").write_text("half")
    second = Node(tmp_path, URL, name="node-9")
    done = second.run(CHECKPOINTS, "restore")
    assert done.returncode == 0, done.stderr
    assert second.resumes == "step-10"
    assert (second.checkpoints / "step-10" / "model.pt").read_text() == "step-10"


def test_what_a_kill_left_half_is_cleared_away(tmp_path: Path) -> None:
    """At the start an incomplete directory goes, so that no job resumes from it."""
    node = Node(tmp_path, URL)
    node.checkpoint("step-1")
    node.run(CHECKPOINTS, "save")
    node.checkpoint("step-2", quiet=False)
    node.run(CHECKPOINTS, "restore")
    assert sorted(path.name for path in node.checkpoints.iterdir()) == ["step-1"]
    assert node.resumes == "step-1"


def test_a_first_start_resumes_from_nothing(tmp_path: Path) -> None:
    """Without any checkpoint the job starts from its beginning."""
    node = Node(tmp_path, URL)
    done = node.run(CHECKPOINTS, "restore")
    assert done.returncode == 0, done.stderr
    assert node.resumes is None


def test_a_bucket_that_does_not_answer_loses_nothing(tmp_path: Path) -> None:
    """When the bucket cannot be read the start fails, to be tried again; nothing on the node is cleared away for it."""
    node = Node(tmp_path, URL)
    node.checkpoint("step-1")
    node.run(CHECKPOINTS, "save")
    (node.buckets / "broken").touch()
    assert node.run(CHECKPOINTS, "restore").returncode != 0
    assert (node.checkpoints / "step-1" / "model.pt").exists()


def test_old_checkpoints_go(tmp_path: Path) -> None:
    """As many as the spec keeps stay in the bucket, the newest; on the node only the last one copied stays."""
    node = Node(tmp_path, URL)
    for step in ("step-8", "step-9", "step-10"):
        node.checkpoint(step)
        assert node.run(CHECKPOINTS, "save").returncode == 0
    assert node.saved(URL) == {"step-9", "step-10"}
    assert [path.name for path in node.checkpoints.iterdir()] == ["step-10"]


def test_a_checkpoint_of_several_nodes_needs_all_of_them(tmp_path: Path) -> None:
    """While a node's part is missing a checkpoint is not complete, and nobody resumes from it."""
    zero, one = Node(tmp_path, URL, nodes=2), Node(tmp_path, URL, nodes=2, rank=1, name="node-1")
    for node in (zero, one):
        node.checkpoint("step-1")
        node.run(CHECKPOINTS, "save")
    zero.checkpoint("step-2")
    zero.run(CHECKPOINTS, "save")
    fresh = Node(tmp_path, URL, nodes=2, name="node-2")
    fresh.run(CHECKPOINTS, "restore")
    assert fresh.resumes == "step-1"


def test_without_a_bucket_marks_are_kept_in_place(tmp_path: Path) -> None:
    """On a disk or a shared file system nothing is copied; complete ones are marked, kept and found."""
    node = Node(tmp_path, "")
    for step in ("step-1", "step-2", "step-3"):
        node.checkpoint(step)
    assert node.run(CHECKPOINTS, "save").returncode == 0
    assert sorted(path.name for path in node.checkpoints.iterdir()) == ["step-2", "step-3"]
    node.run(CHECKPOINTS, "restore")
    assert node.resumes == "step-3"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_clean(path: Path) -> None:
    """shellcheck has nothing to say; what it cannot follow is the files that only a node has."""
    done = subprocess.run(
        [Path(os.sys.executable).with_name("shellcheck"), "-s", "bash", "-e", "SC1091,SC2154", path],
        capture_output=True,
        text=True,
    )
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("base", "values"),
    [
        (LORA, {}),
        (LORA, {"interruptible": True, "launch.image": None}),
        (PRETRAIN, {}),
        (PRETRAIN, {"checkpoint.to": "file_system", "hardware.spare_nodes": 1}),
        (DEVELOP, {}),
        (PREPARE, {}),
    ],
    ids=["lora", "pool", "pretrain", "shared", "develop", "prepare"],
)
def test_cloud_init_is_what_cloud_init_reads(tmp_path: Path, base: dict, values: dict) -> None:
    """A `#cloud-config` of known keys, small enough, whose scripts parse and whose units name files that are there."""
    blueprint = drawn(tmp_path, values, base)
    files = files_of(blueprint)
    text = files["cloud-init.yaml"]
    assert text.startswith("#cloud-config\n")
    config = yaml.safe_load(text)
    assert set(config) == CLOUD_CONFIG
    written = {row["path"]: row for row in config["write_files"]}
    assert len(written) == len(config["write_files"])
    for row in written.values():
        assert {"path", "content"} <= set(row) <= FILE_KEYS
        assert row.get("permissions", "0755") == "0755"
        assert ("permissions" in row) == row["content"].startswith("#!")
        if row["content"].startswith("#!/bin/bash"):
            done = subprocess.run(["bash", "-n"], input=row["content"], text=True, capture_output=True)
            assert done.stderr == "", row["path"]
    there = {*written, "/usr/local/bin/trainform-launch"}
    for path, row in written.items():
        for line in row["content"].splitlines():
            key, _, command = line.partition("=")
            if path.endswith(".service") and key.startswith("Exec"):
                assert command.split()[0] in there, (path, line)
            if path.endswith("trainform-setup") and line.startswith("trainform-"):
                assert f"/usr/local/bin/{line}" in there
    shell = subprocess.run(
        [Path(os.sys.executable).with_name("shellcheck"), "-"], input=files["launch.sh"], capture_output=True, text=True
    )
    assert shell.stdout == ""
    scope: dict = {"__file__": str(tmp_path / "stack" / "user_data.py")}
    (tmp_path / "stack").mkdir()
    for name in ("cloud-init.yaml", "launch.sh"):
        (tmp_path / "stack" / name).write_text(files[name])
    body = files["user_data.py"].replace("from settings import ", "import collections as settings  # ")
    for constant in ("CHECKPOINT_BUCKET", "DATA_BUCKET", "RAW_BUCKET", "ARCHIVE_BUCKET", "MASTER_ADDR"):
        scope[constant] = "a-name-as-long-as-names-of-buckets-may-be-of-sixty-three-signs"
    exec(compile(body, "user_data.py", "exec"), scope)
    import base64

    raw = base64.b64decode(scope["user_data"](0))
    assert len(raw) <= (POOL_BYTES if blueprint.nodes.pool and blueprint.nodes.count == 1 else INSTANCE_BYTES)
    sent = {row["path"] for row in yaml.safe_load(raw)["write_files"]}
    assert sent == {*written, "/etc/trainform/node.env", "/usr/local/bin/trainform-launch"}


def test_grace_is_what_the_notice_leaves() -> None:
    """A pool's job has most of the notice; without one, a fixed time."""
    assert grace_seconds(300, pool=True) == 240
    assert grace_seconds(300, pool=False) == 300
    assert grace_seconds(None, pool=True) == 300


def test_options_are_read_a_line_each() -> None:
    """An option begins a line and has its values beside it."""
    assert option_lines(("python", "t.py", "--a", "1", "--b")) == (("python", "t.py"), ("--a", "1"), ("--b",))
