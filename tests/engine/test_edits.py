"""What an edit does to a stack that exists: the smallest diff, and persistent data never replaced silently."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.spec import load_spec
from generator.stack.generation import generate
from generator.stack.writer import write
from tests.engine.live_stack import ROOT, LiveStack

pytestmark = pytest.mark.slow

TROUBLE = ROOT / "docs" / "troubleshooting.md"
INSTANCE = "alicloud:ecs/instance:Instance"
SWITCH = "alicloud:vpc/switch:Switch"
PERSISTENT = ("alicloud:ecs/ecsDisk:EcsDisk", "alicloud:nas/fileSystem:FileSystem", "alicloud:oss/bucket:Bucket")


@pytest.fixture
def brought_up(live_stack) -> Callable[[str], LiveStack]:
    """A golden stack of Alibaba Cloud that exists."""

    def bring_up(name: str) -> LiveStack:
        stack: LiveStack = live_stack(ROOT / "stacks" / name / "alicloud")
        assert stack.init().code == 0
        up = stack.up()
        assert up.code == 0, up.said
        return stack

    return bring_up


def edit_spec(stack: LiveStack, name: str, old: str, new: str) -> None:
    """Edit the spec as a person would and generate the folder anew."""
    text = (ROOT / "stacks" / name / "spec.yaml").read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} is no longer in the spec once"
    spec = stack.folder.parent / "spec.yaml"
    spec.write_text(text.replace(old, new), encoding="utf-8")
    outcome = generate(load_spec(spec), spec.name, stack.folder.parent, ("alicloud",))
    write(outcome.stacks[0].files, stack.folder)


def edit_program(stack: LiveStack, file: str, old: str, new: str) -> None:
    """Edit a file of the folder by hand: what matches a pattern becomes something else."""
    path: Path = stack.folder / file
    text, count = re.subn(old, new, path.read_text(encoding="utf-8"))
    assert count, f"{old!r} is no longer in {file}"
    path.write_text(text, encoding="utf-8")


def steps(stack: LiveStack) -> dict[str, set[str]]:
    """What a preview would do, by kind of step: class and name of each resource."""
    found: dict[str, set[str]] = {}
    for step in stack.preview().json()["steps"]:
        type_, name = step["urn"].split("::")[2:]
        if step["op"] != "same" and not type_.startswith("pulumi:"):
            found.setdefault(step["op"], set()).add(f"{type_.split(':')[-1]} {name}")
    return found


def persistent(stack: LiveStack) -> set[str]:
    """Ids of everything that holds data."""
    return {item.id for item in stack.cloud.items() if item.type in PERSISTENT}


def settle(stack: LiveStack) -> None:
    """Make the change; it is then done for good, and all data is where it was."""
    kept = persistent(stack)
    up = stack.up()
    assert up.code == 0, up.said
    assert stack.unchanged().code == 0
    assert kept <= persistent(stack)


def test_more_nodes_leave_the_others_running(brought_up) -> None:
    """Nodes are added; those that run and their alarms learn of them by updates in place; nothing is replaced."""
    stack = brought_up("pretrain_7b")
    running = {item.inputs["instanceName"]: item.id for item in stack.cloud.items(INSTANCE)}
    edit_spec(stack, "pretrain_7b", "nodes: 2..8", "nodes: 8")
    found = steps(stack)
    assert set(found) == {"create", "update"}
    assert {name for name in found["create"] if name.startswith("Instance")} == {
        f"Instance node-{rank}" for rank in range(len(running), 8)
    }
    assert {name for name in found["update"] if not name.startswith("Alarm")} == {
        f"Instance node-{rank}" for rank in range(len(running))
    }
    settle(stack)
    assert running.items() <= {item.inputs["instanceName"]: item.id for item in stack.cloud.items(INSTANCE)}.items()


def test_a_disk_that_would_shrink_is_refused_and_keeps_its_data(brought_up) -> None:
    """No cloud makes a smaller disk of a larger one: `up` fails, and the data stays where it was."""
    stack = brought_up("text_prep")
    kept = persistent(stack)
    edit_program(stack, "disks.py", r"\bsize=\d+", "size=40")
    assert "EcsDisk data-0" in steps(stack)["update"]
    answer = stack.up()
    assert answer.code != 0
    assert "InvalidDiskSize.TooSmall" in answer.said
    assert "InvalidDiskSize.TooSmall" in TROUBLE.read_text(encoding="utf-8")
    assert persistent(stack) == kept


def test_an_edit_that_leads_to_another_region_is_refused_by_the_preview(brought_up) -> None:
    """Another region would make everything anew: what is protected stops even the preview, and nothing is touched."""
    stack = brought_up("qwen2_5_7b_sft")
    before = stack.cloud.items()
    region = stack.folder.joinpath("Pulumi.yaml").read_text(encoding="utf-8").partition("value: ")[2].partition("\n")[0]
    other = next(name for name in ("cn-beijing", "cn-shanghai", "cn-wulanchabu") if name != region)
    edit_spec(stack, "qwen2_5_7b_sft", "clouds: [alicloud, tencentcloud]", f"clouds: [alicloud], regions: [{other}]")
    image = "aliyun_3_x64_20G_alibase_20240819.vhd"
    stack.configure({"qwen2_5_7b_sft:zone": f"{other}-a", "qwen2_5_7b_sft:image": image})
    answer = stack.preview()
    assert answer.code != 0
    assert "marked for protection" in answer.said
    assert stack.up().code != 0
    assert persistent(stack) == {item.id for item in before if item.type in PERSISTENT}


def test_more_data_grows_the_disk_where_it_is(brought_up) -> None:
    """A larger dataset grows the data disk in place; the node only takes new tags."""
    stack = brought_up("qwen2_5_7b_sft")
    edit_spec(stack, "qwen2_5_7b_sft", "size: 6GiB", "size: 160GiB")
    assert steps(stack) == {"update": {"EcsDisk data-0", "Instance node-0"}}
    settle(stack)


def test_another_disk_level_is_set_in_place(brought_up) -> None:
    """A faster level of a disk is an update of the node it belongs to."""
    stack = brought_up("resnet50_imagenet")
    edit_program(stack, "nodes.py", 'performance_level="PL0"', 'performance_level="PL1"')
    assert steps(stack) == {"update": {"Instance node-0"}}
    settle(stack)


def test_another_image_changes_the_nodes_only(brought_up) -> None:
    """The provider changes the system disk of the node that there is; data disks and buckets are not touched."""
    stack = brought_up("qwen2_5_7b_sft")
    stack.configure({"qwen2_5_7b_sft:image": "aliyun_3_x64_20G_alibase_20250101.vhd"})
    assert steps(stack) == {"update": {"Instance node-0"}}
    settle(stack)


@pytest.mark.parametrize("name", ["qwen2_5_7b_sft", "llama3_8b_lora"])
def test_another_zone_in_place_is_refused_and_loses_nothing(brought_up, name: str) -> None:
    """What holds data or has its addresses cannot be made twice: `up` fails, the old zone set again is no change."""
    stack = brought_up(name)
    kept = persistent(stack)
    old, new = other_zone(stack)
    stack.configure({f"{name}:zone": new})
    assert stack.up().code != 0
    assert persistent(stack) == kept
    stack.configure({f"{name}:zone": old})
    assert stack.up().code == 0
    assert stack.unchanged().code == 0
    assert persistent(stack) == kept


def test_a_stack_moves_to_another_zone_by_the_documented_way(brought_up) -> None:
    """Destroyed but for what is protected, it comes up in the other zone with the same bucket."""
    stack = brought_up("llama3_8b_lora")
    kept = persistent(stack)
    _, new = other_zone(stack)
    assert "destroy --exclude-protected" in TROUBLE.read_text(encoding="utf-8").partition("another zone")[2]
    assert stack.destroy("--exclude-protected").code == 0
    stack.configure({"llama3_8b_lora:zone": new})
    settle(stack)
    assert persistent(stack) == kept
    assert {item.inputs["zoneId"] for item in stack.cloud.items(SWITCH)} == {new}


def other_zone(stack: LiveStack) -> tuple[str, str]:
    """The zone of a stack, and another one of its region."""
    old = stack.cloud.items(SWITCH)[0].inputs["zoneId"]
    return old, old[:-1] + ("a" if old[-1] != "a" else "b")


def test_another_checkpoint_interval_touches_the_pool_template_only(brought_up) -> None:
    """A changed fact of the workload updates what carries it and replaces nothing."""
    stack = brought_up("llama3_8b_lora")
    edit_spec(stack, "llama3_8b_lora", "every: 20min", "every: 10min")
    assert steps(stack) == {"update": {"ScalingConfiguration nodes"}}
    settle(stack)
