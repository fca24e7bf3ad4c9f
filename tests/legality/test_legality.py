"""The machinery of legal values, on the tables of every cloud: no row is dead, and unknown is never illegal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.catalog import load_types
from generator.clouds import catalogued_clouds, find_cloud
from generator.legality import (
    check_image,
    check_resource,
    disk_kinds,
    disk_media,
    find_image,
    types_of,
)
from generator.legality.field_checks import ABSENT, CHECKS, check_fields, found, holds
from generator.legality.storage_checks import check_disks, find_disk
from generator.legality.table_forms import FieldRule, tables
from generator.program.values import SECRET, UNKNOWN

RULES = [
    pytest.param(rule, id=f"{cloud}-{rule.carriers[0].rpartition(':')[2]}-{rule.field}-{rule.check}-{rule.when}")
    for cloud in catalogued_clouds()
    for rule in tables(cloud).fields
]
CARRIERS = [
    pytest.param(cloud, carrier, id=f"{cloud}-{carrier.carrier.rpartition(':')[2]}-{carrier.use}")
    for cloud in catalogued_clouds()
    for carrier in tables(cloud).disk_carriers
]


def put(inputs: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Put a value at a path such as `dataDisks[].size`; gives the object that holds the last step."""
    *steps, last = path.split(".")
    block = inputs
    for step in steps:
        name = step.removesuffix("[]")
        inner = block.setdefault(name, [{}] if step.endswith("[]") else {})
        block = inner[0] if isinstance(inner, list) else inner
    if value is not ABSENT:
        block[last.removesuffix("[]")] = [value] if last.endswith("[]") else value
    return block


def wrong_value(rule: FieldRule) -> Any:
    """A value that the check of this row cannot take."""
    if rule.check == "range":
        low, _, high = (rule.value or "").partition("..")
        return float(high) + 1 if high else float(low) - 1
    return {
        "one_of": "no such word",
        "pattern": "\n!",
        "required": ABSENT,
        "forbidden": "x",
        "at_most": 2,
        "network": "10.0.0.0/99",
        "json": "{",
    }[rule.check]


def inputs_for(rule: FieldRule, value: Any) -> dict[str, Any]:
    """Inputs with this value at the field of a row, under which all its terms hold."""
    inputs: dict[str, Any] = {}
    beside = put(inputs, rule.field, value)
    for term in (rule.when or "").split():
        if term.startswith("!") or "!=" in term:
            continue
        name, _, wanted = term.partition("=")
        block = inputs if name.startswith("/") else beside
        block[name.removeprefix("/")] = wanted.split("|")[0] if wanted else "x"
    if rule.check == "at_most":
        beside[rule.value or ""] = 1
    return inputs


@pytest.mark.parametrize("rule", RULES)
def test_every_row_speaks_when_it_is_broken(rule: FieldRule) -> None:
    """Each row of `fields.csv` finds its own fault, on each resource that it names, at the field that it names."""
    for carrier in rule.carriers:
        said = list(check_fields((rule,), carrier, inputs_for(rule, wrong_value(rule))))
        assert [one.level for one in said] == [rule.level]
        assert said[0].field.split("[")[0].split(".")[0] == rule.field.split("[")[0].split(".")[0]
        assert said[0].source


@pytest.mark.parametrize("rule", RULES)
def test_no_row_judges_what_is_unknown(rule: FieldRule) -> None:
    """A value that is known only after `up`, or secret, breaks no row; only `forbidden` minds that it is there."""
    for value in (UNKNOWN, SECRET):
        said = list(check_fields((rule,), rule.carriers[0], inputs_for(rule, value)))
        assert said == [] or rule.check == "forbidden"


@pytest.mark.parametrize("cloud", catalogued_clouds())
def test_every_row_is_well_formed(cloud: str) -> None:
    """Rules use checks that exist, name resources of their cloud and say where they come from."""
    for rule in tables(cloud).fields:
        assert rule.check in {*CHECKS, "required", "forbidden", "at_most"}
        assert {carrier.partition(":")[0] for carrier in rule.carriers} <= set(find_cloud(cloud).token_packages)
        assert rule.source


@pytest.mark.parametrize(("cloud", "carrier"), CARRIERS)
def test_every_carrier_judges_its_disks(cloud: str, carrier: Any) -> None:
    """On each resource a disk of a kind that does not exist is found, and a legal one is not."""
    known = tables(cloud)
    kind = next(disk for disk in known.disks if not carrier.kinds or disk.id in carrier.kinds)
    size = max(kind.min_gib, kind.system_min_gib or 0, carrier.min_gib or 0)
    size += -size % kind.step_gib
    for value, faults in ((kind.id, []), ("no_such_disk", [carrier.kind])):
        inputs: dict[str, Any] = {}
        block = put(inputs, f"{carrier.block}.x", ABSENT) if carrier.block else inputs
        block[carrier.kind] = value
        if carrier.size:
            block[carrier.size] = size
        said = [one.field.rpartition(".")[2] for one in check_disks(known, carrier.carrier, inputs)]
        assert said == faults


@given(data=st.data())
def test_a_legal_size_is_never_refused_and_an_illegal_one_always(data: st.DataObject) -> None:
    """Within a kind's range and step every size passes; below and above none does."""
    cloud = data.draw(st.sampled_from(catalogued_clouds()))
    known = tables(cloud)
    carriers = [row for row in known.disk_carriers if row.use == "data" and row.size and row.block is None]
    carrier = data.draw(st.sampled_from(carriers))
    disks = [disk for disk in known.disks if not carrier.kinds or disk.id in carrier.kinds]
    disk = data.draw(
        st.sampled_from(
            [disk for disk in disks if disk.id not in known.chosen_speeds or not known.chosen_speeds[disk.id].required]
        )
    )
    steps = data.draw(st.integers(-(-disk.min_gib // disk.step_gib), disk.max_gib // disk.step_gib))
    size = carrier.size or ""
    inputs: dict[str, Any] = {carrier.kind: disk.id, size: steps * disk.step_gib}
    if disk.level is not None and carrier.level is not None:
        inputs[carrier.level] = disk.level
    assert list(check_disks(known, carrier.carrier, inputs)) == []
    outside = data.draw(st.sampled_from([disk.min_gib - 1, disk.max_gib + disk.step_gib, 0, -5]))
    said = list(check_disks(known, carrier.carrier, inputs | {size: outside}))
    assert [(one.field, one.subject) for one in said] == [(size, "disk")]


@given(
    inputs=st.dictionaries(
        st.text(max_size=20),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=9),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
            max_leaves=8,
        ),
        max_size=8,
    )
)
def test_no_inputs_bring_the_checks_down(inputs: dict[str, Any]) -> None:
    """Whatever a program says, the checks answer; they never raise."""
    for cloud in catalogued_clouds():
        for carrier in tables(cloud).disk_carriers:
            check_resource(
                cloud, carrier.carrier, inputs | {carrier.kind: inputs.get("x"), "dataDisks": inputs.get("y")}
            )


def test_paths_walk_lists_and_objects_alike() -> None:
    """A path finds each place, also where an object stands for a list of one, and tells what is absent."""
    inputs = {"dataDisks": [{"size": 1}, {}], "rule": {"size": 3}}
    assert [(where, value) for where, _, value in found(inputs, "dataDisks[].size")] == [
        ("dataDisks[0].size", 1),
        ("dataDisks[1].size", ABSENT),
    ]
    assert [where for where, _, _ in found(inputs, "rule[].size")] == ["rule.size"]
    assert list(found(inputs, "nothing[].size")) == []


@pytest.mark.parametrize(
    ("term", "truth"),
    [
        ("a", True), ("!a", False), ("b", False), ("!b", True), ("a=1|2", True), ("a=2", False), ("a!=2", True),
        ("b!=2", True), ("b=2", False), ("/t=x", True), ("u=1", False), ("u!=1", False), ("u", True), ("f", False),
    ],
)  # fmt: skip
def test_terms(term: str, truth: bool) -> None:
    """Presence, absence and comparison; a comparison with an unknown value never holds, and false counts as absent."""
    assert holds(term, {"a": 1, "u": UNKNOWN, "f": False}, {"t": "x"}) is truth


def test_images_tell_kind_architecture_and_end() -> None:
    """The first row that fits an image's id or name says what it is; a private image is unknown."""
    plain = find_image("alicloud", "ubuntu_22_04_x64_20G_alibase_20240508.vhd")
    old = find_image("alicloud", "centos_7_9_x64_20G_alibase_20240628.vhd")
    assert plain is not None
    assert old is not None
    assert (plain.kind, plain.arch) == ("plain", "x86_64")
    assert old.ends == "2024-06-30"
    assert find_image("alicloud", "Alibaba Cloud Linux 3.2104 LTS 64-bit AI Extension Edition").kind == "gpu"  # type: ignore[union-attr]
    assert find_image("alicloud", "no-such-image") is None


@pytest.mark.parametrize(
    ("cloud", "image", "name", "words"),
    [
        ("alicloud", "aliyun_3_arm64_20G_alibase_20240819.vhd", "ecs.gn7i-c8g1.2xlarge", "an image for arm64"),
        ("alicloud", "ubuntu_22_04_x64_20G_alibase_20240508.vhd", "ecs.gn7r-c16g1.4xlarge", "an image for x86_64"),
        ("alicloud", "aliyun_3_x64_20G_uefi_alibase_20240819.vhd", "ecs.gn5-c4g1.xlarge", "boots by BIOS only"),
        ("tencentcloud", "img-eb30mz89", "PNV6.4XLARGE160", "boots by UEFI only"),
        ("alicloud", "aliyun_3_x64_20G_uefi_alibase_20240819.vhd", "ecs.ebmgn7ex.32xlarge", None),
        ("alicloud", "m-private", "ecs.ebmgn7ex.32xlarge", None),
    ],
)
def test_an_image_must_fit_the_type(cloud: str, image: str, name: str, words: str | None) -> None:
    """Architecture and boot mode have to agree where both are known."""
    said = check_image(cloud, image, load_types(cloud)[name])
    assert (said is None) if words is None else (said is not None and words in said)


def test_the_view_asks_which_disks_a_carrier_takes() -> None:
    """A pool takes no cloud_auto, an instance does; gn5 takes what gn5 takes."""
    instance, pool = "alicloud:ecs/instance:Instance", "alicloud:ess/scalingConfiguration:ScalingConfiguration"
    assert "cloud_auto" in disk_kinds("alicloud", instance, "data")
    assert "cloud_auto" not in disk_kinds("alicloud", pool, "data")
    gn5 = load_types("alicloud")["ecs.gn5-c4g1.xlarge"]
    assert disk_kinds("alicloud", instance, "system", gn5) == ("cloud_efficiency", "cloud_ssd")


@pytest.mark.parametrize(
    ("cloud", "kind", "media"),
    [
        ("alicloud", "cloud", "hdd"), ("alicloud", "local_hdd_pro", "hdd"), ("alicloud", "cloud_efficiency", "hybrid"),
        ("alicloud", "cloud_essd", "ssd"), ("tencentcloud", "LOCAL_PRO", "hdd"), ("tencentcloud", "CLOUD_BASIC", "hdd"),
        ("tencentcloud", "CLOUD_PREMIUM", "hybrid"), ("huaweicloud", "SATA", "hdd"), ("huaweicloud", "SAS", "hybrid"),
        ("baiducloud", "HDD_Throughput", "hdd"), ("baiducloud", "hp1", "hybrid"), ("baiducloud", "ssd", "hybrid"),
        ("baiducloud", "cloud_hp1", "ssd"), ("alicloud", "cloud_foo", None),
    ],
)  # fmt: skip
def test_media_of_disk_kinds(cloud: str, kind: str, media: str | None) -> None:
    """What is a spinning disk, what is half of one, and what is none of the cloud's."""
    assert disk_media(cloud, kind) == media


def test_a_level_left_out_is_the_one_the_cloud_gives() -> None:
    """An ESSD without a level is PL1, and is judged by PL1's sizes."""
    disk = find_disk(tables("alicloud"), "cloud_essd", None)
    assert disk is not None
    assert disk.level == "PL1"


def test_types_are_read_from_lists_and_comma_texts() -> None:
    """Several types may stand in a list or in one text; what is unknown is left out."""
    pool = "alicloud:ess/scalingConfiguration:ScalingConfiguration"
    assert types_of("alicloud", pool, {"instanceTypes": ["ecs.a.b", UNKNOWN, "ecs.c.d"]}) == ("ecs.a.b", "ecs.c.d")
    configuration = "huaweicloud:As/configuration:Configuration"
    assert types_of("huaweicloud", configuration, {"instanceConfig": {"flavor": "p2s.a, p2v.b"}}) == ("p2s.a", "p2v.b")
