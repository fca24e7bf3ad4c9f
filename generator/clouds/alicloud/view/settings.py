"""Config that a person supplies, constants, tags, and what a node's scripts are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from generator.blueprint import Blueprint
from generator.clouds.alicloud import CLOUD
from generator.clouds.alicloud.view.compute import uses_erdma
from generator.clouds.alicloud.view.identity import OwnBucket, checkpoint_path, master_bucket, own_buckets
from generator.clouds.alicloud.view.names import MOST_SUFFIX, dashed
from generator.clouds.alicloud.view.storage import (
    BUCKETS,
    RAW_PREFIX,
    RESULTS_PREFIX,
    bucket_choices,
    disk_choice,
    shared_choice,
    shared_settings,
)
from generator.rows import read_rows
from generator.stack_config import EXAMPLES
from generator.startup import LAUNCH, NODE_ENV, StartFile, Startup, elastic, job_settings
from generator.view import Setting

CLOUD_FOLDER = Path(__file__).parents[1]
EXAMPLE_IMAGES = dict(CLOUD.example_config)
# A dated public image that boots by BIOS; types that boot by UEFI, and ARM ones, get theirs from config.
PLAIN_IMAGE = "aliyun_3_x64_20G_alibase_20240819.vhd"
# The newest set of the vendor's two published examples (catalog notes, section 7), and NVIDIA's container toolkit.
DRIVER = {"DRIVER_VERSION": "570.133.20", "CUDA_VERSION": "12.8.1", "CUDNN_VERSION": "9.8.0.87"}
CONTAINER_TOOLKIT = "1.17.8"
DOCKER_REPO = "https://mirrors.aliyun.com/docker-ce/linux/centos/docker-ce.repo"
RDMA_OPTIONS = ("--device", "/dev/infiniband", "--cap-add", "IPC_LOCK")


class OurBucket(msgspec.Struct, frozen=True, kw_only=True):
    """A bucket of the stack: the constant of its name, and the word in the middle of it."""

    constant: str
    word: str


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The names of settings.py.jinja."""

    texts: tuple[Setting, ...]
    lists: tuple[Setting, ...]
    name: str
    nodes: int
    master: str | None
    buckets: tuple[OurBucket, ...]
    own_buckets: tuple[OwnBucket, ...]
    job_tags: dict[str, str]
    node_tags: dict[str, str]


class Url(msgspec.Struct, frozen=True, kw_only=True):
    """A variable of node.env that names a place in a bucket; `constant` None: it is empty."""

    key: str
    constant: str | None
    path: str


class UserData(msgspec.Struct, frozen=True, kw_only=True):
    """The names of user_data.py.jinja; `master_constant` None: the node is alone or finds its leader by itself."""

    imports: tuple[str, ...]
    bucket_constant: str | None
    urls: tuple[Url, ...]
    master_constant: str | None
    node_env: str
    launch: str


def config_settings(blueprint: Blueprint) -> tuple[Setting, ...]:
    """What Pulumi.yaml declares; all but the zone have a default or an example valid in form."""
    kind, network = blueprint.candidate.type, blueprint.network
    foreign = network.existing_vpc is not None
    wanted = {
        "zone": True,
        "image": True,
        "bucketSuffix": bool(bucket_choices(blueprint)),
        "sshPublicKey": network.ssh,
        "alarmContactGroup": not (blueprint.alarms.email or blueprint.alarms.group),
        "releaseAt": blueprint.release,
        "scheduleUntil": blueprint.schedule is not None,
        "subnetCidr": foreign and network.existing_subnet is None,
        "masterAddress": foreign and meets(blueprint),
        "sshFrom": network.ssh,
    }
    uefi = kind.boot_mode == "UEFI"
    words = {"type": kind.id, "boots": "UEFI" if uefi else "BIOS", "arch": kind.cpu_arch, "most_suffix": MOST_SUFFIX}
    defaults: dict[str, Any] = {"sshFrom": network.ssh_from}
    if not uefi and kind.cpu_arch == "x86_64":
        defaults |= {"image": PLAIN_IMAGE}
    return tuple(
        Setting(
            key=row["key"],
            constant=row["constant"],
            why=row["why"].format(**words),
            kind="array" if row["key"] == "sshFrom" else "string",
            default=defaults.get(row["key"]),
            example=EXAMPLES.get(row["key"]) or EXAMPLE_IMAGES.get(row["key"]),
        )
        for row in read_rows(CLOUD_FOLDER / "settings.csv")
        if wanted[row["key"]]
    )


def meets(blueprint: Blueprint) -> bool:
    """True when several nodes stay and meet at a fixed address."""
    return blueprint.nodes.count > 1 and not blueprint.nodes.pool


def settings_view(blueprint: Blueprint) -> Settings:
    """Constants of settings.py."""
    settings = config_settings(blueprint)
    return Settings(
        texts=tuple(setting for setting in settings if setting.kind == "string"),
        lists=tuple(setting for setting in settings if setting.kind == "array"),
        name=dashed(blueprint.name),
        nodes=blueprint.nodes.count + blueprint.nodes.spare,
        master=blueprint.network.first_address if meets(blueprint) and not blueprint.network.existing_vpc else None,
        buckets=tuple(
            OurBucket(constant=BUCKETS[choice.role][1], word=choice.role) for choice in bucket_choices(blueprint)
        ),
        own_buckets=own_buckets(blueprint),
        job_tags=dict(blueprint.job_tags),
        node_tags=dict(blueprint.nodes.tags),
    )


def user_data_view(blueprint: Blueprint) -> UserData:
    """How cloud-init.yaml becomes the user data of a node."""
    bucket = master_bucket(blueprint)
    master = "MASTER_ADDR" if meets(blueprint) else None
    urls = _urls(blueprint)
    used = {bucket, master, *(url.constant for url in urls)}
    return UserData(
        imports=tuple(sorted(name for name in used if name)),
        bucket_constant=bucket,
        urls=urls,
        master_constant=master,
        node_env=NODE_ENV,
        launch=LAUNCH,
    )


def _urls(blueprint: Blueprint) -> tuple[Url, ...]:
    """Where the data set comes from, where checkpoints go, and where a pool without a file system keeps its leader."""
    data, checkpoints, bucket = blueprint.data, blueprint.checkpoints, master_bucket(blueprint)
    raw = any(choice.role == "raw" for choice in bucket_choices(blueprint))
    source, path = ("DATA_BUCKET", data.prefix) if data.bucket else ("RAW_BUCKET" if raw else None, RAW_PREFIX)
    urls = [Url(key="DATA_SOURCE", constant=source, path=f"/{path}" if source else "")]
    if checkpoints:
        copied = bucket if checkpoints.to == "bucket" else None
        urls.append(Url(key="CHECKPOINT_URL", constant=copied, path=f"/{checkpoint_path(blueprint)}" if copied else ""))
    if blueprint.nodes.role == "prep":
        urls.append(Url(key="RESULTS_URL", constant=bucket, path=f"/{RESULTS_PREFIX.rstrip('/')}"))
    if elastic(blueprint):
        kept = None if shared_choice(blueprint) else bucket
        urls.append(Url(key="LEAD_URL", constant=kept, path="/trainform/lead" if kept else ""))
    return tuple(urls)


def startup(blueprint: Blueprint, region: str, notice_s: int | None) -> Startup:
    """The scripts of a node's start, in order, and what they are told."""
    kind = blueprint.candidate.type
    shared, disk = shared_choice(blueprint), disk_choice(blueprint)
    local = blueprint.stored("local")
    scripts = ["metadata", "tools", "bucket", "stage"]
    steps = ["trainform-tools"]
    if kind.gpus:
        scripts.append("driver")
        steps.append("trainform-driver")
    if disk or local:
        scripts.append("disks")
        steps.append("trainform-disks")
    if shared:
        scripts.append("shared")
        steps.append("trainform-shared")
    if blueprint.nodes.pool:
        scripts.append("notice")
    return Startup(
        settings=(
            *job_settings(blueprint, notice_s),
            ("REGION", region),
            ("RAM_ROLE", f"{dashed(blueprint.name)}-node"),
            *_device_settings(blueprint),
            ("DATA_DISK_GIB", str(disk.size_gib if disk else 0)),
            ("SCRATCH", "yes" if local else "no"),
            *shared_settings(blueprint),
            *_data_settings(blueprint),
        ),
        scripts=tuple(f"alicloud/startup/trainform-{name}" for name in scripts),
        steps=tuple(steps),
        files=(_ossutil_config(blueprint, region),),
        docker_options=RDMA_OPTIONS if blueprint.nodes.rdma else (),
        passed=("TRAINFORM_BUCKET",) if master_bucket(blueprint) else (),
    )


def _device_settings(blueprint: Blueprint) -> tuple[tuple[str, str], ...]:
    kind, launch = blueprint.candidate.type, blueprint.launch
    told: list[tuple[str, str]] = []
    if kind.gpus:
        told += DRIVER.items()
        told.append(("IS_INSTALL_eRDMA", "TRUE" if uses_erdma(blueprint) else "FALSE"))
        told.append(("IS_INSTALL_RDMA", "TRUE" if blueprint.nodes.rdma and not uses_erdma(blueprint) else "FALSE"))
        told.append(("RDMA_DEVICES", str((kind.rdma_nics or 1) if blueprint.nodes.rdma else 0)))
    if launch.image:
        told += [("DOCKER_REPO", DOCKER_REPO), ("CONTAINER_TOOLKIT_VERSION", CONTAINER_TOOLKIT)]
    return tuple(told)


def _data_settings(blueprint: Blueprint) -> tuple[tuple[str, str], ...]:
    """Whether nodes share the data set's place, or the data set; how many checkpoints stay. URLs stand in node.env."""
    data, checkpoints = blueprint.data, blueprint.checkpoints
    split = blueprint.nodes.role == "prep" and blueprint.nodes.count > 1 and data.place == "disk"
    told = [
        ("DATA_SHARED", "yes" if data.place in {"file_system", "nas"} else "no"),
        ("DATA_SPLIT", "yes" if split else "no"),
    ]
    if checkpoints:
        told.append(("CHECKPOINT_KEEP", str(checkpoints.keep)))
    if elastic(blueprint):
        told.append(("LEAD_FILE", "/shared/lead" if shared_choice(blueprint) else "/run/trainform-lead"))
    return tuple(told)


def _ossutil_config(blueprint: Blueprint, region: str) -> StartFile:
    """The bucket client acts as the node: keys come from the metadata, none lies in this file."""
    text = (
        "[default]\nmode=EcsRamRole\n"
        f"ecsRoleName={dashed(blueprint.name)}-node\nregion={region}\nendpoint=oss-{region}-internal.aliyuncs.com\n"
    )
    return StartFile(
        path="/root/.ossutilconfig", text=text, why="The bucket client acts as the node: no key lies here."
    )
