"""What a cloud can do is said once, whole, with reason and source."""

from pathlib import Path

import pytest

from generator.catalog.capabilities import CAPABILITIES, capabilities, find_capability
from generator.catalog.capabilities_page import capabilities_page
from generator.clouds import cloud_ids, find_cloud

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("cloud_id", cloud_ids())
def test_every_cloud_answers_everything(cloud_id: str) -> None:
    """Each built cloud has a row for each capability, in the same order, with a reason and a source."""
    rows = capabilities(cloud_id)
    assert tuple(row.capability for row in rows) == CAPABILITIES
    assert all(row.reason and row.source for row in rows)


@pytest.mark.parametrize("cloud_id", cloud_ids())
def test_a_row_is_found_by_its_name(cloud_id: str) -> None:
    """A capability is found by its name; a name that is none is refused."""
    assert find_capability(cloud_id, "snapshots").capability == "snapshots"
    with pytest.raises(KeyError):
        find_capability(cloud_id, "teleportation")


def test_the_page_says_what_the_tables_and_the_examples_say(request: pytest.FixtureRequest) -> None:
    """CAPABILITIES.md is what the page writes now; each golden stack is served there, and only those are."""
    specs = sorted((ROOT / "stacks").glob("*/spec.yaml"))
    page = capabilities_page(specs)
    file = ROOT / "CAPABILITIES.md"
    if request.config.getoption("--update-golden", default=False):
        file.write_text(page, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == page, (
        "refresh: pytest tests/catalog/test_capabilities.py tests/stacks --update-golden"
    )
    for spec in specs:
        for cloud in cloud_ids():
            served = f"| {spec.parent.name} | {find_cloud(cloud).title} | yes |" in page
            assert served == (spec.parent / cloud / "manifest.json").is_file(), (spec.parent.name, cloud)
