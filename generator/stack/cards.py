"""What a node's accelerators bring along: NVIDIA's or Ascend's tools, container options, devices, links, variables."""

from __future__ import annotations

import msgspec

from generator.stack.blueprint import Blueprint

# NVIDIA's container toolkit, the release that the four clouds' systems take (its release notes).
NVIDIA_TOOLKIT = "1.17.8"
NVIDIA_OPTIONS = ("--gpus", "all")
RDMA_OPTIONS = ("--device", "/dev/infiniband", "--cap-add", "IPC_LOCK")
# Cards joined by NVSwitch start only with the service that sets the switches up.
NVSWITCH_GPUS = 8
NVSWITCH_CARDS = ("A100-SXM", "A800-SXM", "H")

# What an Ascend container sees of its node (CANN installation guide, running in a container).
ASCEND_DEVICES = ("/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc")
ASCEND_FILES = (
    "/usr/local/dcmi",
    "/usr/local/bin/npu-smi",
    "/usr/local/Ascend/driver/lib64",
    "/usr/local/Ascend/driver/version.info",
    "/etc/ascend_install.info",
)
ASCEND_RDMA_FILE = "/etc/hccn.conf"  # the addresses of the chips' own network ports, which HCCL reads
ASCEND_SETUP = "/usr/local/Ascend/ascend-toolkit/set_env.sh"
# HCCL: nodes start minutes apart (its default waits 120 s), and no list of permitted addresses is kept.
HCCL = (("HCCL_CONNECT_TIMEOUT", "1800"), ("HCCL_WHITELIST_DISABLE", "1"))


class Cards(msgspec.Struct, frozen=True, kw_only=True):
    """How a container and a launch reach the cards; `setup`: a script whose variables the job needs, if it is there."""

    word: str  # GPU | NPU
    options: tuple[str, ...] = ()  # of docker
    variables: tuple[tuple[str, str], ...] = ()
    setup: str | None = None


def is_ascend(blueprint: Blueprint) -> bool:
    """True for Ascend NPUs, which have a driver, tools, devices and links of their own."""
    return (blueprint.candidate.type.gpu or "").startswith("Ascend")


def has_nvidia(blueprint: Blueprint) -> bool:
    """True where the node's cards are NVIDIA's, or slices of them."""
    return blueprint.candidate.type.gpus > 0 and not is_ascend(blueprint)


def has_nvswitch(blueprint: Blueprint) -> bool:
    """True where NVSwitch joins the cards, so that the fabric manager must run."""
    kind = blueprint.candidate.type
    return kind.gpus >= NVSWITCH_GPUS and (kind.gpu or "").startswith(NVSWITCH_CARDS)


def cards_of(blueprint: Blueprint) -> Cards:
    """What the job's launch needs for the cards of its nodes; nothing on nodes without any."""
    if is_ascend(blueprint):
        return Cards(word="NPU", options=_ascend_options(blueprint), variables=HCCL, setup=ASCEND_SETUP)
    rdma = RDMA_OPTIONS if blueprint.nodes.rdma else ()
    return Cards(word="GPU", options=(NVIDIA_OPTIONS if has_nvidia(blueprint) else ()) + rdma)


def card_settings(blueprint: Blueprint, docker_repo: str) -> tuple[tuple[str, str], ...]:
    """What the shared scripts are told: RDMA devices to wait for, and where the container runtime comes from."""
    kind = blueprint.candidate.type
    told = []
    if kind.gpus:
        told.append(("RDMA_DEVICES", str((kind.rdma_nics or 1) if blueprint.nodes.rdma else 0)))
    if blueprint.launch.image:
        told.append(("DOCKER_REPO", docker_repo))
        told += [("CONTAINER_TOOLKIT_VERSION", NVIDIA_TOOLKIT)] if has_nvidia(blueprint) else []
    return tuple(told)


def _ascend_options(blueprint: Blueprint) -> tuple[str, ...]:
    """Devices of all chips, and the files of the driver that CANN in the image reaches through."""
    chips = (f"/dev/davinci{chip}" for chip in range(blueprint.candidate.type.gpus))
    devices = (word for device in (*chips, *ASCEND_DEVICES) for word in ("--device", device))
    seen = (*ASCEND_FILES, ASCEND_RDMA_FILE) if blueprint.nodes.rdma else ASCEND_FILES
    files = (word for file in seen for word in ("--volume", f"{file}:{file}:ro"))
    return (*devices, *files)
