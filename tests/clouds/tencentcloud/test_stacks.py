"""Stacks of Tencent Cloud that no example shows: each is written, previewed by the SDK's own types, and judged."""

import base64
import functools
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.preview import preview
from generator.program.values import UNKNOWN
from generator.resources import Resource, StackState
from generator.spec import load_spec
from generator.stack.generation import generate
from generator.stack.writer import write
from policies.judge import judge
from tests.spec_files import with_values

PRICES = (Path(__file__).parent / "prices.csv").read_text(encoding="utf-8")
TODAY = "2026-11-30"
LORA: dict[str, Any] = {
    "name": "lora_pool",
    "workload": {"task": "finetune", "model": "llama-3-8b", "method": "lora", "sequence_length": 512, "samples": 50000},
    "launch": {"image": "registry.example.com/nlp/peft:0.15", "command": "python train.py"},
    "data": {"size": "20GiB", "samples": 50000, "source": "cos://sets-1250000000/text"},
    "checkpoint": {"every": "20min", "to": "bucket"},
    "interruptible": {"on_demand_nodes": 1, "alternates": 2},
    "where": {"clouds": ["tencentcloud"], "regions": ["ap-beijing"]},
    "hardware": {"gpus": ["A10"], "nodes": 1, "gpus_per_node": 1},
    "operate": {"time_to_live": "7d", "alarms_to": "ops@example.com"},
    "prices": "./prices.csv",
}
PRETRAIN: dict[str, Any] = {
    "name": "cluster_run",
    "workload": {
        "task": "pretrain",
        "model": "llama-2-7b",
        "precision": "fp16",
        "sequence_length": 2048,
        "global_batch": 256,
        "tokens": "2B",
    },
    "launch": {"command": "python train.py"},
    "data": {"size": "400GiB", "files": 4000, "source": "cos://sets-1250000000/tokens", "on": "file_system"},
    "checkpoint": {"every": "30min", "to": "bucket"},
    "where": {"clouds": ["tencentcloud"], "regions": ["ap-beijing"]},
    "hardware": {"gpus": ["V100-SXM-32"], "nodes": 2, "gpus_per_node": 8},
    "operate": {"time_to_live": "60d", "alarms_to": "group:100001"},
    "prices": "./prices.csv",
}
PREPARE: dict[str, Any] = {
    "name": "prep",
    "workload": {"task": "preprocess"},
    "launch": {"command": "python prep.py"},
    "data": {"size": "1TB", "files": 20000, "source": "oss://data-sets/raw"},
    "goal": {"deadline": "2h"},
    "where": {"clouds": ["alicloud", "tencentcloud"], "regions": ["ap-beijing"]},
    "hardware": {"nodes": "3..16"},
    "operate": {"time_to_live": "1d"},
}
DEVELOP: dict[str, Any] = {
    "name": "desk",
    "workload": {"task": "develop"},
    "data": {"size": "100GiB", "on": "disk"},
    "where": {"clouds": ["tencentcloud"]},
    "hardware": {"gpus": ["T4"], "gpus_per_node": 1, "nodes": 1, "ram": ">=30GiB", "vcpus": ">=8"},
    "operate": {"hours": "Mon-Fri 09:00-19:00", "timezone": "Asia/Shanghai", "alarms_to": "group:oncall"},
}
SERVE: dict[str, Any] = {
    "name": "serve",
    "workload": {
        "task": "infer",
        "model": "llama-2-13b",
        "precision": "int8",
        "framework": "vllm",
        "requests_per_second": 4,
        "context": 2048,
    },
    "launch": {"image": "registry.example.com/serving/vllm:0.11", "command": "vllm serve --port 8000"},
    "data": {"size": "26GiB", "source": "cos://models-1250000000/llama-2-13b"},
    "interruptible": {"on_demand_nodes": 1, "alternates": 2},
    "where": {"clouds": ["tencentcloud"]},
    "operate": {"alarms_to": "ops@example.com"},
}
BASES = {"lora": LORA, "pretrain": PRETRAIN, "prepare": PREPARE, "develop": DEVELOP, "serve": SERVE}


class Stack:
    """A stack in a folder, with its preview."""

    def __init__(self, folder: Path, base: str, **values: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "prices.csv").write_text(PRICES)
        (folder / "spec.yaml").write_text(yaml.safe_dump(with_values(values, BASES[base])))
        outcome = generate(load_spec(folder / "spec.yaml"), "spec.yaml", folder, ("tencentcloud",))
        assert outcome.refusals == ()
        self.folder = outcome.stacks[0].folder
        self.files = {file.name: file.text for file in outcome.stacks[0].files}
        write(outcome.stacks[0].files, self.folder)

    @functools.cached_property
    def state(self) -> StackState:
        return preview(self.folder)

    def of(self, kind: str) -> list[Resource]:
        return [resource for resource in self.state.resources if resource.type == f"tencentcloud:{kind}"]

    def one(self, kind: str) -> Resource:
        (found,) = self.of(kind)
        return found


@pytest.mark.parametrize(
    ("base", "values"),
    [
        ("lora", {}),
        ("lora", {"interruptible": True, "launch.image": None}),
        ("pretrain", {}),
        ("pretrain", {"checkpoint.to": "file_system", "hardware.spare_nodes": 1}),
        ("pretrain", {"network": {"vpc": "vpc-12345678", "vswitch": "subnet-12345678"}}),
        ("pretrain", {"network": {"vpc": "vpc-12345678"}}),
        ("prepare", {}),
        ("serve", {}),
        ("serve", {"interruptible": False}),
        ("develop", {"network": {"access": "public", "ssh_from": ["203.0.113.0/24"]}}),
        ("develop", {"operate.hours": None}),
    ],
    ids=[
        "pool of one", "pool without a stand-in", "cluster", "shared checkpoints", "own subnet", "own VPC",
        "several nodes", "pool with a base", "serving nodes", "public desk", "desk that stays",
    ],
)  # fmt: skip
def test_no_rule_denies(tmp_path: Path, base: str, values: dict[str, Any]) -> None:
    """The SDK takes every value, the tables find all legal, and no rule denies."""
    stack = Stack(tmp_path, base, **values)
    report = judge(stack.state, today=TODAY, base=str(stack.folder))
    assert report.checked.resources > 10
    assert [(found.rule, found.message) for found in report.findings if found.verdict in {"deny", "error"}] == []


def test_a_pool_of_one_bids_and_has_a_stand_in(tmp_path: Path) -> None:
    """Spot first at no more than the on-demand price; a second group, empty until config says 1, is paid on demand."""
    stack = Stack(tmp_path, "lora")
    spot, base = sorted(stack.of("As/scalingConfig:ScalingConfig"), key=lambda one: one.name != "spot")
    assert (spot.inputs["instanceChargeType"], spot.inputs["spotInstanceType"]) == ("SPOTPAID", "one-time")
    assert spot.inputs["spotMaxPrice"] == "9.5"
    assert base.inputs["instanceChargeType"] == "POSTPAID_BY_HOUR"
    assert "spotMaxPrice" not in base.inputs
    sizes = {group.name: group.inputs["desiredCapacity"] for group in stack.of("As/scalingGroup:ScalingGroup")}
    assert sizes == {"spot": 1, "base": 0}
    assert spot.inputs["instanceTags"]["trainform-checkpoint-every"] == "20min"
    assert all(disk["deleteWithInstance"] for disk in spot.inputs["dataDisks"])
    text = base64.b64decode(spot.inputs["userData"]).decode()
    assert "spot/termination-time" in text
    assert len(text.encode()) <= 16 * 1024


def test_a_pool_ends_at_its_release(tmp_path: Path) -> None:
    """Each group is set to zero once, in the time of China, with seconds and zone."""
    ends = Stack(tmp_path, "lora").of("As/schedule:Schedule")
    assert len(ends) == 2
    assert {one.inputs["startTime"] for one in ends} == {"2030-01-01T08:00:00+08:00"}
    assert all("recurrence" not in one.inputs and one.inputs["maxSize"] == 0 for one in ends)


def test_a_base_that_must_not_vanish_is_a_group_of_its_own(tmp_path: Path) -> None:
    """Nodes on demand are in one group, spot ones in another, together as many as the job has."""
    stack = Stack(tmp_path, "serve")
    sizes = {group.name: group.inputs["desiredCapacity"] for group in stack.of("As/scalingGroup:ScalingGroup")}
    nodes = int(stack.of("As/scalingConfig:ScalingConfig")[0].inputs["instanceTags"]["trainform-nodes"])
    assert sizes["base"] == 1
    assert sum(sizes.values()) == nodes > 1


def test_serving_nodes_stand_apart(tmp_path: Path) -> None:
    """Nodes that stay and serve are kept on hosts of their own, and only their own group reaches them."""
    stack = Stack(tmp_path, "serve", interruptible=False)
    apart = stack.one("Placement/group:Group")
    assert apart.inputs["type"] == "HOST"
    nodes = stack.of("Instance/instance:Instance")
    assert all(node.property_dependencies["placementGroupId"] == (apart.urn,) for node in nodes)
    (rule,) = stack.one("Security/groupRuleSet:GroupRuleSet").inputs["ingresses"]
    assert "cidrBlock" not in rule


def test_several_spot_nodes_that_need_rdma_are_refused(tmp_path: Path) -> None:
    """A scaling group cannot join an HPC cluster, so this cloud refuses, and says what would do."""
    (tmp_path / "prices.csv").write_text(PRICES)
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(PRETRAIN | {"interruptible": True}))
    outcome = generate(load_spec(tmp_path / "spec.yaml"), "spec.yaml", tmp_path)
    assert outcome.stacks == ()
    assert "HPC cluster" in outcome.refusals[0].message
    assert "interruptible: false" in outcome.refusals[0].message


def test_data_of_another_cloud_gets_a_bucket_here(tmp_path: Path) -> None:
    """Nodes cannot read another cloud's bucket: there is one of ours, and the README says how to fill it."""
    stack = Stack(tmp_path, "prepare")
    assert {bucket.name for bucket in stack.of("Cos/bucket:Bucket")} == {"raw", "archive"}
    assert "`oss://data-sets/raw`" in stack.files["README.md"]
    assert "DATA_BUCKET" not in stack.files["settings.py"]


def test_a_cluster_joins_by_rdma_in_one_zone(tmp_path: Path) -> None:
    """HCC nodes are members of one HPC cluster, and mount CFS Turbo from their own subnet, whose port is open to it."""
    stack = Stack(tmp_path, "pretrain")
    cluster = stack.one("Cvm/hpcCluster:HpcCluster")
    nodes = stack.of("Instance/instance:Instance")
    assert len(nodes) == 2
    assert all(node.property_dependencies["hpcClusterId"] == (cluster.urn,) for node in nodes)
    assert {node.inputs.get("privateIp") for node in nodes} == {"10.20.0.10", None}
    turbo = stack.one("Cfs/fileSystem:FileSystem")
    assert (turbo.inputs["protocol"], turbo.inputs["netInterface"], turbo.protect) == ("TURBO", "VPC", True)
    assert turbo.inputs["capacity"] >= {"TB": 40960, "TP": 20480}[turbo.inputs["storageType"]]
    rules = stack.one("Security/groupRuleSet:GroupRuleSet").inputs["ingresses"]
    assert [rule["port"] for rule in rules] == ["ALL", "988"]
    assert stack.state.config["cluster_run:image"] == "img-nannz3uj"  # required: RDMA wants its own drivers
    assert stack.one("Monitor/alarmNotice:AlarmNotice").inputs["userNotices"][0]["groupIds"] == [100001]


def test_every_lasting_disk_has_its_snapshots(tmp_path: Path) -> None:
    """System disks of nodes that stay, and disks of their own, are each attached to the policy by their own id."""
    stack = Stack(tmp_path, "pretrain", **{"data.on": "disk"})
    attached = stack.of("Cbs/snapshotPolicyAttachment:SnapshotPolicyAttachment")
    targets = {one.property_dependencies["storageId"] for one in attached}
    nodes = {(node.urn,) for node in stack.of("Instance/instance:Instance")}
    assert targets == nodes | {(disk.urn,) for disk in stack.of("Cbs/storage:Storage")}


def test_a_desk_comes_and_goes_and_its_disk_stays(tmp_path: Path) -> None:
    """The group is filled in the morning and emptied in the evening; the disk is protected, and nodes may take it."""
    stack = Stack(tmp_path, "develop")
    timers = {one.name: one.inputs for one in stack.of("As/schedule:Schedule")}
    assert timers["morning"]["recurrence"] == "0 9 * * 1-5"
    assert timers["evening"]["recurrence"] == "0 19 * * 1-5"
    assert (timers["morning"]["desiredCapacity"], timers["evening"]["desiredCapacity"]) == (1, 0)
    assert all(timer["endTime"] == "2030-03-01T08:00:00+08:00" for timer in timers.values())
    assert stack.one("Cbs/storage:Storage").protect
    assert "name/cbs:AttachDisks" in stack.one("Cam/policy:Policy").inputs["document"]
    assert "trainform-attach" in stack.files["cloud-init.yaml"]
    assert stack.of("Instance/instance:Instance") == []


def test_hours_of_another_zone_are_moved_to_china(tmp_path: Path) -> None:
    """The cloud reads cron in China's time: 09:00 in Tokyo is 08:00 there; a zone with summer time is refused."""
    stack = Stack(tmp_path, "develop", **{"operate.timezone": "Asia/Tokyo"})
    timers = {one.name: one.inputs["recurrence"] for one in stack.of("As/schedule:Schedule")}
    assert timers == {"morning": "0 8 * * 1-5", "evening": "0 18 * * 1-5"}
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(with_values({"operate.timezone": "Europe/Berlin"}, DEVELOP)))
    outcome = generate(load_spec(tmp_path / "spec.yaml"), "spec.yaml", tmp_path)
    assert "Europe/Berlin" in outcome.refusals[0].message


def test_no_value_is_unknown_but_the_zone_and_what_the_cloud_gives(tmp_path: Path) -> None:
    """Every unknown input hangs on another resource, or is the zone."""
    for resource in Stack(tmp_path, "lora").state.resources:
        for key, value in resource.inputs.items():
            if value is UNKNOWN:
                assert resource.property_dependencies.get(key) or "zone" in key.lower(), (resource.name, key)
