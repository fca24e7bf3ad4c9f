"""Secrets that stand in a program as plain text: passwords and keys, also in user data, base64 and JSON."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from generator.facts import OpenSecret
from generator.facts.names import decoded
from generator.facts.reader import StackReader
from generator.program.values import Unknown

# Inputs that hold a secret by their name; what is encrypted or only refers to one is called otherwise.
SECRET_INPUT = re.compile(
    r"(?:^|.*[a-z])(?:password|passwd|adminPass|secretKey|accessKeySecret|secretAccessKey|privateKey|authToken|apiKey)$",
    re.IGNORECASE,
)
HARMLESS_INPUT = re.compile(r"encrypted", re.IGNORECASE)
SHORTEST_TEXT = 16

# What betrays itself: forms by the makers of the keys. A text without the first words is not searched: that is slower.
FORMS = (
    ("PRIVATE KEY-----", re.compile(r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"), "a private key"),
    ("LTAI", re.compile(r"\bLTAI[A-Za-z0-9]{12,24}\b"), "an access key id"),
    ("AKID", re.compile(r"\bAKID[A-Za-z0-9]{13,40}\b"), "an access key id"),
    ("ALTAK", re.compile(r"\bALTAK[A-Za-z0-9]{10,30}\b"), "an access key id"),
)
ASSIGNED = ("passw", "secret", "api_key", "apikey", "auth_token", "authtoken")  # one of these is in every assignment
# `password=Abc123..`, `"secret_key": "..."`: a value with a figure in it, and none that only names a variable.
ASSIGNMENT = re.compile(
    r"""(?i)(?:password|passwd|secret_?key|access_?key_?secret|secret_?access_?key|api_?key|auth_?token)["']?\s*[=:]\s*["']?"""
    r"""(?=[^\s"'$<{%(]*\d)(?P<value>[^\s"'$<{%(][^\s"']{5,})"""
)


def read_open_secrets(reader: StackReader, region_of: Mapping[str, str | Unknown | None]) -> Iterator[OpenSecret]:
    """Every open secret in the inputs of the stack; what is marked secret or unknown is none."""
    for resource in reader.resources:
        for path, what in find_secrets(resource.inputs, ""):
            yield OpenSecret(
                resource=resource,
                cloud=reader.cloud.id,
                region=region_of[resource.urn],
                paths={"secret": path},
                what=what,
                path=path,
            )


def find_secrets(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Path and kind of each open secret in a value; never the secret."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from find_secrets(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from find_secrets(item, f"{path}[{number}]")
    elif isinstance(value, str) and value:
        name = re.sub(r"\[\d+\]$", "", path).rpartition(".")[2]
        if SECRET_INPUT.match(name) and not HARMLESS_INPUT.search(name):
            yield path, "a password or key"
        elif len(value) >= SHORTEST_TEXT and (what := betrayed(decoded(value))) is not None:
            yield path, what


@functools.lru_cache(256)
def betrayed(text: str) -> str | None:
    """What kind of secret a text holds; None where it holds none."""
    for word, form, what in FORMS:
        if word in text and form.search(text):
            return what
    lower = text.lower()
    told = any(word in lower for word in ASSIGNED) and ASSIGNMENT.search(text)
    return "a password or key" if told else None
