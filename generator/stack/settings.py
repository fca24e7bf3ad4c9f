"""What a person sets of a stack, its constants and tags, and what only a node's rank decides, on any cloud."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from generator.clouds import CLOUDS, find_cloud
from generator.rows import read_rows
from generator.stack.blueprint import Blueprint
from generator.stack.config import EXAMPLES
from generator.stack.literals import Code
from generator.stack.startup import LAUNCH, NODE_ENV
from generator.stack.storage import (
    OurBucket,
    OwnBucket,
    Url,
    bucket_choices,
    master_bucket,
    our_buckets,
    own_buckets,
    urls,
)
from generator.stack.view import Setting

# What is no text.
KINDS = {"sshFrom": "array", "onDemandNodes": "integer"}


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The names of shared/settings.py.jinja; `suffix`: the constant at the end of each bucket's name."""

    texts: tuple[Setting, ...]
    numbers: tuple[Setting, ...]
    lists: tuple[Setting, ...]
    name: str
    nodes: int
    master: str | None
    suffix: Code
    buckets: tuple[OurBucket, ...]
    own_buckets: tuple[OwnBucket, ...]
    job_tags: dict[str, str]
    node_tags: dict[str, str]


class UserData(msgspec.Struct, frozen=True, kw_only=True):
    """The names of shared/user_data.py.jinja; `master_constant` None: the node is alone or finds its leader itself.

    `encoded`: carriers take base64, else the text itself.
    """

    imports: tuple[str, ...]
    scheme: str
    bucket_constant: str | None
    urls: tuple[Url, ...]
    master_constant: str | None
    node_env: str
    launch: str
    encoded: bool = True


def config_settings(
    blueprint: Blueprint,
    words: Mapping[str, object],
    defaults: Mapping[str, Any],
    more: Mapping[str, bool] = MappingProxyType({}),
) -> tuple[Setting, ...]:
    """What Pulumi.yaml declares, by the cloud's settings.csv; all but the zone have a default or an example.

    `more`: whether keys are wanted that only this cloud has, or needs when others do not.
    """
    nodes, group = blueprint.nodes, blueprint.alarms.group
    network, cloud = blueprint.network, find_cloud(blueprint.candidate.type.cloud)
    foreign = network.existing_vpc is not None
    buckets = bool(bucket_choices(blueprint))
    examples = EXAMPLES | dict(cloud.example_config)
    wanted = {
        "zone": True,
        "image": True,
        "bucketSuffix": buckets,
        "appId": buckets,
        "sshPublicKey": network.ssh,
        "alarmContactGroup": not (blueprint.alarms.email or group),
        "alarmGroupId": not (blueprint.alarms.email or (group or "").isdigit()),
        "releaseAt": blueprint.release,
        "scheduleFrom": blueprint.schedule is not None,
        "scheduleUntil": blueprint.schedule is not None,
        "subnetCidr": foreign and network.existing_subnet is None,
        "masterAddress": foreign and blueprint.nodes.meets,
        "sshFrom": network.ssh,
        "spotMaxPrice": nodes.pool and all(price is None for _, price in nodes.price_caps),
        "onDemandNodes": nodes.pool and nodes.count == 1 and nodes.on_demand > 0,
        **more,
    }
    values = {"sshFrom": network.ssh_from} | dict(defaults)
    return tuple(
        Setting(
            key=row["key"],
            constant=row["constant"],
            why=row["why"].format_map(words),
            kind=KINDS.get(row["key"], "string"),
            default=values.get(row["key"]),
            example=examples.get(row["key"]),
        )
        for row in read_rows(CLOUDS / cloud.id / "settings.csv")
        if wanted[row["key"]]
    )


def settings_view(blueprint: Blueprint, settings: tuple[Setting, ...], name: str, suffix: str) -> Settings:
    """Constants of settings.py; `name` is the job's as this cloud's resources take it."""
    return Settings(
        texts=tuple(setting for setting in settings if setting.kind == "string"),
        numbers=tuple(setting for setting in settings if setting.kind == "integer"),
        lists=tuple(setting for setting in settings if setting.kind == "array"),
        name=name,
        nodes=blueprint.nodes.count + blueprint.nodes.spare,
        master=None if blueprint.network.existing_vpc or not blueprint.nodes.meets else blueprint.network.first_address,
        suffix=Code(f"{{{suffix}}}"),
        buckets=our_buckets(blueprint),
        own_buckets=own_buckets(blueprint),
        job_tags=dict(blueprint.job_tags),
        node_tags=dict(blueprint.nodes.tags),
    )


def user_data_view(blueprint: Blueprint) -> UserData:
    """How cloud-init.yaml becomes the user data of a node."""
    bucket = master_bucket(blueprint)
    master = "MASTER_ADDR" if blueprint.nodes.meets else None
    places = urls(blueprint)
    used = {bucket, master, *(url.constant for url in places)}
    return UserData(
        imports=tuple(sorted(name for name in used if name)),
        scheme=f"{find_cloud(blueprint.candidate.type.cloud).bucket_scheme}://",
        bucket_constant=bucket,
        urls=places,
        master_constant=master,
        node_env=NODE_ENV,
        launch=LAUNCH,
    )
