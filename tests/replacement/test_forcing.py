"""Which change of an input replaces a resource is read from the providers' facts, and silence is told."""

import csv
import re

import pytest
from pulumi import _types

from generator.clouds import CLOUDS, catalogued_clouds, find_cloud
from generator.program.input_types import arguments_class, properties
from generator.replacement.forcing import Forcing, effect, forcing_facts, forcing_of

NODE = Forcing(
    replaces=("zoneId", "dataDisks[].size", "template"),
    updates=("tags", "bandwidth.size"),
    otherwise="unsure",
    source="",
)


@pytest.mark.parametrize(
    ("path", "change", "wanted"),
    [
        ("zoneId", "update", "replace"),
        ("dataDisks[3].size", "update", "replace"),
        ("dataDisks[1]", "add", "replace"),  # a block that comes brings its fields
        ("dataDisks", "delete", "replace"),
        ("dataDisks[0].name", "update", "unsure"),
        ("template.image", "update", "replace"),  # what stands in a block that forces
        ("tags.team", "add", "update"),
        ("bandwidth.size", "update", "update"),
        ("bandwidth.share", "update", "unsure"),
        ("zoneIdOther", "update", "unsure"),
    ],
)
def test_a_change_is_judged_where_it_stands(path: str, change, wanted: str) -> None:
    """A field forces by itself, by what holds it, and by a block that comes or goes; the rest is as the table says."""
    assert effect(NODE, path, change) == wanted


def test_a_published_schema_tells_of_every_input_and_silence_is_no_update() -> None:
    """What Alibaba Cloud's schema leaves out is updated in place; what Huawei's pages leave out nobody knows."""
    assert effect(forcing_of("alicloud:ecs/instance:Instance"), "instanceName", "update") == "update"
    assert effect(forcing_of("huaweicloud:Ecs/instance:Instance"), "hostname", "update") == "unsure"
    assert effect(forcing_of("random:index/randomId:RandomId"), "keepers", "update") == "unsure"


@pytest.mark.parametrize("cloud_id", catalogued_clouds())
def test_every_type_that_our_tables_speak_of_has_facts(cloud_id: str) -> None:
    """Disks, file systems and machines that rules judge are never of a type whose replacement nobody looked up."""
    carriers = set()
    for table in ("disk_carriers.csv", "file_system_carriers.csv"):
        with (CLOUDS / cloud_id / table).open(encoding="utf-8", newline="") as file:
            carriers |= {row["carrier"] for row in csv.DictReader(file)}
    assert carriers - forcing_facts(cloud_id).keys() == set()


@pytest.mark.parametrize("cloud_id", catalogued_clouds())
def test_the_facts_have_a_source_and_name_inputs_that_there_are(cloud_id: str) -> None:
    """Each row says where it comes from; hand-typed names stand in the SDK, so that no typing error forces nothing."""
    sdk = find_cloud(cloud_id).sdk
    for type_, forcing in forcing_facts(cloud_id).items():
        assert forcing.source, type_
        arguments = arguments_class(type_, {cloud_id: sdk}) if sdk and forcing.otherwise == "unsure" else None
        if arguments is not None:
            first = {pattern.partition(".")[0].removesuffix("[]") for pattern in forcing.replaces + forcing.updates}
            assert first <= properties(arguments).keys(), type_


def test_what_the_sdk_of_huawei_cloud_says_of_a_replacement_stands_in_the_table() -> None:
    """No schema is published, but the SDK's docstrings tell of many inputs; none is missing, none said to stay."""
    for type_, forcing in forcing_facts("huaweicloud").items():
        arguments = arguments_class(type_, {"huaweicloud": "pulumi_huaweicloud"})
        names = _types.input_type_py_to_pulumi_names(arguments)
        told = re.findall(r":param [^\n]*?\] (\w+): (.*?)(?=:param|\Z)", arguments.__init__.__doc__ or "", re.DOTALL)
        forced = {names[name] for name, text in told if re.search("[Cc]hanging this", text)}
        assert forced <= set(forcing.replaces), type_
        assert not forced & set(forcing.updates), type_
