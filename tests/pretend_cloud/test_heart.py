"""The pretend cloud behaves as clouds do, and its tables speak of inputs that there are."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pretend_cloud.cloud import MADE_HERE, PretendCloud
from tests.pretend_cloud.facts import kinds, providers, rows
from tests.pretend_cloud.failures import KINDS, REFUSALS, Failure, RefusedError
from tests.pretend_cloud.legality import refused
from tests.pretend_cloud.paths import UNKNOWN, changes, find, pattern_of
from tests.pretend_cloud.plugin import replaces
from tests.pretend_cloud.sdk_types import arguments_of, type_at, wrong_inputs

ROOT = Path(__file__).resolve().parents[2]
VPC, VSWITCH = "alicloud:vpc/network:Network", "alicloud:vpc/switch:Switch"
INSTANCE, DISK, BUCKET = "alicloud:ecs/instance:Instance", "alicloud:ecs/ecsDisk:EcsDisk", "alicloud:oss/bucket:Bucket"
TYPED = [cloud for cloud, facts in providers().items() if facts.sdk]


@pytest.fixture
def cloud(tmp_path: Path) -> PretendCloud:
    """An empty account."""
    return PretendCloud("alicloud", tmp_path / "cloud.json")


def network(cloud: PretendCloud) -> tuple[str, str]:
    """Ids of a VPC and a vSwitch in it."""
    vpc = cloud.create(VPC, {"cidrBlock": "10.0.0.0/16"}, "cn-beijing").id
    inputs = {"vpcId": vpc, "cidrBlock": "10.0.1.0/24", "zoneId": "cn-beijing-i"}
    return vpc, cloud.create(VSWITCH, inputs, "cn-beijing").id


def test_a_resource_is_there_until_it_is_deleted(cloud: PretendCloud) -> None:
    """Created, read, changed and deleted; another process that opens the file sees the same."""
    made = cloud.create(DISK, {"size": 100}, "cn-beijing")
    assert PretendCloud("alicloud", cloud.file).read(DISK, made.id) == made
    assert cloud.update(DISK, made.id, {"size": 200}).inputs == {"size": 200}
    cloud.delete(DISK, made.id)
    assert cloud.read(DISK, made.id) is None
    cloud.delete(DISK, made.id)
    assert [call for call, _, _ in cloud.calls()] == ["create", "update", "delete", "delete"]


def test_ids_say_that_nothing_is_real(cloud: PretendCloud) -> None:
    """Each id that the cloud makes up has the word in it, and no two are alike."""
    ids = [cloud.create(DISK, {"size": 100}, "cn-beijing").id for _ in range(20)]
    assert len(set(ids)) == 20
    assert all(MADE_HERE.fullmatch(made) for made in ids)


def test_addresses_come_from_the_subnet_and_once(cloud: PretendCloud) -> None:
    """Nodes get free addresses of their vSwitch; one that is asked for twice is refused."""
    _, vswitch = network(cloud)
    first = cloud.create(INSTANCE, {"vswitchId": vswitch}, "cn-beijing")
    second = cloud.create(INSTANCE, {"vswitchId": vswitch}, "cn-beijing")
    assert [item.outputs["privateIp"] for item in (first, second)] == ["10.0.1.1", "10.0.1.2"]
    with pytest.raises(RefusedError, match=r"AlreadyExists: vswitchId .*, privateIp 10.0.1.2 is taken"):
        cloud.create(INSTANCE, {"vswitchId": vswitch, "privateIp": "10.0.1.2"}, "cn-beijing")


def test_what_is_used_cannot_be_deleted(cloud: PretendCloud) -> None:
    """A network goes after all that is in it."""
    vpc, vswitch = network(cloud)
    with pytest.raises(RefusedError, match="DependencyViolation"):
        cloud.delete(VPC, vpc)
    cloud.delete(VSWITCH, vswitch)
    cloud.delete(VPC, vpc)
    assert cloud.items() == []


def test_what_is_gone_cannot_be_used(cloud: PretendCloud) -> None:
    """An id of this cloud that names nothing is refused, also deep in a text."""
    vpc, vswitch = network(cloud)
    cloud.delete(VSWITCH, vswitch)
    with pytest.raises(RefusedError, match=f"NotFound: {vswitch} does not exist"):
        cloud.create(INSTANCE, {"userData": f"mount {vswitch}", "vpcId": vpc}, "cn-beijing")


def test_global_names_exist_once_and_disks_do_not_shrink(cloud: PretendCloud) -> None:
    """A second bucket of one name and a smaller size of a disk are refused."""
    cloud.create(BUCKET, {"bucket": "mine"}, "cn-beijing")
    with pytest.raises(RefusedError, match="AlreadyExists: bucket mine"):
        cloud.create(BUCKET, {"bucket": "mine"}, "cn-hangzhou")
    disk = cloud.create(DISK, {"size": 100}, "cn-beijing")
    with pytest.raises(RefusedError, match="cannot shrink from 100 to 50"):
        cloud.update(DISK, disk.id, {"size": 50})
    assert cloud.resolve(disk.id)["size"] == 100


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_told_failure_strikes_as_often_as_told(cloud: PretendCloud, kind: str) -> None:
    """Only the call, type and inputs that were named fail, so many times."""
    assert kind in KINDS
    cloud.tell(Failure(kind=kind, type=DISK, where={"zoneId": "cn-beijing-l"}, times=2))
    cloud.create(DISK, {"size": 100, "zoneId": "cn-beijing-i"}, "cn-beijing")
    for _ in range(2):
        with pytest.raises(RefusedError, match=REFUSALS[kind][0]):
            cloud.create(DISK, {"size": 100, "zoneId": "cn-beijing-l"}, "cn-beijing")
    cloud.create(DISK, {"size": 100, "zoneId": "cn-beijing-l"}, "cn-beijing")
    assert len(cloud.items(DISK)) == 2


def test_a_reclaimed_node_takes_its_attachments_along(cloud: PretendCloud) -> None:
    """The node and what hung on it are gone; the disk is not."""
    _, vswitch = network(cloud)
    node, disk = (
        cloud.create(INSTANCE, {"vswitchId": vswitch}, "cn-beijing"),
        cloud.create(DISK, {"size": 9}, "cn-beijing"),
    )
    inputs = {"diskId": disk.id, "instanceId": node.id}
    cloud.create("alicloud:ecs/ecsDiskAttachment:EcsDiskAttachment", inputs, "cn-beijing")
    cloud.reclaim(node.id)
    assert {item.type for item in cloud.items()} == {VPC, VSWITCH, DISK}


def test_paths_and_changes() -> None:
    """A pattern finds every place it names; a change is told as deep as both sides go."""
    inputs = {"dataDisks": [{"size": 1}, {"size": 2}], "tags": {"a": "b"}}
    assert [(path, value) for path, _, value in find(inputs, "dataDisks[].size")] == [
        ("dataDisks[0].size", 1),
        ("dataDisks[1].size", 2),
    ]
    new = {"dataDisks": [{"size": 1}, {"size": 3}, {"size": 4}], "tags": {"a": "c"}, "name": "n"}
    assert set(changes(inputs, new)) == {
        ("dataDisks[1].size", "update"),
        ("dataDisks[2]", "add"),
        ("tags.a", "update"),
        ("name", "add"),
    }
    assert pattern_of("dataDisks[12].size") == "dataDisks[].size"


@pytest.mark.parametrize(
    ("path", "change", "replaced"),
    [
        ("imageId", "update", False),
        ("availabilityZone", "update", True),
        ("dataDisks[0].size", "update", True),
        ("dataDisks[1]", "add", True),
        ("tags.a", "update", False),
    ],
)
def test_the_providers_facts_decide_what_is_replaced(path: str, change: str, replaced: bool) -> None:
    """A field that forces a new instance does so wherever it stands; a block that comes brings its fields."""
    assert replaces(kinds("alicloud")[INSTANCE], path, change) == replaced


@pytest.mark.parametrize("cloud_id", providers())
def test_every_type_of_the_golden_stacks_has_a_row(cloud_id: str) -> None:
    """What a template can make, the pretend cloud can make: no stack waits for a row of the table."""
    named = set()
    for file in ROOT.glob(f"stacks/*/{cloud_id}/*.py"):
        found = re.findall(rf"\b{cloud_id}\.(?:([a-z_]+)\.)?([A-Z]\w+)\(", file.read_text(encoding="utf-8"))
        named |= {(module.rstrip("_"), name) for module, name in found if name != "Provider"}
    known = {(kind.split(":")[1].split("/")[0].lower(), kind.rsplit(":", 1)[1]) for kind in kinds(cloud_id)}
    known |= {("", name) for module, name in known if module == "index"}
    assert named
    assert {pair for pair in named if not pair[1].endswith("Args")} <= known


@pytest.mark.parametrize("cloud_id", TYPED)
def test_the_tables_name_inputs_that_the_sdk_has(cloud_id: str) -> None:
    """Every path of the legality table leads somewhere, and every type has a class."""
    sdk = providers()[cloud_id].sdk
    for kind in kinds(cloud_id):
        assert arguments_of(sdk, kind), kind
    for row in rows(cloud_id, "legality"):
        assert row["type"] in kinds(cloud_id), row
        assert row["source"], row
        assert type_at(arguments_of(sdk, row["type"]), row["path"]) is not None


def test_wrong_types_and_values_are_refused_and_unknown_ones_are_not() -> None:
    """The SDK's types first, then the cloud's legal values; what `up` will tell is not judged before."""
    arguments = arguments_of("pulumi_alicloud", DISK)
    assert arguments is not None
    assert dict(wrong_inputs(arguments, {"size": "100", "sise": 1})) == {
        "size": "wants a whole number, not '100'",
        "sise": "is unknown to the SDK",
    }
    assert list(wrong_inputs(arguments, {"size": UNKNOWN, "zoneId": UNKNOWN})) == []
    inputs = {"size": 100, "zoneId": "cn-hangzhou-i", "category": "cloud_essd", "performanceLevel": "PL2"}
    places = [path for path, _ in refused("alicloud", DISK, inputs, "cn-beijing", lambda _: {})]
    assert places == ["zoneId", "size"]


def test_a_subnet_outside_its_network_is_refused_once_the_network_is_known(cloud: PretendCloud) -> None:
    """The range is compared with that of the VPC which the id names; before `up` nobody can know."""
    vpc, _ = network(cloud)
    outside = {"vpcId": vpc, "cidrBlock": "192.168.0.0/24", "zoneId": "cn-beijing-i"}
    assert [path for path, _ in refused("alicloud", VSWITCH, outside, "cn-beijing", cloud.resolve)] == ["cidrBlock"]
    unknown = outside | {"vpcId": UNKNOWN}
    assert list(refused("alicloud", VSWITCH, unknown, "cn-beijing", cloud.resolve)) == []


def test_the_heart_knows_no_protocol() -> None:
    """Resources, ids and failures need neither Pulumi nor gRPC nor an SDK: a second door finds the same cloud."""
    code = (
        "import sys, tests.pretend_cloud.cloud, tests.pretend_cloud.legality; "
        "print([name for name in sys.modules if name.split('.')[0] in ('pulumi', 'grpc', 'google', 'pulumi_alicloud')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
