"""Config that a person supplies, and what a node's scripts are told."""

from __future__ import annotations

from typing import Any

from generator.clouds.alicloud.view.compute import uses_erdma
from generator.clouds.alicloud.view.names import MOST_SUFFIX, dashed
from generator.clouds.alicloud.view.storage import shared_settings
from generator.stack.blueprint import Blueprint
from generator.stack.cards import card_settings
from generator.stack.settings import Settings, config_settings, settings_view
from generator.stack.startup import StartFile, Startup, job_settings, script_paths
from generator.stack.storage import data_settings, disk_choice, master_bucket, shared_choice
from generator.stack.view import Setting

# A dated public image that boots by BIOS; types that boot by UEFI, and ARM ones, get theirs from config.
PLAIN_IMAGE = "aliyun_3_x64_20G_alibase_20240819.vhd"
# The newest set of the vendor's two published examples (catalog notes, section 7).
DRIVER = {"DRIVER_VERSION": "570.133.20", "CUDA_VERSION": "12.8.1", "CUDNN_VERSION": "9.8.0.87"}
DOCKER_REPO = "https://mirrors.aliyun.com/docker-ce/linux/centos/8"  # the system is compatible with CentOS 8
CLOUD_DISK_MODEL = "Elastic Block"  # how cloud disks on NVMe call themselves
NOTICE_ITEM = "instance/spot/termination-time"  # of the metadata: there once a spot node is about to be taken back


def config(blueprint: Blueprint) -> tuple[Setting, ...]:
    """What Pulumi.yaml declares here."""
    kind = blueprint.candidate.type
    uefi = kind.boot_mode == "UEFI"
    words = {"type": kind.id, "boots": "UEFI" if uefi else "BIOS", "arch": kind.cpu_arch, "most_suffix": MOST_SUFFIX}
    defaults: dict[str, Any] = {"image": PLAIN_IMAGE} if not uefi and kind.cpu_arch == "x86_64" else {}
    return config_settings(blueprint, words, defaults)


def constants(blueprint: Blueprint) -> Settings:
    """Constants of settings.py."""
    return settings_view(blueprint, config(blueprint), dashed(blueprint.name), "BUCKET_SUFFIX")


def startup(blueprint: Blueprint, region: str, notice_s: int | None) -> Startup:
    """The scripts of a node's start, in order, and what they are told."""
    kind = blueprint.candidate.type
    shared, disk = shared_choice(blueprint), disk_choice(blueprint)
    local = blueprint.stored("local")
    steps = ["tools"]
    if kind.gpus:
        steps += ["driver-grid" if kind.is_slice else "driver", "devices"]
    if disk or local:
        steps.append("disks")
    if shared:
        steps.append("shared")
    more = ["metadata", "bucket", "stage"] + (["notice"] if blueprint.nodes.pool else [])
    return Startup(
        settings=(
            *job_settings(blueprint, notice_s),
            ("REGION", region),
            ("RAM_ROLE", f"{dashed(blueprint.name)}-node"),
            *_device_settings(blueprint),
            ("DATA_DISK_GIB", str(disk.size_gib if disk else 0)),
            ("SCRATCH", "yes" if local else "no"),
            ("CLOUD_DISK_MODEL", CLOUD_DISK_MODEL),
            *shared_settings(blueprint),
            *data_settings(blueprint),
            *((("NOTICE_ITEM", NOTICE_ITEM),) if blueprint.nodes.pool else ()),
        ),
        scripts=script_paths("alicloud", (*more, *steps)),
        steps=tuple(f"trainform-{step}" for step in steps),
        files=(_ossutil_config(blueprint, region),),
        passed=("TRAINFORM_BUCKET",) if master_bucket(blueprint) else (),
    )


def _device_settings(blueprint: Blueprint) -> tuple[tuple[str, str], ...]:
    kind = blueprint.candidate.type
    told: list[tuple[str, str]] = []
    if kind.gpus and not kind.is_slice:
        told += DRIVER.items()
        told.append(("IS_INSTALL_eRDMA", "TRUE" if uses_erdma(blueprint) else "FALSE"))
        told.append(("IS_INSTALL_RDMA", "TRUE" if blueprint.nodes.rdma and not uses_erdma(blueprint) else "FALSE"))
    return (*told, *card_settings(blueprint, DOCKER_REPO))


def _ossutil_config(blueprint: Blueprint, region: str) -> StartFile:
    """The bucket client acts as the node: keys come from the metadata, none lies in this file."""
    text = (
        "[default]\nmode=EcsRamRole\n"
        f"ecsRoleName={dashed(blueprint.name)}-node\nregion={region}\nendpoint=oss-{region}-internal.aliyuncs.com\n"
    )
    return StartFile(
        path="/root/.ossutilconfig", text=text, why="The bucket client acts as the node: no key lies here."
    )
