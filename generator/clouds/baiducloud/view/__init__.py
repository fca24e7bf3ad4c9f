"""From the cloud-neutral stack to what this cloud's templates print: a program's decisions are made here."""

from __future__ import annotations

import msgspec

from generator.clouds import find_cloud
from generator.clouds.baiducloud.view.compute import nodes_view, pool_view
from generator.clouds.baiducloud.view.guide import guide_view, kept
from generator.clouds.baiducloud.view.network import network_view
from generator.clouds.baiducloud.view.settings import config, constants, startup, user_data
from generator.clouds.baiducloud.view.storage import buckets_view, disks_view, snapshots_view
from generator.stack.blueprint import Blueprint, public
from generator.stack.program import program
from generator.stack.view import Page, View, template
from generator.stack.words import headline

ID = "baiducloud"
EFFECTS = frozenset({"snapshots"})


class Plain(msgspec.Struct, frozen=True, kw_only=True):
    """A template that takes nothing: access.py.jinja, identity.py.jinja."""


def view(blueprint: Blueprint) -> View:
    """Everything that is written of this stack."""
    cloud = find_cloud(ID)
    region = blueprint.candidate.offer.region
    nodes = nodes_view(blueprint)
    parts: tuple[tuple[str, msgspec.Struct | None], ...] = (
        ("settings", constants(blueprint)),
        ("network", network_view(blueprint)),
        ("identity", Plain()),
        ("buckets", buckets_view(blueprint)),
        ("user_data", user_data(blueprint)),
        ("nodes", nodes),
        ("pool", pool_view(blueprint)),
        ("disks", disks_view(blueprint)),
        ("snapshots", snapshots_view(blueprint)),
        ("access", Plain() if public(blueprint) and nodes else None),
    )
    there = {name: data for name, data in parts if data is not None}
    title = headline(blueprint, "BOS")
    there["__main__"] = program(
        blueprint, set(there), title, effects=EFFECTS, private_address="internal_ip", public_address="eip"
    )
    pages = [Page(name=f"{name}.py", template=template(ID, name), data=data) for name, data in there.items()]
    # The vendor publishes no SDK: the module that stands for one is copied into the stack as it is.
    pages.append(Page(name="baiducloud.py", template="baiducloud/baiducloud.py", data=Plain()))
    return View(
        title=title,
        cloud_title=cloud.title,
        extra=cloud.extra,
        region=region,
        pages=tuple(pages),
        provider=((f"{ID}:region", region),),
        settings=config(blueprint),
        requirements=cloud.requirements,
        startup=startup(blueprint, region, cloud.interruption_notice_s),
        kept=kept(blueprint),
        guide=Page(name="README.md", template=f"{ID}/guide.md.jinja", data=guide_view(blueprint)),
    )
