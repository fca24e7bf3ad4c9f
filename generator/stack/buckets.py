"""The buckets of a stack as any cloud's buckets.py.jinja names them; a cloud adds its own words for classes."""

from __future__ import annotations

import msgspec

from generator.stack.blueprint import Blueprint
from generator.stack.storage import BUCKETS, COLD_PREFIX, COOL_DOWN, bucket_choices, bucket_reason, buckets_title


class Bucket(msgspec.Struct, frozen=True, kw_only=True):
    """One bucket: its Python name, the constant of settings.py that holds its own name, and why it is there."""

    variable: str
    constant: str
    role: str
    reason: str
    storage_class: str
    cold_prefix: str
    infrequent_days: int
    archive_days: int


class Buckets(msgspec.Struct, frozen=True, kw_only=True):
    """The names of buckets.py.jinja."""

    title: str
    imports: tuple[str, ...]
    buckets: tuple[Bucket, ...]


def buckets_view(blueprint: Blueprint, usual_class: str = "") -> Buckets | None:
    """The buckets of the stack; None when the user's own are enough. `usual_class`: where selection names none."""
    made = tuple(
        Bucket(
            variable=BUCKETS[choice.role][0],
            constant=BUCKETS[choice.role][1],
            role=choice.role,
            reason=bucket_reason(choice),
            storage_class=choice.level or usual_class,
            cold_prefix=COLD_PREFIX[choice.role],
            infrequent_days=COOL_DOWN[choice.role][0],
            archive_days=COOL_DOWN[choice.role][1],
        )
        for choice in bucket_choices(blueprint)
    )
    if not made:
        return None
    return Buckets(
        title=buckets_title(blueprint),
        imports=tuple(sorted({"JOB", *(bucket.constant for bucket in made)})),
        buckets=made,
    )
