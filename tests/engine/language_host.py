"""A small Python language host over the SDK's published protocol, for machines whose `pulumi` came without one.

It serves the tests only: enough for preview, up, refresh, destroy and policy packs. An installed CLI brings its own.
"""

# ruff: noqa: ARG002, N802, T201  (the protocol names the calls and their arguments; the port is printed)

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent import futures
from pathlib import Path
from typing import IO, Any

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import language_pb2 as language
from pulumi.runtime.proto import language_pb2_grpc, plugin_pb2

RUNNER = Path(__file__).parent / "run_program.py"
TOLD = 32  # run_program.TOLD, which must not be imported here: it connects to an engine
CHILDREN: set[subprocess.Popen[bytes]] = set()


def stop(*_: Any) -> None:
    """End quietly with all children: a traceback here would become a diagnostic of somebody's preview."""
    for child in list(CHILDREN):
        if child.poll() is None:
            child.kill()
    os._exit(0)


def python_of(info: Any) -> tuple[str, dict[str, str]]:
    """The interpreter and environment of a project: its `virtualenv` option, else the one that runs this host."""
    options = dict(info.options.items()) if info.HasField("options") else {}
    folder = options.get("virtualenv")
    if not folder:
        return sys.executable, {}
    venv = Path(info.root_directory) / folder
    search = os.pathsep.join([str(venv / "bin"), os.environ.get("PATH", "")])
    return str(venv / "bin" / "python"), {"VIRTUAL_ENV": str(venv), "PATH": search}


def start(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own, so that an interrupt of the CLI reaches it through this host only."""
    child = subprocess.Popen(command, start_new_session=True, **options)
    CHILDREN.add(child)
    return child


class Host(language_pb2_grpc.LanguageRuntimeServicer):
    """The calls that the engine makes for a Python program or policy pack."""

    def __init__(self, engine: str) -> None:
        self.engine = engine

    def Handshake(self, request: Any, context: Any) -> Any:
        return language.LanguageHandshakeResponse()

    def GetPluginInfo(self, request: Any, context: Any) -> Any:
        return plugin_pb2.PluginInfo(version="0.0.0")

    def GetRequiredPlugins(self, request: Any, context: Any) -> Any:
        return language.GetRequiredPluginsResponse()

    def GetRequiredPackages(self, request: Any, context: Any) -> Any:
        return language.GetRequiredPackagesResponse()  # Plugins are then loaded when a resource first needs them.

    def GetProgramDependencies(self, request: Any, context: Any) -> Any:
        return language.GetProgramDependenciesResponse()

    def InstallDependencies(self, request: Any, context: Any) -> Any:
        return iter(())

    def About(self, request: Any, context: Any) -> Any:
        python, _ = python_of(request.info)
        return language.AboutResponse(executable=python, version=sys.version.split()[0])

    def Cancel(self, request: Any, context: Any) -> Any:
        return empty_pb2.Empty()

    def Run(self, request: Any, context: Any) -> Any:
        python, extra = python_of(request.info)
        run = {
            "project": request.project,
            "stack": request.stack,
            "organization": request.organization,
            "monitor": request.monitor_address,
            "engine": self.engine,
            "parallel": str(request.parallel),
            "dry_run": "true" if request.dryRun else "false",
            "root": request.info.root_directory,
            "program": str(Path(request.info.program_directory) / request.info.entry_point),
        }
        config = {"PULUMI_CONFIG": json.dumps(dict(request.config))}
        secrets = {"PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(request.configSecretKeys))}
        child = start(
            [python, "-u", str(RUNNER), json.dumps(run)],
            env={**os.environ, **extra, **config, **secrets},
            cwd=request.pwd,
            stdout=sys.stderr,
            stderr=sys.stderr,
        )
        context.add_callback(lambda: child.poll() is None and child.terminate())
        code = child.wait()
        CHILDREN.discard(child)
        if code == TOLD:
            return language.RunResponse(bail=True)
        return language.RunResponse(error=f"the program ended with exit code {code}" if code else "")

    def RunPlugin(self, request: Any, context: Any) -> Iterator[Any]:
        python, extra = python_of(request.info)
        folder = request.info.program_directory
        if request.kind == "analyzer":
            command = [python, "-u", "-m", "pulumi.policy", *request.args, folder]
        else:
            command = [python, "-u", folder, *request.args]
        given = dict(entry.partition("=")[::2] for entry in request.env)
        child = start(
            command,
            env={**given, **extra},
            cwd=request.pwd or None,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        context.add_callback(lambda: child.poll() is None and child.kill())
        yield from said(child)
        yield language.RunPluginResponse(exitcode=child.wait())


def said(child: subprocess.Popen[bytes]) -> Iterator[Any]:
    """What a plugin prints, as it prints it, until both its streams end."""
    chunks: queue.Queue[tuple[str, bytes]] = queue.Queue()

    def pump(stream: IO[bytes], kind: str) -> None:
        while chunk := os.read(stream.fileno(), 65536):
            chunks.put((kind, chunk))
        chunks.put((kind, b""))

    assert child.stdout is not None
    assert child.stderr is not None
    streams = {"stdout": child.stdout, "stderr": child.stderr}
    for kind, stream in streams.items():
        threading.Thread(target=pump, args=(stream, kind), daemon=True).start()
    while streams:
        kind, chunk = chunks.get()
        if chunk:
            yield language.RunPluginResponse(**{kind: chunk})
        else:
            del streams[kind]


def main() -> None:
    """Serve until the engine ends; it reads the port from the first line."""
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    engine = [argument for argument in sys.argv[1:] if not argument.startswith("-")][-1]
    server = grpc.server(futures.ThreadPoolExecutor(32), options=[("grpc.max_receive_message_length", -1)])
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(Host(engine), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main()
