"""A resource of a Pulumi program, whatever told of it: embedded preview, `pulumi preview --json`, `stack export`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from generator.errors import InputError, Place, Problem
from generator.program.values import plain


class Resource(msgspec.Struct, frozen=True, kw_only=True):
    """One registered resource. `inputs` has camelCase keys, plain values, UNKNOWN and SECRET.

    `property_dependencies` maps an input's name to the URNs it was computed from. `op` is None where the source has
    no steps.
    """

    urn: str
    type: str
    name: str
    inputs: dict[str, Any]
    dependencies: tuple[str, ...] = ()
    property_dependencies: dict[str, tuple[str, ...]] = {}
    parent: str | None = None
    provider: str | None = None
    custom: bool = True
    protect: bool = False
    retain_on_delete: bool = False
    ignore_changes: tuple[str, ...] = ()
    op: str | None = None
    replace_keys: tuple[str, ...] = ()  # inputs whose change forces the replacement, where the source says so
    unsure_keys: tuple[str, ...] = ()  # inputs that change, and of which nobody tells whether that replaces it
    outputs: dict[str, Any] = {}
    file: str | None = None
    line: int | None = None

    @property
    def replaced(self) -> bool:
        """True when the step told of it makes it anew."""
        return self.op in REPLACING_OPS


class StackState(msgspec.Struct, frozen=True, kw_only=True):
    """All resources of one stack, its config and its outputs."""

    project: str
    stack: str
    source: str  # what was read, as the user named it
    resources: tuple[Resource, ...]
    config: dict[str, Any] = {}
    outputs: dict[str, Any] = {}
    removed: tuple[Resource, ...] = ()  # what a preview of an update takes away
    references_hidden: bool = False  # the form that was read does not tell which resource refers to which


STACK_TYPE = "pulumi:pulumi:Stack"

# Steps that leave a resource behind; the others take it away or only look at it.
JUDGED_OPS = frozenset(
    {"create", "update", "replace", "create-replacement", "import", "import-replacement", "refresh", "same"}
)

REPLACING_OPS = frozenset({"replace", "create-replacement", "import-replacement"})


class RawState(msgspec.Struct, frozen=True, rename="camel"):
    """A resource as the engine writes it (apitype.ResourceV3); what we do not use is not even decoded."""

    urn: str
    type: str
    custom: bool = True
    inputs: dict[str, Any] | None = None
    outputs: dict[str, Any] | None = None
    parent: str | None = None
    provider: str | None = None
    dependencies: tuple[str, ...] | None = None
    property_dependencies: dict[str, tuple[str, ...] | None] | None = None
    protect: bool = False
    retain_on_delete: bool = False
    ignore_changes: tuple[str, ...] | None = None
    source_position: str | None = None
    delete: bool = False  # what a replacement left behind


class RawStep(msgspec.Struct, frozen=True, rename="camel"):
    """A step of `pulumi preview --json`, or `metadata` of a streamed event."""

    op: str
    urn: str
    new_state: RawState | None = None
    new: RawState | None = None
    old_state: msgspec.Raw = msgspec.Raw()  # read only of what goes: of the rest it would double the work
    old: msgspec.Raw = msgspec.Raw()
    replace_reasons: tuple[str, ...] | None = None
    keys: tuple[str, ...] | None = None


class RawDiagnostic(msgspec.Struct, frozen=True):
    """A line the engine or the program printed."""

    message: str = ""
    severity: str = ""


class RawDeployment(msgspec.Struct, frozen=True):
    """The heart of `pulumi stack export`."""

    resources: tuple[RawState, ...] | None = None


class RawDocument(msgspec.Struct, frozen=True, rename="camel"):
    """Any of the JSON documents; the fields that are there tell which."""

    steps: tuple[RawStep, ...] | None = None
    deployment: RawDeployment | None = None
    config: Any = None
    diagnostics: tuple[RawDiagnostic, ...] | None = None
    change_summary: Any = None
    duration: Any = None
    sequence: int | None = None
    planned_values: Any = msgspec.field(name="planned_values", default=None)
    resource_changes: Any = msgspec.field(name="resource_changes", default=None)


class RawPreEvent(msgspec.Struct, frozen=True):
    """`resourcePreEvent` of a stream: a step that is about to run."""

    metadata: RawStep


class RawOutputsEvent(msgspec.Struct, frozen=True):
    """`resOutputsEvent` of a stream: a step that ran, with the stack's outputs."""

    metadata: RawStep


class RawPrelude(msgspec.Struct, frozen=True):
    """`preludeEvent` of a stream: the stack's config."""

    config: dict[str, Any] | None = None


class RawEvent(msgspec.Struct, frozen=True, rename="camel"):
    """One line of the streaming form (apitype.EngineEvent)."""

    prelude_event: RawPrelude | None = None
    resource_pre_event: RawPreEvent | None = None
    res_outputs_event: RawOutputsEvent | None = None
    sequence: int | None = None


def read_stack(path: Path) -> tuple[StackState, ...]:
    """The stacks that a JSON file tells of; InputError when it is no preview and no export."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(Problem(message=f"cannot read {path}: {error.strerror}")) from None
    return parse_stack(data, str(path))


def parse_stack(data: bytes, source: str) -> tuple[StackState, ...]:
    """As `read_stack`, from the bytes themselves (standard input); `source` names them in messages."""
    where = Place(file=source)
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        hint = "PowerShell's `>` does this: use `| Out-File -Encoding utf8`"
        raise InputError(Problem(message="the file is UTF-16, JSON is UTF-8", where=where, hint=hint))
    data = data.removeprefix(b"\xef\xbb\xbf").strip()
    if not data:
        hint = "did the command before it fail? its error went to standard error"
        raise InputError(Problem(message="the file is empty", where=where, hint=hint))
    try:
        document = msgspec.json.decode(data, type=RawDocument)
    except msgspec.ValidationError as error:
        raise InputError(_foreign(where, f"JSON, but of another shape: {error}")) from None
    except msgspec.DecodeError as error:
        if b"\n" in data and data.startswith(b"{"):
            return _from_events(data, where)
        raise InputError(_broken(where, data, error)) from None
    return _from_document(document, data, where)


def _from_document(document: RawDocument, data: bytes, where: Place) -> tuple[StackState, ...]:
    if document.deployment is not None:
        found = [state for state in document.deployment.resources or () if not state.delete]
        return _stacks([_resource(state, None, ()) for state in found], {}, where)
    if document.steps is not None or document.change_summary is not None or document.duration is not None:
        return _from_steps(document.steps or (), document.config or {}, document.diagnostics or (), where)
    if document.sequence is not None:
        return _from_events(data, where)
    if document.planned_values is not None or document.resource_changes is not None:
        raise InputError(_foreign(where, "a Terraform plan"))
    raise InputError(_foreign(where, "JSON, but neither a Pulumi preview nor a stack export"))


def _foreign(where: Place, what: str) -> Problem:
    hint = "give a stack folder, the output of `pulumi preview --json`, or of `pulumi stack export`"
    return Problem(message=f"this is {what}", where=where, hint=hint)


def _broken(where: Place, data: bytes, error: Exception) -> Problem:
    if "truncated" in str(error):
        return Problem(
            message="the JSON ends in the middle", where=where, hint="was the command that wrote it stopped?"
        )
    if data[:1] in b"{[":
        return Problem(message=f"this is not valid JSON: {error}", where=where)
    return _foreign(where, "no JSON")


def _from_steps(
    steps: tuple[RawStep, ...], config: dict[str, Any], diagnostics: tuple[RawDiagnostic, ...], where: Place
) -> tuple[StackState, ...]:
    errors = [entry.message.strip() for entry in diagnostics if entry.severity == "error"]
    if errors and not steps:
        raise InputError(Problem(message=f"the preview itself failed: {errors[0]}", where=where))
    resources: dict[str, Resource] = {}
    removed: dict[str, Resource] = {}
    for step in steps:
        state = step.new_state or step.new
        if step.op in JUDGED_OPS and state is not None:
            resources[step.urn] = _resource(state, step.op, step.replace_reasons or step.keys or ())
        elif step.op == "delete" and (gone := _gone(step)) is not None:
            removed[step.urn] = _resource(gone, step.op, ())
    return _stacks(list(resources.values()), config, where, tuple(removed.values()))


def _gone(step: RawStep) -> RawState | None:
    return msgspec.json.decode(bytes(step.old_state) or bytes(step.old) or b"null", type=RawState | None)


def _from_events(data: bytes, where: Place) -> tuple[StackState, ...]:
    try:
        events = [msgspec.json.decode(line, type=RawEvent) for line in data.splitlines() if line.strip()]
    except msgspec.ValidationError as error:
        raise InputError(_foreign(where, f"JSON, but of another shape: {error}")) from None
    except msgspec.DecodeError as error:
        raise InputError(_broken(where, data, error)) from None
    if all(event.sequence is None for event in events):
        raise InputError(_foreign(where, "JSON lines, but not those of a Pulumi preview"))
    config: dict[str, Any] = {}
    steps: list[RawStep] = []
    for event in events:
        if event.prelude_event is not None:
            config |= event.prelude_event.config or {}
        told = (event.resource_pre_event, event.res_outputs_event)
        steps += [entry.metadata for entry in told if entry is not None]
    return tuple(_without_references(state) for state in _from_steps(tuple(steps), config, (), where))


def _without_references(state: StackState) -> StackState:
    """The state of a stream, which names no resource that an input comes from, marked as such."""
    told = any(resource.property_dependencies for resource in state.resources)
    return state if told else msgspec.structs.replace(state, references_hidden=True)


def _resource(state: RawState, op: str | None, replace_keys: tuple[str, ...]) -> Resource:
    file, line = _position(state.source_position)
    return Resource(
        urn=state.urn,
        type=state.type,
        name=state.urn.rsplit("::", 1)[-1],
        inputs={key: plain(value) for key, value in (state.inputs or {}).items()},
        dependencies=state.dependencies or (),
        property_dependencies={key: urns or () for key, urns in (state.property_dependencies or {}).items()},
        parent=state.parent or None,
        provider=state.provider or None,
        custom=state.custom,
        protect=state.protect,
        retain_on_delete=state.retain_on_delete,
        ignore_changes=state.ignore_changes or (),
        op=op,
        replace_keys=replace_keys,
        outputs={key: plain(value) for key, value in (state.outputs or {}).items()} if _keeps_outputs(state) else {},
        file=file,
        line=line,
    )


def _keeps_outputs(state: RawState) -> bool:
    """Only the stack's own outputs are facts; a resource is judged by what was asked for, which halves the memory."""
    return state.type == STACK_TYPE


def _position(text: str | None) -> tuple[str | None, int | None]:
    """File (relative to the project) and line of `project:///nodes.py#50` or `project:///nodes.py#50,4`."""
    match = re.fullmatch(r"(?:project|file)://(/.*?)(?:#(\d+)(?:,\d+)?)?", text or "")
    if match is None:
        return None, None
    path = match[1].removeprefix("/") if (text or "").startswith("project:") else match[1]
    return path, int(match[2]) if match[2] else None


def _stacks(
    resources: list[Resource], config: dict[str, Any], where: Place, removed: tuple[Resource, ...] = ()
) -> tuple[StackState, ...]:
    """The resources as one state a stack, each in the order of the URNs, so that no run differs from another."""
    grouped: dict[tuple[str, str], list[Resource]] = {}
    for resource in (*resources, *removed):
        parts = resource.urn.split("::")
        if len(parts) < 4 or not parts[0].startswith("urn:pulumi:"):
            raise InputError(_foreign(where, f"no Pulumi URN: {resource.urn!r}"))
        grouped.setdefault((parts[1], parts[0].removeprefix("urn:pulumi:")), []).append(resource)
    gone = {resource.urn for resource in removed} - {resource.urn for resource in resources}
    return tuple(
        StackState(
            project=project,
            stack=stack,
            source=where.file,
            resources=tuple(sorted((member for member in members if member.urn not in gone), key=_urn)),
            config={key: plain(value) for key, value in config.items()} if isinstance(config, dict) else {},
            outputs=next((member.outputs for member in members if member.type == STACK_TYPE), {}),
            removed=tuple(sorted((member for member in members if member.urn in gone), key=_urn)),
        )
        for (project, stack), members in sorted(grouped.items())
    ) or (StackState(project="", stack="", source=where.file, resources=()),)


def _urn(resource: Resource) -> str:
    return resource.urn


def from_states(states: list[dict[str, Any]], config: dict[str, str], source: str, project: str) -> StackState:
    """The stack whose resources the recorder told, each as the engine would write it."""
    raw = msgspec.convert(states, tuple[RawState, ...])
    found = _stacks([_resource(state, None, ()) for state in raw], config, Place(file=source))
    return found[0] if found[0].resources else msgspec.structs.replace(found[0], project=project)
