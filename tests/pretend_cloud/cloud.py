"""The heart of the pretend cloud: resources, ids, dependencies and failures, kept in one file; it knows no protocol."""

import fcntl
import hashlib
import ipaddress
import json
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from tests.pretend_cloud.facts import Kind, kinds
from tests.pretend_cloud.failures import REFUSALS, Failure, RefusedError
from tests.pretend_cloud.paths import find

MADE_HERE = re.compile(r"[a-z0-9-]*pretend[0-9a-f]{8}")  # ids of this cloud, wherever they stand in a text


class Item(msgspec.Struct, kw_only=True):
    """One thing that exists in the cloud."""

    type: str
    id: str
    inputs: dict[str, Any]
    outputs: dict[str, Any]
    number: int


class State(msgspec.Struct, kw_only=True):
    """Everything that exists, what was asked of the cloud so far, and the failures still to come."""

    items: list[Item] = []
    calls: list[tuple[str, str, str]] = []  # call, type, id
    failures: list[Failure] = []
    made: int = 0


class PretendCloud:
    """One account of one cloud; several processes may use the same file."""

    def __init__(self, cloud: str, file: Path) -> None:
        self.cloud = cloud
        self.file = file

    @contextmanager
    def opened(self) -> Iterator[State]:
        """The state, alone; written back whole when nothing was raised or the cloud refused."""
        with self.file.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            known = self.file.exists()
            state = msgspec.json.decode(self.file.read_bytes(), type=State) if known else State()
            try:
                yield state
            finally:
                unfinished = self.file.with_suffix(".unfinished")
                unfinished.write_bytes(msgspec.json.encode(state))
                unfinished.replace(self.file)

    def kind(self, type_: str) -> Kind:
        """What is known of a type; one without a row is refused."""
        kind = kinds(self.cloud).get(type_)
        if kind is None:
            raise RefusedError(
                "UnknownType", f"no row for {type_} in tests/pretend_cloud/facts/{self.cloud}/resources.csv"
            )
        return kind

    def create(self, type_: str, inputs: dict[str, Any], region: str) -> Item:
        """Make a resource: its id and outputs are known from now on."""
        kind = self.kind(type_)
        self._fail("create", type_, inputs)
        with self.opened() as state:
            _refuse_dangling(state, inputs)
            _refuse_twins(state, kind, inputs)
            state.made += 1
            item = Item(type=type_, id="", inputs=inputs, outputs={}, number=state.made)
            names = _names(state, item, region)
            item.id = kind.id.format_map(names)
            item.outputs = {"id": item.id} | {name: form.format_map(names) for name, form in kind.outputs}
            state.items.append(item)
            state.calls.append(("create", type_, item.id))
        return item

    def read(self, type_: str, id_: str) -> Item | None:
        """A resource as it is, or None when it is gone."""
        with self.opened() as state:
            return next(_matching(state, type_, id_), None)

    def update(self, type_: str, id_: str, inputs: dict[str, Any]) -> Item:
        """Change a resource where it stands; id and outputs stay."""
        self._fail("update", type_, inputs)
        with self.opened() as state:
            item = next(_matching(state, type_, id_), None)
            if item is None:
                raise RefusedError("NotFound", f"{id_} does not exist: was it deleted, or reclaimed?")
            _refuse_dangling(state, inputs)
            _refuse_shrinking(self.kind(type_), item, inputs)
            item.inputs = inputs
            state.calls.append(("update", type_, id_))
            return item

    def delete(self, type_: str, id_: str) -> None:
        """Remove a resource; what others still hold is refused, what is gone already is no fault."""
        kind = self.kind(type_)
        with self.opened() as state:
            item = next(_matching(state, type_, id_), None)
            inputs = item.inputs if item else {}
        self._fail("delete", type_, inputs)
        with self.opened() as state:
            holder = next(_holders(state, kind, id_), None)
            if holder is not None:
                raise RefusedError("DependencyViolation", f"{id_} is still used by {holder.id} ({holder.type})")
            state.items = [item for item in state.items if (item.type, item.id) != (type_, id_)]
            state.calls.append(("delete", type_, id_))

    def resolve(self, id_: str) -> dict[str, Any]:
        """Inputs and outputs of what has this id; empty when nothing has."""
        with self.opened() as state:
            return next(({**item.inputs, **item.outputs} for item in state.items if item.id == id_), {})

    def items(self, type_: str | None = None) -> list[Item]:
        """What exists, of one type or all."""
        with self.opened() as state:
            return [item for item in state.items if type_ in {None, item.type}]

    def calls(self) -> list[tuple[str, str, str]]:
        """Every change that was made, in order: (call, type, id)."""
        with self.opened() as state:
            return state.calls

    def tell(self, failure: Failure) -> None:
        """Make one of the next calls fail."""
        with self.opened() as state:
            state.failures.append(failure)

    def failures_left(self, kind: str) -> int:
        """How often a kind of failure is still to come."""
        with self.opened() as state:
            return sum(failure.times for failure in state.failures if failure.kind == kind)

    def reclaim(self, id_: str) -> None:
        """Take a resource away behind everybody's back, as a cloud does with a spot instance, and what hung on it."""
        with self.opened() as state:
            gone = [item for item in state.items if item.id == id_ or _hangs_on(item, id_)]
            assert gone, f"nothing has the id {id_}"
            state.items = [item for item in state.items if item not in gone]
            state.calls.extend(("reclaim", item.type, item.id) for item in gone)

    def crashes(self, moment: str, call: str, type_: str, inputs: dict[str, Any]) -> bool:
        """Whether the plugin was told to die at this moment (crash_before, crash_after) of this call."""
        return self._take(moment, call, type_, inputs) is not None

    def _fail(self, call: str, type_: str, inputs: dict[str, Any]) -> None:
        slow = self._take("slow", call, type_, inputs)
        if slow is not None:
            time.sleep(slow.seconds)
        for kind, (code, message) in REFUSALS.items():
            if self._take(kind, call, type_, inputs) is not None:
                raise RefusedError(code, message)

    def _take(self, kind: str, call: str, type_: str, inputs: dict[str, Any]) -> Failure | None:
        with self.opened() as state:
            for number, failure in enumerate(state.failures):
                if failure.kind == kind and failure.strikes(call, type_, inputs):
                    state.failures[number] = msgspec.structs.replace(failure, times=failure.times - 1)
                    return failure
        return None


def _matching(state: State, type_: str, id_: str) -> Iterator[Item]:
    return (item for item in state.items if (item.type, item.id) == (type_, id_))


def _hangs_on(item: Item, id_: str) -> bool:
    """True for what joins two things, one of which has this id, and is nothing without it."""
    return "ttach" in item.type and id_ in item.inputs.values()


def _holders(state: State, kind: Kind, id_: str) -> Iterator[Item]:
    for item in state.items:
        for name in kind.held_by if (item.type, item.id) != (kind.type, id_) else ():
            if id_ in [value for _, _, value in find(item.inputs, name)]:
                yield item


def _refuse_dangling(state: State, inputs: dict[str, Any]) -> None:
    alive = set(MADE_HERE.findall(json.dumps([(item.id, item.outputs) for item in state.items])))
    gone = sorted(set(MADE_HERE.findall(json.dumps(inputs))) - alive)
    if gone:
        raise RefusedError("InvalidParameter.NotFound", f"{', '.join(gone)} does not exist")


def _refuse_twins(state: State, kind: Kind, inputs: dict[str, Any]) -> None:
    for names in kind.unique:
        wanted = [inputs.get(name) for name in names]
        for item in state.items:
            taken = [item.inputs.get(name, item.outputs.get(name)) for name in names]
            if item.type == kind.type and None not in wanted and wanted == taken:
                values = ", ".join(f"{name} {value}" for name, value in zip(names, wanted, strict=True))
                raise RefusedError("AlreadyExists", f"{values} is taken by {item.id}")


def _refuse_shrinking(kind: Kind, item: Item, inputs: dict[str, Any]) -> None:
    for name in kind.grows:
        old, new = item.inputs.get(name), inputs.get(name)
        if old is not None and new is not None and new < old:
            raise RefusedError("InvalidDiskSize.TooSmall", f"{name} of {item.id} cannot shrink from {old} to {new}")


def _names(state: State, item: Item, region: str) -> dict[str, Any]:
    token = "pretend" + hashlib.sha256(f"{item.type} {item.number}".encode()).hexdigest()[:8]
    uuid = f"pretend{token[7:]}-0000-4000-8000-{item.number:012d}"
    pool = {"uuid": uuid, "number": str(1000 + item.number), "token": token, "region": region}
    addresses = {
        "private_address": _private_address(state, item.inputs),
        "public_address": f"203.0.113.{item.number % 250 + 1}",
        "mac": f"00:16:3e:00:{item.number // 256:02x}:{item.number % 256:02x}",
    }
    return defaultdict(str, {**item.inputs, **pool, **addresses})  # An input that was not given is nothing in an id.


def _private_address(state: State, inputs: dict[str, Any]) -> str:
    """The address asked for, else the subnet's first free one; the clouds keep its first and last for themselves."""
    asked = inputs.get("privateIp") or inputs.get("primaryIpAddress")
    if asked:
        return str(asked)
    within = inputs.get("vswitchId", inputs.get("subnetId"))
    subnet = next((item for item in state.items if item.id == within), None)
    if subnet is None:
        return ""
    taken = {str(item.outputs.get("privateIp")) for item in state.items}
    hosts = ipaddress.ip_network(subnet.inputs.get("cidrBlock", subnet.inputs.get("cidr"))).hosts()
    return next(str(host) for host in hosts if str(host) not in taken)
