"""What a spec asks for is what the program builds: network, nodes, pools, storage, timers, alarms."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.errors import InputError
from generator.preview import preview
from generator.resources import Resource, StackState
from generator.selection import Selection
from generator.spec import load_spec
from generator.stack.blueprint import draw
from generator.workload import derive
from policies.judge import judge
from tests.spec_files import MINIMAL
from tests.stacks.builds import DEVELOP, LORA, PREPARE, PRETRAIN, SERVE, drawn, files_of, laid_out

BUILT: dict[str, StackState] = {}  # a preview takes seconds: one of each stack


def built(tmp_path: Path, values: dict[str, Any], base: dict[str, Any]) -> StackState:
    """The preview of a stack, and that no rule denies it."""
    key = json.dumps([values, base])
    if key not in BUILT:
        BUILT[key] = _built(tmp_path, values, base)
    return BUILT[key]


def _built(tmp_path: Path, values: dict[str, Any], base: dict[str, Any]) -> StackState:
    blueprint = drawn(tmp_path, values, base)
    state = preview(laid_out(files_of(blueprint), tmp_path / "stack"))
    denied = [finding for finding in judge(state, today="2026-11-30").findings if finding.verdict in {"deny", "error"}]
    assert denied == []
    return state


def of(state: StackState, kind: str) -> list[Resource]:
    """The resources whose token ends so."""
    return [resource for resource in state.resources if resource.type.endswith(f":{kind}")]


def test_nodes_of_one_job_meet(tmp_path: Path) -> None:
    """Several nodes: rank 0 has the address that all know, they talk freely, sit close, with RDMA on every card."""
    state = built(tmp_path, {}, PRETRAIN)
    nodes = of(state, "Instance")
    count = int(nodes[0].inputs["tags"]["trainform-nodes"])
    assert len(nodes) == count > 1
    assert [node.inputs.get("privateIp") for node in nodes] == ["10.20.0.10", *[None] * (count - 1)]
    assert {node.inputs["networkInterfaceTrafficMode"] for node in nodes} == {"HighPerformance"}
    cards = of(state, "EcsNetworkInterfaceAttachment")
    assert sorted(card.inputs["networkCardIndex"] for card in cards) == [1] * count
    assert of(state, "SecurityGroup")[0].inputs["innerAccessPolicy"] == "Accept"
    assert of(state, "EcsDeploymentSet")[0].inputs["strategy"] == "LowLatency"
    assert of(state, "FileSystem")[0].inputs["fileSystemType"] == "cpfs"
    assert of(state, "ProtocolMountTarget")


def test_a_node_alone_is_closed(tmp_path: Path) -> None:
    """One node: nobody may come in, not even from its own group, and it still gets out."""
    state = built(tmp_path, {}, LORA)
    assert of(state, "SecurityGroup")[0].inputs["innerAccessPolicy"] == "Drop"
    assert of(state, "SecurityGroupRule") == []
    assert of(state, "EcsKeyPair") == []
    assert of(state, "EipAssociation")[0].inputs["instanceType"] == "Nat"


def test_ssh_is_open_to_the_ranges_given_and_no_others(tmp_path: Path) -> None:
    """`ssh_from` is the default of config `sshFrom`; each range is one rule for port 22."""
    state = built(tmp_path, {"network.ssh_from": ["203.0.113.0/24", "198.51.100.7/32"]}, LORA)
    rules = of(state, "SecurityGroupRule")
    assert [(rule.inputs["cidrIp"], rule.inputs["portRange"]) for rule in rules] == [
        ("203.0.113.0/24", "22/22"),
        ("198.51.100.7/32", "22/22"),
    ]
    assert of(state, "EcsKeyPair")[0].inputs["publicKey"].startswith("ssh-ed25519 ")


def test_a_public_address_only_when_asked(tmp_path: Path) -> None:
    """`access: public` gives the first node an address of its own; nothing else does."""
    state = built(tmp_path, {"network.access": "public", "network.ssh_from": ["203.0.113.0/24"]}, DEVELOP)
    assert {link.inputs["instanceType"] for link in of(state, "EipAssociation")} == {"Nat", "EcsInstance"}
    with pytest.raises(InputError, match="ssh_from"):
        drawn(tmp_path, {"network.access": "public"}, DEVELOP)


def test_without_egress_there_is_no_way_out(tmp_path: Path) -> None:
    """`egress: none` builds no gateway and no address."""
    state = built(tmp_path, {"network.egress": "none"}, LORA)
    assert of(state, "NatGateway") == of(state, "EipAddress") == of(state, "SnatEntry") == []


def test_an_existing_network_is_used(tmp_path: Path) -> None:
    """A VPC and vSwitch of the user's are taken by their ids, and nothing is built in their place."""
    values = {"network.vpc": "vpc-2ze0abcdef", "network.vswitch": "vsw-2ze0abcdef"}
    state = built(tmp_path, values, LORA)
    assert of(state, "Network") == of(state, "Switch") == of(state, "NatGateway") == []
    assert of(state, "Instance")[0].inputs["vswitchId"] == "vsw-2ze0abcdef"
    assert of(state, "SecurityGroup")[0].inputs["vpcId"] == "vpc-2ze0abcdef"


def test_an_existing_vpc_gets_a_vswitch_of_a_free_range(tmp_path: Path) -> None:
    """With only the VPC given, the range of the new vSwitch and the first address are asked for as config."""
    blueprint = drawn(tmp_path, {"network.vpc": "vpc-2ze0abcdef", "where.regions": ["cn-beijing"]}, PRETRAIN)
    folder = laid_out(files_of(blueprint), tmp_path / "stack")
    config = {f"{blueprint.name}:subnetCidr": "172.16.8.0/24", f"{blueprint.name}:masterAddress": "172.16.8.9"}
    state = preview(folder, config)
    assert of(state, "Switch")[0].inputs["cidrBlock"] == "172.16.8.0/24"
    assert of(state, "Instance")[0].inputs["privateIp"] == "172.16.8.9"
    with pytest.raises(InputError, match="network"):
        drawn(tmp_path, {"network.vswitch": "vsw-2ze0abcdef"}, LORA)


def test_a_pool_of_one_falls_back(tmp_path: Path) -> None:
    """`on_demand_nodes: 1` in a pool of one: spot first, on demand when there is none, capped at that price."""
    state = built(
        tmp_path, {"interruptible": {"on_demand_nodes": 1, "alternates": 3}, "checkpoint.every": "20min"}, LORA
    )
    group, configuration = of(state, "ScalingGroup")[0].inputs, of(state, "ScalingConfiguration")[0].inputs
    assert (group["onDemandBaseCapacity"], group["compensateWithOnDemand"], group["spotInstanceRemedy"]) == (
        0,
        True,
        True,
    )
    assert (group["minSize"], group["maxSize"], group["desiredCapacity"]) == (0, 1, 1)
    assert group["multiAzPolicy"] == "COST_OPTIMIZED"
    caps = {row["instanceType"]: row["priceLimit"] for row in configuration["spotPriceLimits"]}
    assert list(caps) == configuration["instanceTypes"]
    assert len(caps) > 1
    assert configuration["spotDuration"] == 0
    assert configuration["tags"]["trainform-checkpoint-every"] == "20min"
    assert all(disk["deleteWithInstance"] for disk in configuration["dataDisks"])
    assert of(state, "LifecycleHook")[0].inputs["lifecycleTransition"] == "SCALE_IN"
    assert of(state, "Instance") == []


def test_a_pool_without_fallback_says_so(tmp_path: Path) -> None:
    """`interruptible: true` never buys on demand; SELECTION.md says that the job waits then."""
    blueprint = drawn(tmp_path, {"interruptible": True}, LORA)
    files = files_of(blueprint)
    assert "compensate_with_on_demand=False" in files["pool.py"]
    assert "the job waits" in files["SELECTION.md"]


def test_members_of_a_pool_are_watched_by_tag(tmp_path: Path) -> None:
    """They have no ids yet: the group that the tag makes applies the rules and tells people."""
    state = built(tmp_path, {"interruptible": True, "operate.alarms_to": "group:gpu-oncall"}, LORA)
    watched = of(state, "DynamicTagGroup")[0].inputs
    assert watched["tagKey"] == "trainform-job"
    assert watched["matchExpresses"][0]["tagValue"] == "lora"
    assert watched["contactGroupLists"] == ["gpu-oncall"]
    metrics = [row["metricName"] for row in of(state, "MetricRuleTemplate")[0].inputs["alertTemplates"]]
    assert "gpu_gpu_usedutilization" in metrics


def test_the_release_time_ends_nodes_and_pools(tmp_path: Path) -> None:
    """`time_to_live` asks for `releaseAt`: instances end by themselves, a pool is emptied by a task."""
    state = built(tmp_path, {"operate.time_to_live": "7d"}, LORA)
    assert of(state, "Instance")[0].inputs["autoReleaseTime"] == "2030-01-01T00:00:00Z"
    assert of(state, "Instance")[0].inputs["tags"]["trainform-ttl"] == "168h"
    pool = built(tmp_path, {"operate.time_to_live": "7d", "interruptible": True}, LORA)
    task = of(pool, "ScheduledTask")[0].inputs
    assert (task["launchTime"], task["desiredCapacity"]) == ("2030-01-01T00:00Z", 0)


def test_a_development_machine_stops_unbilled(tmp_path: Path) -> None:
    """Timers stop it without charge in the evening and start it in the morning, in the spec's time zone."""
    state = built(tmp_path, {"operate.timezone": "Europe/Berlin", "operate.hours": "Mon-Fri 08:30-18:00"}, DEVELOP)
    tasks = {template.name: json.loads(template.inputs["content"])["Tasks"] for template in of(state, "Template")}
    evening, morning = tasks["evening"], tasks["morning"]
    assert evening[0]["Properties"]["Expression"] == "0 0 18 ? * MON-FRI"
    assert evening[0]["Properties"]["TimeZone"] == "Europe/Berlin"
    assert evening[0]["Properties"]["EndDate"] == "2030-03-01T00:00:00Z"
    assert evening[1]["Properties"]["Parameters"]["StoppedMode"] == "StopCharging"
    assert morning[0]["Properties"]["Expression"] == "0 30 8 ? * MON-FRI"
    assert morning[1]["Properties"]["API"] == "StartInstance"
    box = of(state, "Instance")[0]
    assert box.inputs["stoppedMode"] == "StopCharging"
    assert box.ignore_changes == ("status",)


def test_data_disks_are_snapshotted_and_outlive_the_node(tmp_path: Path) -> None:
    """The policy is attached to system and data disks; the data disk is a resource of its own."""
    state = built(tmp_path, {"operate.snapshots": "weekly"}, DEVELOP)
    policy = of(state, "AutoSnapshotPolicy")[0]
    assert policy.inputs["repeatWeekdays"] == ["7"]
    attached = of(state, "EcsAutoSnapshotPolicyAttachment")[0]
    assert policy.urn in attached.property_dependencies["autoSnapshotPolicyId"]
    assert policy.urn in of(state, "Instance")[0].property_dependencies["systemDiskAutoSnapshotPolicyId"]
    disk = of(state, "EcsDisk")[0].inputs
    assert (disk["deleteWithInstance"], disk["encrypted"]) == (False, True)
    none = built(tmp_path, {"operate.snapshots": "none"}, DEVELOP)
    assert of(none, "AutoSnapshotPolicy") == []


def test_checkpoints_go_to_a_bucket_of_the_user_s(tmp_path: Path) -> None:
    """`checkpoint.to: oss://...` builds no bucket; the role may write below that prefix and nowhere else."""
    state = built(tmp_path, {"checkpoint.to": "oss://team-ckpt/runs/7"}, LORA)
    assert of(state, "Bucket") == []
    policy = next(row for row in of(state, "Policy") if row.name == "node").inputs["policyDocument"]
    statements = json.loads(policy)["Statement"]
    writable = [row["Resource"] for row in statements if "oss:PutObject" in row["Action"]]
    assert writable == [["acs:oss:*:*:team-ckpt/runs/7/*"]]
    readable = [row["Resource"] for row in statements if row["Action"] == ["oss:GetObject"]]
    assert readable == [["acs:oss:*:*:data-sets/text/*"]]


def test_buckets_are_closed_encrypted_and_cool_down(tmp_path: Path) -> None:
    """No public access, encryption, versions, and cheaper classes with time."""
    state = built(tmp_path, {}, LORA)
    bucket = of(state, "Bucket")[0].inputs
    assert bucket["serverSideEncryptionRule"] == {"sseAlgorithm": "AES256"}
    assert bucket["redundancyType"] == "ZRS"
    assert [step["storageClass"] for step in bucket["lifecycleRules"][0]["transitions"]] == ["IA", "Archive"]
    assert of(state, "BucketPublicAccessBlock")[0].inputs["blockPublicAccess"] is True


def test_data_without_a_source_gets_a_bucket_to_be_put_in(tmp_path: Path) -> None:
    """The README says where to put it, and nodes take it from there."""
    files = files_of(drawn(tmp_path, {"data.source": None}, LORA))
    assert "RAW_BUCKET" in files["user_data.py"]
    assert "oss://lora-raw-SUFFIX/dataset/" in files["README.md"]


def test_preprocessing_has_no_driver_and_keeps_its_results(tmp_path: Path) -> None:
    """CPU nodes: no driver, CPU alarms, and a bucket for what they make."""
    blueprint = drawn(tmp_path, {}, PREPARE)
    files = files_of(blueprint)
    assert "trainform-driver" not in files["cloud-init.yaml"]
    assert "trainform-results" in files["cloud-init.yaml"]
    assert "cpu_total" in files["watch.py"]
    state = built(tmp_path, {}, PREPARE)
    assert {node.inputs["tags"]["trainform-role"] for node in of(state, "Instance")} == {"prep"}
    assert of(state, "Bucket")[0].inputs["tags"]["trainform-role"] == "archive"


def test_serving_nodes_are_equal_and_their_port_is_closed(tmp_path: Path) -> None:
    """N nodes, each for itself: no rank 0, no torchrun, a service that starts again, and only its own group may ask."""
    state = built(tmp_path, {}, SERVE)
    nodes = of(state, "Instance")
    assert len(nodes) > 1
    assert {node.inputs["tags"]["trainform-role"] for node in nodes} == {"infer"}
    assert [node.inputs.get("privateIp") for node in nodes] == [None] * len(nodes)
    assert of(state, "SecurityGroup")[0].inputs["innerAccessPolicy"] == "Accept"
    assert of(state, "SecurityGroupRule") == []
    assert "security_group" in state.outputs
    files = files_of(drawn(tmp_path, {}, SERVE))
    assert "Restart=always" in files["cloud-init.yaml"]
    assert "torchrun --nnodes" not in files["launch.sh"]
    assert not any(disk.protect for disk in of(state, "EcsDisk"))


def test_shares_of_preprocessing_need_fixed_nodes(tmp_path: Path) -> None:
    """Several spot nodes that each take their share are planned, and refused by that sentence."""
    blueprint = drawn(tmp_path, {}, PREPARE)
    spot = msgspec.structs.replace(blueprint.candidate, charge="spot")
    selection = msgspec.structs.replace(blueprint.selection, chosen=spot)
    spec = load_spec(tmp_path / "spec.yaml")
    assert spot.nodes > 1
    with pytest.raises(InputError, match="planned"):
        draw(spec, blueprint.workload, selection, "spec.yaml")


def test_data_on_a_bucket_is_read_in_place(tmp_path: Path) -> None:
    """`data.on: bucket` stages nothing: the command gets the URL."""
    files = files_of(drawn(tmp_path, {"data.on": "bucket"}, LORA))
    assert '"TRAINFORM_DATA_URL": "oss://" + DATA_BUCKET + "/text/"' in files["user_data.py"]
    assert '"DATA_SOURCE": ""' in files["user_data.py"]
    assert "  TRAINFORM_DATA_URL\n" in files["launch.sh"]


def test_a_slice_of_a_card_gets_the_driver_for_slices(tmp_path: Path) -> None:
    """The driver of whole cards sees no vGPU."""
    blueprint = drawn(tmp_path, {"hardware.gpu_memory": "<=12GiB"}, DEVELOP)
    assert blueprint.candidate.type.is_slice
    files = files_of(blueprint)
    assert "grid_driver_install" in files["cloud-init.yaml"]
    assert "auto_install" not in files["cloud-init.yaml"]


def test_a_shared_nas_is_mounted_by_its_own_rules(tmp_path: Path) -> None:
    """NAS is open to the nodes' range and to nobody else."""
    state = built(tmp_path, {"data.on": "nas", "data.size": "50GiB"}, PREPARE)
    assert of(state, "AccessRule")[0].inputs["sourceCidrIp"] == "10.20.0.0/20"
    assert of(state, "MountTarget")
    assert {row.inputs["fileSystemType"] for row in (*of(state, "AccessRule"), *of(state, "FileSystem"))} == {"extreme"}


def test_a_cluster_type_joins_its_own_fabric(tmp_path: Path) -> None:
    """A type with RoCE cards gets the HPC cluster, and no deployment set beside it."""
    blueprint = drawn(tmp_path, {}, PRETRAIN)
    kind = msgspec.structs.replace(
        blueprint.candidate.type, id="ecs.sccgn7ex.32xlarge", rdma="roce", hpc_cluster=True, rdma_nics=4
    )
    offer = msgspec.structs.replace(blueprint.candidate.offer, type=kind)
    candidate = msgspec.structs.replace(blueprint.candidate, offer=offer)
    files = files_of(msgspec.structs.replace(blueprint, candidate=candidate))
    assert "hpc_cluster_id=fabric.id" in files["nodes.py"]
    assert "EcsDeploymentSet" not in files["nodes.py"]
    assert "HighPerformance" not in files["nodes.py"]
    assert "export IS_INSTALL_RDMA=TRUE" in files["cloud-init.yaml"]
    state = preview(laid_out(files, tmp_path / "scc"))
    assert of(state, "HpcCluster")


def test_spare_nodes_stand_by(tmp_path: Path) -> None:
    """A spare node is built as the others are, and its launch waits to be given a rank."""
    blueprint = drawn(tmp_path, {"hardware.spare_nodes": 1}, PRETRAIN)
    files = files_of(blueprint)
    assert f"NODES = {blueprint.nodes.count + 1}\n" in files["settings.py"]
    assert "this node stands by" in files["launch.sh"]
    assert "this node stands by" not in files_of(drawn(tmp_path, {}, PRETRAIN))["launch.sh"]


def test_any_name_makes_names_that_the_cloud_takes(tmp_path: Path) -> None:
    """The shortest and the longest name of a job, and one with an underscore at its end, fit every resource's rules."""
    for name in ("a", "a_", "a" * 40):
        files = files_of(drawn(tmp_path, {"name": name}, LORA))
        used = files["settings.py"].partition('NAME = "')[2].partition('"')[0]
        assert re.fullmatch(r"[a-z][a-z0-9-]*[a-z0-9]", used)
        assert len(used) >= 2
        assert len(f"{used}-archive-" + "x" * 14) <= 63


def test_the_sized_facts_are_an_output(tmp_path: Path) -> None:
    """The stack output `trainform` holds what was sized, and the hash of the spec."""
    blueprint = drawn(tmp_path, {}, LORA)
    state = built(tmp_path, {}, LORA)
    facts = state.outputs["trainform"]
    assert facts["spec_sha256"] == blueprint.spec_sha256
    assert facts["gpu_memory_bound_gib"] <= facts["gpu_memory_usable_gib"]
    assert facts["profile"] == blueprint.workload.profile
    assert facts["framework"].startswith("pytorch-")
    assert set(facts) <= {
        "gpu_memory_bound_gib", "gpu_memory_usable_gib", "precision", "profile", "framework", "run_hours", "read_mbps",
        "checkpoint_gib", "exposed_ratio", "spec_sha256", "tensor_parallel",
    }  # fmt: skip


def test_nothing_chosen_is_nothing_to_draw(tmp_path: Path) -> None:
    """Without a choice there is no stack, and the message says so."""
    file = tmp_path / "spec.yaml"
    file.write_text(json.dumps(MINIMAL))
    spec = load_spec(file)
    empty = Selection(chosen=None, runners_up=(), rejected=(), relax=(), assumptions=())
    with pytest.raises(InputError, match="nothing was chosen"):
        draw(spec, derive(spec), empty, "spec.yaml")
