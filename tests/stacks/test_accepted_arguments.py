"""The golden stacks set only what the vendors' own plugins were seen to accept, or what is listed with a reason."""

from pathlib import Path

import pytest

from tests.stacks.arguments import ACCEPTED, OWN, arguments, rows
from tests.stacks.conftest import FOLDERS, state_of

ACCEPTED_ARGUMENTS = {(row["type"], row["path"]) for row in rows(ACCEPTED)}
OWN_ARGUMENTS = {(row["type"], row["path"]) for row in rows(OWN)}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_golden_stack_sets_only_arguments_that_a_plugin_accepted_or_that_have_a_reason(folder: Path) -> None:
    """Each argument of each resource is in an accepted program, or in the list of our own with why."""
    known = ACCEPTED_ARGUMENTS | OWN_ARGUMENTS
    strange = {
        (type_, path) for type_, path in arguments(state_of(folder)) if not {(type_, path), (type_, "*")} & known
    }
    assert strange == set()


def test_no_argument_of_our_own_is_listed_in_vain() -> None:
    """The list of our own holds nothing that no golden stack sets, that was accepted, or that has no reason."""
    ours = set().union(*(arguments(state_of(folder)) for folder in FOLDERS)) - ACCEPTED_ARGUMENTS
    used = ours | {(type_, "*") for type_, _ in ours if type_ not in {known for known, _ in ACCEPTED_ARGUMENTS}}
    assert used >= OWN_ARGUMENTS
    assert all(row["why"] for row in rows(OWN))
