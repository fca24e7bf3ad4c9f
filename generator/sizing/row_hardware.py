"""The machines that a measured row ran on."""

from __future__ import annotations

import functools
import math

import msgspec

from generator.sizing.accelerators import find_accelerator, pick_member
from generator.sizing.estimate import Accelerator, Hardware
from generator.sizing.row_format import Row, UnusableRowError, read_table
from generator.sizing.usable_memory import LOWEST_SHARE, usable_gib

# Host of a published benchmark: sized so that it never limits, as its authors chose it.
VCPUS_PER_GPU = 16
RAM_GIB_PER_GPU = 128.0
# Network of a node whose row names none, by whether it carries NVLink cards.
DEFAULT_NETWORK_GBPS = {True: 1600.0, False: 100.0}


@functools.cache
def _cards() -> dict[str, Accelerator]:
    cards = {}
    for row in read_table("row_cards.csv"):
        changes = {key: float(row[key]) for key in tuple(row)[2:-1] if row[key]}
        card = find_accelerator(row["canonical"])
        if card is None:
            raise LookupError(row["canonical"])
        cards[row["gpu"]] = msgspec.structs.replace(card, **changes)
    return cards


@functools.cache
def _fabrics() -> dict[str, tuple[float, bool]]:
    return {
        row["interconnect"]: (float(row["network_gbps"]), row["rdma"] == "yes") for row in read_table("row_fabrics.csv")
    }


def row_card(name: str, gpus: int) -> Accelerator:
    """The card a row names, alias or canonical; forms that the canonical table lacks stand in `row_cards.csv`."""
    if name in _cards():
        return _cards()[name]
    picked = pick_member(name, gpus_per_node=gpus)
    if picked is None:
        raise UnusableRowError(f"card {name!r} is not in the table")
    return picked[0]


def row_hardware(row: Row, card: Accelerator) -> Hardware:
    """The machines of a row; what it does not say of them does not limit."""
    nodes = int(row.hardware.get("nodes", 1))
    each = max(1, math.ceil(int(row.hardware["count"]) / nodes))
    nvlink = card.nvlink_gbytes_s if each > 1 else 0.0
    network, rdma = _fabrics().get(str(row.hardware.get("interconnect")), (DEFAULT_NETWORK_GBPS[nvlink > 0], True))
    shown = usable_gib(card.name) if row.hardware["gpu"] == card.name else None
    return Hardware(
        gpu=card,
        gpus_per_node=each,
        nodes=nodes,
        vcpus=VCPUS_PER_GPU * each,
        ram_gib=RAM_GIB_PER_GPU * each,
        usable_gib=shown if shown is not None else card.memory_gib * LOWEST_SHARE,
        interconnect="nvlink" if nvlink > 0 else "pcie" if each > 1 else "none",
        nvlink_gbytes_s=nvlink,
        network_gbps=network,
        rdma=rdma and nodes > 1,
        rdma_gbps=network if rdma else 0.0,
    )
