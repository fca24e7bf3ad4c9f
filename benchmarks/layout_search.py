"""How long the layout search takes for a whole selection, and where: `python benchmarks/layout_search.py`.

Every distinct hardware shape of the catalogs is searched over the node counts worth trying, up to 64, for jobs of each
kind. Prints a Markdown table and the ten functions that took most of the largest. No test asserts any of it.
"""

from __future__ import annotations

import cProfile
import pstats
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generator.catalog import load_types
from generator.clouds import cloud_ids
from generator.selection.shapes import hardware_of
from generator.sizing.architecture import find_model
from generator.sizing.estimate import Hardware
from generator.sizing.layout import find_fit, node_counts
from generator.workload import Method, Task, Workload

RUNS = 5
JOBS: tuple[tuple[str, Task, Method, str, int], ...] = (
    ("llama-3-8b", "finetune", "lora", "hf_trainer", 64),
    ("qwen2.5-7b", "finetune", "full", "deepspeed", 128),
    ("qwen2.5-7b", "pretrain", "full", "fsdp2", 1024),
    ("llama-3-70b", "pretrain", "full", "megatron", 1024),
    ("resnet50", "pretrain", "full", "timm", 1024),
    ("llama-3-8b", "infer", "full", "vllm", 1),
)


def shapes() -> list[Hardware]:
    """Distinct shapes with a known card, one node of each."""
    rows = (row for cloud in cloud_ids() for row in load_types(cloud).values() if row.gpu and row.gpus)
    return list({hardware_of(row, 1): None for row in rows})


def search_all(workload: Workload, found: list[Hardware]) -> int:
    """Every shape over its node counts (several nodes only with RDMA); the number of searches."""
    calls = 0
    for shape in found:
        most = 64 if shape.rdma and workload.task != "infer" else 1
        for nodes in node_counts(workload, shape, 1, most):
            find_fit(workload, hardware_on(shape, nodes), detailed=False)
            calls += 1
    return calls


def hardware_on(shape: Hardware, nodes: int) -> Hardware:
    """So many nodes of a shape."""
    return Hardware(**{name: getattr(shape, name) for name in shape.__struct_fields__ if name != "nodes"}, nodes=nodes)


def job(model: str, task: Task, method: Method, profile: str, batch: int, run: int) -> Workload:
    """A job that no earlier run has warmed a cache for."""
    tokens = None if profile == "timm" else 4096
    return Workload(
        name=f"run_{run}",
        task=task,
        model=find_model(model),
        profile=profile,
        toolchain=None,
        method=method,
        global_batch=batch,
        sequence_length=tokens,
        context=tokens,
        image_size=None if tokens else 224,
        samples_total=1e6,
    )


def main() -> None:
    """The table, and a profile of the slowest job."""
    found = shapes()
    print(f"{len(found)} distinct shapes\n")
    print("| job | searches | median ms | us a search |")
    print("| --- | ---: | ---: | ---: |")
    slowest = (0.0, JOBS[0])
    for one in JOBS:
        seconds, calls = [], 0
        for run in range(RUNS):
            workload = job(*one, run=run)
            began = time.process_time()
            calls = search_all(workload, found)
            seconds.append(time.process_time() - began)
        median = statistics.median(seconds)
        slowest = max(slowest, (median, one))
        print(f"| {one[0]} {one[1]} {one[3]} | {calls} | {1e3 * median:.0f} | {1e6 * median / calls:.0f} |")
    workload = job(*slowest[1], run=RUNS)
    profile = cProfile.Profile()
    profile.runcall(search_all, workload, found)
    print()
    pstats.Stats(profile).sort_stats("tottime").print_stats(10)


if __name__ == "__main__":
    main()
