"""The same spec is the same job on every cloud: what was asked for never differs, only what is ordered for it."""

import re
from pathlib import Path
from typing import Any

import pytest

from generator.catalog.capabilities import find_capability
from generator.clouds import cloud_ids
from policies.finding import Report
from policies.judge import judge
from policies.rules import our_rules
from tests.stacks.conftest import FOLDERS, SPECS, state_of

TODAY = "2026-11-30"
SHARED = [path.parent for path in SPECS if sum(folder.parent == path.parent for folder in FOLDERS) > 1]
FACTS = ("spec_sha256", "profile", "checkpoint_gib")  # of the sized facts those that follow from the spec alone


def global_batch(folder: Path) -> list[str]:
    """What the launch script tells the job of its global batch."""
    script = (folder / "launch.sh").read_text(encoding="utf-8")
    return re.findall(r"^export TRAINFORM_GLOBAL_BATCH=(\d+)$", script, re.MULTILINE)


def same(values: list[Any]) -> bool:
    """True when all are equal."""
    return all(value == values[0] for value in values)


@pytest.fixture(params=SHARED, ids=lambda path: path.name)
def folders(request: pytest.FixtureRequest) -> list[Path]:
    """The stacks of one spec, one a cloud."""
    return [folder for folder in FOLDERS if folder.parent == request.param]


def test_some_specs_are_served_by_several_clouds() -> None:
    """The comparison has something to compare: four specs or more, and three clouds for one of them."""
    assert len(SHARED) >= 4
    assert max(sum(folder.parent == spec for folder in FOLDERS) for spec in SHARED) >= 3


def test_model_batch_and_facts_of_the_job_are_the_same(folders: list[Path]) -> None:
    """Framework profile, size of a checkpoint and, where it trains, global batch are the spec's, on whichever cloud."""
    outputs = [state_of(folder).outputs["trainform"] for folder in folders]
    assert same([{name: facts.get(name) for name in FACTS} for facts in outputs])
    if outputs[0].get("checkpoint_gib") is not None:  # what serves takes as many requests at once as its cards hold
        assert global_batch(folders[0])
        assert same([global_batch(folder) for folder in folders])


def test_tags_of_the_job_are_the_same(folders: list[Path]) -> None:
    """The role, the checkpoint plan and the data set that the nodes tell are the same; how many they are may differ."""
    told = []
    for folder in folders:
        tags = re.findall(r'"(trainform-(?:role|checkpoint-\w+|dataset-gib|ttl))": "?([\w.-]+)', _settings(folder))
        told.append(sorted(set(tags)))
    assert told[0]
    assert same(told)


def _settings(folder: Path) -> str:
    return (folder / "settings.py").read_text(encoding="utf-8")


def test_the_same_guardrails_judge_it(folders: list[Path]) -> None:
    """All rules are held to each stack; one rests for want of a resource, or of what the cloud can do."""
    reports = {folder.name: judge(state_of(folder), today=TODAY) for folder in folders}
    assert same([report.checked.rules for report in reports.values()])
    capability = {rule.id: rule.capability for rule in our_rules()}
    for cloud, report in reports.items():
        for row in report.not_applicable:
            told = capability[row.rule]
            denied = told is not None and find_capability(cloud, told).can == "no"
            assert denied or row.reason.endswith("in the stack") or row.rule in common(reports), (cloud, row)


def common(reports: dict[str, Report]) -> set[str]:
    """The rules that rest on every cloud, for a reason of the job."""
    return set.intersection(*({row.rule for row in report.not_applicable} for report in reports.values()))


def test_every_cloud_is_compared_or_has_examples_of_its_own() -> None:
    """No cloud drops out of the examples."""
    assert {folder.name for folder in FOLDERS} == set(cloud_ids())
