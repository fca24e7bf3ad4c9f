"""The cloud-neutral stack: what is built, how big, with which reason; no cloud's property name stands here."""

from __future__ import annotations

from typing import Literal

import msgspec

from generator.selection import Candidate, Selection, StorageChoice
from generator.spec import Spec
from generator.workload import Workload


class Network(msgspec.Struct, frozen=True, kw_only=True):
    """One VPC and one subnet in one zone. `existing_*` are ids the user already has."""

    vpc_cidr: str
    subnet_cidr: str
    egress: Literal["nat", "none"]
    access: Literal["none", "vpn", "bastion", "public"]
    ssh_from: tuple[str, ...]
    existing_vpc: str | None
    existing_subnet: str | None


class Nodes(msgspec.Struct, frozen=True, kw_only=True):
    """The compute of the stack: `count` equal machines, or a pool of them that may lose members (`pool`)."""

    role: Literal["train", "dev", "infer", "prep"]
    count: int
    pool: bool
    on_demand: int
    alternates: tuple[str, ...]
    price_caps: tuple[tuple[str, str], ...]  # (instance type, most we pay an hour), for spot
    placement: bool  # racks close to one another
    rdma: bool
    system_gib: int
    tags: tuple[tuple[str, str], ...]


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """Start and stop times (cron minute and hour, days 1-5) in a time zone; a development machine is unbilled outside them."""

    days: str
    start: str
    stop: str
    timezone: str


class Alarms(msgspec.Struct, frozen=True, kw_only=True):
    """Who is told: an e-mail (contact and group are made) or an existing group. Both None: config names the group."""

    email: str | None
    group: str | None


class Blueprint(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a cloud's view needs to write its program."""

    name: str
    spec_file: str
    spec: Spec
    spec_sha256: str
    workload: Workload
    candidate: Candidate
    selection: Selection
    network: Network
    nodes: Nodes
    storage: tuple[StorageChoice, ...]
    job_tags: tuple[tuple[str, str], ...]
    schedule: Schedule | None
    alarms: Alarms
    snapshots: Literal["daily", "weekly", "none"]
    release: bool  # config `releaseAt` ends the nodes
