"""What a cloud can do is said once, whole, with reason and source."""

import pytest

from generator.capabilities import CAPABILITIES, capabilities, find_capability
from generator.clouds import cloud_ids


@pytest.mark.parametrize("cloud_id", cloud_ids())
def test_every_cloud_answers_everything(cloud_id: str) -> None:
    """Each built cloud has a row for each capability, in the same order, with a reason and a source."""
    rows = capabilities(cloud_id)
    assert tuple(row.capability for row in rows) == CAPABILITIES
    assert all(row.reason and row.source for row in rows)


@pytest.mark.parametrize("cloud_id", cloud_ids())
def test_a_row_is_found_by_its_name(cloud_id: str) -> None:
    """A capability is found by its name; a name that is none is refused."""
    assert find_capability(cloud_id, "snapshots").can == "yes"
    with pytest.raises(KeyError):
        find_capability(cloud_id, "teleportation")
