"""Hardware as a person gives it to `size`: a card and counts, with what a node of such cards usually has."""

from __future__ import annotations

from typing import Literal

import msgspec

from generator.errors import InputError, Problem
from generator.sizing.accelerators import pick_member, suggest_accelerators
from generator.sizing.estimate import Accelerator, Hardware
from generator.sizing.usable_memory import LOWEST_SHARE, usable_gib

Interconnect = Literal["nvlink", "pcie"]

VCPUS_PER_GPU = 12
RAM_PER_GPU_GIB = 120.0
# Gb/s of RDMA that an eight-card NVLink node of this architecture is sold with, all network cards together.
NVLINK_NODE_GBPS = {"Volta": 100.0, "Ampere": 800.0, "Hopper": 3200.0, "Blackwell": 3200.0, "DaVinci": 1600.0}
SWITCHED_GBYTES_S = 900.0  # cards with so much NVLink sit on a switched board, whatever their name
PCIE_NODE_GBPS = 25.0


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """The hardware and, one sentence each, what of it was assumed."""

    hardware: Hardware
    assumptions: tuple[str, ...]


def give_hardware(
    name: str,
    *,
    gpus_per_node: int = 1,
    nodes: int = 1,
    interconnect: Interconnect | None = None,
    network_gbps: float | None = None,
    rdma: bool | None = None,
) -> Given:
    """`nodes` nodes of `gpus_per_node` cards of this name or alias; InputError for an unknown card or a link it lacks.

    What is not given is what a node of such cards is sold with, and is said.
    """
    picked = pick_member(name, gpus_per_node=gpus_per_node, interconnect=interconnect)
    if picked is None:
        near = suggest_accelerators(name)
        raise InputError(
            Problem(message=f"unknown GPU {name!r}", hint=f"did you mean {' or '.join(near)}?" if near else None)
        )
    card, assumed = picked
    told = [assumed] if assumed else []
    link = _link(card, gpus_per_node, interconnect)
    usable = usable_gib(card.name)
    if usable is None:
        usable = LOWEST_SHARE * card.memory_gib
        told.append(f"{card.name} shows {usable:.1f} GiB of {card.memory_gib:g}: the lowest share any card shows")
    told.append(f"a node has {VCPUS_PER_GPU} vCPU and {RAM_PER_GPU_GIB:g} GiB of RAM for each GPU")
    fast = link == "nvlink"
    if network_gbps is None:
        arch = card.arch.split()[0]
        network_gbps = NVLINK_NODE_GBPS.get(arch, PCIE_NODE_GBPS) * gpus_per_node / 8 if fast else PCIE_NODE_GBPS
        if nodes > 1:
            told.append(f"the network gives each node {network_gbps:g} Gb/s")
    if rdma is None:
        rdma = fast and nodes > 1
        if nodes > 1:
            told.append("nodes talk over RDMA" if rdma else "nodes talk over plain TCP")
    hardware = Hardware(
        gpu=card,
        gpus_per_node=gpus_per_node,
        nodes=nodes,
        vcpus=VCPUS_PER_GPU * gpus_per_node,
        ram_gib=RAM_PER_GPU_GIB * gpus_per_node,
        usable_gib=usable,
        interconnect=link,
        nvlink_gbytes_s=card.nvlink_gbytes_s if fast else 0.0,
        network_gbps=network_gbps,
        rdma=rdma,
        rdma_gbps=network_gbps if rdma else 0.0,
    )
    return Given(hardware=hardware, assumptions=tuple(told))


def _link(card: Accelerator, gpus_per_node: int, wanted: Interconnect | None) -> Literal["nvlink", "pcie", "none"]:
    """The link between the cards of a node; others than SXM boards have NVLink only where asked for (a bridge)."""
    if wanted == "nvlink" and not card.nvlink_gbytes_s:
        raise InputError(Problem(message=f"{card.name} has no NVLink", hint="leave --interconnect out, or give pcie"))
    if gpus_per_node == 1:
        return "none"
    if wanted is not None:
        return wanted
    meshed = card.nvlink_gbytes_s > 0 and card.vendor != "nvidia"  # HCCS joins the cards of an Ascend server
    return "nvlink" if "SXM" in card.name or meshed or card.nvlink_gbytes_s >= SWITCHED_GBYTES_S else "pcie"
