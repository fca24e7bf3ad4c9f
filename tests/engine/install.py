"""The Pulumi CLI of these tests: the one on PATH, else one built from its published Go modules and kept in a cache.

`cli/go.mod` pins the sources and `cli/go.sum` their hashes, so the built
binary is the same whatever serves the modules. Run as `python -m tests.engine.install` to build it ahead of the tests
and to see how long that takes.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

MODULE = Path(__file__).parent / "cli"
COMMAND = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version"


class NoEngineError(Exception):
    """There is no `pulumi` here and none can be built; the message says what is missing."""


def version() -> str:
    """The version that `cli/go.mod` pins, such as `v3.276.0`."""
    found = re.search(r"^\s*github\.com/pulumi/pulumi/pkg/v3 (v\S+)", (MODULE / "go.mod").read_text(), re.MULTILINE)
    assert found, "cli/go.mod no longer pins the CLI"
    return found[1]


def cache_folder() -> Path:
    """Where the binary is kept: outside the checkout, another folder for other pins."""
    pins = hashlib.sha256((MODULE / "go.mod").read_bytes() + (MODULE / "go.sum").read_bytes()).hexdigest()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "trainform" / f"pulumi-{version()}-{pins[:8]}"


def build(binary: Path) -> None:
    """Build the CLI: some five minutes on two idle cores, 2 GB of memory, 3 GB of Go's own caches; then never again."""
    go = shutil.which("go")
    if go is None:
        raise NoEngineError("there is neither `pulumi` on PATH nor Go to build it")
    unfinished = binary.with_suffix(".unfinished")
    command = [go, "build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-tags", "osusergo,grpcnotrace"]
    command += ["-ldflags", f"-s -w -X {VERSION_VARIABLE}={version()}", "-o", str(unfinished), COMMAND]
    done = subprocess.run(command, cwd=MODULE, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoEngineError(f"building pulumi {version()} with Go failed: {done.stderr.strip()[-2000:]}")
    unfinished.rename(binary)


def find_cli() -> Path:
    """`pulumi` from PATH, from the cache, or built now; raises NoEngineError when none of these is possible."""
    installed = shutil.which("pulumi")
    if installed:
        return Path(installed)
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    binary = folder / "pulumi"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Workers that start together build it once.
        if not binary.exists():
            build(binary)
    return binary


if __name__ == "__main__":
    started = time.monotonic()
    try:
        cli = find_cli()
    except NoEngineError as error:
        sys.exit(f"no engine: {error}")
    print(f"{cli} (ready after {time.monotonic() - started:.0f} s)")  # noqa: T201
