"""launch.sh holds the launch contract: the layout that was sized, the variables, the signal, the exit code."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.stacks.builds import DEVELOP, LORA, PREPARE, PRETRAIN, drawn, files_of

# Stands for torchrun: one worker that saves on SIGTERM; a torchrun of its own way would end it within seconds.
TORCHRUN = """#!/usr/bin/env python3
import json, os, subprocess, sys
print(json.dumps({"arguments": sys.argv[1:], "environment": dict(os.environ)}), flush=True)
if "--wait" in sys.argv:
    worker = subprocess.Popen([sys.executable, "-c", '''
import os, signal, sys, time
def save(*_):
    time.sleep(0.3)
    open("saved", "w").write("x")
    sys.exit(int(os.environ.get("WORKER_EXIT", "0")))
signal.signal(signal.SIGTERM, save)
open("ready", "w").write("x")
time.sleep(60)
'''])
    sys.exit(worker.wait())
sys.exit(3 if "--fail" in sys.argv else 0)
"""


class Launcher:
    """launch.sh of a stack, in a folder in the place of the node's."""

    def __init__(self, tmp_path: Path, base: dict[str, Any], values: dict[str, Any], **node: str) -> None:
        files = files_of(drawn(tmp_path, {"launch.image": None} | values, base))
        self.folder = tmp_path / "node"
        self.folder.mkdir()
        text = files["launch.sh"].replace("/etc/trainform/job.env", str(self.folder / "job.env"))
        text = text.replace("/etc/trainform/node.env", str(self.folder / "node.env"))
        self.text = text.replace("/run/", f"{self.folder}/")
        job = {
            "TRAINFORM_JOB": "job",
            "TRAINFORM_DATA_DIR": "/d",
            "TRAINFORM_CHECKPOINT_DIR": "/c",
            "GPUS": "8",
            "NNODES": "2",
            "MASTER_PORT": "29500",
        }
        facts = {"NODE_RANK": "1", "MASTER_ADDR": "10.20.0.10"} | node
        (self.folder / "job.env").write_text("".join(f"export {key}={value}\n" for key, value in job.items()))
        (self.folder / "node.env").write_text("".join(f"export {key}={value}\n" for key, value in facts.items()))
        tools = self.folder / "bin"
        tools.mkdir()
        for name in ("torchrun", "docker", "python3-job"):
            (tools / name).write_text(TORCHRUN)
            (tools / name).chmod(0o755)
        self.environment = {"PATH": f"{tools}:/usr/bin:/bin"}

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["bash", "-c", self.text, "launch.sh", *arguments], cwd=self.folder, env=self.environment | environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        child = self.start(*arguments)
        out, error = child.communicate(timeout=30)
        return child.returncode, json.loads(out) if out.startswith("{") else {"said": out + error}


def after(arguments: list[str], option: str) -> str:
    return arguments[arguments.index(option) + 1]


def test_torchrun_gets_the_layout_and_the_command(tmp_path: Path) -> None:
    """Each node starts one process a GPU, knows its rank and the address, and passes the command and flags on."""
    code, seen = Launcher(tmp_path, PRETRAIN, {"launch.command": "python train.py --lr 1e-4"}).run()
    words = seen["arguments"]
    assert code == 0
    assert (after(words, "--nnodes"), after(words, "--nproc-per-node"), after(words, "--node-rank")) == ("2", "8", "1")
    assert (after(words, "--master-addr"), after(words, "--master-port")) == ("10.20.0.10", "29500")
    assert words[words.index("train.py") + 1 : words.index("train.py") + 3] == ["--lr", "1e-4"]


def test_what_was_sized_is_what_runs(tmp_path: Path) -> None:
    """Micro-batch, accumulation and sharding of the chosen layout reach the job."""
    blueprint = drawn(tmp_path, {}, PRETRAIN)
    layout = blueprint.candidate.fit.layout
    code, seen = Launcher(tmp_path, PRETRAIN, {}).run()
    assert code == 0
    assert seen["environment"]["TRAINFORM_MICRO_BATCH"] == str(layout.micro_batch)
    assert seen["environment"]["TRAINFORM_ACCUMULATION"] == str(layout.accumulation)
    assert seen["environment"]["TRAINFORM_SHARDING"] == layout.sharding
    assert json.loads(blueprint.launch.layout)["data"] == layout.data


def test_variables_of_the_contract_are_expanded(tmp_path: Path) -> None:
    """`$TRAINFORM_DATA_DIR` in the command is the folder of the data."""
    _, seen = Launcher(tmp_path, PRETRAIN, {"launch.command": "python train.py --data $TRAINFORM_DATA_DIR/x"}).run()
    assert after(seen["arguments"], "--data") == "/d/x"


def test_a_command_that_is_not_python_starts_itself(tmp_path: Path) -> None:
    """Any other program finds the variables and starts its own processes."""
    launcher = Launcher(tmp_path, LORA, {"launch.command": "python3-job --fast"})
    code, seen = launcher.run()
    assert code == 0
    assert seen["arguments"][0] == "--fast"
    assert "--nnodes" not in seen["arguments"]


def test_the_exit_code_is_the_job_s(tmp_path: Path) -> None:
    """A job that fails fails the unit, which starts it again."""
    assert Launcher(tmp_path, PRETRAIN, {"launch.command": "python train.py --fail"}).run()[0] == 3


@pytest.mark.parametrize("exit_code", [0, 7])
def test_on_sigterm_the_workers_save(tmp_path: Path, exit_code: int) -> None:
    """The signal goes to the workers, which have time to save; the exit code is theirs."""
    launcher = Launcher(tmp_path, PRETRAIN, {"launch.command": "python train.py --wait"})
    child = launcher.start(WORKER_EXIT=str(exit_code))
    for _ in range(200):
        if (launcher.folder / "ready").exists():
            break
        time.sleep(0.05)
    time.sleep(0.1)
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=30)
    assert (launcher.folder / "saved").exists()
    assert child.returncode == exit_code


def test_it_resumes_where_it_was(tmp_path: Path) -> None:
    """The newest complete checkpoint is named to the job."""
    launcher = Launcher(tmp_path, PRETRAIN, {})
    (launcher.folder / "trainform-resume.env").write_text("export TRAINFORM_RESUME_FROM=/c/step-7\n")
    _, seen = launcher.run()
    assert seen["environment"]["TRAINFORM_RESUME_FROM"] == "/c/step-7"


def test_a_spare_node_waits(tmp_path: Path) -> None:
    """A node whose rank is beyond the job's ends well without starting anything."""
    code, seen = Launcher(tmp_path, PRETRAIN, {"hardware.spare_nodes": 1}, NODE_RANK="2").run()
    assert code == 0
    assert "stands by" in seen["said"]


def test_a_person_s_command_takes_the_place_of_the_spec_s(tmp_path: Path) -> None:
    """On a machine to develop on, the command is named by hand; without one the script says what to do."""
    launcher = Launcher(tmp_path, DEVELOP, {"launch.command": None})
    assert launcher.run("python3-job", "a b")[1]["arguments"] == ["a b"]
    code, seen = launcher.run()
    assert code == 2
    assert "nothing to start" in seen["said"]


def test_an_image_gets_the_folders_and_the_variables(tmp_path: Path) -> None:
    """The job's container sees the GPUs, its folders and every variable of the contract."""
    launcher = Launcher(
        tmp_path, LORA, {"launch.image": "registry.example.com/team/train:1", "launch.command": "python train.py"}
    )
    launcher.text = launcher.text.replace("docker rm --force trainform-job >/dev/null 2>&1 || true\n", "")
    code, seen = launcher.run()
    words = seen["arguments"]
    assert code == 0
    assert words[:2] == ["run", "--rm"]
    image = words.index("registry.example.com/team/train:1")
    assert words[image + 1] == "torchrun"
    told = {words[index + 1] for index, word in enumerate(words[:image]) if word == "--env"}
    assert told >= {
        "TRAINFORM_CHECKPOINT_DIR",
        "TRAINFORM_DATA_DIR",
        "MASTER_ADDR",
        "NODE_RANK",
        "NNODES",
        "TRAINFORM_GRACE_SECONDS",
    }
    assert "/d:/d" in words
    assert after(words, "--gpus") == "all"


def test_cpu_nodes_start_the_command_plainly(tmp_path: Path) -> None:
    """Preprocessing has no torchrun: the command runs once a node, with its rank."""
    launcher = Launcher(tmp_path, PREPARE, {"launch.command": "python3-job --input $TRAINFORM_DATA_DIR"})
    code, seen = launcher.run()
    assert code == 0
    assert seen["arguments"] == ["--input", "/d"]
    assert seen["environment"]["NODE_RANK"] == "1"
