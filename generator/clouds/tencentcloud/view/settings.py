"""Config that a person supplies, and what a node's scripts are told."""

from __future__ import annotations

from typing import Any

from generator.clouds.tencentcloud.view.names import dashed
from generator.clouds.tencentcloud.view.storage import shared_settings
from generator.stack.blueprint import Blueprint
from generator.stack.cards import card_settings, has_nvswitch
from generator.stack.groups import attaches_disk
from generator.stack.settings import Settings, config_settings, settings_view
from generator.stack.startup import StartFile, Startup, job_settings, script_paths
from generator.stack.storage import data_settings, disk_choice, master_bucket, shared_choice
from generator.stack.view import Setting

# Public images by how the type boots; cluster types need one with the drivers of their network, which config gives.
PLAIN_IMAGES = {"BIOS": "img-eb30mz89", "UEFI": "img-39ywauzd"}
# The set of the vendor's published example of its installer (GPU instances, automatic driver installation by script).
DRIVER = {"DRIVER_VERSION": "535.161.07", "CUDA_VERSION": "12.4.0", "CUDNN_VERSION": "8.9.7"}
DOCKER_REPO = "https://mirrors.tencent.com/docker-ce/linux/centos/8"  # the system is compatible with CentOS 8
CLOUD_DISK_MODEL = "QEMU"  # cloud disks are virtio ones, never NVMe
NOTICE_ITEM = "spot/termination-time"  # of the metadata: there once a spot node is about to be taken back


def config(blueprint: Blueprint) -> tuple[Setting, ...]:
    """What Pulumi.yaml declares here."""
    kind = blueprint.candidate.type
    boots = "UEFI" if kind.boot_mode == "UEFI" else "BIOS"
    hcc = ", and with the RDMA drivers of its cluster" if kind.hpc_cluster else ""
    words = {"type": kind.id, "boots": boots, "arch": kind.cpu_arch, "hcc": hcc}
    defaults: dict[str, Any] = {"onDemandNodes": 0}
    if not kind.hpc_cluster:
        defaults["image"] = PLAIN_IMAGES[boots]
    return config_settings(blueprint, words, defaults)


def constants(blueprint: Blueprint) -> Settings:
    """Constants of settings.py."""
    return settings_view(blueprint, config(blueprint), dashed(blueprint.name), "APP_ID")


def startup(blueprint: Blueprint, region: str, notice_s: int | None) -> Startup:
    """The scripts of a node's start, in order, and what they are told."""
    kind = blueprint.candidate.type
    disk, local, shared = disk_choice(blueprint), blueprint.stored("local"), shared_choice(blueprint)
    steps = ["tools"]
    if kind.gpus:
        steps += ["driver", "devices"]
    if attaches_disk(blueprint):
        steps.append("attach")
    if disk or local:
        steps.append("disks")
    if shared:
        steps.append("shared")
    more = ["metadata", "bucket", "stage"]
    more += ["notice"] if blueprint.nodes.pool else []
    more += ["api"] if shared or attaches_disk(blueprint) else []
    return Startup(
        settings=(
            *job_settings(blueprint, notice_s),
            ("REGION", region),
            ("CAM_ROLE", f"{dashed(blueprint.name)}-node"),
            *_device_settings(blueprint),
            ("DATA_DISK_GIB", str(disk.size_gib if disk else 0)),
            *((("DATA_DISK_NAME", f"{dashed(blueprint.name)}-data"),) if attaches_disk(blueprint) else ()),
            ("SCRATCH", "yes" if local else "no"),
            ("CLOUD_DISK_MODEL", CLOUD_DISK_MODEL),
            *shared_settings(blueprint),
            *data_settings(blueprint),
            *((("NOTICE_ITEM", NOTICE_ITEM),) if blueprint.nodes.pool else ()),
        ),
        scripts=script_paths("tencentcloud", (*more, *steps)),
        steps=tuple(f"trainform-{step}" for step in steps),
        files=(_coscli_config(blueprint),),
        passed=("TRAINFORM_BUCKET",) if master_bucket(blueprint) else (),
    )


def _device_settings(blueprint: Blueprint) -> tuple[tuple[str, str], ...]:
    told: list[tuple[str, str]] = []
    if blueprint.candidate.type.gpus:
        told += DRIVER.items()
        told.append(("FABRIC_MANAGER", "yes" if has_nvswitch(blueprint) else "no"))
    return (*told, *card_settings(blueprint, DOCKER_REPO))


def _coscli_config(blueprint: Blueprint) -> StartFile:
    """The bucket client acts as the node: keys come from the metadata, none lies in this file."""
    text = f"cos:\n  base:\n    mode: CvmRole\n    cvmrolename: {dashed(blueprint.name)}-node\n    protocol: https\n"
    return StartFile(path="/root/.cos.yaml", text=text, why="The bucket client acts as the node: no key lies here.")
