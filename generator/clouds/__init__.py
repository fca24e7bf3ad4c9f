"""Finds the cloud folders. Nothing outside a cloud's folder and its templates names that cloud."""

from __future__ import annotations

import functools
import importlib
from pathlib import Path
from typing import Literal

import msgspec

# Clouds that the project is to serve; each is planned until its folder is here.
PLANNED = ("alicloud", "tencentcloud", "huaweicloud", "baiducloud")

# The folder of the cloud folders: a cloud's tables are read from here.
CLOUDS = Path(__file__).parent


class Cloud(msgspec.Struct, frozen=True, kw_only=True):
    """One cloud: names and limits. Each cloud folder's `__init__.py` holds one as `CLOUD`."""

    id: str
    title: str
    sdk: str | None  # the import package of its Pulumi SDK; None: a module of ours is copied into the stack
    extra: str  # `pip install 'trainform[extra]'`
    requirements: tuple[str, ...]  # lines of a stack's requirements.txt
    token_packages: tuple[str, ...]  # first part of its resource tokens, bridged aliases too
    bucket_scheme: str  # oss, cos, obs, bos
    currency: str
    tag_key_pattern: str
    tag_value_pattern: str
    provider_config: tuple[tuple[str, str], ...]  # project values besides the region
    interruption_notice_s: int | None
    example_config: tuple[tuple[str, str], ...] = ()  # config that only a person can give, valid in form
    plugin_server: str = ""  # where `pulumi plugin install` finds the plugin; empty: where Pulumi looks by itself
    kind: Literal["full", "catalog_only"] = "full"  # catalog_only: its tables are here, nothing is built on them yet


@functools.cache
def catalogued_clouds() -> tuple[str, ...]:
    """Ids of all clouds that have a folder, sorted: what `trainform catalog` knows."""
    return tuple(sorted(path.parent.name for path in CLOUDS.glob("*/__init__.py")))


@functools.cache
def cloud_ids() -> tuple[str, ...]:
    """Ids of the clouds that are built (their kind is full), sorted: what a spec may name and a stack may be for."""
    return tuple(cloud_id for cloud_id in catalogued_clouds() if find_cloud(cloud_id).kind == "full")


def owns_url(cloud_id: str, url: str) -> bool:
    """True when a bucket's URL (`oss://name/prefix`) is of this cloud's object store."""
    return url.partition("://")[0] == find_cloud(cloud_id).bucket_scheme


@functools.cache
def find_cloud(cloud_id: str) -> Cloud:
    """The cloud of this id, built or only catalogued; KeyError when there is no such folder."""
    if cloud_id not in catalogued_clouds():
        raise KeyError(cloud_id)
    cloud: Cloud = importlib.import_module(f"generator.clouds.{cloud_id}").CLOUD
    return cloud
