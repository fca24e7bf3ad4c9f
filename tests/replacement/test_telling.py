"""A person reads first what goes, why, and what is lost with it; what is alike stands on one line."""

import pytest

from generator.replacement.losses import losses
from generator.replacement.steps import foretold_steps
from generator.replacement.telling import WORDS, told_steps
from tests.replacement.test_steps import stack
from tests.rules.drafts import INSTANCE, Draft


def told(old: Draft, new: Draft, lang: str = "en") -> str:
    return told_steps(foretold_steps(old.state(), new.state()), old.state(), "the next `pulumi up`", lang)


def test_nothing_to_do_is_nothing_to_say() -> None:
    """Two equal programs give no line."""
    assert told(stack(), stack()) == ""


def test_updates_and_creations_are_only_counted() -> None:
    """When all that exists stays, that is said."""
    assert told(stack(), stack(size=200, nodes=3)) == (
        "the next `pulumi up`:\n"
        "  nothing that exists is replaced or removed\n"
        "  besides: 2 created, 1 updated in place\n"
    )


def test_each_replacement_names_the_input_and_the_loss() -> None:
    """A disk loses its data, a machine its job; protection is told; equal ones are one line, the worst first."""
    lines = told(stack(nodes=6), stack(nodes=6, zone="cn-beijing-l")).splitlines()
    assert lines[1] == (
        "  replaces data-0 (EcsDisk): zoneId; lost: the data disk and all that it holds (100 GiB); "
        "protected, so `pulumi up` stops before it"
    )
    assert lines[2].startswith("  replaces node-0, node-1, node-2, node-3 and 2 more (Instance): availabilityZone")
    assert "lost: the running node, its job and its system disk" in lines[2]
    assert lines[3] == "  replaces nodes (Switch): zoneId"


def test_what_is_removed_is_told_with_its_loss() -> None:
    """A node that the new program lacks is lost too."""
    assert "  removes node-1 (Instance); lost: the running node" in told(stack(nodes=2), stack())


def test_chinese() -> None:
    """Every phrase stands in both languages."""
    assert WORDS["zh"].keys() == WORDS["en"].keys()
    assert "替换 data-0 (EcsDisk)：zoneId；将失去：数据盘及其全部数据（100 GiB）" in told(
        stack(), stack(zone="cn-beijing-l"), "zh"
    )


@pytest.mark.parametrize(("kept", "wanted"), [(True, "node_data"), (False, "node")])
def test_a_machines_own_data_disks_go_with_it_unless_they_are_kept(kept: bool, wanted: str) -> None:
    """A nested data disk is lost with its machine when nothing says that it stays."""
    draft = Draft()
    disks = [{"category": "cloud_essd", "size": 100, "deleteWithInstance": kept}]
    node = draft.add(INSTANCE, "node-0", instanceType="ecs.c7.xlarge", dataDisks=disks)
    assert losses(draft.state())[node.urn].lost == wanted
