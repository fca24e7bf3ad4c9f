"""A spot node that is taken back saves, and the next one goes on from there: watcher, launch and checkpoints for real.

What runs is the user data of the golden pools, by systemd's rules, against a metadata service on the loopback. A
launcher of two workers stands in the place of torchrun, by the launch contract alone: PyTorch's wheel has over 500 MB.
"""

import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from generator.clouds import cloud_ids, find_cloud
from tests.scripts.node import Node, Unit, wait_for
from tests.stacks.conftest import FOLDERS

POOLS = {
    folder.name: folder
    for folder in FOLDERS
    if "trainform-notice.service" in (folder / "cloud-init.yaml").read_text(encoding="utf-8")
}
TOLD = [name for name in cloud_ids() if find_cloud(name).interruption_notice_s]
# The item of the metadata by which each cloud tells its machines (its documentation of spot instances).
NOTICES = {
    "alicloud": "/latest/meta-data/instance/spot/termination-time",
    "tencentcloud": "/latest/meta-data/spot/termination-time",
    "huaweicloud": "/openstack/latest/spot/instance-action",
}
# Like torchrun, it ends its workers hard soon after a signal of its own: that is why they are told themselves.
TORCHRUN = """#!/usr/bin/env python3
import os, signal, subprocess, sys
script = next(at for at, word in enumerate(sys.argv) if word.endswith(".py"))
train = os.path.join(os.environ["ROOT"], "stand-ins", "train")
workers = [subprocess.Popen([train], env=os.environ | {"RANK": str(rank)}) for rank in range(2)]
def end(*_):
    for worker in workers:
        worker.kill()
    sys.exit(1)
signal.signal(signal.SIGTERM, end)
sys.exit(max(abs(worker.wait()) for worker in workers))
"""
# Counts steps from where it resumes; saves on SIGTERM, and at its last step.
TRAIN = """#!/usr/bin/env python3
import os, pathlib, signal, sys, time
rank, root = os.environ["RANK"], pathlib.Path(os.environ["ROOT"])
resume = os.environ.get("TRAINFORM_RESUME_FROM")
step = int((pathlib.Path(resume) / f"step.{rank}").read_text()) if resume else 0
(root / f"began.{rank}").write_text(str(step))
told = []
signal.signal(signal.SIGTERM, lambda *_: told.append(True))
last = int((root / "last").read_text()) if (root / "last").exists() else 10**9
while not told and step < last:
    step += 1
    (root / f"reached.{rank}").write_text(str(step))
    time.sleep(0.02)
    if rank == "1" and not told:  # workers march in step, as collectives make them
        time.sleep(0.01)
if (root / "deaf").exists():
    time.sleep(60)
# One folder for the job: the name is rank 0's to give.
folder = pathlib.Path(os.environ["TRAINFORM_CHECKPOINT_DIR"]) / "checkpoint-1"
folder = folder.with_name(f"checkpoint-{2 if resume else 1}")
folder.mkdir(parents=True, exist_ok=True)
time.sleep(0.2)
(folder / f"step.{rank}").write_text(str(step))
"""
# Runs the command in a session of its own, as the daemon does, with no variable but those that it is told.
DOCKER = """
case $1 in
  run)
    shift
    told=(PATH="$PATH" ROOT="$ROOT")
    while [[ $1 != registry.* ]]; do
      if [[ $1 == --env && -v $2 ]]; then told+=("$2=${!2}"); fi
      shift
    done
    setsid env -i "${told[@]}" "${@:2}" &
    echo $! >"$ROOT/leader"
    wait $!
    ;;
  inspect) cat "$ROOT/leader" ;;
esac
"""
SYSTEMCTL = 'echo "$@" >>"$ROOT/systemctl"'


class Metadata(ThreadingHTTPServer):
    """The metadata service of a cloud: says nothing of an interruption until `notice` is set; counts the questions."""

    def __init__(self, path: str) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.path, self.notice, self.asked = path, "", 0


class _Answer(BaseHTTPRequestHandler):
    server: Metadata

    def do_PUT(self) -> None:
        self._say(200, "TOKEN")

    def do_GET(self) -> None:
        if self.server.path.startswith(NOTICES["alicloud"]) and not self.headers.get("X-aliyun-ecs-metadata-token"):
            return self._say(403, "no token")
        self.server.asked += self.path == self.server.path
        known = self.path == self.server.path and self.server.notice
        return self._say(200 if known else 404, self.server.notice if known else "not found")

    def _say(self, code: int, text: str) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Says nothing on the terminal."""


@pytest.fixture(params=sorted(NOTICES))
def cloud(request: pytest.FixtureRequest) -> str:
    """One cloud that tells its machines after the other."""
    name: str = request.param
    return name


@pytest.fixture
def metadata(cloud: str) -> Iterator[Metadata]:
    """The cloud's metadata service on the loopback."""
    with Metadata(NOTICES[cloud]) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()


def node_of(cloud: str, metadata: Metadata, root: Path, buckets: Path) -> Node:
    """A pool's node whose metadata, container runtime and service manager stand in; polls are quick."""
    names = {
        "torchrun": TORCHRUN,
        "train": TRAIN,
        "docker": DOCKER,
        "systemctl": SYSTEMCTL,
        "sleep": "exec /bin/sleep 0.05",
        "hostname": f"echo {root.name}",
    }
    node = Node(root, POOLS[cloud], buckets, names)
    script = node.at("/usr/local/bin/trainform-metadata")
    lines = script.read_text()
    script.write_text(re.sub(r"http://[\w.]+", f"http://127.0.0.1:{metadata.server_port}", lines))
    node.at(node.job["TRAINFORM_CHECKPOINT_DIR"].removeprefix(str(root))).mkdir(parents=True, exist_ok=True)
    return node


def interrupted(node: Node, metadata: Metadata) -> tuple[int, str]:
    """The job until the notice: the watcher sees it and stops the unit, which ends by its own rules."""
    unit = Unit(node)
    watcher = subprocess.Popen([node.at("/usr/local/bin/trainform-notice")], env=node.environment)
    try:
        for rank in "01":
            wait_for(node.root / f"reached.{rank}")
        while metadata.asked < 2:
            assert watcher.poll() is None, "the watcher ended before there was a notice"
        assert not (node.root / "systemctl").exists()
        metadata.notice = "2026-12-01T12:00:00Z"
        assert watcher.wait(20) == 0
        assert (node.root / "systemctl").read_text() == "stop trainform-job.service\n"
        deaf = (node.root / "deaf").exists()
        unit.stop(1 if deaf else None)
        if deaf:  # the container outlives its client; it goes with the machine
            os.killpg(int((node.root / "leader").read_text()), signal.SIGKILL)
        code, said = unit.end()
    finally:
        watcher.kill()
        unit.kill()
    return code, said


def test_each_cloud_that_tells_is_tried() -> None:
    """Every cloud with a notice has a golden pool and an item of metadata here; the others have no watcher."""
    assert set(TOLD) == set(NOTICES) == set(POOLS)


def test_the_job_saves_and_the_next_node_resumes(cloud: str, metadata: Metadata, tmp_path: Path) -> None:
    """The notice reaches the workers, their checkpoint reaches the bucket whole, and a new node begins at its step."""
    first = node_of(cloud, metadata, tmp_path / "node-0", tmp_path / "buckets")
    code, said = interrupted(first, metadata)
    assert code == 0, said
    (folder,) = (tmp_path / "buckets").rglob("checkpoint-1")
    assert {path.name for path in folder.iterdir()} == {"step.0", "step.1", ".complete.node-0"}, said
    steps = [int((folder / f"step.{rank}").read_text()) for rank in "01"]
    assert min(steps) > 0

    second = node_of(cloud, metadata, tmp_path / "node-1", tmp_path / "buckets")
    (second.root / "last").write_text(str(max(steps) + 5))
    unit = Unit(second)
    code, said = unit.end()
    assert code == 0, said
    assert [int((second.root / f"began.{rank}").read_text()) for rank in "01"] == steps
    assert (folder.with_name("checkpoint-2") / ".complete.node-1").exists()


@pytest.mark.slow
def test_a_job_that_does_not_save_in_time_leaves_no_checkpoint(cloud: str, metadata: Metadata, tmp_path: Path) -> None:
    """A job that outlives its grace is killed, and nothing of it is taken for a checkpoint."""
    node = node_of(cloud, metadata, tmp_path / "node-0", tmp_path / "buckets")
    (node.root / "deaf").touch()
    code, _ = interrupted(node, metadata)
    assert code != 0
    assert list((tmp_path / "buckets").rglob(".complete*")) == []
