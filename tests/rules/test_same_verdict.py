"""The same fault gets the same verdict, whichever cloud it is planted on."""

import importlib

import pytest

from generator.clouds import cloud_ids
from tests.planted.faults import FAULTS, Fault
from tests.rules.drafts import Draft

SIZED = {"gpu_memory_bound_gib": 500.0, "run_hours": 10}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
@pytest.mark.parametrize("cloud", cloud_ids())
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
    """A cloud that is built plants each fault of the table and no other."""
    planted = importlib.import_module(f"tests.planted.{cloud}")
    assert set(planted.PLANTED) == {fault.name for fault in FAULTS}
