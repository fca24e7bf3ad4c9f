"""Jobs and machines for the sizing tests: plain values in, the types of sizing out."""

from __future__ import annotations

from typing import Any

import msgspec

from generator.sizing.architecture import find_model
from generator.sizing.estimate import Hardware
from generator.sizing.given_hardware import give_hardware
from generator.workload import Checkpoint, Workload

SAVED = Checkpoint(every_minutes=60, to="bucket", keep=3)


def job(model: str | None, **fields: Any) -> Workload:
    """A full fine-tuning by the Hugging Face Trainer on `model` of the zoo, with fields replaced."""
    values: dict[str, Any] = {
        "name": "job",
        "task": "finetune",
        "model": find_model(model) if model else None,
        "profile": "hf_trainer",
        "toolchain": None,
        "global_batch": 64,
        "samples_total": 100_000.0,
        "checkpoint": SAVED,
    }
    if model and "sequence_length" not in fields and fields.get("image_size") is None:
        values["sequence_length"] = 2048
    values.update(fields)
    return Workload(**values)


def machines(card: str, gpus_per_node: int = 8, nodes: int = 1, **fields: Any) -> Hardware:
    """Nodes of a canonical card with what such a node is sold with, with fields replaced."""
    interconnect = "pcie" if "PCIE" in card and gpus_per_node > 1 else None
    hardware = give_hardware(card, gpus_per_node=gpus_per_node, nodes=nodes, interconnect=interconnect).hardware
    return msgspec.structs.replace(hardware, **fields)


def cpu_nodes(nodes: int, vcpus: int) -> Hardware:
    """Nodes without accelerators."""
    return Hardware(
        gpu=None,
        gpus_per_node=0,
        nodes=nodes,
        vcpus=vcpus,
        ram_gib=4.0 * vcpus,
        usable_gib=0.0,
        interconnect="none",
        nvlink_gbytes_s=0.0,
        network_gbps=32.0,
        rdma=False,
        rdma_gbps=0.0,
    )
