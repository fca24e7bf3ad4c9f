"""What is said of a stack's parts in its comments, on any cloud: the machine, why it was chosen, the network."""

from __future__ import annotations

from generator.stack.blueprint import Blueprint
from generator.stack.cards import is_ascend
from generator.stack.storage import bucket_choices


def machine_text(blueprint: Blueprint) -> str:
    """The machine in people's words: `8 x A100-SXM-80`, `16 vCPU and 60 GiB`."""
    kind = blueprint.candidate.type
    if kind.gpus:
        return f"{kind.gpus} x {kind.gpu}"
    return f"{kind.vcpus} vCPU, {kind.ram_gib:g} GiB"


def why_type(blueprint: Blueprint) -> str:
    """Selection's first reason without its figures of money, which move; they stand in SELECTION.md."""
    kind = blueprint.candidate.type
    names = {"pcie": "PCIE", "nvlink": "HCCS" if is_ascend(blueprint) else "NVLink"}
    links = f", {names[kind.interconnect]} between them" if kind.gpus > 1 and kind.interconnect in names else ""
    rdma = f", {kind.rdma} between nodes" if blueprint.nodes.rdma else ""
    return (
        f"{machine_text(blueprint)}{links}{rdma}: ranked first for this job and its limits; the reasons: SELECTION.md."
    )


def headline(blueprint: Blueprint, object_store: str) -> str:
    """What is built, in one line: `2 x ecs.ebmgn7ex.32xlarge (8 x A100-SXM-80), cpfs 7,200 GiB, OSS in cn-beijing`."""
    kind = blueprint.candidate.type
    charge = "spot " if blueprint.nodes.pool else ""
    parts = [f"{blueprint.nodes.count} x {charge}{kind.id} ({machine_text(blueprint)})"]
    parts += [
        f"{choice.product or choice.kind} {choice.size_gib:,} GiB"
        for choice in blueprint.storage
        if choice.role != "system" and choice.kind in {"disk", "file_system", "nas"}
    ]
    if bucket_choices(blueprint):
        parts.append(object_store)
    return f"{', '.join(parts)} in {blueprint.candidate.offer.region}"


def nodes_title(blueprint: Blueprint) -> str:
    """How many machines stay, and of which kind, in one line."""
    nodes, kind = blueprint.nodes, blueprint.candidate.type
    total = nodes.count + nodes.spare
    number = f"{total} nodes of" if total > 1 else "One node of"
    return f"{number} {kind.id}: {machine_text(blueprint)}{', joined by ' + str(kind.rdma) if nodes.rdma else ''}."


def pool_title(blueprint: Blueprint) -> str:
    """How big the pool is, in one line."""
    nodes = blueprint.nodes
    return f"A spot pool of {nodes.count} x {machine_text(blueprint)}; the job saves when a node is taken back."


def inner_reason(blueprint: Blueprint) -> str:
    """Why the nodes may talk to one another, or need not."""
    if blueprint.nodes.role == "infer":
        return "Whoever may ask the service is put into this group; for all others its port is closed."
    if blueprint.nodes.count == 1:
        return "One node alone: nobody in the group needs to reach it."
    if blueprint.nodes.role == "train":
        library = "HCCL" if is_ascend(blueprint) else "NCCL"
        return f"{library} and torchrun open ports of their own choosing between the nodes (NW005)."
    return "The nodes share the work and may talk to one another."


def room_text(blueprint: Blueprint, subnet: str) -> str:
    """What the addresses of the subnet, by the cloud's word for it, are for."""
    total = blueprint.nodes.count + blueprint.nodes.spare
    shared = ", the file system" if blueprint.stored("file_system") or blueprint.stored("nas") else ""
    return f"4,092 addresses: {total} node{'s' if total > 1 else ''}{shared} and room to grow without a new {subnet}."
