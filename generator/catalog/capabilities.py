"""What a cloud can do for a job, what it cannot, and why: the table `capabilities.csv` of each cloud's folder."""

from __future__ import annotations

import functools
from typing import Literal

import msgspec

from generator.clouds import CLOUDS
from generator.rows import read_rows

Can = Literal["yes", "no", "partly"]
# What every cloud's table answers, in the order in which people ask.
CAPABILITIES = (
    "spot",
    "spot_pool",
    "rdma",
    "parallel_file_system",
    "snapshots",
    "gpu_alarms",
    "schedules",
    "stop_without_charge",
    "placement",
    "reservations",
    "managed_platform",
    "serverless_gpu",
    "encryption",
)


class Capability(msgspec.Struct, frozen=True, kw_only=True):
    """One row: whether stacks of this cloud can have it, the reason in a sentence, and its source."""

    capability: str
    can: Can
    reason: str
    source: str


@functools.cache
def capabilities(cloud_id: str) -> tuple[Capability, ...]:
    """What the cloud's table says, in the order of CAPABILITIES; ValueError for a table that is not whole."""
    rows = tuple(msgspec.convert(row, Capability) for row in read_rows(CLOUDS / cloud_id / "capabilities.csv"))
    if tuple(row.capability for row in rows) != CAPABILITIES:
        raise ValueError(
            f"clouds/{cloud_id}/capabilities.csv must hold each of {', '.join(CAPABILITIES)} once, in order"
        )
    return rows


def find_capability(cloud_id: str, name: str) -> Capability:
    """The row of one capability; KeyError for a name that is none."""
    for row in capabilities(cloud_id):
        if row.capability == name:
            return row
    raise KeyError(name)
