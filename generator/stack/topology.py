"""The diagram of a stack, in Mermaid, which Git hosts draw."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.stack.blueprint import Blueprint

SHOWN_NODES = 2  # the rest is said in words


def topology(blueprint: Blueprint) -> tuple[str, ...]:
    """Lines of a flowchart: who reaches the nodes, what joins them, where data comes from and checkpoints go."""
    shown = min(blueprint.nodes.count, SHOWN_NODES)
    everyone = " & ".join(f"n{number}" for number in range(shown))
    people = _label(", ".join(blueprint.network.ssh_from))
    lines = ["flowchart LR"]
    lines += [f'  people["SSH from {people}"] --> n0'] if people else []
    lines.append(f'  subgraph zone["one zone of {_label(blueprint.candidate.offer.region)}"]')
    lines += [f"    {line}" for line in (*_nodes(blueprint, shown), *_in_zone(blueprint, everyone))]
    lines.append("  end")
    lines += [f"  {line}" for line in _around(blueprint, everyone)]
    return tuple(lines)


def _nodes(blueprint: Blueprint, shown: int) -> Iterator[str]:
    """The nodes, the last of those shown standing for the rest, and what joins them."""
    kind, nodes = blueprint.candidate.type, blueprint.nodes
    machine = f"{kind.gpus} x {kind.gpu}" if kind.gpus else f"{kind.vcpus} vCPU"
    word = "spot node" if nodes.pool else "node"
    for number in range(shown):
        rest = number == shown - 1 and nodes.count > shown
        name = f"{word}s {number} to {nodes.count - 1}" if rest else f"{word} {number}"
        yield f'n{number}["{name}<br>{_label(machine)}"]'
    if shown > 1 and nodes.role != "infer":
        yield f"n0 <== {_label(kind.rdma or 'network') if nodes.rdma else 'network'} ==> n1"


def _in_zone(blueprint: Blueprint, everyone: str) -> Iterator[str]:
    """Disks, file systems and drives."""
    for choice in blueprint.storage:
        rate = f"<br>{choice.mbps:,.0f} MB/s" if choice.mbps else ""
        what = f"{_label(choice.product or 'local NVMe')} {choice.size_gib:,} GiB{rate}"
        if choice.kind != "bucket" and choice.role != "system":
            yield f'{everyone} --> {choice.kind}_{choice.role}[("{what}")]'


def _around(blueprint: Blueprint, everyone: str) -> Iterator[str]:
    """Buckets, and the way out."""
    shared = blueprint.data.place in {"file_system", "nas"}
    takers = "n0" if shared else everyone
    how = "read in place" if blueprint.data.place == "bucket" else "staged in"
    if blueprint.data.bucket:
        yield f'source[("{_label(blueprint.data.bucket)}")] -- {how} --> {takers}'
    every = blueprint.checkpoints.every_minutes if blueprint.checkpoints else None
    when = f"every {every:g} min" if every else "each epoch"
    for choice in blueprint.storage:
        if choice.kind == "bucket" and choice.role == "raw":
            yield f'raw[("bucket of the data set")] -- {how} --> {takers}'
        if choice.kind == "bucket" and choice.role == "ckpt":
            yield f'{everyone} -- {when} --> ckpt[("bucket of checkpoints")]'
    if blueprint.network.egress == "nat":
        yield f"{everyone} -. packages and images .-> nat[NAT gateway]"


def _label(text: str) -> str:
    """Text that cannot end a label or become markup in the diagram."""
    return re.sub(r"[^A-Za-z0-9 .,:/_x%-]", "", text)
