"""Checks a resource's inputs against the types of the vendor's Python SDK: required, unknown and wrongly typed inputs.

It is stricter than the vendors' plugins, which turn "100" into 100: what we generate has the right type to begin with.
"""

import collections.abc
import importlib
import inspect
import typing
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from pulumi import _types

from tests.pretend_cloud.paths import UNKNOWN


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


SCALARS: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    str: ("text", lambda value: isinstance(value, str)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    int: ("a whole number", lambda value: _is_number(value) and value == int(value)),
    float: ("a number", _is_number),
}


def arguments_of(sdk: str, token: str) -> type | None:
    """The class of a resource's inputs in an SDK, such as pulumi_alicloud.ecs.InstanceArgs; None when there is none."""
    _, module, name = token.split(":")
    folder = {"as": "as_"}.get(module.split("/")[0].lower(), module.split("/")[0].lower())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # An SDK warns of classes of its own that it deprecates, whoever imports it.
        namespace = getattr(importlib.import_module(sdk), folder, None)
        named = [getattr(namespace, name + ending, None) for ending in ("InitArgs", "Args")]
    return next((found for found in named if found is not None), None)


def plain_type(annotation: Any) -> Any:
    """An annotation without its Optional and Input wrappings; of several forms the SDK's own argument class."""
    if typing.get_origin(annotation) is not typing.Union:
        return annotation
    forms = [form for form in typing.get_args(annotation) if form is not type(None)]
    classes = [form for form in forms if isinstance(form, type) and _types.is_input_type(form)]
    return plain_type((classes or forms)[0])


def wrong_inputs(arguments: type, inputs: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Every input that the SDK would not take: (path, what is wrong); a value that is unknown yet is not judged."""
    wire_names = _types.input_type_py_to_pulumi_names(arguments)
    python_names = {wire: name for name, wire in wire_names.items()}
    types = _types.input_type_types(arguments)
    for name, parameter in inspect.signature(arguments.__init__).parameters.items():
        wire = wire_names.get(name)
        if wire and parameter.default is inspect.Parameter.empty and inputs.get(wire) is None:
            yield path + wire, "is required"
    for wire, value in inputs.items():
        if wire not in python_names:
            yield path + wire, "is unknown to the SDK"
        elif value is not None and value != UNKNOWN:
            expected = plain_type(types.get(python_names[wire], types.get(wire, object)))
            yield from wrong_value(expected, value, path + wire)


def wrong_value(expected: Any, value: Any, path: str) -> Iterator[tuple[str, str]]:
    """What is wrong with one value, and with all that it holds."""
    words, fits = form_of(expected)
    if not fits(value):
        yield path, f"wants {words}, not {value!r}"
    elif isinstance(expected, type) and _types.is_input_type(expected):
        yield from wrong_inputs(expected, value, path + ".")
    elif isinstance(value, list) and typing.get_args(expected):
        for number, member in enumerate(value):
            if member != UNKNOWN:
                yield from wrong_value(plain_type(typing.get_args(expected)[0]), member, f"{path}[{number}]")


def form_of(expected: Any) -> tuple[str, Callable[[Any], bool]]:
    """The words for a type and the test that a value must pass."""
    origin = typing.get_origin(expected)
    if origin in {list, collections.abc.Sequence}:
        return "a list", lambda value: isinstance(value, list)
    if origin in {dict, collections.abc.Mapping} or (isinstance(expected, type) and _types.is_input_type(expected)):
        return "an object", lambda value: isinstance(value, dict)
    return SCALARS.get(expected, ("", lambda _: True))


def type_at(arguments: Any, pattern: str) -> Any:
    """The SDK's type at a pattern such as `dataDisks[].size`; KeyError when there is no such input."""
    current = arguments
    for step in pattern.split("."):
        name = step.removesuffix("[]")
        python_names = {wire: own for own, wire in _types.input_type_py_to_pulumi_names(current).items()}
        types = _types.input_type_types(current)
        current = plain_type(types.get(python_names[name], types.get(name)))
        if step.endswith("[]"):
            current = plain_type(typing.get_args(current)[0])
    return current
