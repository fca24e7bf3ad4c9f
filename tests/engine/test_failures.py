"""Failures on the way: after each, `up` brings the stack to the same end; nothing is lost, nothing is made twice."""

import json
import re
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.engine.live_stack import STACK, LiveStack
from tests.pretend_cloud.cloud import PretendCloud
from tests.pretend_cloud.failures import REFUSALS, Failure

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).resolve().parents[1] / "data" / "engine_stack" / "alicloud"
TROUBLE = Path(__file__).resolve().parents[2] / "docs" / "troubleshooting.md"
INSTANCE = "alicloud:ecs/instance:Instance"
DISK = "alicloud:ecs/ecsDisk:EcsDisk"
VPC = "alicloud:vpc/network:Network"


def end_of(cloud: PretendCloud) -> Counter[tuple[str, str]]:
    """What exists in a cloud, whatever ids it gave: each stands as the type that it names."""
    items = cloud.items()
    types = {item.id: item.type for item in items}
    return Counter((item.type, json.dumps(without_ids(item.inputs, types), sort_keys=True)) for item in items)


def without_ids(value: Any, types: dict[str, str]) -> Any:
    """A value with the type of what it names in the place of every id."""
    if isinstance(value, dict):
        return {name: without_ids(member, types) for name, member in value.items()}
    if isinstance(value, list):
        return [without_ids(member, types) for member in value]
    if isinstance(value, str | int) and str(value) in types:
        return types[str(value)]
    if isinstance(value, str):
        return re.sub(r"203\.0\.113\.\d+|pretend[0-9a-f]{8}(-0000-4000-8000-\d{12})?", "pretend", value)
    return value


@pytest.fixture
def stack(live_stack) -> LiveStack:
    """A stack that was never brought up."""
    stack: LiveStack = live_stack(PROGRAM)
    assert stack.init().code == 0
    return stack


@pytest.fixture(scope="module")
def same_end(cli: Path, pulumi_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Counter[tuple[str, str]]:
    """What the cloud holds when nothing fails."""
    undisturbed = LiveStack(cli, pulumi_home, PROGRAM, tmp_path_factory.mktemp("undisturbed"))
    assert undisturbed.init().code == 0
    assert undisturbed.up().code == 0
    return end_of(undisturbed.cloud)


@pytest.mark.parametrize("kind", REFUSALS)
def test_what_the_cloud_refuses_once_comes_with_the_next_up(stack: LiveStack, same_end, kind: str) -> None:
    """No stock, a quota, throttling: `up` stops with the cloud's code, keeps what it made, and goes on from there."""
    stack.cloud.tell(Failure(kind=kind, type=INSTANCE))
    failed = stack.up()
    assert failed.code != 0
    assert f"pretend alicloud (no real cloud): {REFUSALS[kind][0]}" in failed.said
    assert REFUSALS[kind][0] in TROUBLE.read_text(encoding="utf-8")
    made = {item.id for item in stack.cloud.items()}
    again = stack.up()
    assert again.code == 0, again.said
    assert end_of(stack.cloud) == same_end
    assert made <= {item.id for item in stack.cloud.items()}
    assert {call for call, _, _ in stack.cloud.calls()} == {"create"}


def test_a_slow_create_is_waited_for(stack: LiveStack, same_end) -> None:
    """A resource that takes its time delays `up`, and nothing else."""
    stack.cloud.tell(Failure(kind="slow", type=VPC, seconds=3))
    started = time.monotonic()
    assert stack.up().code == 0
    assert time.monotonic() - started > 3
    assert end_of(stack.cloud) == same_end


def test_a_crash_before_the_cloud_was_asked_loses_nothing(stack: LiveStack, same_end) -> None:
    """A plugin that dies before its call is told as such; the next `up` does the rest."""
    stack.cloud.tell(Failure(kind="crash_before", type=INSTANCE))
    failed = stack.up()
    assert failed.code != 0
    assert "exited prematurely" in failed.said
    assert stack.up().code == 0
    assert end_of(stack.cloud) == same_end


def test_a_crash_after_the_cloud_was_asked_leaves_a_node_to_adopt(stack: LiveStack, same_end) -> None:
    """What was made but not recorded is found by its tag and adopted with `pulumi import`: nothing is made twice."""
    where = {"systemDiskSize": 100}
    stack.cloud.tell(Failure(kind="crash_after", type=INSTANCE, where=where))
    assert "exited prematurely" in stack.up().said
    entries = stack.export()["deployment"]["resources"]
    recorded = {entry.get("id") for entry in entries}
    orphans = [item for item in stack.cloud.items(INSTANCE) if item.id not in recorded]
    assert [item.inputs["tags"]["trainform-job"] for item in orphans] == ["engine_stack"]
    assert "pulumi import" in TROUBLE.read_text(encoding="utf-8")
    names = (f"urn:pulumi:{STACK}::engine_stack::{INSTANCE}::node-{rank}" for rank in (0, 1))
    adopt(stack, next(urn for urn in names if urn not in {entry["urn"] for entry in entries}))
    again = stack.up()
    assert again.code == 0, again.said
    assert end_of(stack.cloud) == same_end


def test_a_reclaimed_node_comes_back_and_its_data_disk_with_it(stack: LiveStack, same_end) -> None:
    """`up` alone trusts its state; `up --refresh` sees the loss, makes the node anew and attaches the same disk."""
    assert stack.up().code == 0
    disks = {item.id for item in stack.cloud.items(DISK)}
    lost = stack.cloud.items(INSTANCE)[0].id
    stack.cloud.reclaim(lost)
    assert stack.unchanged().code == 0
    again = stack.up("--refresh")
    assert again.code == 0, again.said
    assert end_of(stack.cloud) == same_end
    assert lost not in {item.id for item in stack.cloud.items()}
    assert {item.id for item in stack.cloud.items(DISK)} == disks
    assert "up --refresh" in TROUBLE.read_text(encoding="utf-8")


def test_an_update_that_fails_is_made_by_the_next_up(stack: LiveStack) -> None:
    """An edit that the cloud refuses once is still wanted afterwards, and replaces nothing."""
    assert stack.up().code == 0
    disks = [item.id for item in stack.cloud.items(DISK)]
    edit(stack, "size=200", "size=300")
    stack.cloud.tell(Failure(kind="throttling", call="update", type=DISK))
    assert stack.up().code != 0
    assert stack.up().code == 0
    assert [item.inputs["size"] for item in stack.cloud.items(DISK)] == [300, 300]
    assert [item.id for item in stack.cloud.items(DISK)] == disks


def test_a_destroy_that_fails_goes_on_where_it_stopped(stack: LiveStack) -> None:
    """A delete that the cloud refuses once leaves the rest to the next `destroy`; what is protected stays."""
    assert stack.up().code == 0
    stack.cloud.tell(Failure(kind="throttling", call="delete", type=INSTANCE))
    assert stack.destroy("--exclude-protected").code != 0
    again = stack.destroy("--exclude-protected")
    assert again.code == 0, again.said
    assert [item.id for item in stack.cloud.items()] == ["engine-stack-example-0000"]


def test_a_killed_engine_leaves_a_lock_and_work_to_adopt(stack: LiveStack, same_end) -> None:
    """After `kill -9` the stack is locked; `cancel`, adopt what was made without a record, `up`: the same end."""
    stack.cloud.tell(Failure(kind="slow", type=VPC, seconds=4))
    command = [str(stack.cli), "up", "--yes", "--skip-preview", "--non-interactive", "--stack", STACK]
    running = subprocess.Popen(
        command, cwd=stack.folder, env=stack.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_for(lambda: stack.cloud.failures_left("slow") == 0)
    running.send_signal(signal.SIGKILL)
    running.wait()
    locked = stack.up()
    assert locked.code != 0
    assert "currently locked" in locked.said
    assert stack.run("cancel", "--yes", "--stack", STACK).code == 0
    wait_for(lambda: stack.cloud.items(VPC))  # The plugin outlives the engine: the cloud still does what was asked.
    interrupted = [entry["resource"]["urn"] for entry in stack.export()["deployment"]["pending_operations"]]
    assert any(VPC in urn for urn in interrupted)
    assert stack.refresh("--clear-pending-creates").code == 0
    for urn in interrupted:
        adopt(stack, urn)
    assert "refresh --clear-pending-creates" in TROUBLE.read_text(encoding="utf-8")
    again = stack.up()
    assert again.code == 0, again.said
    assert end_of(stack.cloud) == same_end


def adopt(stack: LiveStack, urn: str) -> None:
    """Put what the cloud has and the record lacks into the record, under the name that the program gives it."""
    type_, name = urn.split("::")[2].rsplit("$", maxsplit=1)[-1], urn.split("::")[3]
    recorded = {entry.get("id") for entry in stack.export()["deployment"]["resources"]}
    for orphan in [item for item in stack.cloud.items(type_) if item.id not in recorded]:
        options = ("--yes", "--generate-code=false", "--protect=false", "--stack", STACK)
        adopted = stack.run("import", type_, name, orphan.id, *options)
        assert adopted.code == 0, adopted.said


def wait_for(happened, seconds: float = 60) -> None:
    """Wait until something is true; fail when it takes too long."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.1)


def edit(stack: LiveStack, old: str, new: str) -> None:
    """Change the program as a person would."""
    file = stack.folder / "__main__.py"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
