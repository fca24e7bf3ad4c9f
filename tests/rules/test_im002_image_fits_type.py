"""IM002: the image fits the architecture and boot mode of the type."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import A10, A100_ERDMA, CONFIGURATION, INSTANCE, PLAIN_IMAGE, Draft

UEFI = "aliyun_3_x64_20G_uefi_alibase_20240819.vhd"
ARM_IMAGE = "aliyun_3_9_arm64_20G_alibase_20240819.vhd"
CASES: list[tuple[str, dict[str, object], dict[str, object]]] = [
    (INSTANCE, {"instanceType": A10, "imageId": ARM_IMAGE}, {"instanceType": A10, "imageId": PLAIN_IMAGE}),
    (CONFIGURATION, {"instanceTypes": [A10], "imageId": ARM_IMAGE}, {"instanceTypes": [A100_ERDMA], "imageId": UEFI}),
    (
        INSTANCE,
        {"instanceType": "ecs.g8y.2xlarge", "imageId": UEFI},
        {"instanceType": "ecs.g8y.2xlarge", "imageId": ARM_IMAGE},
    ),
]


@pytest.mark.parametrize(("kind", "wrong", "right"), CASES)
def test_value(kind: str, wrong: dict[str, object], right: dict[str, object]) -> None:
    """The wrong value is denied at its property, and the right one beside it passes."""
    for inputs, verdicts in ((wrong, {"deny"}), (right, set())):
        draft = Draft()
        draft.add(kind, "it", **inputs)
        assert {entry.verdict for entry in draft.findings("IM002")} == verdicts, inputs


def test_unknown_is_not_illegal() -> None:
    """What is unknown until `up` is not judged."""
    draft = Draft()
    draft.add(INSTANCE, "it", instanceType=A10, imageId=UNKNOWN)
    assert draft.findings("IM002") == []
