"""Runs one Pulumi program against a monitor that records: the child process of the embedded preview.

Run as `python -P -m generator.program.recorder`: the request is JSON on standard input, the answer JSON, alone on
standard output. The monitor is Pulumi's own mock monitor; what it lacks is added here: the engine's form of a URN,
refusal of duplicates, ids that stay unknown, the check of inputs, and the record itself.
"""

from __future__ import annotations

import asyncio
import gc
import importlib.machinery
import itertools
import json
import linecache
import os
import runpy
import sys
import traceback
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from google.protobuf import json_format  # type: ignore[import-untyped]
from pulumi import CustomResource
from pulumi.runtime import mocks, set_all_config, settings
from pulumi.runtime.proto import engine_pb2, resource_pb2
from pulumi.runtime.stack import run_in_stack

from generator.program.input_types import check_inputs
from generator.program.values import SECRET_SIGNATURE, SIGNATURE_KEY


class Uncached(importlib.machinery.SourceFileLoader):
    """Loads the program's own modules and leaves no `__pycache__` in its folder: a preview changes nothing on disk."""

    def set_data(self, *_: Any, **__: Any) -> None:
        """Writes nothing."""


class Recorder(mocks.MockMonitor):
    """Records what is registered; outputs are the inputs, all else is unknown, as in the engine's preview."""

    def __init__(self, folder: Path, project: str, stack: str, sdks: dict[str, str]) -> None:
        super().__init__(Silent())
        self.folder, self.project, self.stack, self.sdks = folder, project, stack, sdks
        self.records: list[dict[str, Any]] = []
        self.problems: list[dict[str, Any]] = []
        self.invokes: list[str] = []
        self.known: set[str] = set()

    def make_urn(self, parent: str, type_: str, name: str) -> str:
        """The engine's form: the root stack is no part of a URN."""
        qualified = parent.split("::")[2] if parent else ""
        prefix = "" if qualified in {"", "pulumi:pulumi:Stack"} else f"{qualified}$"
        return f"urn:pulumi:{self.stack}::{self.project}::{prefix}{type_}::{name}"

    def RegisterResource(self, request: Any) -> Any:  # noqa: N802  (the name of the call in Pulumi's protocol)
        """Record a resource and what is wrong with it."""
        urn = self.make_urn(request.parent, request.type, request.name)
        position = place(request.sourcePosition, self.folder)
        inputs = json_format.MessageToDict(request.object)
        faults = [f"two resources of type {request.type} are named {request.name!r}"] if urn in self.known else []
        said = f"{request.name!r} ({request.type})"
        faults += [f"{said}: {fault}" for fault in check_inputs(request.type, inputs, self.sdks)]
        self.problems += [{"message": fault, "position": position} for fault in faults]
        self.known.add(urn)
        depends = {key: sorted(value.urns) for key, value in sorted(request.propertyDependencies.items())}
        self.records.append(
            {
                "urn": urn,
                "type": request.type,
                "custom": request.custom,
                "inputs": hide_secrets(inputs),
                "parent": request.parent,
                "provider": request.provider,
                "dependencies": sorted(request.dependencies),
                "propertyDependencies": depends,
                "protect": request.protect,
                "retainOnDelete": request.retainOnDelete,
                "ignoreChanges": list(request.ignoreChanges),
                "sourcePosition": position,
            }
        )
        return resource_pb2.RegisterResourceResponse(urn=urn, object=request.object)

    def ReadResource(self, request: Any) -> Any:  # noqa: N802
        """A resource that exists already: nothing of it is known offline but what the program says."""
        urn = self.make_urn(request.parent, request.type, request.name)
        self.known.add(urn)
        return resource_pb2.ReadResourceResponse(urn=urn, properties=request.properties)

    def RegisterResourceOutputs(self, request: Any) -> Any:  # noqa: N802
        """Record the outputs of the stack (and of components)."""
        for record in self.records:
            if record["urn"] == request.urn:
                record["outputs"] = hide_secrets(json_format.MessageToDict(request.outputs))
        return super().RegisterResourceOutputs(request)  # type: ignore[no-untyped-call]

    def Invoke(self, request: Any) -> Any:  # noqa: N802
        """A question to the cloud: offline its answer is unknown."""
        self.invokes.append(request.tok)
        return resource_pb2.ResourceInvokeResponse(unknown=True)

    def dangling(self) -> list[dict[str, Any]]:
        """A problem for each reference to a resource that the program does not make."""
        found = []
        for record in self.records:
            lists = [record["dependencies"], *record["propertyDependencies"].values()]
            named = {record["parent"], record["provider"].rpartition("::")[0], *itertools.chain(*lists)}
            for urn in sorted(named - self.known - {""}):
                message = f"{record['urn'].rsplit('::', 1)[-1]!r} refers to {urn}, which this program does not make"
                found.append({"message": message, "position": record["sourcePosition"]})
        return found


class Silent(mocks.Mocks):
    """The monitor's constructor wants one; the recorder answers everything itself."""

    def call(self, args: mocks.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        """Never asked."""
        raise AssertionError(args.token)

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
        """Never asked."""
        raise AssertionError(args.typ)


class Engine(mocks.MockEngine):
    """Keeps what the program logs as an error: the real preview fails on it."""

    def __init__(self, problems: list[dict[str, Any]]) -> None:
        super().__init__(None)
        self.problems = problems

    def Log(self, request: Any) -> None:  # noqa: N802
        """Record an error; the rest is noise here."""
        if request.severity == engine_pb2.ERROR:
            self.problems.append({"message": request.message.strip(), "position": None})


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
    """File and line, in the program, of the innermost frame that led to the error; of its causes where it has none."""
    chain: list[BaseException] = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None and cause not in chain:
        chain.append(cause)
    for link in chain:
        if isinstance(link, SyntaxError) and link.filename and Path(link.filename).is_relative_to(folder):
            return {"file": Path(link.filename).relative_to(folder).as_posix(), "line": link.lineno}
        if lines := list(program_lines(link.__traceback__, folder)):
            file, line = lines[-1]
            return {"file": file.relative_to(folder).as_posix(), "line": line}
    return {}


def program_lines(trace: types.TracebackType | None, folder: Path) -> Iterator[tuple[Path, int]]:
    """Lines of the program that led to an error, outermost first, up to the class of a resource.

    From there on it is the SDK's matter, also where a module that comes with the stack stands for an SDK.
    """
    for frame, line in traceback.walk_tb(trace):
        if isinstance(frame.f_locals.get("self"), CustomResource):
            return
        if Path(frame.f_code.co_filename).is_relative_to(folder):
            yield Path(frame.f_code.co_filename), line


def describe(raised: BaseException, folder: Path) -> dict[str, Any]:
    """What a program raised, in parts that a message is made of."""
    kind = type(raised).__name__
    return {
        "kind": kind,
        "message": str(raised),
        "missing_module": raised.name if isinstance(raised, ModuleNotFoundError) else None,
        "missing_config": getattr(raised, "key", None) if kind == "ConfigMissingError" else None,
        **where_raised(raised, folder),
    }


def prepare(folder: Path) -> None:
    """Let the program import its own modules, without a trace on disk."""

    def hook(path: str) -> importlib.machinery.FileFinder:
        if not Path(path).is_relative_to(folder):
            raise ImportError(path)
        return importlib.machinery.FileFinder(path, (Uncached, importlib.machinery.SOURCE_SUFFIXES))

    sys.path.insert(0, str(folder))
    sys.path_hooks.insert(0, hook)


def record(request: dict[str, Any]) -> dict[str, Any]:
    """Run the program of the request; resources, outputs and problems, as JSON can hold them."""
    main = Path(request["folder"], request["main"])
    monitor = Recorder(main.parent, request["project"], request["stack"], request["sdks"])
    set_all_config(request["config"], request["secret_keys"])
    features = monitor.GetDeploymentInfo(None)  # type: ignore[no-untyped-call]
    settings.configure(
        mocks.MockSettings(  # type: ignore[no-untyped-call]
            monitor=monitor,
            engine=Engine(monitor.problems),
            project=monitor.project,
            stack=monitor.stack,
            dry_run=True,
            organization="organization",
            callbacks=None,
            monitor_features=set(features.supportedFeatures),
        )
    )
    prepare(main.parent)
    error = None
    try:
        asyncio.run(run_in_stack(lambda: (runpy.run_path(str(main), run_name="__main__"), None)[1]))
    except (Exception, SystemExit) as raised:  # noqa: BLE001  (whatever a program raises is told, never a traceback)
        if not (isinstance(raised, SystemExit) and raised.code in {None, 0}):
            error = describe(raised, main.parent)
    problems = monitor.problems + monitor.dangling()
    return {"resources": monitor.records, "problems": problems, "invokes": monitor.invokes, "error": error}


def main() -> None:
    """Read the request, run the program with its output on standard error, write the answer and leave at once."""
    answer = os.dup(1)
    os.dup2(2, 1)  # what the program prints is not the answer
    result = json.dumps(record(json.load(sys.stdin))).encode()
    while result:
        result = result[os.write(answer, result) :]
    os._exit(0)  # threads and loops that the program left running do not keep us


if __name__ == "__main__":
    gc.disable()  # a short life: collecting would cost a quarter of it
    # Pulumi takes a stack trace for each resource; the text of its lines is a file read each, and unused.
    linecache.getlines = lambda *_: []
    main()
