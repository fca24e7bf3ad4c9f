"""ST002: no system disk on spinning media, whatever carries it."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import (
    CONFIGURATION,
    INSTANCE,
    INSTANCE_SET,
    NODE_POOL,
    OLD_TEMPLATE,
    TEMPLATE,
    Draft,
    node,
)

FLAT = [INSTANCE, INSTANCE_SET, CONFIGURATION, NODE_POOL, TEMPLATE, OLD_TEMPLATE]
KINDS = [("cloud", "deny"), ("cloud_efficiency", "warn"), ("cloud_essd", None), ("ephemeral_ssd", None)]


@pytest.mark.parametrize("carrier", FLAT)
@pytest.mark.parametrize(("kind", "verdict"), KINDS)
def test_flat(carrier: str, kind: str, verdict: str | None) -> None:
    """The system disk is judged by its kind in every carrier."""
    draft = Draft()
    draft.add(carrier, "it", systemDiskCategory=kind)
    assert draft.verdicts("ST002") == ([] if verdict is None else [(verdict, "it")])


@pytest.mark.parametrize("carrier", [TEMPLATE, OLD_TEMPLATE])
@pytest.mark.parametrize(("kind", "verdict"), KINDS)
def test_block_of_template(carrier: str, kind: str, verdict: str | None) -> None:
    """A template's block is judged as the flat form is."""
    draft = Draft()
    draft.add(carrier, "it", systemDisk={"category": kind})
    found = [(entry.verdict, entry.property) for entry in draft.findings("ST002")]
    assert found == ([] if verdict is None else [(verdict, "systemDisk.category")])


@pytest.mark.parametrize("carrier", [INSTANCE, CONFIGURATION])
def test_default(carrier: str) -> None:
    """What is left out is judged as the default, a hybrid."""
    draft = Draft()
    draft.add(carrier, "it")
    assert draft.verdicts("ST002") == [("warn", "it")]


def test_unknown() -> None:
    """An unknown kind is unknown."""
    draft = Draft()
    node(draft, systemDiskCategory=UNKNOWN)
    assert draft.verdicts("ST002") == [("unknown", "node")]
