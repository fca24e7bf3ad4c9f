"""Stacks of Huawei Cloud that no example shows: each is written, previewed by the SDK's own types, and judged."""

import base64
import functools
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.preview import preview
from generator.resources import Resource, StackState
from generator.spec import load_spec
from generator.stack.generation import generate
from generator.stack.writer import write
from policies.judge import judge
from tests.spec_files import with_values

PRICES = (Path(__file__).parent / "prices.csv").read_text(encoding="utf-8")
TODAY = "2026-11-30"
KAT = "physical.kat2ne.48xlarge.8.ei.pod101"
LORA: dict[str, Any] = {
    "name": "lora_pool",
    "workload": {
        "task": "finetune",
        "model": "llama-3-8b",
        "method": "lora",
        "precision": "fp16",
        "sequence_length": 512,
        "samples": 50000,
    },
    "launch": {"image": "registry.example.com/nlp/peft:0.15", "command": "python train.py"},
    "data": {"size": "20GiB", "samples": 50000, "source": "obs://sets/text"},
    "checkpoint": {"every": "20min", "to": "bucket"},
    "interruptible": {"on_demand_nodes": 1, "alternates": 2},
    "where": {"clouds": ["huaweicloud"]},
    "hardware": {"gpus": ["V100-PCIE-32"], "nodes": 1, "gpus_per_node": 1},
    "operate": {"time_to_live": "7d", "alarms_to": "ops@example.com"},
    "prices": "./prices.csv",
}
ASCEND: dict[str, Any] = {
    "name": "ascend",
    "workload": {
        "task": "finetune",
        "model": "qwen2.5-7b",
        "method": "full",
        "framework": "mindspeed",
        "sequence_length": 4096,
        "samples": 20000,
    },
    "launch": {"image": "registry.example.com/nlp/mindspeed:2.1", "command": "python train.py"},
    "data": {"size": "6GiB", "samples": 20000, "source": "oss://sets/mix"},
    "where": {"clouds": ["alicloud", "huaweicloud"], "compliance": "xinchuang"},
    "hardware": {"nodes": 1, "allow": [KAT]},
    "operate": {"time_to_live": "5d", "alarms_to": "group:oncall"},
    "prices": "./prices.csv",
}
PREPARE: dict[str, Any] = {
    "name": "prep",
    "workload": {"task": "preprocess"},
    "launch": {"command": "python prep.py"},
    "data": {"size": "1TB", "files": 20000, "source": "obs://sets/raw"},
    "goal": {"deadline": "2h"},
    "where": {"clouds": ["huaweicloud"]},
    "hardware": {"nodes": "3..16"},
    "operate": {"time_to_live": "1d"},
    "prices": "./prices.csv",
}
DEVELOP: dict[str, Any] = {
    "name": "desk",
    "workload": {"task": "develop"},
    "data": {"size": "100GiB", "on": "disk"},
    "where": {"clouds": ["huaweicloud"]},
    "hardware": {"gpus": ["T4"], "gpus_per_node": 1, "nodes": 1, "ram": ">=30GiB", "vcpus": ">=8"},
    "operate": {"hours": "Mon-Fri 06:00-19:00", "timezone": "Asia/Shanghai", "alarms_to": "group:oncall"},
    "prices": "./prices.csv",
}
SERVE: dict[str, Any] = {
    "name": "serve",
    "workload": {
        "task": "infer",
        "model": "llama-2-13b",
        "precision": "int8",
        "framework": "vllm",
        "requests_per_second": 1,
        "context": 1024,
    },
    "launch": {"image": "registry.example.com/serving/vllm:0.11", "command": "vllm serve --port 8000"},
    "data": {"size": "26GiB", "source": "obs://models/llama-2-13b"},
    "where": {"clouds": ["huaweicloud"]},
    "hardware": {"gpus": ["V100-PCIE-32"], "gpus_per_node": 1, "nodes": "2..8"},
    "operate": {"alarms_to": "ops@example.com"},
    "prices": "./prices.csv",
}
HERE = {"where.clouds": ["huaweicloud"], "where.regions": ["cn-southwest-2"], "data.source": "obs://sets/mix"}
BASES = {"lora": LORA, "ascend": ASCEND, "prepare": PREPARE, "develop": DEVELOP, "serve": SERVE}


class Stack:
    """A stack in a folder, with its preview."""

    def __init__(self, folder: Path, base: str, **values: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "prices.csv").write_text(PRICES)
        (folder / "spec.yaml").write_text(yaml.safe_dump(with_values(values, BASES[base])))
        outcome = generate(load_spec(folder / "spec.yaml"), "spec.yaml", folder, ("huaweicloud",))
        assert outcome.refusals == ()
        self.folder = outcome.stacks[0].folder
        self.files = {file.name: file.text for file in outcome.stacks[0].files}
        write(outcome.stacks[0].files, self.folder)

    @functools.cached_property
    def state(self) -> StackState:
        return preview(self.folder)

    def of(self, kind: str) -> list[Resource]:
        return [resource for resource in self.state.resources if resource.type == f"huaweicloud:{kind}"]

    def one(self, kind: str) -> Resource:
        (found,) = self.of(kind)
        return found


@pytest.mark.parametrize(
    ("base", "values"),
    [
        ("lora", {}),
        ("lora", {"interruptible": True, "launch.image": None}),
        ("ascend", {}),
        ("ascend", HERE | {"data.on": "file_system", "network": {"vpc": "vpc-1", "vswitch": "subnet-1"}}),
        ("ascend", HERE | {"network": {"vpc": "vpc-1"}}),
        ("prepare", {}),
        ("serve", {}),
        ("develop", {"network": {"access": "public", "ssh_from": ["203.0.113.0/24"]}}),
        ("develop", {"operate.hours": None}),
    ],
    ids=[
        "pool of one", "pool without a stand-in", "metal", "own subnet", "own VPC", "several nodes", "serving nodes",
        "public desk", "desk that stays",
    ],
)  # fmt: skip
def test_no_rule_denies(tmp_path: Path, base: str, values: dict[str, Any]) -> None:
    """The SDK takes every value, the tables find all legal, and no rule denies."""
    stack = Stack(tmp_path, base, **values)
    report = judge(stack.state, today=TODAY, base=str(stack.folder))
    assert report.checked.resources > 10
    assert [(found.rule, found.message) for found in report.findings if found.verdict in {"deny", "error"}] == []


def test_a_pool_of_one_has_a_stand_in(tmp_path: Path) -> None:
    """Spot first, without a price that nothing takes; a second group, empty until config says 1, is paid on demand."""
    stack = Stack(tmp_path, "lora")
    charges = {
        one.name: one.inputs["instanceConfig"]["chargingMode"] for one in stack.of("As/configuration:Configuration")
    }
    assert charges == {"spot": "spot", "base": "postPaid"}
    groups = {group.name: group for group in stack.of("As/group:Group")}
    assert {name: group.inputs["desireInstanceNumber"] for name, group in groups.items()} == {"spot": 1, "base": 0}
    assert all(group.inputs["tags"]["trainform-checkpoint-every"] == "20min" for group in groups.values())
    assert "ignore_changes" not in stack.files["pool.py"]  # else `onDemandNodes` would change nothing
    user_data = stack.of("As/configuration:Configuration")[0].inputs["instanceConfig"]["userData"]
    text = base64.b64decode(user_data).decode()
    assert "spot/instance-action" in text
    assert len(user_data) <= 32 * 1024  # what the cloud takes, encoded


def test_a_pool_ends_at_its_release(tmp_path: Path) -> None:
    """Each group is set to zero once, at a time without seconds."""
    ends = Stack(tmp_path, "lora").of("As/policy:Policy")
    assert len(ends) == 2
    assert {one.inputs["scheduledPolicy"]["launchTime"] for one in ends} == {"2030-01-01T00:00Z"}
    assert all(one.inputs["scalingPolicyAction"] == {"operation": "SET", "instanceNumber": 0} for one in ends)


def test_a_desk_is_gone_out_of_hours(tmp_path: Path) -> None:
    """Mornings in Shanghai are the evenings before in UTC, Sunday is 1, and the disk outlives the machine."""
    stack = Stack(tmp_path, "develop")
    times = {one.name: one.inputs["scheduledPolicy"] for one in stack.of("As/policy:Policy")}
    assert (times["morning"]["launchTime"], times["morning"]["recurrenceValue"]) == ("22:00", "1,2,3,4,5")
    assert (times["evening"]["launchTime"], times["evening"]["recurrenceValue"]) == ("11:00", "2,3,4,5,6")
    disk, vault = stack.one("Evs/volume:Volume"), stack.one("Cbr/vault:Vault")
    assert disk.protect
    assert disk.urn in vault.property_dependencies["resources"]
    assert "trainform-attach" in stack.files["cloud-init.yaml"]
    assert stack.state.config["desk:alarmTopicUrn"].startswith("urn:smn:")  # a group's name is no topic


def test_a_zone_with_summer_time_is_refused(tmp_path: Path) -> None:
    """The timers only know UTC: a clock that moves twice a year cannot be followed, and the refusal says so."""
    (tmp_path / "prices.csv").write_text(PRICES)
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(with_values({"operate.timezone": "Europe/Berlin"}, DEVELOP)))
    outcome = generate(load_spec(tmp_path / "spec.yaml"), "spec.yaml", tmp_path)
    assert outcome.stacks == ()
    assert "summer time" in outcome.refusals[0].message


def test_ascend_runs_by_its_own_tools(tmp_path: Path) -> None:
    """Bare metal by the month, chips as devices, CANN in the image, and nothing of NVIDIA's anywhere."""
    stack = Stack(tmp_path, "ascend")
    node = stack.one("Bms/instance:Instance")
    assert (node.inputs["flavorId"], node.inputs["chargingMode"], node.inputs["period"]) == (KAT, "prePaid", 1)
    launch, start = stack.files["launch.sh"], stack.files["cloud-init.yaml"]
    assert "--device /dev/davinci7" in launch
    assert "--gpus" not in launch
    assert "trainform-driver-ascend" in start
    # Megatron, which MindSpeed patches, wants this one variable whatever the card is.
    runs = (launch + start).lower().replace("cuda_device_max_connections", "")
    for word in ("nvidia", "cuda", "nccl", "nvlink"):
        assert word not in runs
    assert "HCCL_CONNECT_TIMEOUT" in launch + start
    assert "releaseAt" not in stack.files["Pulumi.yaml"]  # the month is the end
    assert "`oss://sets/mix`" in stack.files["README.md"]
    assert stack.of("Smn/topic:Topic") == []
    assert stack.of("Aom/alarmRule:AlarmRule")[0].inputs["alarmActions"] == [stack.state.config["ascend:alarmTopicUrn"]]


def test_serving_nodes_stand_apart(tmp_path: Path) -> None:
    """Serving nodes are kept on hosts of their own, and only their own group reaches them."""
    stack = Stack(tmp_path, "serve")
    apart = stack.one("Ecs/servergroup:Servergroup")
    assert apart.inputs["policies"] == ["anti-affinity"]
    nodes = stack.of("Ecs/instance:Instance")
    assert all(node.property_dependencies["schedulerHints"] == (apart.urn,) for node in nodes)
    opened = [rule for rule in stack.of("Vpc/secgroupRule:SecgroupRule") if rule.inputs["direction"] == "ingress"]
    assert [("remoteGroupId" in rule.inputs, "remoteIpPrefix" in rule.inputs) for rule in opened] == [(True, False)]


def test_nodes_may_little(tmp_path: Path) -> None:
    """The agency reads where the data is, writes where checkpoints go, reports figures, and does no more."""
    stack = Stack(tmp_path, "lora")
    roles = {role.name: json.loads(role.inputs["policy"]) for role in stack.of("Iam/role:Role")}
    actions = {action for rule in roles["objects"]["Statement"] for action in rule["Action"]}
    assert all(action.startswith("obs:") for action in actions)
    assert roles["calls"]["Statement"] == [{"Effect": "Allow", "Action": ["aom:metric:put"]}]
    read = next(rule for rule in roles["objects"]["Statement"] if rule["Action"] == ["obs:object:GetObject"])
    assert read["Resource"] == ["OBS:*:*:object:sets/text/*"]


def test_every_disk_is_encrypted_and_its_key_stays(tmp_path: Path) -> None:
    """Disks name the job's own key; where one outlives a destroy, so does the key."""
    stack = Stack(tmp_path, "develop", **{"operate.hours": None})
    key = stack.one("Dew/key:Key")
    assert key.protect
    assert key.urn in stack.one("Evs/volume:Volume").property_dependencies["kmsId"]
    assert key.urn in stack.one("Ecs/instance:Instance").property_dependencies["systemDiskKmsKeyId"]
    assert "Dew/key:Key::disks$" in stack.files["README.md"]
    assert not Stack(tmp_path / "pool", "lora").one("Dew/key:Key").protect
