"""From the cloud-neutral stack to what this cloud's templates print: a program's decisions are made here."""

from __future__ import annotations

import msgspec

from generator.clouds import find_cloud
from generator.clouds.huaweicloud.view.compute import is_metal, metal_view, nodes_view, pool_view
from generator.clouds.huaweicloud.view.guide import guide_view, kept
from generator.clouds.huaweicloud.view.identity import encryption_view, identity_view
from generator.clouds.huaweicloud.view.network import network_view
from generator.clouds.huaweicloud.view.schedule import schedule_view
from generator.clouds.huaweicloud.view.settings import config, constants, startup
from generator.clouds.huaweicloud.view.storage import disks_view, shared_view, snapshots_view
from generator.clouds.huaweicloud.view.watch import watch_view
from generator.stack.blueprint import Blueprint, public
from generator.stack.buckets import buckets_view
from generator.stack.program import program
from generator.stack.settings import user_data_view
from generator.stack.view import Page, View, template
from generator.stack.words import headline

ID = "huaweicloud"
EFFECTS = frozenset({"schedule", "snapshots", "watch"})
# Where a node's own address stands: bare metal lists it with its network cards.
VIRTUAL_ADDRESS, METAL_ADDRESS = "access_ip_v4", "nics[0].ip_address"


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """access.py.jinja takes nothing."""


def view(drawn: Blueprint) -> View:
    """Everything that is written of this stack."""
    cloud = find_cloud(ID)
    metal = is_metal(drawn)
    # Bare metal is sold by the month and ends with it: there is no moment to set.
    blueprint = msgspec.structs.replace(drawn, release=False) if metal else drawn
    region = blueprint.candidate.offer.region
    nodes, metal_nodes = nodes_view(blueprint), metal_view(blueprint)
    parts: tuple[tuple[str, msgspec.Struct | None], ...] = (
        ("settings", constants(blueprint)),
        ("network", network_view(blueprint)),
        ("identity", identity_view(blueprint)),
        ("encryption", encryption_view(blueprint)),
        ("buckets", buckets_view(blueprint, "STANDARD")),
        ("file_system", shared_view(blueprint)),
        ("user_data", user_data_view(blueprint)),
        ("nodes", nodes or metal_nodes),
        ("pool", pool_view(blueprint)),
        ("disks", disks_view(blueprint)),
        ("snapshots", snapshots_view(blueprint)),
        ("access", Access() if public(blueprint) and nodes else None),
        ("schedule", schedule_view(blueprint)),
        ("watch", watch_view(blueprint)),
    )
    there = {name: data for name, data in parts if data is not None}
    title = headline(blueprint, "OBS")
    address = METAL_ADDRESS if metal else VIRTUAL_ADDRESS
    there["__main__"] = program(
        blueprint, set(there), title, effects=EFFECTS, private_address=address, public_address="address"
    )
    pages = [
        Page(name=f"{name}.py", template=template(ID, "metal" if name == "nodes" and metal else name), data=data)
        for name, data in there.items()
    ]
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
