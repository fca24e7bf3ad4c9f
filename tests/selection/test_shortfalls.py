"""What the chosen cloud does in part only is said with the choice, by the cloud's own table."""

from pathlib import Path
from typing import Any

import pytest

from generator.catalog import load_catalog
from generator.catalog.capabilities import CAPABILITIES, find_capability
from generator.selection.shortfalls import WISHES
from tests.markets import chosen, selected

DESK: dict[str, Any] = {
    "name": "desk",
    "workload": {"task": "develop"},
    "data": {"size": "100GiB"},
    "hardware": {"gpus_per_node": 1},
    "operate": {"hours": "Mon-Fri 09:00-19:00", "alarms_to": "ops@example.com"},
}


def said(tmp_path: Path, cloud: str, values: dict[str, Any]) -> dict[str, str]:
    """Capability and reason of each shortfall among the reasons of the choice."""
    choice = chosen(selected(tmp_path, values | {"where.clouds": [cloud]}, load_catalog(cloud), base=DESK))
    lines = [reason for reason in choice.reasons if reason.startswith(("only in part, ", "not here, "))]
    return dict(line.partition(", ")[2].split(": ", 1) for line in lines)


def test_every_wish_is_a_capability() -> None:
    """The table of wishes names capabilities that the matrix has, each once."""
    names = [name for name, _ in WISHES]
    assert set(names) <= set(CAPABILITIES)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("cloud", ["tencentcloud", "huaweicloud"])
def test_a_timetable_says_what_the_cloud_cannot(tmp_path: Path, cloud: str) -> None:
    """A machine that runs by the clock says what timers and stops there do in part, in the table's own words."""
    told = said(tmp_path, cloud, {})
    for name in ("schedules", "stop_without_charge"):
        assert told[name.replace("_", " ")] == find_capability(cloud, name).reason


def test_what_is_not_wanted_is_not_said(tmp_path: Path) -> None:
    """Without a timetable nothing is said of timers, on one node nothing of RDMA, and nothing that the cloud can do."""
    told = said(tmp_path, "tencentcloud", {"operate": {"alarms_to": "ops@example.com"}})
    assert set(told) == {"encryption"}
    assert said(tmp_path, "alicloud", {}) == {}
