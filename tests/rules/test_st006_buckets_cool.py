"""ST006: old data and checkpoints move to a cheaper class."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import Draft, node

BUCKET = "oss/bucket:Bucket"


def cooling(days: object, enabled: bool = True) -> list[dict[str, object]]:
    """A lifecycle rule that moves after some days."""
    return [{"enabled": enabled, "transitions": [{"days": days, "storageClass": "IA"}]}]


@pytest.mark.parametrize("role", ["raw", "ckpt"])
@pytest.mark.parametrize(
    ("rules", "verdicts"),
    [
        (cooling(30), []),
        (cooling(90), []),
        (cooling(91), ["warn"]),
        (cooling(30, enabled=False), ["warn"]),
        ([{"enabled": True, "expirations": [{"days": 30}]}], ["warn"]),
        (None, ["warn"]),
        (UNKNOWN, ["unknown"]),
        (cooling(UNKNOWN), ["unknown"]),
        (cooling(200) + cooling(60), []),
    ],
)
def test_bucket(role: str, rules: object, verdicts: list[str]) -> None:
    """A move within 90 days by a rule that is enabled passes."""
    draft = Draft()
    draft.add(BUCKET, "bucket", lifecycleRules=rules, tags={"trainform-role": role})
    assert [verdict for verdict, _ in draft.verdicts("ST006")] == verdicts


def test_other_roles() -> None:
    """Hot data need not cool; a bucket without a role is unknown beside training."""
    draft = Draft()
    draft.add(BUCKET, "data", tags={"trainform-role": "data"})
    draft.add(BUCKET, "untold")
    assert draft.verdicts("ST006") == []
    node(draft)
    assert draft.verdicts("ST006") == [("unknown", "untold")]
