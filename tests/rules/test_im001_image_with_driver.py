"""IM001: the image brings the driver of the card, or the start does."""

import base64

import pytest

from generator.program.values import SECRET, UNKNOWN
from tests.rules.drafts import CPU, GPU_IMAGE, NODE_POOL, PLAIN_IMAGE, Draft, node, pool

INSTALL = "#!/bin/bash\nDRIVER_VERSION=550.127.08\ncurl -fsS http://x/auto_install_v4.0.sh | bash\n"
PACKAGES = "#cloud-config\npackages:\n  - nvidia-driver-570-server\n"


@pytest.mark.parametrize(
    ("image", "user_data", "verdicts"),
    [
        (GPU_IMAGE, None, []),
        (PLAIN_IMAGE, None, ["warn"]),
        (PLAIN_IMAGE, "#!/bin/bash\necho driver\n", ["warn"]),
        (PLAIN_IMAGE, INSTALL, []),
        (PLAIN_IMAGE, base64.b64encode(INSTALL.encode()).decode(), []),
        (PLAIN_IMAGE, PACKAGES, []),
        (PLAIN_IMAGE, UNKNOWN, ["unknown"]),
        (PLAIN_IMAGE, SECRET, ["unknown"]),
        ("centos_7_9_x64_20G_alibase_20240628.vhd", INSTALL, ["deny"]),
        ("aliyun_2_1903_x64_20G_alibase_20240628.vhd", INSTALL, ["deny"]),
        ("m-2ze0000000000000000", INSTALL, []),
        ("m-2ze0000000000000000", None, ["unknown"]),
        ("pytorch-training:1.12-cpu-py39", None, ["deny"]),
        ("temple_of_somebody", None, ["unknown"]),
        (UNKNOWN, INSTALL, ["unknown"]),
    ],
)
def test_machine_with_cards(image: object, user_data: object, verdicts: list[str]) -> None:
    """The image's table and the user data decide together."""
    draft = Draft()
    node(draft, imageId=image, userData=user_data)
    assert [verdict for verdict, _ in draft.verdicts("IM001")] == verdicts


def test_pool() -> None:
    """A pool's configuration is judged as a machine."""
    draft = Draft()
    pool(draft, imageId=PLAIN_IMAGE)
    assert draft.verdicts("IM001") == [("warn", "pool")]


def test_kubernetes_brings_its_own() -> None:
    """A node pool without an image id gets the service's image with the driver."""
    draft = Draft()
    draft.add(NODE_POOL, "pool", instanceTypes=["ecs.gn7i-c16g1.4xlarge"], imageType="AliyunLinux3")
    assert draft.verdicts("IM001") == []


def test_processors_only() -> None:
    """A machine without cards needs no driver, but a system in support."""
    draft = Draft()
    node(draft, "plain", instanceType=CPU, imageId=PLAIN_IMAGE)
    node(draft, "old", instanceType=CPU, imageId="centos_7_9_x64_20G_alibase_20240628.vhd")
    assert draft.verdicts("IM001") == [("deny", "old")]
