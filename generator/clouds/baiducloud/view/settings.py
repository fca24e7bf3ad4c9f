"""Config that a person supplies, and what a node's scripts are told."""

from __future__ import annotations

import msgspec

from generator.clouds.baiducloud.view.compute import joins_ehc, stops
from generator.clouds.baiducloud.view.names import dashed
from generator.errors import InputError, Problem
from generator.stack.blueprint import Blueprint
from generator.stack.cards import card_settings, has_nvswitch
from generator.stack.settings import Settings, UserData, config_settings, settings_view, user_data_view
from generator.stack.startup import Startup, job_settings, script_paths
from generator.stack.storage import data_settings, disk_choice, master_bucket
from generator.stack.view import Setting

DRIVER = "580.105.08"  # NVIDIA's driver of the data centre branch, from its own archive
DOCKER_REPO = "https://download.docker.com/linux/centos/8"
CLOUD_DISK_MODEL = "QEMU"  # cloud disks are virtio ones, never NVMe


def config(blueprint: Blueprint) -> tuple[Setting, ...]:
    """What Pulumi.yaml declares here."""
    kind = blueprint.candidate.type
    more = {"sshPublicKey": True, "ehcCluster": joins_ehc(blueprint), "power": stops(blueprint)}
    defaults = {"onDemandNodes": 0, "power": "start"}
    return config_settings(blueprint, {"type": kind.id, "arch": kind.cpu_arch}, defaults, more)


def constants(blueprint: Blueprint) -> Settings:
    """Constants of settings.py; no address can be chosen here, so none stands there."""
    view = settings_view(blueprint, config(blueprint), dashed(blueprint.name), "BUCKET_SUFFIX")
    return msgspec.structs.replace(view, master=None)


def user_data(blueprint: Blueprint) -> UserData:
    """How cloud-init.yaml becomes the user data of a node, as plain text; the nodes find the first one themselves."""
    view = user_data_view(blueprint)
    imports = tuple(name for name in view.imports if name != "MASTER_ADDR")
    return msgspec.structs.replace(view, imports=imports, master_constant=None, encoded=False)


def startup(blueprint: Blueprint, region: str, notice_s: int | None) -> Startup:
    """The scripts of a node's start, in order, and what they are told."""
    kind = blueprint.candidate.type
    disk, local = disk_choice(blueprint), blueprint.stored("local")
    bucket = master_bucket(blueprint)
    steps = ["tools"]
    if kind.gpus:
        steps += ["driver", "devices"]
    if disk or local:
        steps.append("disks")
    if blueprint.nodes.meets:
        if bucket is None:
            hint = "write 'checkpoint: {to: bucket}', or 'hardware: {nodes: 1}'"
            message = "no address can be chosen here: several nodes meet through a bucket, and this job has none"
            raise InputError(Problem(message=message, hint=hint))
        steps.append("meet")
    return Startup(
        settings=(
            *job_settings(blueprint, notice_s),
            ("REGION", region),
            *_device_settings(blueprint),
            ("DATA_DISK_GIB", str(disk.size_gib if disk else 0)),
            ("SCRATCH", "yes" if local else "no"),
            ("CLOUD_DISK_MODEL", CLOUD_DISK_MODEL),
            *data_settings(blueprint),
        ),
        scripts=script_paths("baiducloud", ("metadata", "bucket", "stage", *steps)),
        steps=tuple(f"trainform-{step}" for step in steps),
        passed=("TRAINFORM_BUCKET",) if bucket else (),
    )


def _device_settings(blueprint: Blueprint) -> tuple[tuple[str, str], ...]:
    told: list[tuple[str, str]] = []
    if blueprint.candidate.type.gpus:
        told.append(("DRIVER_VERSION", DRIVER))
        told.append(("FABRIC_MANAGER", "yes" if has_nvswitch(blueprint) else "no"))
    return (*told, *card_settings(blueprint, DOCKER_REPO))
