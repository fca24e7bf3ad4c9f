"""How things are called here: which characters and lengths each name may have, and how the job's name becomes one."""

from __future__ import annotations

LONGEST_KEY = 25  # letters, digits and underscores, no dash (key.Pair.key_name)


def dashed(name: str) -> str:
    """The job's name with dashes: hosts, roles and buckets take no underscore."""
    return name.replace("_", "-").strip("-")


def key_name(name: str) -> str:
    """The job's name as a key pair takes it."""
    return name[:LONGEST_KEY]
