"""Every start of a node comes to the same end, and no start formats a disk that holds anything."""

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.scripts.machine import PROGRAMS
from tests.scripts.node import Node
from tests.stacks.conftest import FOLDERS, ROOT

GIB = 1 << 30


class Machine(Node):
    """A node with disks, whose system is `machine.py`."""

    def __init__(self, root: Path, folder: Path, settings: dict[str, str] | None = None) -> None:
        super().__init__(root, folder, root.with_name("buckets"), {})
        with self.at("/etc/trainform/job.env").open("a") as file:
            file.writelines(f"export {key}={value}\n" for key, value in (settings or {}).items())
        text = Path(__file__).with_name("machine.py").read_text(encoding="utf-8")
        self.stand_in("machine", f"#!{sys.executable}\n{text}")
        disks = self.at("/usr/local/bin/trainform-disks")
        if disks.exists():  # a quarter of an hour of waiting for a disk is not ours to take
            disks.write_text(disks.read_text().replace("{1..90}", "{1..2}"))
        for name in PROGRAMS:
            self.at(f"/usr/local/bin/{name}").unlink(missing_ok=True)
            (self.stand_ins / name).symlink_to("machine")
        for place in ("etc/yum.repos.d", "etc/modprobe.d", "sys/class/infiniband", "dev/md", "root"):
            self.at(place).mkdir(parents=True, exist_ok=True)
        for device in range(int(self.job.get("RDMA_DEVICES", "0"))):
            self.at(f"sys/class/infiniband/rdma{device}").touch()
        self.keep(
            cards=int(self.job.get("GPUS", "0")), disks=self._disks(), mounts={}, packages=[], installed=[], active=[],
            enabled=[], runtimes=["runc"], reboots=0, formatted=[], overwritten=[],
        )  # fmt: skip

    def _disks(self) -> list[dict[str, Any]]:
        """The system's disk, two inside the machine, and the data disk where there is one."""
        cloud, size = self.job["CLOUD_DISK_MODEL"], int(self.job["DATA_DISK_GIB"])
        disks = [{"name": "/dev/vda", "size": 80 * GIB, "model": cloud, "holds": "ptable", "parts": ["/dev/vda1"]}]
        if self.job["SCRATCH"] == "yes":
            disks += [{"name": f"/dev/nvme{n}n1", "size": 900 * GIB, "model": "Local", "holds": ""} for n in range(2)]
        if size:
            disks.append({"name": "/dev/vdb", "size": size * GIB, "model": cloud, "holds": ""})
        return disks

    def keep(self, **state: Any) -> None:
        (self.root / "machine.json").write_text(json.dumps(state))

    @property
    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads((self.root / "machine.json").read_text())
        return state

    def change(self, edit: Callable[[dict[str, Any]], object]) -> None:
        state = self.state
        edit(state)
        self.keep(**state)

    def start(self, script: str = "trainform-setup") -> str:
        """A start of the machine: what does not outlive one is gone, then a script runs; what it complained of."""
        self.change(lambda state: state.update(mounts={}, active=[]))
        (self.at("/dev/disk/by-label/scratch")).unlink(missing_ok=True)  # an array is not there before it is assembled
        for path in self.at("/run").iterdir():
            path.unlink()
        done = self.run(script)
        return "" if done.returncode == 0 else done.stderr or f"exit {done.returncode}"

    def seen(self) -> dict[str, str]:
        """Every file below the root that outlives a start, and the state of the machine."""
        kept = (path for path in sorted(self.root.rglob("*")) if path.is_file() and not path.is_symlink())
        return {
            str(path.relative_to(self.root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in kept
            if path.relative_to(self.root).parts[0] not in {"tmp", "run"}
        } | {"machine.json": json.dumps(self.state, sort_keys=True)}


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT / "stacks"))


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS, ids=shown)
def test_a_second_start_changes_nothing(folder: Path, tmp_path: Path) -> None:
    """After the start that makes the node ready, another one ends in the same state of files, mounts and services."""
    machine = Machine(tmp_path / "node", folder)
    said = machine.start()
    if machine.state["reboots"]:  # a new driver counts from the next start
        said = machine.start()
    assert said == ""
    first = machine.seen()
    assert machine.start() == ""
    assert machine.seen() == first
    assert machine.state["overwritten"] == []


WITH_DISK = next(folder for folder in FOLDERS if "DATA_DISK_GIB=0" not in (folder / "cloud-init.yaml").read_text())
# No golden stack has a type with disks inside: its scripts are told of some.
DISKS = {"data": {}, "scratch": {"SCRATCH": "yes", "DATA_DISK_GIB": "0"}}


def test_local_disks_are_joined_once(tmp_path: Path) -> None:
    """Disks inside the machine become one array at the first start; a restart assembles it and keeps what it holds."""
    machine = Machine(tmp_path / "node", WITH_DISK, DISKS["scratch"])
    for _ in range(2):
        assert machine.start("trainform-disks") == ""
        assert machine.state["mounts"]["/scratch"] == "/dev/md/scratch"
    assert machine.state["formatted"] == ["/dev/md/scratch"]
    assert machine.state["overwritten"] == []


@pytest.mark.parametrize("holds", ["ext4", "xfs other", "several", "linux_raid_member"])
@pytest.mark.parametrize("kind", sorted(DISKS))
def test_what_holds_data_is_never_formatted(kind: str, holds: str, tmp_path: Path) -> None:
    """A disk with any signature is left as it is: the start fails rather than format it."""
    machine = Machine(tmp_path / "node", WITH_DISK, DISKS[kind])
    names = {"/dev/vdb"} if kind == "data" else {"/dev/nvme0n1", "/dev/nvme1n1"}

    def plant(state: dict[str, Any]) -> None:
        for disk in state["disks"]:
            if disk["name"] in names:
                disk["holds"] = holds

    machine.change(plant)
    assert "does not exist" in machine.start("trainform-disks")
    assert {disk["name"]: disk["holds"] for disk in machine.state["disks"] if disk["name"] in names} == dict.fromkeys(
        names, holds
    )
    assert machine.state["overwritten"] == []
    assert not names & set(machine.state["formatted"])


def test_a_disk_with_partitions_is_never_formatted(tmp_path: Path) -> None:
    """A disk of the right size that is divided is not the empty one that the job waits for."""
    machine = Machine(tmp_path / "node", WITH_DISK)
    machine.change(lambda state: state["disks"][-1].update(parts=["/dev/vdb1"]))
    assert "does not exist" in machine.start("trainform-disks")
    assert machine.state["formatted"] == []


def test_the_data_disk_of_an_earlier_machine_is_mounted(tmp_path: Path) -> None:
    """A disk that an earlier machine made ready is mounted with what it holds."""
    machine = Machine(tmp_path / "node", WITH_DISK)
    machine.change(lambda state: state["disks"][-1].update(holds="xfs data"))
    machine.at("/dev/disk/by-label/data").write_text("/dev/vdb")
    assert machine.start("trainform-disks") == ""
    assert machine.state["mounts"]["/data"] == "/dev/vdb"
    assert machine.state["formatted"] == []
