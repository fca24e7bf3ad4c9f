"""NW003: cards that split one model are joined by NVLink."""

import pytest

from tests.rules.drafts import TRAIN, Draft, node

NVLINK = "ecs.ebmgn7ex.32xlarge"
PCIE = "ecs.gn7i-c32g1.32xlarge"
INFER = {"trainform-role": "infer"}


@pytest.mark.parametrize(
    ("kind", "tags", "ways", "verdicts"),
    [
        (NVLINK, TRAIN, 8, []),
        (PCIE, TRAIN, 4, ["deny"]),
        (PCIE, INFER, 4, ["warn"]),
        (PCIE, TRAIN, 1, []),
        (PCIE, TRAIN, None, []),
        (NVLINK, TRAIN, 16, ["deny"]),
        (PCIE, {"trainform-role": "dev"}, 4, []),
        ("ml.gu7xf.8xlarge-gu108", TRAIN, 8, ["unknown"]),
    ],
)
def test_layout_on_type(kind: str, tags: dict[str, str], ways: int | None, verdicts: list[str]) -> None:
    """The stack's layout is compared with how the type's cards are joined."""
    draft = Draft(outputs=None if ways is None else {"tensor_parallel": ways})
    node(draft, instanceType=kind, tags=tags)
    assert [verdict for verdict, _ in draft.verdicts("NW003")] == verdicts
