"""The same fault gets the same verdict, whichever cloud it is planted on."""

import importlib

import pytest

from generator.clouds import cloud_ids
from tests.planted.faults import FAULTS, Fault
from tests.rules.drafts import Draft

SIZED = {"gpu_memory_bound_gib": 500.0, "run_hours": 10}


def cannot(cloud: str) -> dict[str, str]:
    """The faults that a stack of this cloud cannot have, with the reason."""
    told: dict[str, str] = getattr(importlib.import_module(f"tests.planted.{cloud}"), "CANNOT", {})
    return told


CASES = [
    pytest.param(cloud, fault, id=f"{cloud}-{fault.name}")
    for cloud in cloud_ids()
    for fault in FAULTS
    if fault.name not in cannot(cloud)
]


@pytest.mark.parametrize(("cloud", "fault"), CASES)
def test_a_fault_is_judged_alike(cloud: str, fault: Fault) -> None:
    """The rule of a fault says on each cloud what the table of faults says, and a cure with its own words."""
    planted = importlib.import_module(f"tests.planted.{cloud}")
    draft = Draft(cloud, planted.REGION, outputs=SIZED)
    planted.PLANTED[fault.name](draft)
    found = draft.findings(fault.rule)
    assert [finding.verdict for finding in found], "the rule says nothing"
    assert {finding.verdict for finding in found} == {fault.verdict}
    assert all(finding.cure for finding in found)


@pytest.mark.parametrize("cloud", cloud_ids())
def test_every_fault_is_planted(cloud: str) -> None:
    """A cloud that is built plants each fault of the table and no other, or says why its provider cannot express it."""
    planted = importlib.import_module(f"tests.planted.{cloud}")
    assert set(planted.PLANTED) | set(cannot(cloud)) == {fault.name for fault in FAULTS}
    assert set(planted.PLANTED).isdisjoint(cannot(cloud))
