"""The diagram of a stack, in Mermaid, which Git hosts draw."""

from __future__ import annotations

import re

from generator.blueprint import Blueprint

SHOWN_NODES = 2  # the rest is said in words


def topology(blueprint: Blueprint) -> tuple[str, ...]:
    """Lines of a flowchart: who reaches the nodes, what joins them, where data comes from and checkpoints go."""
    offer, kind, nodes = blueprint.candidate.offer, blueprint.candidate.type, blueprint.nodes
    machine = f"{kind.gpus} x {kind.gpu}" if kind.gpus else f"{kind.vcpus} vCPU"
    lines = ["flowchart LR"]
    if blueprint.network.ssh_from:
        lines.append(f'  people["SSH from {_label(", ".join(blueprint.network.ssh_from))}"] --> n0')
    lines.append(f'  subgraph zone["one zone of {_label(offer.region)}"]')
    shown = min(nodes.count, SHOWN_NODES)
    word = "spot node" if nodes.pool else "node"
    for number in range(shown):
        last = number == shown - 1 and nodes.count > shown
        name = f"{word} {number}" if not last else f"{word}s {number} to {nodes.count - 1}"
        lines.append(f'    n{number}["{name}<br>{_label(machine)}"]')
    if shown > 1:
        lines.append(f"    n0 <== {_label(kind.rdma or 'network') if nodes.rdma else 'network'} ==> n1")
    everyone = " & ".join(f"n{number}" for number in range(shown))
    for choice in blueprint.storage:
        rate = f"<br>{choice.mbps:,.0f} MB/s" if choice.mbps else ""
        if choice.kind in {"file_system", "nas"}:
            lines.append(f'    {everyone} --> fs[("{_label(choice.product or "file system")} {choice.size_gib:,} GiB{rate}")]')
        elif choice.kind == "disk" and choice.role != "system":
            lines.append(f'    {everyone} --> disk[("{_label(choice.product or "disk")} {choice.size_gib:,} GiB{rate}")]')
        elif choice.kind == "local":
            lines.append(f'    {everyone} --> nvme[("local NVMe {choice.size_gib:,} GiB")]')
    lines.append("  end")
    if blueprint.data.bucket:
        lines.append(f'  source[("{_label(blueprint.data.bucket)}")] -- staged in once --> n0')
    for choice in blueprint.storage:
        if choice.kind == "bucket" and choice.role == "raw":
            lines.append('  raw[("bucket of the data set")] -- staged in once --> n0')
        elif choice.kind == "bucket" and choice.role == "ckpt":
            every = blueprint.checkpoints.every_minutes if blueprint.checkpoints else None
            when = f"every {every:g} min" if every else "each epoch"
            lines.append(f'  {everyone} -- {when} --> ckpt[("bucket of checkpoints")]')
    if blueprint.network.egress == "nat":
        lines.append(f"  {everyone} -. packages and images .-> nat[NAT gateway]")
    return tuple(lines)


def _label(text: str) -> str:
    """Text that cannot end a label or become markup in the diagram."""
    return re.sub(r"[^A-Za-z0-9 .,:/_x%-]", "", text)
