"""What choosing among all clouds costs as a whole process, and with 55,000 offers: `python benchmarks/market.py`.

Prints a Markdown page: processor seconds, which other work on the machine disturbs little, beside wall seconds. No test
asserts any of it; the aim is 0.5 s, and 1.5 times that with 55,000 offers.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import machine
from speed import ROOT, enlarged_project

RUNS = 7
MANY_OFFERS = 55_000
SPECS = {
    "fine-tuning on one card": "workload: {task: finetune, model: llama-3-8b, method: lora}\n"
    "data: {size: 6GiB, samples: 400000}\ngoal: {deadline: 200h}\n",
    "pretraining on many nodes": "workload: {task: pretrain, model: llama-2-7b, tokens: 20B}\ndata: {size: 100GiB}\n",
    "nothing fits": "workload: {task: finetune, model: llama-3-8b, method: lora}\n"
    "data: {size: 6GiB, samples: 400000}\ngoal: {deadline: 1h, budget: 20 CNY}\n",
}


def offers(project: Path) -> int:
    """The rows of all clouds' offers."""
    tables = (project / "generator" / "clouds").glob("*/offers.csv")
    return sum(len(table.read_text(encoding="utf-8").splitlines()) - 1 for table in tables)


def select_seconds(project: Path, spec: Path) -> tuple[float, float]:
    """Medians of processor and wall seconds of `select` on all clouds; the first run warms the file cache."""
    processor, wall = [], []
    for run in range(RUNS + 1):
        began = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-m", "generator", "select", str(spec)],
            cwd=project,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, _, usage = os.wait4(child.pid, 0)
        if run:
            wall.append(time.perf_counter() - began)
            processor.append(usage.ru_utime + usage.ru_stime)
    return statistics.median(processor), statistics.median(wall)


def main() -> None:
    """Prints the page."""
    with tempfile.TemporaryDirectory() as folder:
        many = enlarged_project(Path(folder) / "many", -(-MANY_OFFERS // offers(ROOT)))
        print(f"{machine()}\n")
        print("| `trainform select`, four clouds | offers | processor s | wall s |\n|---|---:|---:|---:|")
        for name, text in SPECS.items():
            spec = Path(folder) / "spec.yaml"
            spec.write_text(f"name: bench\n{text}", encoding="utf-8")
            for project in (ROOT, many):
                processor, wall = select_seconds(project, spec)
                print(f"| {name} | {offers(project):,} | {processor:.2f} | {wall:.2f} |", flush=True)


if __name__ == "__main__":
    main()
