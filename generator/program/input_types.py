"""The inputs of a resource against the types that its SDK declares: unknown keys and wrong scalars, at every depth."""

from __future__ import annotations

import difflib
import functools
import importlib
import keyword
import typing
from collections.abc import Iterator
from typing import Any

from pulumi import _types

from generator.program.values import OUTPUT_SIGNATURE, SECRET_SIGNATURE, SIGNATURE_KEY, UNKNOWN_SENTINELS

WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list", dict: "a block"}


def check_inputs(token: str, inputs: dict[str, Any], sdks: dict[str, str]) -> Iterator[str]:
    """What is wrong with the camelCase inputs of a resource of this type, one sentence each.

    `sdks` maps the first part of a token to the import package of its SDK; other resources are not looked at.
    """
    arguments = arguments_class(token, sdks)
    if arguments is not None:
        yield from check_block(arguments, inputs, "")


@functools.cache
def _module(package: str, name: str) -> Any:
    return getattr(importlib.import_module(package), f"{name}_" if keyword.iskeyword(name) else name, None)


def arguments_class(token: str, sdks: dict[str, str]) -> Any | None:
    """The class of the SDK that declares the arguments of this type; None when there is none."""
    package, _, rest = token.partition(":")
    if package not in sdks or rest.count(":") != 1:
        return None
    path, name = rest.split(":")
    module = _module(sdks[package], path.split("/", maxsplit=1)[0].lower())
    # A few resources are called like their own arguments; the SDK then names the arguments `...InitArgs`.
    for candidate in (f"{name}InitArgs", f"{name}Args"):
        found = getattr(module, candidate, None)
        if isinstance(found, type) and _types.is_input_type(found):
            return found
    return None


@functools.cache
def properties(arguments: Any) -> dict[str, Any]:
    """Wire name to declared type, of one class of arguments."""
    names = _types.input_type_py_to_pulumi_names(arguments)
    types = _types.input_type_types(arguments)
    return {wire: types.get(wire, types.get(name)) for name, wire in names.items()}


def check_block(arguments: Any, block: dict[str, Any], path: str) -> Iterator[str]:
    """As `check_inputs`, for one block; `path` is what leads to it, `dataDisks[0].`."""
    declared = properties(arguments)
    for key, value in block.items():
        if key in declared:
            yield from check_value(declared[key], value, f"{path}{key}")
        elif not key.startswith("__"):
            near = difflib.get_close_matches(key, declared, 1)
            yield f"{path}{key}: no such argument" + (f"; did you mean {near[0]}?" if near else "")


def members(declared: Any) -> tuple[Any, ...]:
    """The plain types that a declared type allows, without None and without the forms a value takes on its way."""
    if typing.get_origin(declared) is typing.Union or type(declared).__name__ == "UnionType":
        return tuple(member for part in typing.get_args(declared) for member in members(part))
    if declared is type(None) or declared is None:
        return ()
    name = getattr(typing.get_origin(declared) or declared, "__name__", "")
    return () if name in {"Awaitable", "Output", "Future"} else (declared,)


def check_value(declared: Any, value: Any, path: str) -> Iterator[str]:
    """As `check_inputs`, for one value at `path`; what is secret is looked into, what is unknown is not."""
    if isinstance(value, dict) and value.get(SIGNATURE_KEY) in {SECRET_SIGNATURE, OUTPUT_SIGNATURE}:
        value = value.get("value")
    if value is None or _is_marked(value):
        return
    options = members(declared)
    if not options or typing.Any in options:
        return
    if isinstance(value, dict):
        yield from _check_dict(options, value, path)
    elif isinstance(value, list):
        yield from _check_list(options, value, path)
    elif not any(_accepts(_kind(option), value) for option in options):
        yield f"{path}: {WORDS[type(value)]} where {_words(options)} is due"


def _is_marked(value: Any) -> bool:
    """True for what stands for another value: the engine's unknown, an asset."""
    if isinstance(value, str):
        return any(sentinel in value for sentinel in UNKNOWN_SENTINELS)
    return isinstance(value, dict) and SIGNATURE_KEY in value


def _check_list(options: tuple[Any, ...], value: list[Any], path: str) -> Iterator[str]:
    lists = [option for option in options if _kind(option) is list]
    if not lists:
        yield f"{path}: a list where {_words(options)} is due"
    elif item := typing.get_args(lists[0]):
        for number, element in enumerate(value):
            yield from check_value(item[0], element, f"{path}[{number}]")


def _check_dict(options: tuple[Any, ...], value: dict[str, Any], path: str) -> Iterator[str]:
    blocks = [option for option in options if isinstance(option, type) and _types.is_input_type(option)]
    if blocks:
        yield from check_block(blocks[0], value, f"{path}.")
        return
    mappings = [option for option in options if _kind(option) is dict]
    if not mappings:
        yield f"{path}: a block where {_words(options)} is due"
    elif len(kinds := typing.get_args(mappings[0])) == 2:
        for key, element in value.items():
            yield from check_value(kinds[1], element, f"{path}.{key}")


def _kind(option: Any) -> Any:
    """The plain Python type behind a declared one: `Sequence[...]` is list, `Mapping[...]` and blocks are dict."""
    origin = typing.get_origin(option) or option
    name = getattr(origin, "__name__", "")
    if name in {"Sequence", "list", "List"}:
        return list
    if name in {"Mapping", "dict", "Dict"} or (isinstance(option, type) and _types.is_input_type(option)):
        return dict
    if typing.is_typeddict(option):
        return dict
    if isinstance(option, type) and issubclass(option, str):
        return str  # enumerations of the SDK are texts
    return origin


def _accepts(kind: Any, value: Any) -> bool:
    if isinstance(value, bool):
        return kind is bool
    if isinstance(value, str):
        return kind is str
    if kind is int:
        return float(value).is_integer()
    return kind is float


def _words(options: tuple[Any, ...]) -> str:
    return " or ".join(
        dict.fromkeys(WORDS.get(_kind(option), getattr(option, "__name__", "another")) for option in options)
    )
