"""The module that stands for an SDK says what the vendor's Terraform provider takes, and refuses the rest."""

import csv
import importlib.util
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NotRequired, get_args, get_origin, is_typeddict

import pulumi
import pytest

from generator.stack.templating import TEMPLATES

SCHEMA = Path(__file__).parents[2] / "data" / "baiducloud_schema.csv"


def load() -> types.ModuleType:
    """The module as it is copied into stacks."""
    spec = importlib.util.spec_from_file_location("baiducloud", TEMPLATES / "baiducloud" / "baiducloud.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MODULE = load()
KINDS = {
    name: kind
    for name, kind in vars(MODULE).items()
    if isinstance(kind, type) and issubclass(kind, pulumi.CustomResource) and hasattr(kind, "kind")
}


def terraform_name(kind: type) -> str:
    """`autoSnapshotPolicy:AutoSnapshotPolicy` as Terraform calls it, auto_snapshot_policy."""
    camel = kind.kind.partition(":")[0]  # type: ignore[attr-defined]
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in camel)


def rows(resource: str) -> dict[str, dict[str, str]]:
    """The rows of a resource by path."""
    with SCHEMA.open(encoding="utf-8", newline="") as file:
        return {row["path"]: row for row in csv.DictReader(file) if row["resource"] == resource}


def plain(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is NotRequired else hint


def block_of(hint: Any) -> tuple[Any, bool]:
    """The TypedDict behind a hint, and whether it comes in a list."""
    hint = plain(hint)
    if get_origin(hint) is list and is_typeddict(get_args(hint)[0]):
        return get_args(hint)[0], True
    return (hint, False) if is_typeddict(hint) else (None, False)


def named(known: dict[str, dict[str, str]], path: str) -> str | None:
    """How Terraform calls a path: the bridge puts lists into the plural, where the provider has the singular."""
    parent, _, last = path.rpartition(".")
    for name in (last, last.removesuffix("s"), last.removesuffix("es")):
        found = f"{parent}.{name}" if parent else name
        if found in known:
            return found
    return None


def arguments(shape: Any, known: dict[str, dict[str, str]], prefix: str = "") -> Iterator[tuple[str, Any, bool]]:
    """Path as Terraform calls it, hint and whether it is required, of all that a shape takes."""
    for name, hint in shape.__annotations__.items():
        path = f"{prefix}{name}"
        found = named(known, path)
        yield found or path, hint, name in shape.__required_keys__
        block, _ = block_of(hint)
        if block is not None:
            yield from arguments(block, known, f"{found or path}.")


def test_the_table_and_the_module_are_of_the_same_resources() -> None:
    """Each class has its rows, and each row its class."""
    with SCHEMA.open(encoding="utf-8", newline="") as file:
        listed = {row["resource"] for row in csv.DictReader(file)}
    assert {terraform_name(kind) for kind in KINDS.values()} == listed


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_argument_is_one_of_the_provider(name: str) -> None:
    """Names, single blocks and lists are the provider's own; what it requires, we require."""
    known = rows(terraform_name(KINDS[name]))
    seen = set()
    for path, hint, required in arguments(getattr(MODULE, f"{name}Args"), known):
        assert path in known, path
        seen.add(path)
        row = known[path]
        block, listed = block_of(hint)
        if block is not None and row["kind"] != "map":
            assert (row["single"] == "no") == listed, path
        if row["required"] == "yes":
            assert required, path
    blocks = {path for path in known if path.rpartition(".")[0] in seen or "." not in path}
    missing = {path for path in blocks if known[path]["required"] == "yes"} - seen
    assert missing == set()


def test_maps_keep_their_keys() -> None:
    """Blocks whose keys stay in snake case are maps of the provider, not blocks."""
    kinds = {(row["path"], row["kind"]) for name in ("instance", "nat_gateway") for row in rows(name).values()}
    assert {("reservation", "map"), ("billing", "map")} <= kinds
    assert {shape.__name__ for shape in MODULE.MAPS} == {"Billing", "Reservation"}


def test_names_on_the_wire() -> None:
    """Keys of blocks become the bridge's, those of maps do not, and values stay."""
    wired = MODULE._wire(
        MODULE.InstanceGroupSpec.__annotations__["instance_template"],
        {
            "cluster_role": "node",
            "machine_type": "BCC",
            "instance_type": "G1",
            "instance_charging_type": "bidding",
            "instance_resource": {"machine_spec": "a", "root_disk_type": "cloud_hp1", "root_disk_size": 40},
            "vpc_config": {"vpc_id": "v", "vpc_subnet_id": "s", "security_group_id": "g", "available_zone": "zoneA"},
            "image_id": "m",
            "ssh_key_id": "k",
            "delete_option": {"delete_resource": True, "delete_cds_snapshot": True},
            "tag_lists": [{"tag_key": "a", "tag_value": "b"}],
        },
        "spec",
    )
    assert wired["instanceResource"]["machineSpec"] == "a"
    assert wired["tagLists"] == [{"tagKey": "a", "tagValue": "b"}]
    assert MODULE._wire(MODULE.Billing, {"payment_timing": "Postpaid"}, "billing") == {"payment_timing": "Postpaid"}


@pytest.mark.parametrize(
    ("shape", "value", "said"),
    [
        ("CdsDisk", {"storage_type": "cloud_hp1", "cdsSizeInGb": 5}, "unknown \\['cdsSizeInGb'\\]"),
        ("CdsDisk", {"storage_type": "cloud_hp1"}, "missing \\['cds_size_in_gb'\\]"),
        ("CdsDisk", {"storage_type": "hdd", "cds_size_in_gb": 50}, "'hdd' is not one of"),
        ("CdsDisk", [], "a block is a dict"),
        ("EipAssociationArgs", {"eip": "a", "instance_id": "b", "instance_type": "bcc"}, "'bcc' is not one of"),
        ("LifecycleRule", {"status": "Enabled"}, "missing"),
    ],
)
def test_what_the_bridge_would_drop_is_refused(shape: str, value: object, said: str) -> None:
    """An unknown key, a missing one, a value outside the list or a wrong form is a TypeError with its place."""
    with pytest.raises(TypeError, match=said):
        MODULE._wire(getattr(MODULE, shape), value, "here")


def test_slow_disks_cannot_be_named() -> None:
    """What starves a GPU is no value of the module, whatever the provider takes."""
    kinds = set(get_args(MODULE.Ssd))
    assert get_origin(MODULE.Ssd) is Literal
    assert kinds.isdisjoint({"hp1", "ssd", "std1", "hdd", "sata", "HDD_Throughput"})
