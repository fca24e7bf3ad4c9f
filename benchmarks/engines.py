"""Both previews side by side: how long each takes, whole process, and how that grows: `python benchmarks/engines.py`.

The embedded preview on every golden stack, and both engines on one stack of 1, 64 and 512 nodes. The real engine is the
one of the tests (`pulumi` from PATH, else built), with the pretend cloud behind it: no network, no account.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from machine import machine

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.engine.install import NoEngineError, find_cli  # noqa: E402  (found once the checkout is on the path)
from tests.engine.live_stack import LiveStack, home  # noqa: E402

RUNS = 3
SIZES = (1, 64, 512)
PROGRAM = ROOT / "stacks" / "pretrain_7b" / "alicloud"


def seconds(act: Callable[[], Any], runs: int = RUNS) -> float:
    """Median wall time of so many runs, after one that warms the caches."""
    taken = []
    for run in range(runs + 1):
        began = time.perf_counter()
        act()
        if run:
            taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def embedded(folder: Path) -> None:
    """Our own preview as a person runs it."""
    command = [sys.executable, "-m", "generator", "preview", str(folder), "--format", "json"]
    subprocess.run(command, cwd=ROOT, env=os.environ, stdout=subprocess.DEVNULL, check=True)


def of_size(nodes: int, folder: Path) -> Path:
    """A copy of the program with so many nodes."""
    program = folder / str(nodes) / PROGRAM.name
    shutil.copytree(PROGRAM, program)
    settings = program / "settings.py"
    text, count = re.subn(
        r"^NODES = \d+$", f"NODES = {nodes}", settings.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert count == 1, "the program no longer says NODES"
    settings.write_text(text, encoding="utf-8")
    return program


def brought_in(program: Path, folder: Path, cli: Path, plugins: Path) -> LiveStack:
    """A program as a stack of the real engine."""
    folder.mkdir()
    stack = LiveStack(cli, plugins, program, folder)
    stack.init()
    return stack


def real(stack: LiveStack) -> int:
    """The real engine's first preview; how many resources it tells of."""
    answer = stack.preview()
    if answer.code:
        sys.exit(answer.said)
    return len(answer.json()["steps"])


def main() -> None:
    """Measure and print the page."""
    print(f"{machine()}; median of {RUNS} runs.\n")
    print("| golden stack | embedded preview s |")
    print("|---|---|")
    for manifest in sorted(ROOT.glob("stacks/*/*/manifest.json")):
        folder = manifest.parent
        taken = seconds(partial(embedded, folder))
        print(f"| {folder.parent.name}/{folder.name} | {taken:.2f} |", flush=True)
    try:
        cli = find_cli()
    except NoEngineError as error:
        sys.exit(f"no real engine to measure: {error}")
    print("\n| nodes | resources | embedded s | real s | embedded ms a resource | real ms a resource |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        plugins = home(Path(name) / "pulumi", cli)
        for nodes in SIZES:
            program = of_size(nodes, Path(name))
            stack = brought_in(program, Path(name) / f"live-{nodes}", cli, plugins)
            resources = real(stack)
            ours, theirs = seconds(partial(embedded, program)), seconds(partial(real, stack), 1)
            each = [1000 * taken / resources for taken in (ours, theirs)]
            print(f"| {nodes} | {resources} | {ours:.2f} | {theirs:.2f} | {each[0]:.1f} | {each[1]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
