"""The file that a user writes: its fields, their kinds and meaning, and how a file of that form is read."""

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field

from generator.errors import Place
from generator.spec.field_kinds import (
    AddressRange,
    AlarmReceiver,
    BucketUrl,
    Budget,
    CloudName,
    Command,
    Count,
    CountOrZero,
    CountRange,
    Date,
    DurationHours,
    FilePath,
    GpuName,
    Identifier,
    Image,
    InstanceName,
    LeastCount,
    LeastSizeGib,
    Minutes,
    ModelKind,
    ModelName,
    Number,
    ProfileName,
    Rate,
    Ratio,
    RegionName,
    ResourceId,
    ResourceName,
    RuleId,
    Sentence,
    SizeGib,
    SizeRange,
    SmallCount,
    Tags,
    Timetable,
    Timezone,
    Toolchain,
    ZoneName,
)
from generator.spec.quantities import Range
from generator.workload import (
    CheckpointPlace,
    DataPlace,
    Method,
    Optimizer,
    Precision,
    Quantization,
    SnapshotPlan,
    Task,
)

# What is promised and refused by name until it generates; clouds: see `clouds.PLANNED`.
PLANNED_FIELDS: frozenset[str] = frozenset()
PLANNED_VALUES = {
    "runtime": frozenset({"kubernetes", "platform", "serverless"}),
    "network.access": frozenset({"vpn", "bastion"}),
}


class ModelConfig(msgspec.Struct, frozen=True, kw_only=True):
    """A model by the configuration file that it was published with."""

    config: Annotated[FilePath, Meta(description="path of a Hugging Face config.json, below the spec's folder")]


class ModelShape(msgspec.Struct, frozen=True, kw_only=True):
    """A model by its size; what is not given of the shape is that of a typical model of this size, and said so."""

    parameters: Annotated[Count, Meta(description="number of parameters")]
    kind: Annotated[ModelKind, Meta(description="what it is, for models that are not language models")] | None = None
    tokens_per_sample: Annotated[Count, Meta(description="tokens of one sample, for video and image models")] | None = (
        None
    )
    layers: Annotated[SmallCount, Meta(description="number of layers")] | None = None
    hidden: Annotated[SmallCount, Meta(description="width of the residual stream")] | None = None
    heads: Annotated[SmallCount, Meta(description="attention heads of a layer")] | None = None
    kv_heads: Annotated[SmallCount, Meta(description="key and value heads of a layer (GQA)")] | None = None
    ffn: Annotated[SmallCount, Meta(description="width of the feed-forward part")] | None = None
    vocab: Annotated[Count, Meta(description="size of the vocabulary")] | None = None
    context: Annotated[Count, Meta(description="longest sequence the model was made for, in tokens")] | None = None


class WorkloadSection(msgspec.Struct, frozen=True, kw_only=True):
    """What has to run."""

    task: Annotated[Task, Meta(description="what kind of job it is")]
    model: (
        Annotated[
            ModelName | ModelConfig | ModelShape, Meta(description="a model's name, its config.json, or its size")
        ]
        | None
    ) = None
    method: Annotated[Method, Meta(description="what is trained: all weights, or an adapter (fine-tuning)")] | None = (
        None
    )
    lora_rank: Annotated[SmallCount, Meta(description="rank of the adapters of lora and qlora")] | None = None
    precision: (
        Annotated[
            Literal[Precision, "int8", "int4"],
            Meta(description="number format; fp16 and bf16 are mixed with fp32 master weights"),
        ]
        | None
    ) = None
    quantization: (
        Annotated[Quantization, Meta(description="format of frozen base weights, or of served weights")] | None
    ) = None
    optimizer: Annotated[Optimizer, Meta(description="optimizer, for the memory of its state")] | None = None
    sequence_length: Annotated[Count, Meta(description="tokens of one sequence")] | None = None
    image_size: Annotated[SmallCount, Meta(description="pixels of an image's side, as the model sees it")] | None = None
    global_batch: Annotated[SmallCount, Meta(description="samples of one optimizer step, over all GPUs")] | None = None
    tokens: Annotated[Count, Meta(description="tokens to train on in all")] | None = None
    samples: Annotated[Count, Meta(description="samples to train on in all")] | None = None
    epochs: Annotated[Number, Meta(description="passes over data.samples")] | None = None
    steps: Annotated[Count, Meta(description="optimizer steps in all")] | None = None
    run_hours: Annotated[Number, Meta(description="hours of the run, when only its duration is known")] | None = None
    framework: Annotated[ProfileName, Meta(description="framework profile that the job runs in")] | None = None
    toolchain: Annotated[Toolchain, Meta(description="wheels that run: framework, version and CUDA or CANN")] | None = (
        None
    )
    augmentation: Annotated[Literal["light", "heavy"], Meta(description="work of the CPUs on each image")] | None = None
    cpu_mb_per_s: (
        Annotated[Number, Meta(description="raw data that one vCPU preprocesses in a second, in MB")] | None
    ) = None
    requests_per_second: Annotated[Number, Meta(description="requests to serve in a second, over all nodes")] | None = (
        None
    )
    latency_ms: Annotated[Number, Meta(description="longest time to the first token, in milliseconds")] | None = None
    context: Annotated[Count, Meta(description="tokens of a request, prompt and answer together")] | None = None


class LaunchSection(msgspec.Struct, frozen=True, kw_only=True):
    """What is started on the nodes."""

    image: Annotated[Image, Meta(description="container image that the command runs in")] | None = None
    command: (
        Annotated[Command, Meta(description="command of plain words; torchrun and its layout are put around it")] | None
    ) = None


class DataSection(msgspec.Struct, frozen=True, kw_only=True):
    """The data set."""

    size_gib: Annotated[SizeGib, Meta(description="size of the data set")] | None = field(name="size", default=None)
    files: Annotated[Count, Meta(description="number of files")] | None = None
    samples: Annotated[Count, Meta(description="number of samples: images, or sequences of text")] | None = None
    source: Annotated[BucketUrl, Meta(description="bucket and prefix that the data comes from")] | None = None
    on: Annotated[
        DataPlace,
        Meta(description="where the data lies during the run; auto is the cheapest place that is fast enough"),
    ] = "auto"


class CheckpointSection(msgspec.Struct, frozen=True, kw_only=True):
    """How the job saves its state."""

    every_minutes: Annotated[Minutes, Meta(description="time between two checkpoints")] | None = field(
        name="every", default=None
    )
    to: Annotated[
        CheckpointPlace | BucketUrl,
        Meta(description="where checkpoints go; local dies with the node; or a bucket that exists"),
    ] = "bucket"
    keep: Annotated[SmallCount, Meta(description="number of checkpoints that are kept")] = 3


class InterruptibleSection(msgspec.Struct, frozen=True, kw_only=True):
    """How a job runs that may be interrupted."""

    on_demand_nodes: Annotated[
        CountOrZero, Meta(description="nodes that stay on demand; in a pool of one: the fallback")
    ] = 0
    alternates: Annotated[
        CountOrZero, Meta(description="most other instance types with the same card that the pool may take")
    ] = 2


class ExchangeRate(msgspec.Struct, frozen=True, kw_only=True):
    """What a foreign currency is worth in CNY, by whom it was fixed: the user."""

    usd: Annotated[Rate, Meta(description="CNY for one USD")] = field(name="USD")
    date: Annotated[Date, Meta(description="day of the rate")]


class GoalSection(msgspec.Struct, frozen=True, kw_only=True):
    """What the choice has to meet and what it is ranked by."""

    deadline_hours: Annotated[DurationHours, Meta(description="longest run")] | None = field(
        name="deadline", default=None
    )
    budget: Annotated[Budget, Meta(description="most that the whole run may cost")] | None = None
    prefer: Annotated[Literal["cost", "time"], Meta(description="what the choice is ranked by")] = "cost"
    spot_ratio: Annotated[
        Ratio, Meta(description="spot price as a part of the on-demand price; 1 claims no saving")
    ] = 1.0
    exchange_rate: Annotated[ExchangeRate, Meta(description="rate for comparing offers of two currencies")] | None = (
        None
    )


class WhereSection(msgspec.Struct, frozen=True, kw_only=True):
    """Where the job may run."""

    clouds: Annotated[tuple[CloudName, ...], Meta(description="clouds to choose from")] = ()
    regions: Annotated[tuple[RegionName, ...], Meta(description="regions to choose from")] = ()
    zones: Annotated[tuple[ZoneName, ...], Meta(description="zones to choose from")] = ()
    compliance: Annotated[
        Literal["none", "xinchuang"], Meta(description="xinchuang allows Ascend and Kunlun cards only")
    ] = "none"


class HardwareSection(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of the hardware; they are never dropped."""

    gpus: Annotated[tuple[GpuName, ...], Meta(description="cards to choose from")] = ()
    nodes: Annotated[CountRange, Meta(description="number of nodes")] = Range(low=1, high=64)
    gpus_per_node: Annotated[CountRange, Meta(description="GPUs of a node")] = Range(low=1)
    gpu_memory_gib: Annotated[SizeRange, Meta(description="nominal memory of one card")] = field(
        name="gpu_memory", default=Range()
    )
    vcpus: Annotated[LeastCount, Meta(description="fewest vCPUs of a node")] | None = None
    ram_gib: Annotated[LeastSizeGib, Meta(description="least memory of a node")] | None = field(
        name="ram", default=None
    )
    spare_nodes: Annotated[CountOrZero, Meta(description="nodes that wait to replace a broken one")] = 0
    allow: Annotated[
        tuple[InstanceName, ...], Meta(description="instance types to consider although they are not on general sale")
    ] = ()


class NetworkSection(msgspec.Struct, frozen=True, kw_only=True):
    """How the nodes reach the world, and the world the nodes."""

    egress: Annotated[Literal["nat", "none"], Meta(description="how nodes fetch what they need")] = "nat"
    access: Annotated[
        Literal["none", "public"],
        Meta(description="how people reach the nodes; public only when asked"),
    ] = "none"
    ssh_from: Annotated[tuple[AddressRange, ...], Meta(description="address ranges that SSH is open to")] = ()
    vpc: Annotated[ResourceId, Meta(description="id of a VPC that exists")] | None = None
    vswitch: Annotated[ResourceId, Meta(description="id of a vSwitch or subnet that exists in that VPC")] | None = None


class OperateSection(msgspec.Struct, frozen=True, kw_only=True):
    """How the stack is run from day to day."""

    hours: (
        Annotated[Timetable, Meta(description="when a development machine runs; outside it is stopped and unbilled")]
        | None
    ) = None
    timezone: Annotated[Timezone, Meta(description="time zone of the hours")] = "Asia/Shanghai"
    time_to_live_hours: Annotated[DurationHours, Meta(description="time after which the nodes are released")] | None = (
        field(name="time_to_live", default=None)
    )
    alarms_to: (
        Annotated[AlarmReceiver, Meta(description="who is told of alarms: an e-mail address, or a group that exists")]
        | None
    ) = None
    snapshots: Annotated[SnapshotPlan, Meta(description="how often disks are snapshotted")] | None = None


class WaiverSection(msgspec.Struct, frozen=True, kw_only=True):
    """A finding of the guardrails that you decided to live with: all five are needed."""

    rule: Annotated[RuleId, Meta(description="the rule, such as ST001; `trainform explain ST001` tells what it says")]
    resource: Annotated[ResourceName, Meta(description="name of the resource in the stack; * and ? stand for anything")]
    reason: Annotated[Sentence, Meta(description="why this is right here")]
    owner: Annotated[Sentence, Meta(description="who decided it")]
    expires: Annotated[Date, Meta(description="last day on which it holds")]


class SpecFields(msgspec.Struct, frozen=True, kw_only=True):
    """One deep-learning job: what it is, what it may cost, where it may run."""

    name: Annotated[Identifier, Meta(description="name of the job; it becomes the name of folders and resources")]
    workload: Annotated[WorkloadSection, Meta(description="what has to run")]
    launch: Annotated[LaunchSection, Meta(description="what is started on the nodes")] | None = None
    data: Annotated[DataSection, Meta(description="the data set")] | None = None
    checkpoint: (
        Annotated[
            Literal["none"] | CheckpointSection, Meta(description="how the job saves its state; none is honoured")
        ]
        | None
    ) = None
    interruptible: (
        Annotated[bool | InterruptibleSection, Meta(description="whether spot nodes may be used, and how")] | None
    ) = None
    goal: Annotated[GoalSection, Meta(description="what the choice has to meet")] = GoalSection()
    where: Annotated[WhereSection, Meta(description="where the job may run")] = WhereSection()
    hardware: Annotated[HardwareSection, Meta(description="limits of the hardware")] = HardwareSection()
    runtime: Annotated[Literal["instances"], Meta(description="what the job runs on")] = "instances"
    network: Annotated[NetworkSection, Meta(description="how the nodes are reached")] = NetworkSection()
    operate: Annotated[OperateSection, Meta(description="how the stack is run")] = OperateSection()
    prices: (
        Annotated[FilePath, Meta(description="CSV file with prices and quotas of your own, below the spec's folder")]
        | None
    ) = None
    tags: Annotated[Tags, Meta(description="tags of your own for every resource, at most three")] = ()
    waivers: Annotated[
        tuple[WaiverSection, ...], Meta(description="findings of the guardrails that you live with")
    ] = ()


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where a spec was read: `file` as the user wrote it, and the place of each key given, by dotted path."""

    file: str
    places: dict[str, Place] = {}

    @property
    def folder(self) -> Path:
        """The folder that paths in the spec are relative to."""
        return Path(self.file).parent

    def given(self, path: str) -> bool:
        """True when the user wrote this key (`goal.deadline`)."""
        return path in self.places


class Spec(SpecFields, frozen=True, kw_only=True):
    """A spec as read, with where it was read."""

    source: Source


def load_spec(path: Path) -> Spec:
    """The spec in a file; InputError with every problem of the file, each with line and column."""
    from generator.spec.reader import read_spec  # noqa: PLC0415 - the reader is made of these types

    return read_spec(path)


def schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the file."""
    from generator.spec.json_schema import build_schema  # noqa: PLC0415 - the schema is made of these types

    return build_schema()
