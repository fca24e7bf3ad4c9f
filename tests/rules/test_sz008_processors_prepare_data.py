"""SZ008: preparing data runs on processors."""

import pytest

from tests.rules.drafts import A10, CPU, Draft, node


@pytest.mark.parametrize(
    ("kind", "role", "verdicts"),
    [
        (A10, "prep", ["warn"]),
        (CPU, "prep", []),
        (A10, "dev", []),
        (A10, "train", []),
    ],
)
def test_machine(kind: str, role: str, verdicts: list[str]) -> None:
    """Cards are for no machine that prepares data."""
    draft = Draft()
    node(draft, instanceType=kind, tags={"trainform-role": role})
    assert [verdict for verdict, _ in draft.verdicts("SZ008")] == verdicts
