"""Edits and failures on the clouds besides Alibaba Cloud, one of each kind: the smallest diff, and the same end."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import yaml

from generator.preview import preview
from generator.replacement.steps import foretold_steps
from generator.resources import StackState
from generator.stack.config import read_project, stack_config
from tests.engine.live_stack import ROOT, STACK, LiveStack, zones
from tests.engine.test_edits import edit_program
from tests.engine.test_failures import adopt, end_of
from tests.pretend_cloud.failures import REFUSALS, Failure

pytestmark = pytest.mark.slow

End = Counter[tuple[str, str]]


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A golden stack of one cloud with a node and a data disk: its types, and edits by hand (pattern, text).

    `added` are the steps of one node more, `imaged` those of another image; another disk level is refused everywhere.
    """

    name: str
    node: str
    disk: str
    bucket: str
    size: tuple[str, str]
    level: tuple[str, str]
    image: str
    added: dict[str, set[str]]
    imaged: dict[str, set[str]]


EXAMPLES = {
    "tencentcloud": Example(
        name="qwen2_5_7b_sft",
        node="tencentcloud:Instance/instance:Instance",
        disk="tencentcloud:Cbs/storage:Storage",
        bucket="tencentcloud:Cos/bucket:Bucket",
        size=(r"storage_size=\d+", "storage_size=900"),
        level=(r'storage_type="\w+"', 'storage_type="CLOUD_HSSD"'),
        image="img-487zeit5",
        added={
            "create": {
                "ActionTimer end-1", "Instance node-1", "SnapshotPolicyAttachment data-1",
                "SnapshotPolicyAttachment system-1", "Storage data-1", "StorageAttachment data-1",
            },
            "replace": {"PolicyBindingObject nodes"},  # which machines an alarm watches; nothing is lost with it
        },
        imaged={"update": {"Instance node-0"}},
    ),
    "huaweicloud": Example(
        name="yolov8x_coco",
        node="huaweicloud:Ecs/instance:Instance",
        disk="huaweicloud:Evs/volume:Volume",
        bucket="huaweicloud:Obs/bucket:Bucket",
        size=(r"\bsize=\d+", "size=900"),
        level=(r'volume_type="\w+"', 'volume_type="ESSD"'),
        image="00000000-0000-4000-8000-000000000000",
        added={
            "create": {"Instance node-1", "Volume data-1", "VolumeAttach data-1"},
            "update": {"Vault snapshots"},
        },
        imaged={"replace": {"Instance node-0", "VolumeAttach data-0"}, "update": {"Vault snapshots"}},
    ),
    "baiducloud": Example(
        name="qwen2_5_7b_baidu",
        node="baiducloud:index/instance:Instance",
        disk="baiducloud:index/cds:Cds",
        bucket="baiducloud:index/bosBucket:BosBucket",
        size=(r"disk_size_in_gb=\d+", "disk_size_in_gb=900"),
        level=(r'storage_type="cloud_hp1",\n        disk', 'storage_type="enhanced_ssd_pl1",\n        disk'),
        image="m-other000",
        added={
            "create": {"Cds data-1", "CdsAttachment data-1", "Instance node-1"},
            "update": {"AutoSnapshotPolicy snapshots"},
        },
        imaged={"update": {"Instance node-0"}},
    ),
}  # fmt: skip


@pytest.fixture
def started(live_stack) -> Callable[[str], LiveStack]:
    """Makes the stack of a cloud's example, which is not yet brought up."""

    def start(cloud: str) -> LiveStack:
        stack: LiveStack = live_stack(ROOT / "stacks" / EXAMPLES[cloud].name / cloud)
        assert stack.init().code == 0
        return stack

    return start


def persistent(stack: LiveStack, example: Example) -> set[str]:
    """Ids of everything that holds data."""
    return {item.id for item in stack.cloud.items() if item.type in {example.disk, example.bucket}}


def steps(stack: LiveStack, before: StackState) -> dict[str, set[str]]:
    """What the engine's preview would do, which is also what is foretold without the engine from the program before."""
    foretold: dict[str, set[str]] = {}
    for step in foretold_steps(before, preview(stack.folder, stack=STACK)):
        if step.op != "same":
            shown = f"{step.resource.type.split(':')[-1]} {step.resource.name}"
            foretold.setdefault(step.op, set()).add(shown)
    found: dict[str, set[str]] = {}
    for step in stack.preview().json()["steps"]:
        type_, name = step["urn"].split("::")[2:]
        if step["op"] != "same" and not type_.startswith("pulumi:"):
            found.setdefault(step["op"], set()).add(f"{type_.split(':')[-1]} {name}")
    assert foretold == found
    return found


def merged(*found: dict[str, set[str]]) -> dict[str, set[str]]:
    """The steps of several edits together."""
    ops = {op for one in found for op in one}
    return {op: {name for one in found for name in one.get(op, set())} for op in ops}


@pytest.mark.parametrize("cloud", EXAMPLES)
def test_edits_lead_to_the_smallest_diff_which_was_foretold(started, cloud: str) -> None:
    """A larger disk and another node replace nothing that holds data; what else changes was told without the engine."""
    example, stack = EXAMPLES[cloud], started(cloud)
    up = stack.up()
    assert up.code == 0, up.said
    kept, running = persistent(stack, example), {item.id for item in stack.cloud.items(example.node)}
    before = preview(stack.folder, stack=STACK)
    edit_program(stack, "disks.py", *example.size)
    disk = {"update": {f"{example.disk.split(':')[-1]} data-0"}}
    assert steps(stack, before) == disk
    edit_program(stack, "settings.py", "NODES = 1", "NODES = 2")
    assert steps(stack, before) == merged(example.added, disk)
    up = stack.up()
    assert up.code == 0, up.said
    assert stack.unchanged().code == 0
    assert kept <= persistent(stack, example)
    assert running <= {item.id for item in stack.cloud.items(example.node)}


@pytest.mark.parametrize("cloud", EXAMPLES)
def test_another_image_changes_the_node_and_keeps_the_data(started, cloud: str) -> None:
    """In place, or with a new node where the provider knows no other way: the data disk is the same afterwards."""
    example, stack = EXAMPLES[cloud], started(cloud)
    assert stack.up().code == 0
    kept = persistent(stack, example)
    before = preview(stack.folder, stack=STACK)
    edit_program(stack, "nodes.py", "image_id=IMAGE", f'image_id="{example.image}"')
    assert steps(stack, before) == example.imaged
    up = stack.up()
    assert up.code == 0, up.said
    assert stack.unchanged().code == 0
    assert kept == persistent(stack, example)


@pytest.mark.parametrize("cloud", EXAMPLES)
def test_another_disk_level_or_zone_is_stopped_by_the_preview(started, cloud: str) -> None:
    """Both would make the data disk anew: it is protected, the preview fails, and the old values are no change."""
    example, stack = EXAMPLES[cloud], started(cloud)
    assert stack.up().code == 0
    before = stack.cloud.items()
    zone = f"{example.name}:zone"
    old = yaml.safe_load((stack.folder / f"Pulumi.{STACK}.yaml").read_text(encoding="utf-8"))["config"][zone]
    region = stack_config(read_project(stack.folder), STACK, {}).plain[f"{cloud}:region"]
    stack.configure({zone: next(other for other in zones(cloud, region) if other != old)})
    assert "marked for protection" in stack.preview().said
    stack.configure({zone: old})
    edit_program(stack, "disks.py", *example.level)
    assert "marked for protection" in stack.preview().said
    assert stack.cloud.items() == before


@pytest.fixture(scope="module")
def undisturbed(cli: Path, pulumi_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], End]:
    """What the cloud of an example holds when nothing fails; brought up once."""
    ends: dict[str, End] = {}

    def end(cloud: str) -> End:
        if cloud not in ends:
            program = ROOT / "stacks" / EXAMPLES[cloud].name / cloud
            stack = LiveStack(cli, pulumi_home, program, tmp_path_factory.mktemp(cloud))
            assert stack.init().code == 0
            assert stack.up().code == 0
            ends[cloud] = end_of(stack.cloud)
        return ends[cloud]

    return end


@pytest.mark.parametrize("cloud", EXAMPLES)
def test_refused_again_and_again_it_comes_to_the_same_end(started, undisturbed, cloud: str) -> None:
    """No stock, then a quota, then throttling: each is told with its code, and the last `up` makes the rest, once."""
    example, stack = EXAMPLES[cloud], started(cloud)
    for kind, (code, _) in REFUSALS.items():
        stack.cloud.tell(Failure(kind=kind, type=example.node))
        assert f"pretend {cloud} (no real cloud): {code}" in stack.up().said
    again = stack.up()
    assert again.code == 0, again.said
    assert end_of(stack.cloud) == undisturbed(cloud)
    assert {call for call, _, _ in stack.cloud.calls()} == {"create"}


@pytest.mark.parametrize("cloud", EXAMPLES)
def test_what_died_in_the_middle_is_adopted_and_what_was_reclaimed_comes_back(started, undisturbed, cloud: str) -> None:
    """A plugin that dies after the call leaves a node to adopt; a node that is taken away comes back with its disk."""
    example, stack = EXAMPLES[cloud], started(cloud)
    stack.cloud.tell(Failure(kind="crash_after", type=example.node))
    assert "exited prematurely" in stack.up().said
    adopt(stack, f"urn:pulumi:{STACK}::{example.name}::{example.node}::node-0")
    again = stack.up()
    assert again.code == 0, again.said
    assert end_of(stack.cloud) == undisturbed(cloud)
    disks, lost = persistent(stack, example), stack.cloud.items(example.node)[0].id
    stack.cloud.reclaim(lost)
    back = stack.up("--refresh")
    assert back.code == 0, back.said
    assert end_of(stack.cloud) == undisturbed(cloud)
    assert persistent(stack, example) == disks
    assert lost not in {item.id for item in stack.cloud.items()}
