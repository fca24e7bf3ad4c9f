"""SE005: checkpoints outlive the spot machine that writes them."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import DISK, DISK_ATTACHMENT, TRAIN, Draft, node

GO = {"spotStrategy": "SpotAsPriceGo"}
TO_DISK = TRAIN | {"trainform-checkpoint-every": "20min", "trainform-checkpoint-to": "disk"}


@pytest.mark.parametrize(
    ("block", "verdicts"),
    [
        ({"deleteWithInstance": False}, []),
        ({"deleteWithInstance": True}, ["deny"]),
        ({}, ["deny"]),
        ({"deleteWithInstance": UNKNOWN}, ["unknown"]),
    ],
)
def test_nested_disk(block: dict[str, object], verdicts: list[str]) -> None:
    """A nested disk goes with the machine unless it says otherwise."""
    draft = Draft()
    node(draft, tags=TO_DISK, dataDisks=[{"category": "cloud_essd"} | block], **GO)
    assert [verdict for verdict, _ in draft.verdicts("SE005")] == verdicts


@pytest.mark.parametrize(("deleted", "verdicts"), [(None, []), (False, []), (True, ["deny"])])
def test_standalone_disk(deleted: object, verdicts: list[str]) -> None:
    """A disk of its own stays unless its attachment says otherwise."""
    draft = Draft()
    machine = node(draft, tags=TO_DISK, **GO)
    disk = draft.add(DISK, "disk", category="cloud_essd")
    draft.add(DISK_ATTACHMENT, "disk", diskId=disk, instanceId=machine, deleteWithInstance=deleted)
    assert [verdict for verdict, _ in draft.verdicts("SE005")] == verdicts


def test_no_disk_at_all() -> None:
    """The system disk alone goes with the machine."""
    draft = Draft()
    node(draft, tags=TO_DISK, **GO)
    assert draft.verdicts("SE005") == [("deny", "node")]


@pytest.mark.parametrize(
    ("inputs", "verdicts"),
    [
        ({"tags": TO_DISK}, []),
        ({"tags": TO_DISK | {"trainform-checkpoint-to": "bucket"}} | GO, []),
        ({"tags": {}} | GO, ["unknown"]),
        ({"tags": {"trainform-role": "infer"}} | GO, []),
    ],
)
def test_not_judged(inputs: dict[str, object], verdicts: list[str]) -> None:
    """Without spot, or with another target, there is nothing to lose; without tags it is unknown."""
    draft = Draft()
    node(draft, **inputs)
    assert [verdict for verdict, _ in draft.verdicts("SE005")] == verdicts
