"""Stacks of Baidu AI Cloud that no example shows: each is written, previewed through the module, and judged."""

import base64
import functools
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from generator.catalog import load_catalog
from generator.catalog.overlay import apply_overlay
from generator.clouds.baiducloud.view import view
from generator.errors import InputError
from generator.preview import preview
from generator.resources import Resource, StackState
from generator.selection import select
from generator.spec import load_spec
from generator.stack.blueprint import draw
from generator.stack.generation import generate
from generator.stack.render import render
from generator.stack.templating import StackFile
from generator.stack.writer import write
from generator.workload import derive
from policies.judge import judge
from tests.spec_files import with_values

PRICES = Path(__file__).parent / "prices.csv"
EHC = "ehc.lgn5.c128m1024.8a100.8re.4d"
TODAY = "2026-11-30"
PLACE = {"clouds": ["baiducloud"], "regions": ["bj"]}
LORA: dict[str, Any] = {
    "name": "lora_pool",
    "workload": {"task": "finetune", "model": "llama-3-8b", "method": "lora", "samples": 50000},
    "launch": {"image": "registry.example.com/nlp/peft:0.15", "command": "python train.py"},
    "data": {"size": "20GiB", "samples": 50000, "source": "bos://sets/text"},
    "checkpoint": {"every": "20min", "to": "bucket"},
    "interruptible": {"on_demand_nodes": 1, "alternates": 2},
    "where": PLACE,
    "hardware": {"nodes": 1},
    "operate": {"time_to_live": "7d"},
    "prices": "./prices.csv",
}
PRETRAIN: dict[str, Any] = {
    "name": "cluster_run",
    "workload": {
        "task": "pretrain",
        "model": "llama-2-7b",
        "sequence_length": 2048,
        "global_batch": 256,
        "tokens": "2B",
    },
    "launch": {"command": "python train.py"},
    "data": {"size": "400GiB", "files": 4000, "source": "bos://sets/tokens", "on": "bucket"},
    "checkpoint": {"every": "30min", "to": "bucket"},
    "where": PLACE,
    "hardware": {"nodes": 2, "gpus_per_node": 8},
    "operate": {"time_to_live": "60d"},
    "prices": "./prices.csv",
}
PREPARE: dict[str, Any] = {
    "name": "prep",
    "workload": {"task": "preprocess"},
    "launch": {"command": "python prep.py"},
    "data": {"size": "1TB", "files": 20000, "source": "bos://sets/raw"},
    "goal": {"deadline": "2h"},
    "where": PLACE,
    "hardware": {"nodes": "3..16"},
    "operate": {"time_to_live": "1d"},
    "prices": "./prices.csv",
}
DEVELOP: dict[str, Any] = {
    "name": "desk",
    "workload": {"task": "develop"},
    "data": {"size": "100GiB", "on": "disk"},
    "where": PLACE,
    "hardware": {"gpus": ["P40"], "nodes": 1},
    "operate": {"hours": "Mon-Fri 09:00-19:00", "timezone": "Asia/Shanghai"},
    "prices": "./prices.csv",
}
SERVE: dict[str, Any] = {
    "name": "serve",
    "workload": {"task": "infer", "model": "llama-2-13b", "precision": "int8", "requests_per_second": 4},
    "launch": {"command": "vllm serve --port 8000"},
    "data": {"size": "26GiB", "source": "bos://models/llama-2-13b"},
    "where": PLACE,
    "hardware": {"nodes": 2},
    "prices": "./prices.csv",
}
BASES = {"lora": LORA, "pretrain": PRETRAIN, "prepare": PREPARE, "develop": DEVELOP, "serve": SERVE}


def files_of(path: Path) -> tuple[StackFile, ...]:
    """The files of a spec's stack, on a catalog in which a source tells the cards of an ehc server."""
    spec = load_spec(path)
    catalog = load_catalog("baiducloud")
    told = {"gpu": "A100-SXM-80", "gpu_note": None, "gpu_memory_gib": 80.0, "gpu_usable_gib": 79.3, "rdma_gbps": 800.0}
    types = tuple(
        msgspec.structs.replace(kind, interconnect="nvlink", nvlink_gbytes_s=600.0, **told) if kind.id == EHC else kind
        for kind in catalog.types
    )
    catalog = apply_overlay(msgspec.structs.replace(catalog, types=types), PRICES)
    workload = derive(spec)
    selection = select(spec, workload, (catalog,))
    assert selection.chosen is not None, [(row.instance_type, row.message) for row in selection.rejected]
    blueprint = draw(spec, workload, selection, "spec.yaml")
    return render(blueprint, view(blueprint))


class Stack:
    """A stack in a folder, with its preview."""

    def __init__(self, folder: Path, base: str, **values: Any) -> None:
        (folder / "prices.csv").write_text(PRICES.read_text(encoding="utf-8"))
        (folder / "spec.yaml").write_text(yaml.safe_dump(with_values(values, BASES[base])))
        files = files_of(folder / "spec.yaml")
        self.folder = folder / "baiducloud"
        self.files = {file.name: file.text for file in files}
        write(files, self.folder)

    @functools.cached_property
    def state(self) -> StackState:
        return preview(self.folder, {"desk:power": "stop"} if "desk" in self.files["Pulumi.yaml"] else None)

    def of(self, kind: str) -> list[Resource]:
        return [resource for resource in self.state.resources if resource.type.endswith(f":{kind}")]

    def one(self, kind: str) -> Resource:
        (found,) = self.of(kind)
        return found


@pytest.mark.parametrize(
    ("base", "values"),
    [
        ("lora", {}),
        ("lora", {"interruptible": True, "launch.image": None}),
        ("pretrain", {}),
        ("pretrain", {"hardware.spare_nodes": 1}),
        ("prepare", {}),
        ("prepare", {"network": {"vpc": "vpc-12345678", "vswitch": "sbn-12345678"}}),
        ("prepare", {"network": {"vpc": "vpc-12345678"}}),
        ("serve", {}),
        ("develop", {"network": {"access": "public", "ssh_from": ["203.0.113.0/24"]}}),
        ("develop", {"operate.hours": None}),
    ],
    ids=[
        "pool of one", "pool without a stand-in", "cluster", "cluster with a spare", "several nodes", "own subnet",
        "own VPC", "serving nodes", "public desk", "desk that stays",
    ],
)  # fmt: skip
def test_no_rule_denies(tmp_path: Path, base: str, values: dict[str, Any]) -> None:
    """The module takes every value, the tables find all legal, and no rule denies."""
    stack = Stack(tmp_path, base, **values)
    report = judge(stack.state, today=TODAY, base=str(stack.folder))
    assert report.checked.resources > 7
    assert [(found.rule, found.message) for found in report.findings if found.verdict in {"deny", "error"}] == []


def test_a_pool_of_one_bids_and_has_a_stand_in(tmp_path: Path) -> None:
    """A group bids, in lower case and without a bid; a second one, empty until config says 1, is paid on demand."""
    stack = Stack(tmp_path, "lora")
    specs = {group.name: group.inputs["spec"] for group in stack.of("Ccev2InstanceGroup")}
    charged = {name: spec["instanceTemplate"]["instanceChargingType"] for name, spec in specs.items()}
    assert charged == {"spot": "bidding", "base": "Postpaid"}
    assert {name: spec["replicas"] for name, spec in specs.items()} == {"spot": 1, "base": 0}
    template = specs["spot"]["instanceTemplate"]
    tags = {tag["tagKey"]: tag["tagValue"] for tag in template["tagLists"]}
    assert tags["trainform-checkpoint-every"] == "20min"


def test_a_member_starts_by_a_script(tmp_path: Path) -> None:
    """CCE takes a script in base64: it hands the whole text to cloud-init, and starts the node's own unit."""
    stack = Stack(tmp_path, "lora")
    template = stack.of("Ccev2InstanceGroup")[0].inputs["spec"]["instanceTemplate"]
    script = base64.b64decode(template["deployCustomConfig"]["postUserScript"]).decode()
    assert script.startswith("#!/bin/bash\n")
    text = script.partition("<<'TRAINFORM_END'\n")[2].partition("TRAINFORM_END\n")[0]
    written = {entry["path"] for entry in yaml.safe_load(text)["write_files"]}
    assert {"/etc/trainform/job.env", "/etc/trainform/node.env", "/usr/local/bin/trainform-launch"} <= written
    assert not any("trainform-notice" in path for path in written)
    assert "systemctl enable --now --no-block trainform-setup.service" in script


def test_servers_of_the_ehc_kind_join_the_cluster_that_config_names(tmp_path: Path) -> None:
    """The provider cannot make an EHC cluster: its id is config without default, and RoCE's port is open inside."""
    stack = Stack(tmp_path, "pretrain")
    nodes = stack.of("Instance")
    assert {node.inputs["ehcClusterId"] for node in nodes} == {"ehc-Example1"}
    assert {node.inputs["instanceSpec"] for node in nodes} == {EHC}
    project = yaml.safe_load(stack.files["Pulumi.yaml"])
    assert "default" not in project["config"]["ehcCluster"]
    roce = next(rule for rule in stack.of("SecurityGroupRule") if rule.name == "roce")
    assert (roce.inputs["protocol"], roce.inputs["portRange"]) == ("udp", "4791")
    assert "ehcCluster" in stack.files["README.md"]


def test_nodes_meet_through_the_bucket(tmp_path: Path) -> None:
    """No address can be chosen: each node waits for the first one's, and nothing pretends to know it before."""
    stack = Stack(tmp_path, "prepare")
    assert "trainform-meet" in stack.files["cloud-init.yaml"]
    assert '"MASTER_ADDR": "127.0.0.1"' in stack.files["user_data.py"]
    ranks = {node.inputs["userData"].partition("NODE_RANK=")[2][:1] for node in stack.of("Instance")}
    assert len(ranks) == len(stack.of("Instance"))


def test_several_nodes_without_a_bucket_cannot_meet(tmp_path: Path) -> None:
    """Nodes that save nothing have no bucket to write to, so no place to meet: the refusal says what to write."""
    with pytest.raises(InputError, match="several nodes meet through a bucket"):
        Stack(tmp_path, "pretrain", checkpoint="none")


def test_a_desk_is_switched_off_unbilled(tmp_path: Path) -> None:
    """One config value switches it off; the flag that saves the money stands there before."""
    stack = Stack(tmp_path, "develop")
    node = stack.one("Instance")
    assert (node.inputs["action"], node.inputs["stopWithNoCharge"]) == ("stop", True)
    assert "0 19 * * MON-FRI" in stack.files["README.md"]


def test_no_changed_fact_replaces_anything(tmp_path: Path) -> None:
    """A changed tag replaces here: whatever bears facts of the job, or data, leaves its tags alone."""
    stack = Stack(tmp_path, "develop")
    for name in ("nodes.py", "disks.py", "buckets.py"):
        assert 'ignore_changes=["tags"]' in stack.files[name]
    for resource in stack.state.resources:
        tags = resource.inputs.get("tags", {})
        if not resource.type.endswith((":Instance", ":Cds", ":BosBucket")):
            assert set(tags) <= {"trainform-job"}, resource.name


def test_everything_has_its_name_and_each_node_a_key(tmp_path: Path) -> None:
    """What has no name gets a random one with dashes, which networks do not take; a node without a key a password."""
    for base in ("develop", "lora"):
        folder = tmp_path / base
        folder.mkdir()
        stack = Stack(folder, base)
        for resource in stack.state.resources:
            kind = resource.type.rpartition(":")[2]
            if kind in {"Vpc", "Subnet"}:
                assert "-" not in resource.inputs["name"]
            elif kind in {"SecurityGroup", "BccKeyPair", "Instance", "Cds", "Eip", "NatGateway", "AutoSnapshotPolicy"}:
                assert resource.inputs["name"]
            if kind == "Instance":
                assert "keypairId" in resource.inputs


@pytest.mark.parametrize("budget", [None, "5000 CNY"])
def test_what_nobody_prices_is_ranked_but_not_bought_under_a_budget(tmp_path: Path, budget: str | None) -> None:
    """Without a budget the choice stands, and says that nothing is priced; under one it is refused."""
    values = {"goal.budget": budget} if budget else {}
    (tmp_path / "prices.csv").write_text(PRICES.read_text(encoding="utf-8"))
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(with_values(values, LORA)))
    outcome = generate(load_spec(tmp_path / "spec.yaml"), "spec.yaml", tmp_path)
    if budget:
        assert outcome.stacks == ()
        assert "budget" in outcome.refusals[0].message
    else:
        texts = {file.name: file.text for file in outcome.stacks[0].files}
        assert "unpriced: no dated list price here" in texts["SELECTION.md"]


def test_a_refusal_says_what_a_prices_file_would_have_to_say(tmp_path: Path) -> None:
    """Without the file no type can be ordered: the message names one, why, and the row that would open it."""
    values = {"prices": None}
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(with_values(values, LORA)))
    (refused,) = generate(load_spec(tmp_path / "spec.yaml"), "spec.yaml", tmp_path).refusals
    assert "prices: ./prices.csv with a row of what the account may order (in bj or another region)" in refused.message
    assert "row `baiducloud,bj,bcc.hgn5IB.c116m978.8A100-80g,on_demand,,,,yes`" in refused.message
