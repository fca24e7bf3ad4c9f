"""From the cloud-neutral stack to what this cloud's templates print: a program's decisions are made here."""

from __future__ import annotations

import msgspec

from generator.clouds import find_cloud
from generator.clouds.tencentcloud.view.compute import nodes_view, pool_view
from generator.clouds.tencentcloud.view.guide import guide_view, kept
from generator.clouds.tencentcloud.view.identity import identity_view
from generator.clouds.tencentcloud.view.network import network_view
from generator.clouds.tencentcloud.view.schedule import schedule_view
from generator.clouds.tencentcloud.view.settings import config, constants, startup
from generator.clouds.tencentcloud.view.storage import disks_view, shared_view, snapshots_view
from generator.clouds.tencentcloud.view.watch import watch_view
from generator.stack.blueprint import Blueprint, public
from generator.stack.buckets import buckets_view
from generator.stack.program import program
from generator.stack.settings import user_data_view
from generator.stack.view import Page, View, template
from generator.stack.words import headline

ID = "tencentcloud"
EFFECTS = frozenset({"schedule", "snapshots", "watch"})


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """access.py.jinja takes nothing."""


def view(blueprint: Blueprint) -> View:
    """Everything that is written of this stack."""
    cloud = find_cloud(ID)
    region = blueprint.candidate.offer.region
    nodes = nodes_view(blueprint)
    parts: tuple[tuple[str, msgspec.Struct | None], ...] = (
        ("settings", constants(blueprint)),
        ("network", network_view(blueprint)),
        ("identity", identity_view(blueprint)),
        ("buckets", buckets_view(blueprint)),
        ("file_system", shared_view(blueprint)),
        ("user_data", user_data_view(blueprint)),
        ("nodes", nodes),
        ("pool", pool_view(blueprint)),
        ("disks", disks_view(blueprint)),
        ("snapshots", snapshots_view(blueprint)),
        ("access", Access() if public(blueprint) and nodes else None),
        ("schedule", schedule_view(blueprint)),
        ("watch", watch_view(blueprint)),
    )
    there = {name: data for name, data in parts if data is not None}
    title = headline(blueprint, "COS")
    there["__main__"] = program(
        blueprint, set(there), title, effects=EFFECTS, private_address="private_ip", public_address="public_ip"
    )
    pages = [Page(name=f"{name}.py", template=template(ID, name), data=data) for name, data in there.items()]
    return View(
        title=title,
        cloud_title=cloud.title,
        extra=cloud.extra,
        region=region,
        pages=tuple(pages),
        provider=((f"{ID}:region", region), *((f"{ID}:{key}", value) for key, value in cloud.provider_config)),
        settings=config(blueprint),
        requirements=cloud.requirements,
        startup=startup(blueprint, region, cloud.interruption_notice_s),
        kept=kept(blueprint),
        guide=Page(name="README.md", template=f"{ID}/guide.md.jinja", data=guide_view(blueprint)),
    )
