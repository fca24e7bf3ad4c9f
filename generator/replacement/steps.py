"""What the next `pulumi up` does to each resource: foretold from two previews, or read from the engine's own steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from generator.clouds import cloud_ids, find_cloud
from generator.program.values import UNKNOWN
from generator.replacement.forcing import Change, Effect, effect, forcing_of
from generator.resources import STACK_TYPE, Resource, StackState

Op = Literal["same", "update", "unsure", "replace", "create", "delete"]
RANK: tuple[Effect, ...] = ("update", "unsure", "replace")


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What happens to one resource, as it stands now (a created one: as it will). `unsure`: perhaps it is replaced.

    `keys` are the inputs that force it (of an update those that change); `behind` are the names of the resources whose
    own replacement changes them.
    """

    op: Op
    resource: Resource
    keys: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()


def foretold_steps(old: StackState, new: StackState) -> tuple[Step, ...]:
    """The step of each resource when a stack that is up as `old` becomes `new`, by URN; both are embedded previews.

    What is only known after `up` counts as changed when it comes from another resource than before, or from one that is
    made anew: its id is then another, and so on down the line.
    """
    return tuple(step for _, step in sorted(Foretelling(old, new).steps().items()))


class Foretelling:
    """Compares two states; each resource after those that its inputs come from."""

    def __init__(self, old: StackState, new: StackState) -> None:
        self.old = {resource.urn: resource for resource in old.resources}
        self.new = {resource.urn: resource for resource in new.resources}
        self.moved = _moved_packages(old, new)
        self._steps: dict[str, Step] = {}

    def steps(self) -> dict[str, Step]:
        """The steps by URN; the stack itself and providers are no resources of a cloud and left out."""
        gone = self.old.keys() - self.new.keys()
        found = {urn: Step(op="delete", resource=self.old[urn]) for urn in gone}
        found |= {urn: self.step(urn) for urn in self.new}
        return {urn: step for urn, step in found.items() if not step.resource.type.startswith("pulumi:")}

    def step(self, urn: str) -> Step:
        """The step of one resource of the new program."""
        if urn not in self._steps:
            self._steps[urn] = self._step(urn)
        return self._steps[urn]

    def _step(self, urn: str) -> Step:
        new, old = self.new[urn], self.old.get(urn)
        if old is None:
            return Step(op="create", resource=new)
        if new.type == STACK_TYPE or not new.custom:
            return Step(op="same", resource=old)
        if new.type.partition(":")[0] in self.moved or self._provider_replaced(new):
            return Step(op="replace", resource=old, keys=("region",))
        found: dict[Effect, list[str]] = {rank: [] for rank in RANK}
        behind: dict[str, None] = {}
        forcing = forcing_of(new.type)
        for path, change, doubtful in self._changes(old, new):
            told = effect(forcing, path, change)
            found["unsure" if doubtful and told == "replace" else told].append(path)
            if told != "update":
                behind |= dict.fromkeys(self._anew(new, path))
        op = next((rank for rank in reversed(RANK) if found[rank]), None)
        if op is None:
            return Step(op="same", resource=old)
        return Step(op=op, resource=old, keys=tuple(found[op]), behind=tuple(behind))

    def _provider_replaced(self, resource: Resource) -> bool:
        """True when the provider that makes it has another region than before."""
        urn = (resource.provider or "").rpartition("::")[0]
        old, new = self.old.get(urn), self.new.get(urn)
        return old is not None and new is not None and old.inputs.get("region") != new.inputs.get("region")

    def _changes(self, old: Resource, new: Resource) -> Iterator[tuple[str, Change, bool]]:
        """Every input that differs: its path, how, and whether that itself hangs on a doubtful replacement."""
        for key in sorted(old.inputs.keys() | new.inputs.keys()):
            sources = new.property_dependencies.get(key, ())
            ops = {self.step(source).op for source in sources if source in self.new}
            elsewhere = set(sources) != set(old.property_dependencies.get(key, ()))
            doubtful = not elsewhere and "replace" not in ops and "unsure" in ops
            renewed = elsewhere or bool(ops & {"replace", "unsure"})
            for path, change in differences(old.inputs.get(key), new.inputs.get(key), key, renewed):
                if not _ignored(new, path):
                    yield path, change, doubtful

    def _anew(self, resource: Resource, path: str) -> Iterator[str]:
        """Names of the replaced resources that an input comes from."""
        key = path.partition(".")[0].partition("[")[0]
        for source in resource.property_dependencies.get(key, ()):
            if source in self.new and self.step(source).op in {"replace", "unsure"}:
                yield self.new[source].name


def differences(old: Any, new: Any, path: str, renewed: bool) -> Iterator[tuple[str, Change]]:
    """Where two values differ, as deep as both are blocks or lists; `renewed`: what is unknown is another value now."""
    if new is UNKNOWN and old is UNKNOWN:
        if renewed:
            yield path, "update"
    elif isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from differences(old.get(key), new.get(key), f"{path}.{key}", renewed)
    elif isinstance(old, list) and isinstance(new, list):
        for number in range(max(len(old), len(new))):
            before, after = (side[number] if number < len(side) else None for side in (old, new))
            yield from differences(before, after, f"{path}[{number}]", renewed)
    elif old != new:
        yield path, "add" if old is None else "delete" if new is None else "update"


def _ignored(resource: Resource, path: str) -> bool:
    return any(path == name or path.startswith((f"{name}.", f"{name}[")) for name in resource.ignore_changes)


def _moved_packages(old: StackState, new: StackState) -> frozenset[str]:
    """Packages whose provider, configured by the stack, is sent to another region: everything there is made anew."""
    packages = {package for cloud_id in cloud_ids() for package in find_cloud(cloud_id).token_packages}
    keys = {package: f"{package}:region" for package in packages}
    return frozenset(
        package
        for package, key in keys.items()
        if key in old.config and key in new.config and old.config[key] != new.config[key]
    )


def engine_steps(state: StackState) -> tuple[Step, ...]:
    """The steps that a preview of the real engine tells; empty for a first `up`, an export, or a program alone."""
    found = [Step(op="delete", resource=resource) for resource in state.removed]
    resources = [entry for entry in state.resources if not entry.type.startswith("pulumi:")]
    for resource in resources:
        if resource.replaced:
            found.append(Step(op="replace", resource=resource, keys=resource.replace_keys))
        elif resource.op in {"create", "update"}:
            found.append(Step(op="create" if resource.op == "create" else "update", resource=resource))
    changing = any(step.op != "create" for step in found) or any(entry.op == "same" for entry in resources)
    return tuple(found) if changing else ()


def with_steps(state: StackState, steps: tuple[Step, ...]) -> StackState:
    """The state with what was foretold of each resource, so that the guardrails judge it as they judge the engine's."""
    told = {step.resource.urn: step for step in steps}
    return msgspec.structs.replace(
        state, resources=tuple(_with_step(resource, told.get(resource.urn)) for resource in state.resources)
    )


def _with_step(resource: Resource, step: Step | None) -> Resource:
    if step is None:
        return resource
    op = "update" if step.op == "unsure" else step.op
    return msgspec.structs.replace(
        resource,
        op=op,
        replace_keys=step.keys if step.op == "replace" else (),
        unsure_keys=step.keys if step.op == "unsure" else (),
    )
