"""What the stack's README says that only this cloud knows, and what is kept from a destroy."""

from __future__ import annotations

import msgspec

from generator.clouds.huaweicloud.view.compute import is_metal
from generator.clouds.huaweicloud.view.identity import encryption_view
from generator.clouds.huaweicloud.view.names import dashed
from generator.clouds.huaweicloud.view.storage import disks_view
from generator.stack.blueprint import Blueprint, public
from generator.stack.cards import is_ascend
from generator.stack.groups import pooled
from generator.stack.storage import BUCKETS, RAW_PREFIX, bucket_choices, shared_choice
from generator.stack.view import Kept

BUCKET, FILE_SYSTEM, DISK, KEY = (
    "huaweicloud:Obs/bucket:Bucket",
    "huaweicloud:Sfs/turbo:Turbo",
    "huaweicloud:Evs/volume:Volume",
    "huaweicloud:Dew/key:Key",
)


class Guide(msgspec.Struct, frozen=True, kw_only=True):
    """The names of guide.md.jinja."""

    region: str
    gpus: bool
    flavor: str
    arch: str
    job_tag: str
    name: str
    spot: bool
    stand_in: bool
    metal: bool
    ascend: bool
    public: bool
    nodes_stay: bool
    raw_prefix: str | None
    copy_from: str | None
    email: bool
    scheduled: bool


def guide_view(blueprint: Blueprint) -> Guide:
    """Which of the cloud's sections the README needs."""
    raw = any(choice.role == "raw" for choice in bucket_choices(blueprint))
    nodes, kind = blueprint.nodes, blueprint.candidate.type
    return Guide(
        region=blueprint.candidate.offer.region,
        gpus=blueprint.candidate.type.gpus > 0,
        flavor=kind.id,
        arch="arm64" if kind.cpu_arch == "arm64" else "x86_64",
        job_tag=f"trainform-job={blueprint.name}",
        name=dashed(blueprint.name),
        spot=nodes.pool,
        stand_in=nodes.pool and nodes.count == 1 and nodes.on_demand > 0,
        metal=is_metal(blueprint),
        ascend=is_ascend(blueprint),
        public=public(blueprint),
        nodes_stay=not pooled(blueprint),
        raw_prefix=RAW_PREFIX if raw else None,
        copy_from=blueprint.data.copy_from,
        email=blueprint.alarms.email is not None,
        scheduled=blueprint.schedule is not None,
    )


def kept(blueprint: Blueprint) -> tuple[Kept, ...]:
    """What is protected: data that a destroy must not take along, and the key that it can be read with."""
    roles = {"ckpt": "checkpoints", "raw": "the data set", "archive": "results"}
    found = [
        Kept(what=f"the bucket of {roles[choice.role]}", resource=BUCKETS[choice.role][0], type=BUCKET)
        for choice in bucket_choices(blueprint)
    ]
    if shared_choice(blueprint):
        found.append(Kept(what="the shared file system", resource="shared", type=FILE_SYSTEM))
    disks = disks_view(blueprint)
    if disks is not None and not disks.copies:
        ranks = range(blueprint.nodes.count + blueprint.nodes.spare)
        found += [Kept(what=f"the data disk of node {rank}", resource=f"data-{rank}", type=DISK) for rank in ranks]
    if encryption_view(blueprint).lasts:
        found.append(Kept(what="the key of encryption", resource="disks", type=KEY))
    return tuple(found)
