"""The pretend cloud's door for Pulumi: a resource plugin over the SDK's published provider protocol.

The engine starts `python -m tests.pretend_cloud.plugin CLOUD`; TRAINFORM_PRETEND_CLOUD names the state file.
"""

# ruff: noqa: ARG002, N802, T201  (the protocol names the calls and their arguments; the port is printed)

import functools
import os
import signal
import sys
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import empty_pb2, json_format, struct_pb2
from pulumi.runtime.proto import plugin_pb2, provider_pb2_grpc
from pulumi.runtime.proto import provider_pb2 as provider

from tests.pretend_cloud.cloud import PretendCloud
from tests.pretend_cloud.defaults import with_defaults
from tests.pretend_cloud.facts import Kind, providers
from tests.pretend_cloud.failures import RefusedError
from tests.pretend_cloud.legality import refused
from tests.pretend_cloud.paths import UNKNOWN, changes, pattern_of
from tests.pretend_cloud.sdk_types import arguments_of, wrong_inputs

STATE = "TRAINFORM_PRETEND_CLOUD"
CRASH = 70  # the exit code of a plugin that was told to die


def plain(values: struct_pb2.Struct) -> dict[str, Any]:
    """A message's properties as plain data; whole numbers stay whole."""
    return {name: _whole(value) for name, value in json_format.MessageToDict(values).items() if name != "__internal"}


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _whole(member) for name, member in value.items() if name != "__defaults"}
    if isinstance(value, list):
        return [_whole(member) for member in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def message(values: dict[str, Any]) -> struct_pb2.Struct:
    """Plain data as a message's properties."""
    return json_format.ParseDict(values, struct_pb2.Struct())


def replaces(kind: Kind, path: str, change: str) -> bool:
    """Whether a change at this path replaces the resource: the path, what holds it, or what came and went with it."""
    pattern = pattern_of(path)
    for fact in kind.replace:
        if fact == pattern or pattern.startswith((f"{fact}.", f"{fact}[")):
            return True
        if change != "update" and fact.startswith((f"{pattern}.", f"{pattern}[")):
            return True
    return False


def told(method: Callable[..., Any]) -> Callable[..., Any]:
    """Turn a refusal of the heart into an error of the protocol that says which cloud refused."""

    @functools.wraps(method)
    def answer(self: "Plugin", request: Any, context: grpc.ServicerContext) -> Any:
        try:
            return method(self, request, context)
        except RefusedError as refusal:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, f"pretend {self.cloud.cloud} (no real cloud): {refusal}")

    return answer


class Plugin(provider_pb2_grpc.ResourceProviderServicer):
    """The calls that the engine makes of a resource plugin; secrets and unknown values are the engine's to keep."""

    def __init__(self, cloud: PretendCloud) -> None:
        self.cloud = cloud
        self.facts = providers()[cloud.cloud]
        self.region = ""

    def Handshake(self, request: Any, context: Any) -> Any:
        return provider.ProviderHandshakeResponse()

    def GetPluginInfo(self, request: Any, context: Any) -> Any:
        return plugin_pb2.PluginInfo(version=self.facts.version)

    def GetSchema(self, request: Any, context: Any) -> Any:
        return provider.GetSchemaResponse(schema=f'{{"name":"{self.cloud.cloud}","version":"{self.facts.version}"}}')

    def Parameterize(self, request: Any, context: Any) -> Any:
        return provider.ParameterizeResponse(name=self.cloud.cloud, version=self.facts.version)

    def Attach(self, request: Any, context: Any) -> Any:
        return empty_pb2.Empty()

    def Cancel(self, request: Any, context: Any) -> Any:
        return empty_pb2.Empty()

    def CheckConfig(self, request: Any, context: Any) -> Any:
        region = plain(request.news).get("region")
        failures = []
        if not isinstance(region, str) or not region:
            reason = f"pretend {self.cloud.cloud} (no real cloud): a region is required, as {self.cloud.cloud}:region"
            failures = [provider.CheckFailure(property="region", reason=reason)]
        return provider.CheckResponse(inputs=request.news, failures=failures)

    def DiffConfig(self, request: Any, context: Any) -> Any:
        moved = plain(request.olds).get("region") != plain(request.news).get("region")
        return provider.DiffResponse(
            changes=provider.DiffResponse.DIFF_SOME if moved else provider.DiffResponse.DIFF_NONE,
            replaces=["region"] if moved else [],
        )

    def Configure(self, request: Any, context: Any) -> Any:
        self.region = str(plain(request.args)["region"])
        return provider.ConfigureResponse(supportsPreview=True)

    def Invoke(self, request: Any, context: Any) -> Any:
        reason = f"pretend {self.cloud.cloud} (no real cloud) answers no lookups: {request.tok}"
        return provider.InvokeResponse(failures=[provider.CheckFailure(reason=reason)])

    @told
    def Check(self, request: Any, context: Any) -> Any:
        token = request.type
        self.cloud.kind(token)
        inputs = with_defaults(self.cloud.cloud, token, plain(request.news))
        # What is legal is asked of values of the right type only.
        wrong = self._wrong(token, inputs) or list(
            refused(self.cloud.cloud, token, inputs, self.region, self.cloud.resolve)
        )
        prefix = f"pretend {self.cloud.cloud} (no real cloud): "
        failures = [provider.CheckFailure(property=path, reason=f"{prefix}{path} {reason}") for path, reason in wrong]
        return provider.CheckResponse(inputs=message(inputs), failures=failures)

    @told
    def Diff(self, request: Any, context: Any) -> Any:
        kind = self.cloud.kind(request.type)
        found = list(changes(plain(request.old_inputs), plain(request.news)))
        detailed = {}
        for path, change in found:
            name = f"{change}_replace" if replaces(kind, path, change) else change
            detailed[path] = provider.PropertyDiff(kind=name.upper(), inputDiff=True)
        forcing = [path for path, change in found if replaces(kind, path, change)]
        return provider.DiffResponse(
            changes=provider.DiffResponse.DIFF_SOME if found else provider.DiffResponse.DIFF_NONE,
            replaces=sorted({pattern_of(path).split(".")[0].split("[")[0] for path in forcing}),
            diffs=sorted({pattern_of(path).split(".")[0].split("[")[0] for path, _ in found}),
            detailedDiff=detailed,
            hasDetailedDiff=True,
        )

    @told
    def Create(self, request: Any, context: Any) -> Any:
        kind = self.cloud.kind(request.type)
        inputs = plain(request.properties)
        if request.preview:
            unknown = {name: UNKNOWN for name, _ in kind.outputs if name not in inputs}
            return provider.CreateResponse(properties=message({**inputs, **unknown}))
        self._die_if_told("crash_before", "create", request.type, inputs)
        item = self.cloud.create(request.type, inputs, self.region)
        self._die_if_told("crash_after", "create", request.type, inputs)
        return provider.CreateResponse(id=item.id, properties=message({**item.outputs, **inputs}))

    @told
    def Read(self, request: Any, context: Any) -> Any:
        item = self.cloud.read(request.type, request.id)
        if item is None:
            return provider.ReadResponse()
        return provider.ReadResponse(
            id=item.id, properties=message({**item.outputs, **item.inputs}), inputs=message(item.inputs)
        )

    @told
    def Update(self, request: Any, context: Any) -> Any:
        inputs = plain(request.news)
        if request.preview:
            kept = {name: value for name, value in plain(request.olds).items() if name not in plain(request.old_inputs)}
            return provider.UpdateResponse(properties=message({**kept, **inputs}))
        self._die_if_told("crash_before", "update", request.type, inputs)
        item = self.cloud.update(request.type, request.id, inputs)
        return provider.UpdateResponse(properties=message({**item.outputs, **inputs}))

    @told
    def Delete(self, request: Any, context: Any) -> Any:
        self.cloud.delete(request.type, request.id)
        return empty_pb2.Empty()

    def _wrong(self, token: str, inputs: dict[str, Any]) -> list[tuple[str, str]]:
        if not self.facts.sdk:  # Then the schema alone tells what is required; the stack's own module checks the types.
            needed = (
                pattern for pattern in self.cloud.kind(token).required if "." not in pattern and "[" not in pattern
            )
            return [(pattern, "is required") for pattern in needed if inputs.get(pattern) is None]
        arguments = arguments_of(self.facts.sdk, token)
        if arguments is None:
            return [("", f"{self.facts.sdk} has no class for {token}")]
        return list(wrong_inputs(arguments, inputs))

    def _die_if_told(self, moment: str, call: str, type_: str, inputs: dict[str, Any]) -> None:
        if self.cloud.crashes(moment, call, type_, inputs):
            print(f"pretend {self.cloud.cloud} (no real cloud): told to crash", file=sys.stderr, flush=True)
            os._exit(CRASH)


def main() -> None:
    """Serve until the engine ends; it reads the port from the first line."""
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda *_: os._exit(0))
    cloud = PretendCloud(sys.argv[1], Path(os.environ[STATE]))
    server = grpc.server(futures.ThreadPoolExecutor(16), options=[("grpc.max_receive_message_length", -1)])
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(Plugin(cloud), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main()
