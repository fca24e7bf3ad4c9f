"""The cloud-neutral stack: what is built, how big, with which reason; no cloud's property name stands here."""

from __future__ import annotations

import json
import shlex
from typing import Literal

import msgspec

from generator.clouds import owns_url
from generator.errors import InputError, Problem
from generator.selection import Selection
from generator.selection.candidate import Candidate
from generator.selection.storage import StorageChoice
from generator.sizing.framework_flags import framework_flags
from generator.sizing.sized_job import Flags
from generator.spec import Spec, WaiverSection
from generator.spec.digest import spec_sha256
from generator.workload import Workload

VPC_CIDR = "10.20.0.0/16"
SUBNET_CIDR = "10.20.0.0/20"
FIRST_ADDRESS = "10.20.0.10"  # rank 0; clouds keep the first few addresses of a subnet for themselves
ROLES: dict[str, Literal["train", "dev", "infer", "prep"]] = {
    "pretrain": "train",
    "finetune": "train",
    "develop": "dev",
    "infer": "infer",
    "preprocess": "prep",
}
DataPlace = Literal["disk", "file_system", "nas", "local", "bucket", "none"]
DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")


class Network(msgspec.Struct, frozen=True, kw_only=True):
    """One VPC and one subnet in one zone. `existing_*` are ids the user already has; `first_address` is rank 0's."""

    vpc_cidr: str
    subnet_cidr: str
    first_address: str
    egress: Literal["nat", "none"]
    access: Literal["none", "vpn", "bastion", "public"]
    ssh_from: tuple[str, ...]
    existing_vpc: str | None
    existing_subnet: str | None

    @property
    def ssh(self) -> bool:
        """True when somebody may come in by SSH at all."""
        return bool(self.ssh_from) or self.access != "none"


class Nodes(msgspec.Struct, frozen=True, kw_only=True):
    """The compute of the stack: `count` equal machines, or a pool of them that may lose members (`pool`)."""

    role: Literal["train", "dev", "infer", "prep"]
    count: int  # that work
    spare: int  # that stand by
    pool: bool
    on_demand: int
    types: tuple[str, ...]  # the chosen type, then its alternates
    price_caps: tuple[tuple[str, float | None], ...]  # (type, most we pay an hour: its on-demand price), for spot
    placement: bool  # racks close to one another
    rdma: bool
    tags: tuple[tuple[str, str], ...]

    @property
    def meets(self) -> bool:
        """True when several nodes of one job stay and meet at a fixed address; serving nodes never do."""
        return self.count > 1 and not self.pool and self.role != "infer"

    @property
    def elastic(self) -> bool:
        """True when nodes find one another at run time: a pool of several has no fixed addresses and ranks."""
        return self.count > 1 and self.pool and self.role != "infer"

    @property
    def talks(self) -> bool:
        """True when others of the nodes' group must reach them: nodes of the same job, or whoever asks a service."""
        return self.count > 1 or self.role == "infer"


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """What runs on the nodes: the words of the user's command, the image around it, the flags of the chosen layout."""

    words: tuple[str, ...]
    image: str | None
    flags: Flags | None
    layout: str  # one JSON object: the whole layout, for programs that read it


class Data(msgspec.Struct, frozen=True, kw_only=True):
    """Where the data set comes from (bucket and prefix of the cloud's object store) and how big it is.

    `copy_from`: the URL at another cloud, from where people bring it first.
    """

    bucket: str | None
    prefix: str
    size_gib: float
    place: DataPlace
    copy_from: str | None = None


class Checkpoints(msgspec.Struct, frozen=True, kw_only=True):
    """Where checkpoints go. `bucket` and `prefix` are set when the user already has one."""

    to: Literal["bucket", "file_system", "disk", "local"]
    every_minutes: float | None
    keep: int
    bucket: str | None
    prefix: str


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """Start and stop times (24-hour HH:MM, days such as MON-FRI) in a time zone; unbilled outside them."""

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
    spec_sha256: str
    workload: Workload
    candidate: Candidate
    selection: Selection
    network: Network
    nodes: Nodes
    launch: Launch
    data: Data
    checkpoints: Checkpoints | None
    storage: tuple[StorageChoice, ...]
    job_tags: tuple[tuple[str, str], ...]
    schedule: Schedule | None
    alarms: Alarms
    snapshots: Literal["daily", "weekly", "none"]
    release: bool  # config `releaseAt` ends the nodes
    waivers: tuple[WaiverSection, ...] = ()  # findings of the guardrails that the spec decided to live with

    def stored(self, kind: str, *roles: str) -> StorageChoice | None:
        """The first piece of storage of this kind (and one of these roles), or None."""
        for choice in self.storage:
            if choice.kind == kind and (not roles or choice.role in roles):
                return choice
        return None


def draw(spec: Spec, workload: Workload, selection: Selection, spec_file: str) -> Blueprint:
    """The stack of the chosen candidate; InputError when nothing was chosen or wishes contradict one another."""
    candidate = selection.chosen
    if candidate is None:
        raise InputError(Problem(message="nothing was chosen, so there is nothing to generate"))
    network = Network(
        vpc_cidr=VPC_CIDR,
        subnet_cidr=SUBNET_CIDR,
        first_address=FIRST_ADDRESS,
        egress=spec.network.egress,
        access=spec.network.access,
        ssh_from=spec.network.ssh_from,
        existing_vpc=spec.network.vpc,
        existing_subnet=spec.network.vswitch,
    )
    _check(network, workload, candidate)
    receiver = spec.operate.alarms_to
    group = receiver.removeprefix("group:") if receiver and receiver.startswith("group:") else None
    return Blueprint(
        name=spec.name,
        spec_file=spec_file,
        spec_sha256=spec_sha256(spec),
        workload=workload,
        candidate=candidate,
        selection=selection,
        network=network,
        nodes=draw_nodes(spec, workload, candidate),
        launch=draw_launch(spec, workload, candidate),
        data=draw_data(workload, candidate),
        checkpoints=draw_checkpoints(workload, candidate.type.cloud),
        storage=candidate.storage,
        job_tags=(("trainform-job", spec.name), *spec.tags),
        schedule=draw_schedule(spec),
        alarms=Alarms(email=None if group else receiver, group=group),
        snapshots=spec.operate.snapshots or ("daily" if ROLES[workload.task] in {"train", "dev"} else "none"),
        release=spec.operate.time_to_live_hours is not None,
        waivers=spec.waivers,
    )


def draw_nodes(spec: Spec, workload: Workload, candidate: Candidate) -> Nodes:
    """Machines or a pool, with the tags that say what they are for (CONTRACTS section 4)."""
    role = ROLES[workload.task]
    rdma = role == "train" and candidate.nodes > 1 and candidate.type.rdma not in {None, "none"}
    tags = {"trainform-role": role, "trainform-nodes": str(candidate.nodes)}
    if workload.checkpoint:
        if workload.checkpoint.every_minutes:
            tags["trainform-checkpoint-every"] = f"{workload.checkpoint.every_minutes:g}min"
        tags["trainform-checkpoint-to"] = workload.checkpoint.to
    if workload.data:
        tags["trainform-dataset-gib"] = f"{workload.data.size_gib:.6g}"
    if spec.operate.time_to_live_hours:
        tags["trainform-ttl"] = f"{spec.operate.time_to_live_hours:g}h"
    price = candidate.offer.price
    caps = [(candidate.type.id, float(price.amount) if price else None)]
    caps += [
        (other.instance_type, float(other.price.amount) if other.price else None) for other in candidate.alternates
    ]
    return Nodes(
        role=role,
        count=candidate.nodes,
        spare=candidate.spare_nodes,
        pool=candidate.charge == "spot",
        on_demand=candidate.on_demand_nodes,
        types=tuple(name for name, _ in caps),
        price_caps=tuple(caps),
        placement=rdma,
        rdma=rdma,
        tags=tuple(tags.items()),
    )


def draw_launch(spec: Spec, workload: Workload, candidate: Candidate) -> Launch:
    """The user's command in words (a word is never shell code), and the flags of the chosen layout."""
    command = spec.launch.command if spec.launch else None
    fit = candidate.fit
    flags = framework_flags(workload, fit.hardware, fit.layout, fit.precision) if fit.layout and fit.precision else None
    return Launch(
        words=tuple(shlex.split(command)) if command else (),
        image=spec.launch.image if spec.launch else None,
        flags=flags,
        layout=json.dumps(msgspec.to_builtins(fit.layout)) if fit.layout else "{}",
    )


def draw_data(workload: Workload, candidate: Candidate) -> Data:
    """Where the data set is staged from and where the job reads it."""
    source = workload.data.source if workload.data else None
    ours = source is not None and owns_url(candidate.type.cloud, source)
    bucket, prefix = split_url(source) if source and ours else (None, "")
    place: DataPlace = "none"
    for choice in candidate.storage:
        if choice.role in {"data", "cache"}:
            place = choice.kind
            break
    else:
        if workload.data:
            place = "bucket"
    return Data(
        bucket=bucket,
        prefix=prefix,
        size_gib=workload.data.size_gib if workload.data else 0.0,
        place=place,
        copy_from=None if ours else source,
    )


def draw_checkpoints(workload: Workload, cloud_id: str) -> Checkpoints | None:
    """Where checkpoints go; None when there are none. A bucket of another cloud is no place for them."""
    checkpoint = workload.checkpoint
    if checkpoint is None:
        return None
    existing = checkpoint.existing if checkpoint.existing and owns_url(cloud_id, checkpoint.existing) else None
    bucket, prefix = split_url(existing) if existing else (None, "")
    return Checkpoints(
        to=checkpoint.to,
        every_minutes=checkpoint.every_minutes,
        keep=checkpoint.keep,
        bucket=bucket,
        prefix=prefix or "checkpoints/",
    )


def draw_schedule(spec: Spec) -> Schedule | None:
    """The timetable of a development machine; None when it always runs."""
    hours = spec.operate.hours
    if hours is None or spec.workload.task != "develop":
        return None
    first, last = hours.days[0], hours.days[-1]
    running = len(hours.days) > 2 and hours.days == tuple(range(first, last + 1))
    names = [DAYS[day - 1] for day in hours.days]
    return Schedule(
        days=f"{names[0]}-{names[-1]}" if running else ",".join(names),
        start=hours.start,
        stop=hours.stop,
        timezone=spec.operate.timezone,
    )


def split_url(url: str) -> tuple[str, str]:
    """Bucket and prefix (empty, or ending in a slash) of a bucket URL such as `oss://name/prefix`."""
    bucket, _, prefix = url.partition("://")[2].partition("/")
    prefix = prefix.strip("/")
    return bucket, f"{prefix}/" if prefix else ""


def _check(network: Network, workload: Workload, candidate: Candidate) -> None:
    """Wishes that contradict one another or that nothing builds yet, all at once."""
    problems = []
    if workload.task == "preprocess" and candidate.charge == "spot" and candidate.nodes > 1:
        message = (
            "interruptible: preprocessing on several spot nodes is planned: each node's share of the data is fixed"
        )
        problems.append(Problem(message=message, hint="write 'interruptible: false', or 'hardware: {nodes: 1}'"))
    if network.access in {"vpn", "bastion"}:
        hint = "use none with the cloud's remote shell, or public with network.ssh_from"
        problems.append(
            Problem(message=f"network.access: '{network.access}' is planned and not generated yet", hint=hint)
        )
    if network.access == "public" and not network.ssh_from:
        hint = "name the ranges that may log in, such as [203.0.113.0/24]"
        problems.append(
            Problem(message="network.access: 'public' opens SSH to nobody without network.ssh_from", hint=hint)
        )
    if network.existing_subnet and not network.existing_vpc:
        problems.append(Problem(message="network.vswitch needs network.vpc", hint="give the id of its VPC too"))
    if problems:
        raise InputError(*problems)


def public(blueprint: Blueprint) -> bool:
    """True when the spec asks for a public address, which members of a spot pool never have."""
    return blueprint.network.access == "public" and not blueprint.nodes.pool
