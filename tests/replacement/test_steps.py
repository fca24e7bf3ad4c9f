"""The steps of the next `up` are foretold from two previews: what is replaced, by which input, and what follows."""

import msgspec
import pytest

from generator.replacement.steps import engine_steps, foretold_steps, with_steps
from policies.judge import judge
from tests.rules.drafts import DISK, INSTANCE, Draft

SWITCH = "vpc/switch:Switch"


def stack(*, zone: str = "cn-beijing-i", size: int = 100, nodes: int = 1, region: str = "cn-beijing") -> Draft:
    """A subnet, nodes in it, and a disk in the same zone."""
    draft = Draft(region=region)
    switch = draft.add(SWITCH, "nodes", zoneId=zone, cidrBlock="10.0.0.0/24")
    for rank in range(nodes):
        draft.add(INSTANCE, f"node-{rank}", vswitchId=switch, availabilityZone=zone, instanceName=f"n-{rank}")
    draft.add(DISK, "data-0", zoneId=zone, size=size, protect=True)
    return draft


def ops(old: Draft, new: Draft) -> dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Step, keys and what it follows, by name."""
    steps = foretold_steps(old.state(), new.state())
    return {step.resource.name: (step.op, step.keys, step.behind) for step in steps if step.op != "same"}


def test_the_same_program_changes_nothing() -> None:
    """What is unknown on both sides and comes from the same resource is the same."""
    assert ops(stack(), stack()) == {}


def test_a_larger_disk_and_one_node_more_replace_nothing() -> None:
    """An input that does not force is an update; a new resource is made and the others stay."""
    assert ops(stack(), stack(size=200, nodes=2)) == {
        "data-0": ("update", ("size",), ()),
        "node-1": ("create", (), ()),
    }


def test_another_zone_replaces_with_the_input_that_forces_it() -> None:
    """Each resource tells its own forcing input."""
    found = ops(stack(), stack(zone="cn-beijing-l"))
    assert found["data-0"] == ("replace", ("zoneId",), ())
    assert found["nodes"] == ("replace", ("zoneId",), ())
    assert found["node-0"][:2] == ("replace", ("availabilityZone",))


def test_a_replacement_runs_down_the_line() -> None:
    """A new subnet has a new id: an input that forces and comes from it is another now, however deep."""
    old, new = Draft(), Draft()
    for draft, cidr in ((old, "10.0.0.0/24"), (new, "10.0.1.0/24")):
        network = draft.add("vpc/network:Network", "vpc", cidrBlock="10.0.0.0/16")
        switch = draft.add(SWITCH, "nodes", vpcId=network, cidrBlock=cidr)
        target = draft.add("nas/mountTarget:MountTarget", "shared", vswitchId=switch)
        draft.add(INSTANCE, "node-0", vswitchId=switch, userData=target)
        draft.add("ecs/ecsDiskAttachment:EcsDiskAttachment", "free", diskId="d-1", instanceId="i-1")
    found = ops(old, new)
    assert found["nodes"] == ("replace", ("cidrBlock",), ())
    assert found["shared"] == ("replace", ("vswitchId",), ("nodes",))
    assert found["node-0"] == ("update", ("userData", "vswitchId"), ())  # neither forces a new machine
    assert "free" not in found
    assert "vpc" not in found


def test_another_source_is_another_value() -> None:
    """A reference that moves from one resource to another changes, though both are unknown."""
    old, new = Draft(), Draft()
    for draft, chosen in ((old, 0), (new, 1)):
        switches = [draft.add(SWITCH, name, zoneId="z") for name in ("a", "b")]
        draft.add("nas/mountTarget:MountTarget", "shared", vswitchId=switches[chosen])
    assert ops(old, new) == {"shared": ("replace", ("vswitchId",), ())}


def test_what_is_ignored_changes_nothing() -> None:
    """`ignore_changes` holds for the path and for what is below it."""
    old, new = stack(), stack(zone="cn-beijing-l")
    new.resources = [msgspec.structs.replace(entry, ignore_changes=("zoneId",)) for entry in new.resources]
    assert "data-0" not in ops(old, new)


def test_another_region_makes_everything_anew() -> None:
    """The provider's region is no input of a resource, yet nothing can move with it."""
    found = ops(stack(), stack(region="cn-hangzhou"))
    assert {step[:2] for step in found.values()} == {("replace", ("region",))}


def test_what_is_gone_is_deleted() -> None:
    """A resource that the new program lacks, under its name, is deleted."""
    assert ops(stack(nodes=2), stack()) == {"node-1": ("delete", (), ())}


def test_where_no_schema_tells_the_step_is_unsure_and_so_is_what_follows() -> None:
    """Silence is neither a replacement nor a pass, and a doubtful id makes a doubtful dependant."""
    old, new = Draft("huaweicloud"), Draft("huaweicloud")
    for draft, name in ((old, "a"), (new, "b")):
        machine = draft.add("Ecs/instance:Instance", "node-0", hostname=name)
        draft.add("Ecs/volumeAttach:VolumeAttach", "data-0", instanceId=machine, volumeId="v")
    assert ops(old, new) == {
        "node-0": ("unsure", ("hostname",), ()),
        "data-0": ("unsure", ("instanceId",), ("node-0",)),
    }


@pytest.mark.parametrize(
    ("new", "wanted"),
    [(stack(zone="cn-beijing-l"), ["deny"]), (stack(size=200), []), (stack(nodes=3), []), (stack(), [])],
)
def test_the_guardrail_denies_what_was_foretold(new: Draft, wanted: list[str]) -> None:
    """ST010 judges a foretold replacement as it judges the engine's own step, and names the input."""
    steps = foretold_steps(stack().state(), new.state())
    found = [entry for entry in judge(with_steps(new.state(), steps)).findings if entry.rule == "ST010"]
    assert [entry.verdict for entry in found] == wanted
    assert all("(zoneId)" in entry.message for entry in found)


def test_the_guardrail_does_not_know_what_no_schema_tells() -> None:
    """Data on a resource that may be replaced: `unknown`, with the inputs that nobody speaks of."""
    old, new = Draft("huaweicloud"), Draft("huaweicloud")
    old.add("Evs/volume:Volume", "data-0", dedicatedStorageId="a")
    new.add("Evs/volume:Volume", "data-0", dedicatedStorageId="b")
    state = with_steps(new.state(), foretold_steps(old.state(), new.state()))
    found = [(entry.verdict, entry.message) for entry in judge(state).findings if entry.rule == "ST010"]
    assert [verdict for verdict, _ in found] == ["unknown"]
    assert "dedicatedStorageId" in found[0][1]


def test_the_engines_own_steps_are_taken_as_they_are() -> None:
    """Replacements with their inputs, and what is deleted; a first preview has neither."""
    first = stack().state()
    assert engine_steps(first) == ()
    told = {"data-0": ("replace", ("zoneId",)), "node-0": ("update", ()), "nodes": ("same", ())}
    resources = tuple(
        msgspec.structs.replace(entry, op=told[entry.name][0], replace_keys=told[entry.name][1])
        if entry.name in told
        else entry
        for entry in first.resources
    )
    gone = Draft().add(INSTANCE, "node-9")
    found = engine_steps(msgspec.structs.replace(first, resources=resources, removed=(gone,)))
    assert {(step.resource.name, step.op, step.keys) for step in found} == {
        ("data-0", "replace", ("zoneId",)),
        ("node-0", "update", ()),
        ("node-9", "delete", ()),
    }
