"""Runs one Pulumi program for `language_host.py`: connects the SDK to the engine, then runs the program's file.

The exit code is the answer: 0 done, 1 the program failed, 32 it ended because the engine did, which has told why.
"""

import asyncio
import json
import logging
import os
import runpy
import sys
import traceback
from pathlib import Path

import grpc
import pulumi
from pulumi.runtime.stack import run_in_stack

TOLD = 32  # What the SDK's own runner says when a resource failed: the engine has shown the reason.


def connect(run: dict[str, str]) -> None:
    """Tell the SDK where the engine is and what it runs."""
    pulumi.runtime.set_all_config(
        json.loads(os.environ["PULUMI_CONFIG"]), json.loads(os.environ["PULUMI_CONFIG_SECRET_KEYS"])
    )
    pulumi.runtime.configure(
        pulumi.runtime.Settings(
            project=run["project"],
            stack=run["stack"],
            organization=run["organization"],
            monitor=run["monitor"],
            engine=run["engine"],
            parallel=int(run["parallel"]),
            dry_run=run["dry_run"] == "true",
            root_directory=run["root"],
        )
    )


def from_engine(error: BaseException | None) -> bool:
    """Whether an error is the engine's answer to a call, which the engine shows by itself."""
    while error is not None:
        if isinstance(error, grpc.RpcError):
            return True
        error = error.__cause__ or error.__context__
    return False


def main() -> int:
    """Run the program named in the description on the command line; the program stops at its first failed resource."""
    run = json.loads(sys.argv[1])
    connect(run)
    program = Path(run["program"])
    entry = program / "__main__.py" if program.is_dir() else program
    sys.argv = [str(entry)]
    sys.path.insert(0, str(entry.parent))
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # A program cut short leaves futures that nobody awaits.
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    task = loop.create_task(run_in_stack(lambda: (runpy.run_path(str(entry), run_name="__main__"), None)[1]))
    try:
        loop.run_until_complete(task)
    except Exception as error:  # noqa: BLE001  (whatever a program raises is told, never lost)
        if from_engine(error):
            return TOLD
        pulumi.log.error("the program raised:\n" + traceback.format_exc())
        return 1
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # Threads of the SDK must not hold a finished program.
