"""How long the commands take as whole processes, how much memory, and how both grow: `python benchmarks/speed.py`.

Prints a Markdown page with the machine named; medians of RUNS runs after one warm-up. No test asserts any of it.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import machine

ROOT = Path(__file__).resolve().parent.parent
RUNS = 7
SPEC = ROOT / "stacks" / "llama3_8b_lora" / "spec.yaml"
STACK = ROOT / "stacks" / "llama3_8b_lora" / "alicloud"


def measure(
    name: str, command: list[str], *, cwd: Path = ROOT, interpreter: tuple[str, ...] = ("-m", "generator")
) -> str:
    """One row of the table: median, least and most wall seconds, and peak memory of the largest run."""
    seconds, peaks = [], []
    for run in range(RUNS + 1):
        began = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, *interpreter, *command],
            cwd=cwd,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, _, usage = os.wait4(child.pid, 0)
        if run:  # the first run warms the file cache
            seconds.append(time.perf_counter() - began)
            peaks.append(usage.ru_maxrss / 1024)
    return f"| {name} | {statistics.median(seconds):.2f} | {min(seconds):.2f}-{max(seconds):.2f} | {max(peaks):.0f} |"


def enlarged_project(folder: Path, times: int) -> Path:
    """A copy of the packages whose offers stand `times` as often, in made-up regions of their own."""
    for package in ("generator", "policies", "templates"):
        shutil.copytree(ROOT / package, folder / package)
    for table in (folder / "generator" / "clouds").glob("*/offers.csv"):
        multiply(table, times)
    for table in (folder / "generator" / "clouds").glob("*/regions.csv"):
        multiply(table, times)
    return folder


def multiply(table: Path, times: int) -> None:
    """Write the rows of a table `times` over, the copies with a region of another name."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    head, body = rows[0], rows[1:]
    column = head.index("region") if "region" in head else head.index("id")
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([head, *body])
        for copy in range(1, times):
            writer.writerows([*row[:column], f"{row[column]}-{copy}", *row[column + 1 :]] for row in body)


def preview_document(resources: int) -> str:
    """A `pulumi preview --json` of so many resources: the example stack's own, repeated under other names."""
    done = subprocess.run(
        [sys.executable, "-m", "generator", "preview", str(STACK), "--format", "json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    own = json.loads(done.stdout)["resources"]
    steps = []
    for number in range(resources):
        one = own[number % len(own)]
        copy = number // len(own)
        urn = f"{one['urn']}-{copy}"
        steps.append(
            {
                "op": "create",
                "urn": urn,
                "newState": {
                    "urn": urn,
                    "custom": True,
                    "type": one["type"],
                    "inputs": one["inputs"],
                    "dependencies": [f"{other}-{copy}" for other in one["dependencies"]],
                    "propertyDependencies": {
                        key: [f"{other}-{copy}" for other in others]
                        for key, others in one["property_dependencies"].items()
                    },
                },
            }
        )
    return json.dumps({"steps": steps, "duration": 0, "changeSummary": {"create": resources}})


def main() -> None:
    """Measure and print the page."""
    print(f"{machine()}; median of {RUNS} runs.\n")
    print("| command | median s | least-most s | peak MiB |")
    print("|---|---|---|---|")
    print(measure("python alone", ["-c", "pass"], interpreter=()))
    print(measure("select", ["select", str(SPEC), "--format", "json"]))
    size = ["size", str(SPEC), "--gpu", "A100-80GB", "--gpus-per-node", "1", "--nodes", "1", "--format", "json"]
    print(measure("size", size))
    print(measure("preview of a stack", ["preview", str(STACK), "--format", "json"]))
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "out"
        print(measure("generate, with preview and check", ["generate", str(SPEC), "--out", str(out)]))
        for resources in (200, 2_000, 10_000):
            path = Path(name) / f"{resources}.json"
            path.write_text(preview_document(resources))
            print(measure(f"check, {resources:,} resources", ["check", str(path)]))
        larger = enlarged_project(Path(name) / "larger", 10)
        print(measure("select, 10 x the offers", ["select", str(SPEC), "--format", "json"], cwd=larger))


if __name__ == "__main__":
    main()
