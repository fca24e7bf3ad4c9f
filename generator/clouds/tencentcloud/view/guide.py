"""What the stack's README says that only this cloud knows, and what is kept from a destroy."""

from __future__ import annotations

import msgspec

from generator.clouds.tencentcloud.view.names import dashed
from generator.stack.blueprint import Blueprint, public
from generator.stack.groups import pooled
from generator.stack.storage import BUCKETS, RAW_PREFIX, bucket_choices, disk_choice, disks_hold_copies, shared_choice
from generator.stack.view import Kept

BUCKET, FILE_SYSTEM, DISK = (
    "tencentcloud:Cos/bucket:Bucket",
    "tencentcloud:Cfs/fileSystem:FileSystem",
    "tencentcloud:Cbs/storage:Storage",
)


class Guide(msgspec.Struct, frozen=True, kw_only=True):
    """The names of guide.md.jinja."""

    region: str
    gpus: bool
    instance_type: str
    job: str
    name: str
    spot: bool
    stand_in: bool
    hcc: bool
    public: bool
    nodes_stay: bool
    raw_prefix: str | None
    copy_from: str | None
    email: bool
    scheduled: bool


def guide_view(blueprint: Blueprint) -> Guide:
    """Which of the cloud's sections the README needs."""
    raw = any(choice.role == "raw" for choice in bucket_choices(blueprint))
    nodes = blueprint.nodes
    return Guide(
        region=blueprint.candidate.offer.region,
        gpus=blueprint.candidate.type.gpus > 0,
        instance_type=blueprint.candidate.type.id,
        job=blueprint.name,
        name=dashed(blueprint.name),
        spot=nodes.pool,
        stand_in=nodes.pool and nodes.count == 1 and nodes.on_demand > 0,
        hcc=blueprint.candidate.type.hpc_cluster,
        public=public(blueprint),
        nodes_stay=not pooled(blueprint),
        raw_prefix=RAW_PREFIX if raw else None,
        copy_from=blueprint.data.copy_from,
        email=blueprint.alarms.email is not None,
        scheduled=blueprint.schedule is not None,
    )


def kept(blueprint: Blueprint) -> tuple[Kept, ...]:
    """What is protected: data that a destroy must not take along."""
    roles = {"ckpt": "checkpoints", "raw": "the data set", "archive": "results"}
    found = [
        Kept(what=f"the bucket of {roles[choice.role]}", resource=BUCKETS[choice.role][0], type=BUCKET)
        for choice in bucket_choices(blueprint)
    ]
    if shared_choice(blueprint):
        found.append(Kept(what="the shared file system", resource="shared", type=FILE_SYSTEM))
    if disk_choice(blueprint) and not blueprint.nodes.pool and not disks_hold_copies(blueprint):
        ranks = range(blueprint.nodes.count + blueprint.nodes.spare)
        found += [Kept(what=f"the data disk of node {rank}", resource=f"data-{rank}", type=DISK) for rank in ranks]
    return tuple(found)
