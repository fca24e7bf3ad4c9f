"""How things are called here: which characters each name may have, and how the job's name becomes one."""

from __future__ import annotations


def dashed(name: str) -> str:
    """The job's name with dashes: hosts, keys and buckets take no underscore, networks no dash."""
    return name.replace("_", "-").strip("-")
