"""Reads a spec's YAML nodes into its fields and collects every fault with its place."""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, Union

import msgspec

from generator.errors import InputError, Place, Problem
from generator.spec import PLANNED_FIELDS, PLANNED_VALUES, Source, Spec, SpecFields
from generator.spec.field_kinds import Kind
from generator.spec.quantities import QuantityError, quote
from generator.spec.yaml_nodes import Mapping, Node, Scalar, Sequence, read_yaml
from generator.spelling import did_you_mean

FAULTY: Any = object()  # stands for a value that was refused


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What a user wrote, by dotted path (`where.regions[0]`): the values that passed, and the place of every key."""

    file: str
    values: dict[str, Any]
    places: dict[str, Place]

    def get(self, path: str) -> Any:
        """The value at a path, None where there is none or where it was refused."""
        return self.values.get(path)

    def items(self, path: str) -> list[tuple[str, Any]]:
        """Path and value of each entry of the list at a path."""
        return [(key, value) for key, value in self.values.items() if key.startswith(f"{path}[")]

    def problem(self, path: str, message: str, hint: str | None = None) -> Problem:
        """A fault at the place of a path."""
        return Problem(message=message, where=self.places.get(path, Place(file=self.file)), hint=hint)


def read_spec(path: Path) -> Spec:
    """The spec in a file; InputError with all its faults, in the order of their places."""
    from generator.spec.checks import check  # noqa: PLC0415 - checks read what is given

    node = read_yaml(path)
    if not isinstance(node, Mapping):
        message = "the spec is empty" if node is None else "the spec is not a mapping of keys to values"
        where = Place(file=str(path)) if node is None else node.place
        raise InputError(Problem(message=message, where=where, hint="trainform init writes a commented starter"))
    reader = _SpecReader()
    fields = reader.read_struct(SpecFields, node, "")
    given = Given(file=str(path), values=reader.values, places=reader.places)
    problems = [*reader.problems, *check(given)]
    if problems:
        raise InputError(*sorted(problems, key=lambda problem: _order(problem, given.file)))
    source = Source(file=str(path), places=reader.places)
    return Spec(source=source, **{name: getattr(fields, name) for name in SpecFields.__struct_fields__})


def _order(problem: Problem, spec_file: str) -> tuple[bool, int, int]:
    """The spec's own faults by place, then those of files that it names."""
    where = problem.where or Place(file=spec_file)
    return where.file != spec_file, where.line or 0, where.column or 0


class FieldType(msgspec.Struct, frozen=True, kw_only=True):
    """The ways in which a field may be written: one scalar kind, words, a truth value, sections, a list, a mapping."""

    kind: Kind | None = None
    words: tuple[str, ...] = ()
    truth: bool = False
    structs: tuple[type[msgspec.Struct], ...] = ()
    item: FieldType | None = None
    pair: tuple[FieldType, FieldType] | None = None
    description: str | None = None

    @property
    def what(self) -> str:
        """The ways in words."""
        ways = [self.kind.what] if self.kind else []
        ways += [f"one of {', '.join(self.words)}"] if len(self.words) > 1 else [*self.words]
        ways += ["true or false"] if self.truth else []
        ways += ["a section with keys"] if self.structs else []
        ways += ["a list"] if self.item else []
        ways += ["keys with values"] if self.pair else []
        return " or ".join(ways)


@functools.cache
def field_types(struct: type[msgspec.Struct]) -> dict[str, tuple[FieldType, msgspec.structs.FieldInfo]]:
    """The fields of a section by the key that the user writes."""
    return {info.encode_name: (read_type(info.type), info) for info in msgspec.structs.fields(struct)}


def read_type(annotation: Any) -> FieldType:
    """The ways in which a type's value may be written."""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        field = read_type(annotation.__origin__)
        for meta in annotation.__metadata__:
            kind = (meta.extra or {}).get("kind", field.kind)
            field = msgspec.structs.replace(field, kind=kind, description=meta.description or field.description)
    elif origin in (Union, types.UnionType):
        field = functools.reduce(_join, (read_type(arg) for arg in args if arg is not type(None)))
    elif origin is Literal:
        field = FieldType(words=args)
    elif origin is tuple and typing.get_origin(args[0]) is tuple:
        key, value = typing.get_args(args[0])
        field = FieldType(pair=(read_type(key), read_type(value)))
    elif origin is tuple:
        field = FieldType(item=read_type(args[0]))
    elif annotation is bool:
        field = FieldType(truth=True)
    elif annotation.__module__ == SpecFields.__module__:
        field = FieldType(structs=(annotation,))
    else:  # what its kind reads it into: a number, a text, Money, a Range
        field = FieldType()
    return field


def _join(first: FieldType, second: FieldType) -> FieldType:
    return FieldType(
        kind=first.kind or second.kind,
        words=first.words + second.words,
        truth=first.truth or second.truth,
        structs=first.structs + second.structs,
        item=first.item or second.item,
        pair=first.pair or second.pair,
        description=first.description or second.description,
    )


class _SpecReader:
    """Walks nodes and types together; a fault is noted and the walk goes on."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.values: dict[str, Any] = {}
        self.places: dict[str, Place] = {}

    def read_struct(self, struct: type[msgspec.Struct], node: Mapping, path: str) -> Any:
        """The section, or FAULTY when a key that it must have is missing or refused."""
        fields = field_types(struct)
        values = {}
        for key, value in self._keys(node, path, fields):
            inner = f"{path}.{key}" if path else key
            kind, info = fields[key]
            self.places[inner] = value.place
            values[info.name] = self._read(kind, value, inner)
        for key, (_, info) in fields.items():
            if info.required and info.name not in values:
                owner = path or "the spec"
                self._fault(node.place, f"{owner} has no '{key}'", f"add '{key}: ...'")
                values[info.name] = FAULTY
        if FAULTY in values.values():
            return FAULTY
        section = struct(**values)
        if path:
            self.values[path] = section
        return section

    def _keys(self, node: Mapping, path: str, fields: Iterable[str]) -> list[tuple[str, Node]]:
        """The known keys with their nodes; unknown, planned and repeated ones are faults."""
        known = {}
        for key, value in node.items:
            if not isinstance(key, Scalar):
                self._fault(key.place, "a key must be plain text", None)
                continue
            name = key.text
            inner = f"{path}.{name}" if path else name
            if name in known:
                self._fault(key.place, f"'{inner}' stands twice", "keep one of them")
            elif inner in PLANNED_FIELDS:
                self._fault(key.place, f"{inner} is planned and refused until it works", "leave it out")
            elif name not in fields:
                hint = did_you_mean(name, fields) or f"known keys here: {', '.join(fields)}"
                where = f" in {path}" if path else ""
                self._fault(key.place, f"unknown key {quote(name)}{where}", hint)
            else:
                known[name] = value
        return list(known.items())

    def _read(self, field: FieldType, node: Node, path: str) -> Any:
        value = self._read_any(field, node, path)
        if value is not FAULTY:
            self.values[path] = value
        return value

    def _read_any(self, field: FieldType, node: Node, path: str) -> Any:
        if isinstance(node, Scalar):
            return self._scalar(field, node, path)
        if isinstance(node, Sequence) and field.item:
            items = [self._read(field.item, item, f"{path}[{i}]") for i, item in enumerate(node.items)]
            self.places |= {f"{path}[{i}]": item.place for i, item in enumerate(node.items)}
            return FAULTY if FAULTY in items else tuple(items)
        if isinstance(node, Mapping) and field.structs:
            written = {key.text for key, _ in node.items if isinstance(key, Scalar)}
            best = max(reversed(field.structs), key=lambda struct: len(written & set(field_types(struct))))
            return self.read_struct(best, node, path)
        if isinstance(node, Mapping) and field.pair:
            return self._pairs(field.pair, node, path)
        shape = "a list" if isinstance(node, Sequence) else "a section with keys"
        return self._fault(node.place, f"{path} is {shape}, but should be {field.what}", None)

    def _pairs(self, kinds: tuple[FieldType, FieldType], node: Mapping, path: str) -> Any:
        pairs = []
        for key, value in node.items:
            if not isinstance(key, Scalar):
                pairs.append(self._fault(key.place, "a key must be plain text", None))
                continue
            inner = f"{path}.{key.text}"
            self.places[inner] = key.place
            name = self._scalar(kinds[0], key, inner)
            held = self._read(kinds[1], value, inner)
            twice = any(pair is not FAULTY and pair[0] == name for pair in pairs)
            if twice:
                self._fault(key.place, f"'{inner}' stands twice", "keep one of them")
            pairs.append(FAULTY if twice or name is FAULTY or held is FAULTY else (name, held))
        return FAULTY if FAULTY in pairs else tuple(sorted(pairs))

    def _scalar(self, field: FieldType, node: Scalar, path: str) -> Any:
        if node.empty:
            return self._fault(node.place, f"{path} is empty", "give it a value, or leave the key out")
        if node.text in field.words:
            return node.text
        if field.truth and node.truth is not None:
            return node.truth
        hint = did_you_mean(node.text, field.words)
        message = f"{path}: {quote(node.text)} is not {field.what}"
        if node.text in PLANNED_VALUES.get(path, ()):
            message = f"{path}: {node.text} is planned and refused until it works"
            hint = f"today it is {' or '.join(field.words)}"
        elif field.kind:
            try:
                return field.kind.value(node.text)
            except QuantityError as error:
                if not field.words:
                    message, hint = f"{path}: {error}", error.hint
        elif field.item:
            hint = f"write it as [{quote(node.text)[1:-1]}]"
        return self._fault(node.place, message, hint)

    def _fault(self, place: Place, message: str, hint: str | None) -> Any:
        self.problems.append(Problem(message=message, where=place, hint=hint))
        return FAULTY
