"""SE006: a file system is not open to the world."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import Draft

RULE = "nas/accessRule:AccessRule"


@pytest.mark.parametrize(
    ("source", "verdicts"),
    [
        ("10.0.0.0/16", []),
        ("10.0.0.8", []),
        ("0.0.0.0/0", ["warn"]),
        ("0.0.0.0/1", ["warn"]),
        (UNKNOWN, ["unknown"]),
        ("not a range", []),
    ],
)
def test_rule(source: object, verdicts: list[str]) -> None:
    """The range of the rule decides."""
    draft = Draft()
    draft.add(RULE, "rule", accessGroupName="g", sourceCidrIp=source)
    assert [verdict for verdict, _ in draft.verdicts("SE006")] == verdicts
