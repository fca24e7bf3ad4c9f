"""Faults that can be planted on every cloud, each with the rule that must speak and what it must say."""

from __future__ import annotations

import msgspec


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault by its name, and the verdict of one rule on it."""

    name: str
    rule: str
    verdict: str


FAULTS = tuple(
    Fault(name=name, rule=rule, verdict=verdict)
    for name, rule, verdict in (
        ("hard disk for data", "ST001", "deny"),
        ("hybrid disk for data", "ST001", "warn"),
        ("hard disk for the system", "ST002", "deny"),
        ("bare system disk", "ST005", "warn"),
        ("bare data disk", "ST005", "warn"),
        ("bucket that never cools", "ST006", "warn"),
        ("several nodes without RDMA", "NW001", "deny"),
        ("one job in two zones", "NW002", "deny"),
        ("spot without checkpoints", "SP001", "deny"),
        ("pool of spot without checkpoints", "SP001", "deny"),
        ("several nodes without checkpoints", "SP003", "deny"),
        ("type that never was", "SZ001", "deny"),
        ("card too small", "SZ004", "deny"),
        ("plain image without a driver", "IM001", "warn"),
        ("system past its end", "IM001", "deny"),
        ("nobody watches the cards", "MO002", "warn"),
        ("alarm that tells nobody", "MO002", "warn"),
        ("development day and night", "CO001", "warn"),
        ("training without an end", "CO002", "warn"),
        ("SSH for the world", "SE001", "deny"),
        ("password in the program", "SE002", "deny"),
        ("public machine", "SE003", "warn"),
        ("public bucket", "SE007", "deny"),
    )
)
