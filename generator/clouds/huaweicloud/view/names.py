"""How things are called here: which characters and lengths each name may have, and how the job's name becomes one."""

from __future__ import annotations

# A bucket's name has 3 to 63 characters: a job's 40, a role's 7 and the dashes leave this many for a person's suffix.
MOST_SUFFIX = 14
LEAST_NAME = 2


def dashed(name: str) -> str:
    """The job's name with dashes: hosts, agencies and buckets take no underscore, and want two characters."""
    words = name.replace("_", "-").strip("-")
    return words if len(words) >= LEAST_NAME else f"{words}-job"
