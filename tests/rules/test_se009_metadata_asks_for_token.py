"""SE009: the instance metadata ask for a token."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import A10, CONFIGURATION, INSTANCE, NODE_POOL, TEMPLATE, Draft

SWITCH = [("required", []), ("optional", ["info"]), (None, ["info"]), (UNKNOWN, ["unknown"])]


@pytest.mark.parametrize("carrier", [INSTANCE, TEMPLATE])
@pytest.mark.parametrize(("tokens", "verdicts"), SWITCH)
def test_switch(carrier: str, tokens: object, verdicts: list[str]) -> None:
    """Absent is judged as the cloud's default, optional."""
    draft = Draft()
    draft.add(carrier, "it", instanceType=A10, httpTokens=tokens)
    assert [verdict for verdict, _ in draft.verdicts("SE009")] == verdicts


def test_node_pool() -> None:
    """A node pool has it in its metadata options."""
    for tokens, verdicts in (("required", []), ("optional", ["info"])):
        draft = Draft()
        draft.add(NODE_POOL, "it", instanceTypes=[A10], instanceMetadataOptions={"httpTokens": tokens})
        assert [verdict for verdict, _ in draft.verdicts("SE009")] == verdicts


def test_carrier_without_the_switch() -> None:
    """A scaling configuration cannot say it, and is not asked."""
    draft = Draft()
    draft.add(CONFIGURATION, "it", instanceTypes=[A10])
    assert draft.verdicts("SE009") == []
