"""Runs one Pulumi program against a monitor that records: the child process of the embedded preview.

Run as `python -P -m generator.recorder` with a request (JSON) on standard input; the answer (JSON) is the only thing on
standard output. The monitor is Pulumi's own mock monitor; what it lacks is added here: the engine's form of a URN, refusal
of duplicates, ids that stay unknown, and the record itself.
"""

from __future__ import annotations

import asyncio
import gc
import importlib.machinery
import json
import linecache
import os
import runpy
import sys
import traceback
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from generator.values import SECRET_SIGNATURE, SIGNATURE_KEY


class Uncached(importlib.machinery.SourceFileLoader):
    """Loads the program's own modules and leaves no `__pycache__` in its folder: a preview changes nothing on disk."""

    def set_data(self, path: str, data: bytes, *, _mode: int = 0o666) -> None:
        """Writes nothing."""


def leave_no_cache(folder: Path) -> None:
    """Make imports from `folder` write no byte code."""
    details = (Uncached, importlib.machinery.SOURCE_SUFFIXES)
    root = str(folder)

    def hook(path: str) -> importlib.machinery.FileFinder:
        if path != root and not path.startswith(root + os.sep):
            raise ImportError(path)
        return importlib.machinery.FileFinder(path, details)

    sys.path_hooks.insert(0, hook)


def hide_secrets(value: Any) -> Any:
    """The value without what secrets hold: their marker stays, so that the reader knows that there was one."""
    if isinstance(value, dict):
        if value.get(SIGNATURE_KEY) == SECRET_SIGNATURE:
            return {SIGNATURE_KEY: SECRET_SIGNATURE}
        return {key: hide_secrets(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [hide_secrets(item) for item in value]
    return value


def place(position: Any, folder: Path) -> str | None:
    """The source position as the engine prints it, relative to the project."""
    path = Path(unquote(urlparse(position.uri).path))
    if not position.uri or not path.is_relative_to(folder):
        return None
    return f"project:///{path.relative_to(folder).as_posix()}#{position.line}"


def where_raised(error: BaseException, folder: Path) -> dict[str, Any]:
    """File and line, in the program, of the innermost frame that led to the error."""
    frames = traceback.extract_tb(error.__traceback__)
    cause: BaseException | None = error
    while cause is not None and not any(Path(frame.filename).is_relative_to(folder) for frame in frames):
        cause = cause.__cause__ or cause.__context__
        frames = traceback.extract_tb(cause.__traceback__) if cause else frames
    for frame in reversed(frames):
        if Path(frame.filename).is_relative_to(folder):
            return {"file": Path(frame.filename).relative_to(folder).as_posix(), "line": frame.lineno}
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_relative_to(folder):
        return {"file": Path(error.filename).relative_to(folder).as_posix(), "line": error.lineno}
    return {}


def record(request: dict[str, Any]) -> dict[str, Any]:
    """Run the program of the request; resources, outputs and problems, as JSON can hold them."""
    from google.protobuf import json_format
    from pulumi.runtime import mocks, rpc, set_all_config, settings
    from pulumi.runtime.proto import engine_pb2, resource_pb2
    from pulumi.runtime.stack import run_in_stack

    from generator.input_types import check_inputs

    folder = Path(request["folder"])
    project, stack = request["project"], request["stack"]
    resources: list[dict[str, Any]] = []
    problems: list[dict[str, Any]] = []
    invokes: list[str] = []
    known: set[str] = set()

    class Silent(mocks.Mocks):
        """Pulumi asks for one; the recorder answers everything itself."""

        def call(self, args: mocks.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
            del args
            return {}, None

        def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
            return None, args.inputs

    class Recorder(mocks.MockMonitor):
        """Records what is registered; outputs are the inputs, everything else is unknown, as in the engine's preview."""

        def make_urn(self, parent: str, type_: str, name: str) -> str:
            qualified = parent.split("::")[2] if parent else ""
            prefix = "" if qualified in {"", "pulumi:pulumi:Stack"} else f"{qualified}$"
            return f"urn:pulumi:{stack}::{project}::{prefix}{type_}::{name}"

        def RegisterResource(self, request: Any) -> Any:  # noqa: N802  (the name of the call in Pulumi's protocol)
            urn = self.make_urn(request.parent, request.type, request.name)
            position = place(request.sourcePosition, folder)
            inputs = json_format.MessageToDict(request.object)
            if urn in known:
                message = f"two resources of type {request.type} are named {request.name!r}"
                problems.append({"message": message, "position": position})
            known.add(urn)
            for message in check_inputs(request.type, inputs, request_sdks):
                problems.append({"message": f"{request.name!r} ({request.type}): {message}", "position": position})
            resources.append(
                {
                    "urn": urn,
                    "type": request.type,
                    "custom": request.custom,
                    "inputs": hide_secrets(inputs),
                    "parent": request.parent,
                    "provider": request.provider,
                    "dependencies": sorted(request.dependencies),
                    "propertyDependencies": {
                        key: sorted(value.urns) for key, value in sorted(request.propertyDependencies.items())
                    },
                    "protect": request.protect,
                    "retainOnDelete": request.retainOnDelete,
                    "ignoreChanges": list(request.ignoreChanges),
                    "sourcePosition": position,
                }
            )
            return resource_pb2.RegisterResourceResponse(urn=urn, object=request.object)

        def ReadResource(self, request: Any) -> Any:  # noqa: N802
            urn = self.make_urn(request.parent, request.type, request.name)
            known.add(urn)
            return resource_pb2.ReadResourceResponse(urn=urn, properties=request.properties)

        def RegisterResourceOutputs(self, request: Any) -> Any:  # noqa: N802
            for resource in resources:
                if resource["urn"] == request.urn:
                    resource["outputs"] = hide_secrets(json_format.MessageToDict(request.outputs))
            return super().RegisterResourceOutputs(request)

        def Invoke(self, request: Any) -> Any:  # noqa: N802
            invokes.append(request.tok)
            return resource_pb2.ResourceInvokeResponse(unknown=True)

    class Engine(mocks.MockEngine):
        """Keeps what the program logs as an error: the real preview fails on it."""

        def Log(self, request: Any) -> None:  # noqa: N802
            if request.severity == engine_pb2.ERROR:
                problems.append({"message": request.message.strip(), "position": None})

    request_sdks: dict[str, str] = request["sdks"]
    monitor = Recorder(Silent())
    set_all_config(request["config"], request["secret_keys"])
    settings.configure(
        mocks.MockSettings(
            monitor=monitor,
            engine=Engine(None),
            project=project,
            stack=stack,
            dry_run=True,
            organization="organization",
            callbacks=None,
            monitor_features=set(monitor.GetDeploymentInfo(None).supportedFeatures),
        )
    )
    settings.set_root_resource(None)
    sys.path.insert(0, str(folder))
    leave_no_cache(folder)

    def program() -> None:
        runpy.run_path(str(folder / request["main"]), run_name="__main__")

    error: dict[str, Any] | None = None
    try:
        asyncio.run(run_in_stack(program))
    except (Exception, SystemExit) as raised:  # noqa: BLE001  (whatever a program raises is told, never a traceback)
        if not (isinstance(raised, SystemExit) and raised.code in {None, 0}):
            missing = raised.name if isinstance(raised, ModuleNotFoundError) else None
            key = getattr(raised, "key", None)
            error = {
                "kind": type(raised).__name__,
                "message": str(raised),
                "missing_module": missing,
                "missing_config": key if type(raised).__name__ == "ConfigMissingError" else None,
                **where_raised(raised, folder),
            }
    for resource in resources:
        named = {resource["parent"], *resource["dependencies"], *sum(resource["propertyDependencies"].values(), [])}
        if resource["provider"]:
            named.add(resource["provider"].rpartition("::")[0])
        for urn in sorted(named - known - {""}):
            message = f"{resource['urn'].rsplit('::', 1)[-1]!r} refers to {urn}, which this program does not make"
            problems.append({"message": message, "position": resource["sourcePosition"]})
    del rpc
    return {"resources": resources, "problems": problems, "invokes": invokes, "error": error}


def main() -> None:
    """Read the request, run the program with its output on standard error, write the answer and leave at once."""
    gc.disable()  # a short life: collecting would cost a quarter of it
    linecache.getlines = lambda filename, module_globals=None: []  # noqa: ARG005  (Pulumi takes a stack trace a resource; the text of its lines is a file read each, and unused)
    answer = os.dup(1)
    os.dup2(2, 1)  # what the program prints is not the answer
    request = json.load(sys.stdin)
    result = json.dumps(record(request)).encode()
    while result:
        result = result[os.write(answer, result) :]
    os._exit(0)  # threads and loops that the program left running do not keep us


if __name__ == "__main__":
    main()
