"""A stack speaks of the cards it has: nothing of NVIDIA's on Ascend nodes, nothing of any card on CPU nodes."""

import re
from pathlib import Path

import pytest

from tests.stacks.conftest import FOLDERS, ROOT

NVIDIA = re.compile(r"nvidia|cuda|nccl|nvlink|tensorrt|gdrcopy|--gpus\b|fabric.?manager", re.IGNORECASE)
ASCEND = re.compile(r"ascend|davinci|hccl|hccn|npu-smi|\bnpus?\b|\bcann\b|torch_npu", re.IGNORECASE)
CARDS = re.compile(rf"{NVIDIA.pattern}|{ASCEND.pattern}|gpus?\b|gpuUtil|gpu_", re.IGNORECASE)
# Megatron, which MindSpeed patches, wants this variable whatever the card is.
MEGATRON = "CUDA_DEVICE_MAX_CONNECTIONS"
# SELECTION.md tells of other candidates, and of what the capability matrix says of cards in general.
OTHERS = {"SELECTION.md", "manifest.json"}


def cards(folder: Path) -> str:
    """ascend | nvidia | none: by the settings that every script of the node reads."""
    text = (folder / "cloud-init.yaml").read_text(encoding="utf-8")
    if "export GPUS=" not in text:
        return "none"
    return "ascend" if "trainform-driver-ascend" in text else "nvidia"


BY_CARDS = {kind: [folder for folder in FOLDERS if cards(folder) == kind] for kind in ("ascend", "nvidia", "none")}


def told(folder: Path, words: re.Pattern[str]) -> list[str]:
    """Lines of a stack's files that hold one of the words: `file: line`."""
    return [
        f"{path.name}: {line.strip()}"
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name not in OTHERS and path.name != "baiducloud.py"
        for line in path.read_text(encoding="utf-8").replace(MEGATRON, "").splitlines()
        if words.search(line)
    ]


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT / "stacks"))


def test_each_kind_of_node_is_there() -> None:
    """The golden stacks hold Ascend, NVIDIA and CPU nodes, so that none of these tests is empty."""
    assert all(BY_CARDS.values())


@pytest.mark.parametrize("folder", BY_CARDS["ascend"], ids=shown)
def test_an_ascend_stack_has_nothing_of_nvidia(folder: Path) -> None:
    """No file names NVIDIA's tools or libraries; driver, devices, link check, container and launch are Ascend's."""
    assert told(folder, NVIDIA) == []
    launch = (folder / "launch.sh").read_text(encoding="utf-8")
    start = (folder / "cloud-init.yaml").read_text(encoding="utf-8")
    assert "--device /dev/davinci0" in launch
    assert "npu-smi info" in start
    assert "HCCL_CONNECT_TIMEOUT" in start
    if "TRAINFORM_ROLE=train" in start:
        assert "set_env.sh" in launch
    if "RDMA_DEVICES=0" not in start:
        assert "--volume /etc/hccn.conf:/etc/hccn.conf:ro" in launch  # where HCCL finds the chips' own addresses


@pytest.mark.parametrize("folder", BY_CARDS["nvidia"], ids=shown)
def test_an_nvidia_stack_has_nothing_of_ascend(folder: Path) -> None:
    """No file names Ascend's tools or libraries."""
    assert told(folder, ASCEND) == []


@pytest.mark.parametrize("folder", BY_CARDS["none"], ids=shown)
def test_a_cpu_stack_speaks_of_no_card(folder: Path) -> None:
    """No script, program or page of a stack of CPU nodes names a card, its driver or its libraries."""
    assert told(folder, CARDS) == []
