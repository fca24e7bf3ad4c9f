"""From the cloud-neutral stack to what this cloud's templates print: a program's decisions are made here."""

from __future__ import annotations

from typing import Any

import msgspec

from generator.blueprint import Blueprint
from generator.clouds import find_cloud
from generator.clouds.alicloud.view.compute import machine_text, nodes_view, pool_view, rdma_view
from generator.clouds.alicloud.view.guide import guide_view, kept
from generator.clouds.alicloud.view.identity import identity_view
from generator.clouds.alicloud.view.network import network_view
from generator.clouds.alicloud.view.schedule import schedule_view
from generator.clouds.alicloud.view.settings import config_settings, settings_view, startup, user_data_view
from generator.clouds.alicloud.view.storage import (
    bucket_choices,
    buckets_view,
    disks_view,
    shared_view,
    snapshots_view,
)
from generator.clouds.alicloud.view.watch import watch_view
from generator.literals import Code
from generator.sizing.profiles import default_toolchain, find_profile
from generator.view import Page, View

ID = "alicloud"
TEMPLATE = "alicloud/{}.py.jinja"


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """A stack output and the Python expression of its value."""

    name: str
    value: Code


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """The names of __main__.py.jinja. `effects`: modules whose resources register themselves."""

    name: str
    title: str
    spec_file: str
    effects: tuple[str, ...]
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    exports: tuple[Export, ...]
    facts: dict[str, Any]


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """access.py.jinja takes nothing."""


def view(blueprint: Blueprint) -> View:
    """Everything that is written of this stack."""
    cloud = find_cloud(ID)
    region = blueprint.candidate.offer.region
    public = blueprint.network.access == "public" and not blueprint.nodes.pool
    parts: tuple[tuple[str, msgspec.Struct | None], ...] = (
        ("settings", settings_view(blueprint)),
        ("network", network_view(blueprint)),
        ("identity", identity_view(blueprint)),
        ("buckets", buckets_view(blueprint)),
        ("file_system", shared_view(blueprint)),
        ("snapshots", snapshots_view(blueprint)),
        ("user_data", user_data_view(blueprint)),
        ("nodes", nodes_view(blueprint)),
        ("pool", pool_view(blueprint)),
        ("disks", disks_view(blueprint)),
        ("rdma", rdma_view(blueprint)),
        ("access", Access() if public else None),
        ("schedule", schedule_view(blueprint)),
        ("watch", watch_view(blueprint)),
    )
    there = {name: data for name, data in parts if data is not None}
    pages = [Page(name=f"{name}.py", template=TEMPLATE.format(name), data=data) for name, data in there.items()]
    pages.append(Page(name="__main__.py", template=TEMPLATE.format("__main__"), data=program(blueprint, set(there))))
    return View(
        title=headline(blueprint),
        cloud_title=cloud.title,
        extra=cloud.extra,
        region=region,
        pages=tuple(pages),
        provider=((f"{ID}:region", region), *((f"{ID}:{key}", value) for key, value in cloud.provider_config)),
        settings=config_settings(blueprint),
        requirements=cloud.requirements,
        startup=startup(blueprint, region, cloud.interruption_notice_s),
        kept=kept(blueprint),
        guide=Page(name="README.md", template=f"{ID}/guide.md.jinja", data=guide_view(blueprint)),
    )


def headline(blueprint: Blueprint) -> str:
    """What is built, in one line: `2 x ecs.ebmgn7ex.32xlarge (8 x A100-SXM-80), cpfs 7,200 GiB in cn-beijing`."""
    kind = blueprint.candidate.type
    charge = "spot " if blueprint.nodes.pool else ""
    parts = [f"{blueprint.nodes.count} x {charge}{kind.id} ({machine_text(blueprint)})"]
    parts += [
        f"{choice.product or choice.kind} {choice.size_gib:,} GiB"
        for choice in blueprint.storage
        if choice.role != "system" and choice.kind in {"disk", "file_system", "nas"}
    ]
    if bucket_choices(blueprint):
        parts.append("OSS")
    return f"{', '.join(parts)} in {blueprint.candidate.offer.region}"


def program(blueprint: Blueprint, modules: set[str]) -> Program:
    """__main__.py: which modules there are, and the stack's outputs."""
    imports: list[tuple[str, tuple[str, ...]]] = []
    exports: list[Export] = []
    choices = bucket_choices(blueprint)
    if "buckets" in modules:
        names = {"ckpt": "checkpoints", "raw": "raw", "archive": "archive"}
        made = tuple(names[choice.role] for choice in choices)
        imports.append(("buckets", tuple(sorted(made))))
        exports += [Export(name=name, value=Code(f'{name}.bucket.apply("oss://{{}}".format)')) for name in made]
    if "file_system" in modules:
        imports.append(("file_system", ("shared",)))
        exports.append(Export(name="file_system", value=Code("shared.id")))
    if "disks" in modules:
        imports.append(("disks", ("disks",)))
        exports.append(Export(name="disks", value=Code("[disk.id for disk in disks]")))
    if "nodes" in modules:
        imports.append(("nodes", ("nodes",)))
        exports.insert(0, Export(name="nodes", value=Code("[node.private_ip for node in nodes]")))
    if "pool" in modules:
        imports.append(("pool", ("pool",)))
        exports.insert(0, Export(name="pool", value=Code("pool.id")))
    if "access" in modules:
        imports.append(("access", ("public_address",)))
        exports.append(Export(name="public_address", value=Code("public_address.ip_address")))
    return Program(
        name=blueprint.name,
        title=headline(blueprint),
        spec_file=blueprint.spec_file,
        effects=tuple(sorted(modules & {"rdma", "schedule", "watch"})),
        imports=tuple(sorted(imports)),
        exports=tuple(exports),
        facts=sized_facts(blueprint),
    )


def sized_facts(blueprint: Blueprint) -> dict[str, Any]:
    """The stack output `trainform` (CONTRACTS section 4); what does not apply to the job is left out."""
    candidate, fit = blueprint.candidate, blueprint.candidate.fit
    facts: dict[str, Any] = {"spec_sha256": blueprint.spec_sha256}
    if fit.precision and fit.layout:
        facts |= {"precision": fit.precision, "profile": blueprint.workload.profile}
        facts |= {"framework": chain} if (chain := toolchain(blueprint)) else {}
    if fit.memory:
        facts |= {
            "gpu_memory_bound_gib": round(fit.memory.bound, 1),
            "gpu_memory_usable_gib": round(fit.memory.usable, 1),
        }
    facts["run_hours"] = round(candidate.hours, 1)
    if fit.storage.read_mbps >= 1:
        facts["read_mbps"] = round(fit.storage.read_mbps)
    if fit.storage.checkpoint_gib:
        facts["checkpoint_gib"] = round(fit.storage.checkpoint_gib, 1)
    if fit.time and fit.layout:
        facts["exposed_ratio"] = round(fit.time.exposed_ratio, 2)
    return facts


def toolchain(blueprint: Blueprint) -> str | None:
    """The wheels that run: the user's, else the newest that the profile has for this card."""
    card = blueprint.candidate.fit.hardware.gpu
    if blueprint.workload.toolchain or card is None:
        return blueprint.workload.toolchain
    chain = default_toolchain(find_profile(blueprint.workload.profile), card)
    return chain.name if chain else None
