"""Config that a person supplies, and what a node's scripts are told."""

from __future__ import annotations

from typing import Any

from generator.clouds.huaweicloud.view.names import MOST_SUFFIX, dashed
from generator.clouds.huaweicloud.view.storage import shared_settings
from generator.clouds.huaweicloud.view.watch import NAMESPACE
from generator.stack.blueprint import Blueprint
from generator.stack.cards import card_settings, is_ascend
from generator.stack.groups import attaches_disk
from generator.stack.settings import Settings, config_settings, settings_view
from generator.stack.startup import StartFile, Startup, job_settings, script_paths
from generator.stack.storage import data_settings, disk_choice, master_bucket, shared_choice
from generator.stack.view import Setting

# The newest CUDA whose installer brings a driver that still knows Volta (NVIDIA's release notes of CUDA 13).
DRIVER = {"CUDA_VERSION": "12.8.1", "DRIVER_VERSION": "570.124.06"}
# Ascend HDK for the 910B: driver and the firmware of the same release.
ASCEND_DRIVER = {"HDK_VERSION": "24.1.0", "FIRMWARE_VERSION": "7.5.0.3.220"}
DOCKER_REPO = "https://mirrors.huaweicloud.com/docker-ce/linux/centos/8"  # the system is compatible with CentOS 8
CLOUD_DISK_MODEL = "QEMU"  # cloud disks are virtio ones, never NVMe
NOTICE_ITEM = "spot/instance-action"  # of the metadata: there once a spot node is about to be taken back


def config(blueprint: Blueprint) -> tuple[Setting, ...]:
    """What Pulumi.yaml declares here; no id of a public image is known, for each region has its own."""
    kind = blueprint.candidate.type
    boots = f" that boots by {kind.boot_mode}" if kind.boot_mode else ""
    words = {"type": kind.id, "arch": kind.cpu_arch, "boots": boots, "most_suffix": MOST_SUFFIX}
    defaults: dict[str, Any] = {"onDemandNodes": 0}
    more = {"alarmTopicUrn": blueprint.alarms.email is None, "userId": kind.bare_metal}
    return config_settings(blueprint, words, defaults, more)


def constants(blueprint: Blueprint) -> Settings:
    """Constants of settings.py."""
    return settings_view(blueprint, config(blueprint), dashed(blueprint.name), "BUCKET_SUFFIX")


def startup(blueprint: Blueprint, region: str, notice_s: int | None) -> Startup:
    """The scripts of a node's start, in order, and what they are told."""
    disk, local, shared = disk_choice(blueprint), blueprint.stored("local"), shared_choice(blueprint)
    ascend = is_ascend(blueprint)
    steps = ["tools"]
    if blueprint.candidate.type.gpus:
        steps += ["driver-ascend", "devices-ascend"] if ascend else ["driver", "devices"]
    if attaches_disk(blueprint):
        steps.append("attach")
    if disk or local:
        steps.append("disks")
    if shared:
        steps.append("shared")
    more = ["metadata", "bucket", "stage", "api", "meter", "figures-machine"]
    if blueprint.candidate.type.gpus:
        more.append("figures-ascend" if ascend else "figures-nvidia")
    more += ["notice"] if blueprint.nodes.pool else []
    return Startup(
        settings=(
            *job_settings(blueprint, notice_s),
            ("REGION", region),
            *_device_settings(blueprint),
            ("METER_NAMESPACE", NAMESPACE),
            ("DATA_DISK_GIB", str(disk.size_gib if disk else 0)),
            *((("DATA_DISK_NAME", f"{dashed(blueprint.name)}-data"),) if attaches_disk(blueprint) else ()),
            ("SCRATCH", "yes" if local else "no"),
            ("CLOUD_DISK_MODEL", CLOUD_DISK_MODEL),
            *shared_settings(blueprint),
            *data_settings(blueprint),
            *((("NOTICE_ITEM", NOTICE_ITEM),) if blueprint.nodes.pool else ()),
        ),
        scripts=script_paths("huaweicloud", (*more, *steps)),
        steps=tuple(f"trainform-{step}" for step in steps),
        files=(_meter_clock(),),
        passed=("TRAINFORM_BUCKET",) if master_bucket(blueprint) else (),
    )


def _device_settings(blueprint: Blueprint) -> tuple[tuple[str, str], ...]:
    driver = (ASCEND_DRIVER if is_ascend(blueprint) else DRIVER) if blueprint.candidate.type.gpus else {}
    return (*driver.items(), *card_settings(blueprint, DOCKER_REPO))


def _meter_clock() -> StartFile:
    text = "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n* * * * * root trainform-meter >/dev/null 2>&1\n"
    return StartFile(path="/etc/cron.d/trainform-meter", text=text, why="The figures that alarms are made of.")
