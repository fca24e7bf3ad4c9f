"""One hash over what a spec says, for the output of its stacks."""

from __future__ import annotations

import hashlib

import msgspec

from generator.spec import Spec


def spec_sha256(spec: Spec) -> str:
    """64 hex digits over the fields in canonical JSON (sorted keys, defaults filled in), not over the file.

    Waivers are left out: a finding that is decided upon makes no other stack.
    """
    fields = {key: value for key, value in msgspec.to_builtins(spec).items() if key not in {"source", "waivers"}}
    return hashlib.sha256(msgspec.json.encode(fields, order="sorted")).hexdigest()
