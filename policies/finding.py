"""What a rule says of a resource."""

from __future__ import annotations

from typing import Literal

import msgspec

Verdict = Literal["deny", "warn", "info", "unknown", "waived", "error"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One verdict on one resource (CONTRACTS section 5): what is wrong, the exact cure, and the source of the rule."""

    rule: str
    verdict: Verdict
    severity: Literal["deny", "warn", "info"]
    resource: str  # URN
    name: str
    property: str | None
    message: str
    cure: str
    why: str  # document row, or "ours"
    file: str | None = None
    line: int | None = None
    waiver: str | None = None
